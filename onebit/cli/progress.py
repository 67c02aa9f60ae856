"""The progress of trials on a terminal: a bar with rich, else one plain status line.

Nothing is drawn if stderr is not a terminal.
"""

from __future__ import annotations

import logging
import shutil
import sys
import time
from types import TracebackType
from typing import Any, NamedTuple, Protocol

from onebit.cli.output import echo
from onebit.errors import printable
from onebit.experiment.run.runner import Progress

#: Seconds after which compiling is shown; loading from the cache takes less.
COMPILE_DELAY = 0.7
#: Seconds after which compiling is said once where nothing is drawn.
LONG_COMPILE = 8.0
#: Seconds between two drawings of the plain status line.
REDRAW_INTERVAL = 0.2


class Status(NamedTuple):
    """What is shown; `fraction` is None if the length of the work is unknown."""

    description: str
    fraction: float | None = None
    details: str = ""


class Display(Protocol):
    """Draws a status."""

    def draw(self, status: Status) -> None:
        """Replace the status that is shown."""

    def print(self, sentence: str) -> None:
        """Print a sentence that stays."""

    def close(self) -> None:
        """Remove the status from the terminal."""


class ProgressBar:
    """Shows the fraction done, rounds per second, error and time left on stderr.

    It says itself what is compiled; until it is closed the library does not log that too.
    """

    def __init__(self) -> None:
        self.display: Display | None = None
        self._started = time.perf_counter()
        self._told = False  # that it compiles
        self._playing: float | None = None  # when playing began: compiling is not in the rate
        self._log = logging.getLogger("onebit")
        self._level = self._log.level

    def __enter__(self) -> ProgressBar:
        self._level = self._log.level
        self._log.setLevel(logging.ERROR)
        if sys.stderr.isatty():
            try:
                self.display = RichDisplay()
            except ImportError:
                self.display = PlainDisplay()
        return self

    def __exit__(
        self, kind: type | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._log.setLevel(self._level)
        if self.display is not None:
            self.display.close()

    def show(self, progress: Progress) -> None:
        """Draw the progress of the trials."""
        if self.display is None and (self._told or progress.done):
            return
        status = self._status(progress) if progress.trials else None
        if status is None:
            return
        if self.display is not None:
            self.display.draw(status)
        elif not self._told and not progress.done and self._seconds() > LONG_COMPILE:
            self._told = True
            echo(status.description, err=True)

    def print(self, sentence: str) -> None:
        """Print a sentence on stderr, above what is shown."""
        if self.display is not None:
            self.display.print(printable(sentence))
        else:
            echo(sentence, err=True)

    def _seconds(self) -> float:
        """Return the time since the start."""
        return time.perf_counter() - self._started

    def _status(self, progress: Progress) -> Status | None:
        """Return what to show, None for what is shown already."""
        so_far = list(progress.done.values())  # a copy: the workers keep writing
        done, mistakes = (sum(column) for column in zip((0, 0), *so_far, strict=True))
        if not done:
            if self._seconds() <= COMPILE_DELAY:
                return None
            names = sorted({trial.learner.spec.name for trial in [*progress.rounds]})
            return Status(f"compiling {', '.join(names)} (once)" if names else "starting")
        self._playing = self._playing or time.perf_counter() - 0.1
        seconds = time.perf_counter() - self._playing
        fraction = progress.estimate.fraction_done(dict(progress.rounds), dict(progress.done))
        trials = len(progress.trials)
        details = [f"{done / seconds:,.0f} rounds/s"]
        if trials == 1:
            of = "" if fraction is None else f" of {max(progress.rounds.values(), default=done):,}"
            details = [f"{done:,}{of} rounds", f"{done / seconds:,.0f}/s"]
        if len({trial.learner_spec for trial in progress.trials}) == 1:  # else it means nothing
            details.append(f"error {mistakes / done:.4f}")
        if fraction:
            details.append(f"{_clock(seconds * (1 - fraction) / fraction)} left")
        description = f"{progress.ended}/{trials} trials" if trials > 1 else "playing"
        return Status(description, fraction, "  ".join(details))


class RichDisplay:
    """A bar, drawn by rich."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn

        self._bar: Any = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[details]}"),
            console=Console(stderr=True),
            transient=True,
        )
        self._bar.start()
        self._task = self._bar.add_task("starting", total=None, details="")

    def draw(self, status: Status) -> None:
        """Replace the bar and its texts."""
        self._bar.update(
            self._task,
            description=status.description,
            completed=status.fraction or 0.0,
            total=None if status.fraction is None else 1.0,
            details=status.details,
        )

    def print(self, sentence: str) -> None:
        """Print a sentence above the bar."""
        self._bar.console.print(sentence, markup=False, highlight=False, soft_wrap=True)

    def close(self) -> None:
        """Remove the bar."""
        self._bar.stop()


class PlainDisplay:
    """One line of text, rewritten in place."""

    def __init__(self) -> None:
        self._shown = 0  # letters on the line
        self._drawn = -REDRAW_INTERVAL

    def draw(self, status: Status) -> None:
        """Rewrite the line, unless that was done a moment ago."""
        now = time.monotonic()
        if now - self._drawn < REDRAW_INTERVAL:
            return
        self._drawn = now
        done = "" if status.fraction is None else f"{status.fraction:.0%}"
        text = "  ".join(part for part in (status.description, done, status.details) if part)
        self._write(text[: shutil.get_terminal_size().columns - 1])

    def print(self, sentence: str) -> None:
        """Print a sentence in place of the line, which moves down."""
        self._write("")
        print(sentence, file=sys.stderr, flush=True)

    def close(self) -> None:
        """Clear the line."""
        self._write("")

    def _write(self, text: str) -> None:
        """Write the line over the old one; the cursor returns to its start."""
        sys.stderr.write(f"\r{text.ljust(self._shown)}\r")
        sys.stderr.flush()
        self._shown = len(text)


def _clock(seconds: float) -> str:
    """Return a time as minutes and seconds, or as hours, minutes and seconds."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
