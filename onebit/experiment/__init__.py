"""Experiments: running trials, reporting on them, and the papers' experiments as data."""
