"""Rows, rounds and loops: what is compiled, how it is compiled, and what passes between."""
