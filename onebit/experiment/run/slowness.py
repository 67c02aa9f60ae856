"""Trials that will take long: said once for each learner, with time and memory, when they begin."""

from __future__ import annotations

from collections.abc import Iterator

from onebit.experiment.run.playing import UNKNOWN_ROUNDS
from onebit.experiment.run.runner import Progress
from onebit.experiment.run.trial import Trial

#: How many seconds of playing are measured, after as many that are not; a slow trial takes more
#: than SLOW_SECONDS.
MEASURED_SECONDS, SLOW_SECONDS = 0.5, 60.0
#: The least rate, in bytes a second, at which a process is assumed to get new memory.
NEW_MEMORY = 5e8


def first_seconds(memory: float) -> float:
    """Return how long rounds may be slow because they take new memory: a few seconds at most."""
    return min(memory / NEW_MEMORY, 5.0)


class SlowTrials:
    """Finds slow trials by the time that rounds take after the first ones.

    The first rounds of a learner with many features take much longer: they take new memory.
    """

    def __init__(self) -> None:
        self._said: set[str] = set()
        self._starts: dict[Trial, tuple[int, float]] = {}  # rounds and seconds before measuring

    def sentences(self, progress: Progress) -> Iterator[str]:
        """Yield a sentence for each learner whose trials are found to be slow, once a learner."""
        for trial, seconds in list(progress.seconds.items()):  # a copy: the workers keep writing
            rounds, name = progress.rounds.get(trial, UNKNOWN_ROUNDS), trial.learner.spec.name
            done, memory = progress.done[trial][0], progress.memory.get(trial, 0)
            if trial not in self._starts and seconds >= MEASURED_SECONDS + first_seconds(memory):
                self._starts[trial] = done, seconds
            first, before = self._starts.get(trial, (done, seconds))
            if done == first or seconds - before < MEASURED_SECONDS or name in self._said:
                continue
            each = (seconds - before) / (done - first)
            if rounds < UNKNOWN_ROUNDS and each * (rounds - done) > SLOW_SECONDS:
                self._said.add(name)
                yield (
                    f"onebit: {name} takes about {_duration(each)} a round here, {rounds:,} rounds"
                    f" about {_duration(each * rounds)}, and at most"
                    f" {max(memory / 1e6, 1):,.0f} MB for what it learns;"
                    " Ctrl-C prints what was done so far."
                )


def _duration(seconds: float) -> str:
    """Return a time with its unit, to two digits or more."""
    units = {"days": 86400.0, "hours": 3600.0, "minutes": 60.0, "s": 1.0, "ms": 1e-3, "us": 1e-6}
    unit = next((name for name, size in units.items() if seconds >= 2 * size), "us")
    number = seconds / units[unit]
    return f"{number:.2g} {unit}" if number < 10 else f"{number:,.0f} {unit}"
