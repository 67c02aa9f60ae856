"""What a person sees on the terminal while trials run; nothing when piped."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any

from onebit.experiment.run.runner import Progress

#: A compile that takes longer than this is told; loading it from the cache does not.
PATIENCE = 0.7


class Screen:
    """A line that tells how far it is, rate, running error and time left, drawn on stderr."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._started = time.perf_counter()
        self._playing: float | None = None  # since when: compiling is no part of the rate

    def __enter__(self) -> Screen:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn

            self._bar = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                TextColumn("{task.fields[facts]}"),
                console=Console(stderr=True),
                transient=True,
            )
            self._bar.start()
            self._task = self._bar.add_task("starting", total=None, facts="")
        return self

    def __exit__(
        self, kind: type | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def show(self, progress: Progress) -> None:
        """Draw how far the trials are."""
        if self._bar is None or not progress.trials:
            return
        so_far = list(progress.done.values())  # at once: the workers go on writing
        done, mistakes = (sum(column) for column in zip((0, 0), *so_far, strict=True))
        if not done:
            if time.perf_counter() - self._started > PATIENCE:
                names = sorted({trial.learner.spec.name for trial in [*progress.rounds]})
                what = f"compiling {', '.join(names)} (once)" if names else "starting"
                self._bar.update(self._task, description=what)
            return
        self._playing = self._playing or time.perf_counter() - 0.1
        seconds = time.perf_counter() - self._playing
        share = progress.estimate.fraction_done(dict(progress.rounds), dict(progress.done))
        trials = len(progress.trials)
        facts = [f"{done / seconds:,.0f} rounds/s"]
        if trials == 1:
            of = "" if share is None else f" of {max(progress.rounds.values(), default=done):,}"
            facts = [f"{done:,}{of} rounds", f"{done / seconds:,.0f}/s"]
        if len({trial.learner_spec for trial in progress.trials}) == 1:  # else a mean of anything
            facts.append(f"error {mistakes / done:.4f}")
        if share:
            facts.append(f"{_clock(seconds * (1 - share) / share)} left")
        self._bar.update(
            self._task,
            description=f"{progress.ended}/{trials} trials" if trials > 1 else "playing",
            completed=share or 0.0,
            total=None if share is None else 1.0,
            facts="  ".join(facts),
        )


def _clock(seconds: float) -> str:
    """Return a time as minutes and seconds, or as hours, minutes and seconds."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
