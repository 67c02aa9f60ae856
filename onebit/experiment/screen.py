"""What a person sees on the terminal while trials run; nothing when piped."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any

from onebit.experiment.runner import Progress
from onebit.experiment.trial import UNTIL_IT_ENDS

#: A compile that takes longer than this is told; loading it from the cache does not.
PATIENCE = 0.7


class Screen:
    """A line that tells rounds, rate, running error and time left, drawn on stderr."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._started = time.perf_counter()
        self._playing: float | None = None  # since when: compiling is no part of the rate

    def __enter__(self) -> Screen:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

            self._bar = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                TextColumn("{task.fields[facts]}"),
                TimeRemainingColumn(compact=True),
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
        if self._bar is None:
            return
        trials = len(progress.trials)
        if progress.ended and not progress.rounds:  # they run where nobody looks on
            name = f"{progress.ended}/{trials} trials"
            self._bar.update(self._task, description=name, completed=progress.ended, total=trials)
            return
        so_far = list(progress.done.values())  # at once: the workers go on writing
        done, mistakes = (sum(column) for column in zip((0, 0), *so_far, strict=True))
        if not done:
            if time.perf_counter() - self._started > PATIENCE:
                names = sorted({trial.learner.partition(":")[0] for trial in progress.rounds})
                self._bar.update(self._task, description=f"compiling {', '.join(names)} (once)")
            return
        known = list(progress.rounds.values())
        total = sum(known) + (trials - len(known)) * max(known)
        self._playing = self._playing or time.perf_counter() - 0.1
        rate = done / (time.perf_counter() - self._playing)
        name = f"{progress.ended}/{trials} trials" if trials > 1 else "playing"
        left = "" if total >= UNTIL_IT_ENDS else f" of {total:,}"
        facts = f"{done:,}{left} rounds  {rate:,.0f}/s  error {mistakes / done:.4f}"
        self._bar.update(
            self._task, description=name, completed=done, total=total if left else None, facts=facts
        )
