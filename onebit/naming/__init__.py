"""Specs, parameters and their rules, and finding a class by its name."""
