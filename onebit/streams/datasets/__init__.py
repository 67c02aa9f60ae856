"""The built-in streams: one file, one name."""
