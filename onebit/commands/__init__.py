"""The commands: one file each, thin; heavy modules are imported inside the functions."""
