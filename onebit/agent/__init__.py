"""The Agent, and what it is made of: recipes, the user's rows as advice, snapshots."""
