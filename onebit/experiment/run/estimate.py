"""How much of the work is done, when some learners take a hundred times as long as others.

The work of a trial is its rounds times the time of a round of that learner in trials that
ended; for a learner of which none ended, the mean time of a round.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from onebit import streams
from onebit.experiment.run.playing import UNKNOWN_ROUNDS
from onebit.experiment.run.trial import Result, Trial
from onebit.streams.file import File


class WorkEstimate:
    """The time of a round, by the learner's name, and the rounds to be played."""

    def __init__(self, trials: Sequence[Trial] = ()) -> None:
        self._times: dict[str, tuple[float, int]] = {}
        self._rounds: dict[Trial, int | None] = {}
        self.add(trials)

    def add(self, trials: Sequence[Trial]) -> None:
        """Add trials to be played."""
        self._rounds |= {trial: trial.rounds or _declared_rows(trial) for trial in trials}

    def record(self, result: Result) -> None:
        """Record the time and the rounds of a trial that ended."""
        name = result.learner.partition(":")[0]
        time, rounds = self._times.get(name, (0.0, 0))
        self._times[name] = time + result.us_per_round * result.rounds, rounds + result.rounds

    def fraction_done(
        self, started: Mapping[Trial, int], done: Mapping[Trial, tuple[int, int]]
    ) -> float | None:
        """Return how much of the work is done, from 0 to 1; None if its length is unknown.

        `started` has the rounds of trials that started, `done` their rounds and mistakes.
        """
        known = max(started.values(), default=0)
        worked = whole = 0.0
        times = {name: time / max(rounds, 1) for name, (time, rounds) in self._times.items()}
        mean = sum(times.values()) / len(times) if times else 1.0
        for trial, declared in self._rounds.items():
            rounds = started.get(trial) or declared or known
            if rounds >= UNKNOWN_ROUNDS:
                return None
            each = times.get(trial.learner.spec.name, mean)
            worked += each * done.get(trial, (0, 0))[0]
            whole += each * rounds
        return min(worked / whole, 1.0) if whole else 0.0


def _declared_rows(trial: Trial) -> int | None:
    """Return the declared rows of a stream; None for a file or an endless stream."""
    _, source = trial.stream
    return None if isinstance(source, File) else streams.traits(type(source)).rows
