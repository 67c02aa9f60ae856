"""The log of agents that are served: events on the disk, and the state that they add up to."""
