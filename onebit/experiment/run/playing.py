"""Playing trials: those that share a stream are played together, block by block.

So the rows of the stream are made once for all of them.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

import numpy as np

from onebit import learners
from onebit.agent.agent import Agent
from onebit.errors import BadInput, BadParameter
from onebit.experiment.run.delayed import DelayedPlay
from onebit.experiment.run.regret import FixedChoices
from onebit.experiment.run.trial import Result, Trial
from onebit.kernel.block import Block
from onebit.kernel.exploration import shown_labels
from onebit.kernel.memory import hold
from onebit.kernel.rows import SparseRows
from onebit.kernel.verbs import has_body
from onebit.streams import Stream
from onebit.streams.reading.bad_lines import notify_once

__all__ = ["Monitor", "NoMonitor", "curve_points", "play_trials", "rounds_to_play"]

#: Rounds played on an endless stream if no number is given.
ENDLESS_ROUNDS = 1_000_000
#: Called with a trial and the agent that played it.
Keep = Callable[[Trial, Agent], None]
#: Seconds that a part of a block should take, after which a trial can be stopped.
PART_SECONDS = 0.1
#: Rounds of the first part.
FIRST_PART = 4
#: The rounds of a stream that ends after an unknown number of rows.
UNKNOWN_ROUNDS = 10**18
#: One agent is made at a time, so that its memory counts when the next one is.
_making = threading.Lock()


class Monitor(Protocol):
    """Receives the progress of trials, and may stop them after any part of a block."""

    def start(self, trial: Trial, rounds: int, state_bytes: int) -> None:
        """Receive the rounds of a trial and the most memory of its agent, before it compiles."""

    def update(self, trial: Trial, rounds: int, mistakes: int, seconds: float) -> bool:
        """Receive rounds, mistakes and seconds of playing so far; return whether to continue."""


class NoMonitor:
    """A monitor that records nothing and stops nothing."""

    def start(self, trial: Trial, rounds: int, state_bytes: int) -> None:
        """Do nothing."""

    def update(self, trial: Trial, rounds: int, mistakes: int, seconds: float) -> bool:
        """Return True: continue."""
        return True


class _Run:
    """The agent of a trial with its counts, curve and times."""

    def __init__(self, trial: Trial, stream: Stream, rounds: int) -> None:
        self.trial = trial
        self.agent = Agent(
            trial.learner,
            stream.labels,
            features=stream.features,
            columns=stream.columns,
            scale=stream.scale,
            encoder=stream.encoder,
            seed=trial.seed,
        )
        if stream.scale and self.agent.scales:
            choice = "; scale=no leaves them as they are"  # a packed file has no such parameter
            notify_once(
                f"{trial.stream.spec.name}: numbers are scaled for learners that do not scale rows"
                f" themselves{choice if 'scale' in trial.stream.spec.params else ''}"
            )
        delayed = stream.delays and DelayedPlay(self.agent, stream.delays, rounds)
        self._play = delayed.play if delayed else self.agent.play
        self.done = self.mistakes = 0
        self.compile_seconds = self.kernel_seconds = 0.0
        self._part, self._part_seconds = FIRST_PART, 0.0
        self.curve: list[tuple[int, int]] = []
        self._points = iter([*curve_points(rounds), rounds + 1])
        self._point = next(self._points)

    def widen(self, features: int) -> None:
        """Let rows have so many features: rather twice as many as before than a few more."""
        width = self.agent.features or 0
        if features > width:
            with _making:
                hold(self, 0)  # it counts as what is copied
                try:
                    self.agent.widen(max(features, 2 * width))
                except BadParameter:  # memory for these, but not for twice as many
                    self.agent.widen(features)
                hold(self, self.agent.most_bytes)

    def compile(self, block: Block) -> None:
        """Compile for this type of rows, by playing no rounds of it."""
        before = time.perf_counter()
        self._play(block.head(0))
        self.compile_seconds += time.perf_counter() - before

    def play(self, block: Block) -> None:
        """Play a block and record the mistakes at the points of the curve."""
        before = time.perf_counter()
        missed = self._play(block)
        self._part_seconds = time.perf_counter() - before
        self.kernel_seconds += self._part_seconds
        so_far = self.mistakes + np.cumsum(missed)
        while self._point <= self.done + block.rounds:
            self.curve.append((self._point, int(so_far[self._point - self.done - 1])))
            self._point = next(self._points)
        self.done += block.rounds
        self.mistakes += int(np.count_nonzero(missed))

    def parts(self, block: Block) -> Iterator[Block]:
        """Split a block into parts that take about PART_SECONDS each, by the time of those before.

        The first are a few rounds, each at most eight times as long as the one before.
        """
        first = 0
        while first < block.rounds:
            stop = min(first + self._part, block.rounds)
            whole = stop - first == block.rounds
            yield block if whole else block.pick(np.arange(first, stop))
            seconds = max(self._part_seconds, 1e-9)
            wanted = int(PART_SECONDS * (stop - first) / seconds)
            self._part = max(1, min(wanted, 8 * self._part))
            first = stop

    def whole_curve(self) -> list[tuple[int, int]]:
        """Return the curve, which ends at the last round."""
        at_end = not self.done or (self.curve and self.curve[-1][0] == self.done)
        return self.curve if at_end else [*self.curve, (self.done, self.mistakes)]

    def regret_fields(self, fixed_choices: FixedChoices) -> dict[str, Any]:
        """Return the fields about regret; none where several labels are shown in a round.

        One fixed label does not compare with a list of several.
        """
        if has_body(shown_labels, self.trial.learner.explorer):
            return {}
        return fixed_choices.regret_fields(self.mistakes)


def play_trials(
    trials: Sequence[Trial], monitor: Monitor | None = None, keep: Keep | None = None
) -> list[Result]:
    """Play trials that share a stream.

    Parameters
    ----------
    trials
        Trials with the same `stream_key`.
    monitor
        Receives the progress after each part of a block and may stop the trials.
    keep
        Called with each trial and the agent that played it, at the end.

    Returns
    -------
    list of Result
        The results in the order of the trials.

    Raises
    ------
    BadInput
        If the stream has too few rows, or a learner cannot read them.

    """
    runs: list[_Run] = []
    try:
        return _play(trials, monitor or NoMonitor(), keep, runs)
    finally:
        for run in runs:
            hold(run, 0)
        runs.clear()  # an error that is kept would keep the agents too


def _play(
    trials: Sequence[Trial], monitor: Monitor, keep: Keep | None, runs: list[_Run]
) -> list[Result]:
    """Play trials that share a stream; `runs` gets their agents."""
    first = trials[0]
    stream = _open(trials, keep is None)
    rounds = rounds_to_play(first, stream)
    for trial in trials:
        _check_reads(trial, stream)
    fixed_choices = FixedChoices(stream)
    for trial in trials:
        with _making:
            runs.append(_Run(trial, stream, rounds))
            hold(runs[-1], runs[-1].agent.most_bytes)
    for each in runs:
        monitor.start(each.trial, rounds, each.agent.most_bytes)
    start = time.perf_counter()
    stream.prepare()
    prepared = time.perf_counter() - start
    making, before = 0.0, time.perf_counter()
    blocks = stream.blocks()
    for block in blocks:
        if block.rounds > rounds - runs[0].done:
            block = block.head(rounds - runs[0].done)
        making += time.perf_counter() - before
        if stream.width is not None:
            for each in runs:
                each.widen(_width(block))
        if not all(_play_block(each, block, monitor) for each in runs):
            break
        fixed_choices.add(block)
        if runs[0].done >= rounds:
            if rounds == stream.length:
                next(blocks, None)  # the end, where a file reports its bad lines
            break
        before = time.perf_counter()
    stopped = False in [_update(each, monitor) for each in runs]
    if first.rounds is not None and runs[0].done < rounds and not stopped:
        raise _too_many(rounds, runs[0].done)
    if keep is not None:
        for each in runs:
            keep(each.trial, each.agent)
    return [
        Result(
            first.stream_spec, each.trial.learner_spec, each.done, first.seed, each.mistakes,
            each.mistakes / max(each.done, 1), making + each.kernel_seconds,
            prepared + each.compile_seconds, each.kernel_seconds / max(each.done, 1) * 1e6,
            len(stream.labels), stream.width() if stream.width else stream.features,
            each.whole_curve(), list(first.transform_specs),
            stopped and each.done < rounds, each.agent.diagnostics(),
            **({} if stopped and each.done < rounds else each.regret_fields(fixed_choices)),
        )
        for each in runs
    ]  # fmt: skip


def _open(trials: Sequence[Trial], may_grow: bool) -> Stream:
    """Open the stream of trials; a file that all of them play whole is read once, if it can be.

    Then its width is found on the way. Transforms, and agents that are kept, need it before.
    """
    first = trials[0]
    open_growing = getattr(first.stream.source, "open_growing", None)
    whole = may_grow and first.rounds is None and not first.transforms
    if open_growing is None or not whole or not all(trial.learner.widens for trial in trials):
        return first.open_stream()
    return open_growing() or first.open_stream()


def _width(block: Block) -> int:
    """Return the number of features that the rows of a block need: they ascend in each row."""
    assert isinstance(block.rows, SparseRows)
    stops = block.rows.starts[1:]
    return int(block.rows.indices[stops[stops > 0] - 1].max(initial=0)) + 1


def _play_block(run: _Run, block: Block, monitor: Monitor) -> bool:
    """Play a block in parts; return whether the run may continue."""
    if not run.done:
        run.compile(block)
    for part in run.parts(block):
        run.play(part)
        if not _update(run, monitor):
            return False
    return True


def _update(run: _Run, monitor: Monitor) -> bool:
    """Report the progress of a run; return whether it may continue."""
    return monitor.update(run.trial, run.done, run.mistakes, run.kernel_seconds)


def _check_reads(trial: Trial, stream: Stream) -> None:
    """Raise BadInput if a learner of advice is given rows of features."""
    kind = trial.learner.kind
    if learners.traits(kind).row == "advice" != stream.row:
        raise BadInput(
            f"{kind.__name__}: it reads advice, and the rows of {trial.stream_spec} are features;"
            " give --with advise:class=stumps, or another class of `onebit hypotheses`."
        )


def rounds_to_play(trial: Trial, stream: Stream) -> int:
    """Return how many rounds a trial plays on its opened stream.

    Raises
    ------
    BadInput
        If the stream has fewer rows than the trial has rounds.

    """
    if stream.length is None:
        return trial.rounds or (UNKNOWN_ROUNDS if stream.ends else ENDLESS_ROUNDS)
    if trial.rounds is not None and trial.rounds > stream.length:
        raise _too_many(trial.rounds, stream.length)
    return trial.rounds or stream.length


def _too_many(rounds: int, rows: int) -> BadInput:
    if not rows:
        return BadInput("onebit: a stream must have rows, got none.")
    return BadInput(
        f"onebit: rounds must be at most the stream's {rows} rows, got {rounds};"
        f" give --with repeat:n={-(-rounds // rows)} to go over them again."
    )


def curve_points(rounds: int) -> list[int]:
    """Return the rounds at which a learning curve has points before its end: ten a decade."""
    points = sorted({round(10 ** (i / 10)) for i in range(200)})
    return [point for point in points if point <= rounds]
