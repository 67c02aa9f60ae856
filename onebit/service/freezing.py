"""Copies of a state that goes on changing, for digests and snapshots made in another thread."""

from __future__ import annotations

from onebit.agent.logged import LoggedAgent
from onebit.store.fold import Fold


class Frozen:
    """A second agent into which the state of the first is copied, in one go."""

    def __init__(self) -> None:
        self._spare: LoggedAgent | None = None
        self.busy = False

    def take(self, fold: Fold) -> LoggedAgent | None:
        """Return a copy of an agent as it is now; None while the last copy is in use."""
        if self.busy:
            return None
        agent = fold.agent
        if self._spare is None or not self._spare.fits(agent):
            self._spare = agent.twin()
        self._spare.copy_from(agent, fold.round)
        self.busy = True
        return self._spare
