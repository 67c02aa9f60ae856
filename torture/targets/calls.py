"""Calls of an agent, right and wrong, in any order: the state machine of `torture.machine`."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import hypothesis.core
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from torture.machine import AgentMachine

#: Sequences of calls in a case, and calls in a sequence.
SEQUENCES, CALLS = 10, 50


class Target:
    """A case is the seed of a few sequences of calls; hypothesis shrinks them itself."""

    def make(self, random: Random) -> Any:
        """Return a seed."""
        return random.getrandbits(64)

    def run(self, case: Any) -> None:
        """Run the sequences of a seed."""
        hypothesis.core.global_force_seed = case
        run_state_machine_as_test(
            AgentMachine,
            settings=settings(
                max_examples=SEQUENCES, stateful_step_count=CALLS, deadline=None, database=None,
                suppress_health_check=list(HealthCheck), print_blob=False,
            ),
        )  # fmt: skip

    def smaller(self, case: Any) -> Iterator[Any]:
        """Yield nothing: the error shows the smallest sequence already."""
        return iter(())
