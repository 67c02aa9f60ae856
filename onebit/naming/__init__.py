"""How things are named: specs, parameters and their rules, and finding a class by its name."""
