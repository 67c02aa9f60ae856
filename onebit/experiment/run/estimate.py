"""How much of the work is done, when some learners take a hundred times as long as others.

The work of a trial is its rounds times what a round of that learner took in the trials
that ended; of learners that none ended of, what a round took on average.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from onebit import streams
from onebit.experiment.run.trial import UNTIL_IT_ENDS, Result, Trial
from onebit.streams.file import File


class Pace:
    """What a round takes, by the learner's name, and how many rounds are to be played."""

    def __init__(self, trials: Sequence[Trial]) -> None:
        self._times: dict[str, tuple[float, int]] = {}
        self._rounds = {trial: trial.rounds or _declared_rows(trial) for trial in trials}

    def note(self, result: Result) -> None:
        """Note what the rounds of a trial took that ended."""
        name = _name(result.learner)
        time, rounds = self._times.get(name, (0.0, 0))
        self._times[name] = time + result.us_per_round * result.rounds, rounds + result.rounds

    def share(
        self, begun: Mapping[Trial, int], done: Mapping[Trial, tuple[int, int]]
    ) -> float | None:
        """Return how much of the work is done, from 0 to 1; None if nobody knows its length."""
        known = max(begun.values(), default=0)
        worked = whole = 0.0
        times = {name: time / max(rounds, 1) for name, (time, rounds) in self._times.items()}
        usual = sum(times.values()) / len(times) if times else 1.0
        for trial, declared in self._rounds.items():
            rounds = begun.get(trial) or declared or known
            if rounds >= UNTIL_IT_ENDS:
                return None
            each = times.get(trial.learner.spec.name, usual)
            worked += each * done.get(trial, (0, 0))[0]
            whole += each * rounds
        return min(worked / whole, 1.0) if whole else 0.0


def _name(learner: str) -> str:
    return learner.partition(":")[0]


def _declared_rows(trial: Trial) -> int | None:
    """Return the rows that a stream was declared with; None of a file, or if endless."""
    _, source = trial.stream
    return None if isinstance(source, File) else streams.traits(type(source)).rows
