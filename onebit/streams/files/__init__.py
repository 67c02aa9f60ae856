"""Users' files as streams: bytes, lines, labels, and the way from there to blocks."""
