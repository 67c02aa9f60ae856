"""The Agent and its parts: recipes, labels, open decisions, advice, snapshots."""
