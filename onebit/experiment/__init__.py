"""Experiments: trials, many of them at once, and the tables and figures drawn from them."""
