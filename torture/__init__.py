"""Torture: random hostile input for everything that takes input, until something breaks.

`make torture MINUTES=10` runs every target (one file each in `targets/`) in a process of its own,
with limits on memory and time. A case is fully determined by its target and number. Success and one
sentence (a `BadInput`) are right; any other exception, a crash, a hang or too much memory is a
finding, which is shrunk and printed with the command that runs it again.
"""
