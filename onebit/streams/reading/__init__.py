"""Reading files: bytes into rows and labels, whatever the format."""
