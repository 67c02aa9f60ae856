"""The theorems as functions, and what they need: comparators, the Littlestone dimension."""
