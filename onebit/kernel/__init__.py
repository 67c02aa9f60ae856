"""Rows, rounds, state and loops, and how they are compiled."""
