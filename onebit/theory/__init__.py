"""Bounds as functions, and what they refer to: comparators, the Littlestone dimension."""
