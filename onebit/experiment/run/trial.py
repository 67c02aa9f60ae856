"""A trial: one learner on one stream under one seed, and what came of it.

Trials that share a stream are played side by side, block by block, so that its
rows are made once.
"""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np

from onebit import learners, streams
from onebit.agent.agent import Agent
from onebit.agent.recipe import Recipe
from onebit.errors import BadInput
from onebit.experiment.run.delayed import LatePlay
from onebit.experiment.run.regret import Hindsight
from onebit.kernel.block import Block
from onebit.naming.spec import Spec
from onebit.streams.opening import resolve, resolve_transform

#: A full spec, and the stream, file or transform that it names.
Resolved = tuple[Spec, Any]

#: Rounds of an endless stream, unless the user asks for another number.
ENDLESS_ROUNDS = 1_000_000
#: Rounds of a stream that ends nobody knows when.
UNTIL_IT_ENDS = 10**18


@dataclass(frozen=True, eq=False)
class Trial:
    """What to run: a resolved stream, learner and transforms, a seed and a number of rounds.

    Trials are equal if their full specs, seeds and rounds are equal.
    """

    stream: Resolved
    learner: Recipe
    seed: int = 0
    rounds: int | None = None
    transforms: tuple[Resolved, ...] = ()

    @classmethod
    def parse(
        cls,
        stream: str | Resolved,
        learner: str | type | Recipe,
        seed: int = 0,
        rounds: int | None = None,
        transforms: Sequence[str | Resolved] = (),
    ) -> Trial:
        """Resolve what is given as a spec, defaults filled in; keep what is resolved."""
        return cls(
            resolve(stream) if isinstance(stream, str) else stream,
            Recipe.parse(learner),
            seed,
            rounds,
            tuple(resolve_transform(t) if isinstance(t, str) else t for t in transforms),
        )

    def with_learner(self, learner: str | type | Recipe) -> Trial:
        """Return this trial with another learner."""
        return replace(self, learner=Recipe.parse(learner))

    def over_seeds(self, seeds: Iterable[int]) -> list[Trial]:
        """Return this trial under each of several seeds."""
        return [replace(self, seed=seed) for seed in seeds]

    def open_stream(self) -> streams.Stream:
        """Open the stream and put it through the transforms, in order."""
        _, source = self.stream
        opened: streams.Stream = source.open(self.seed)
        for number, (_, transform) in enumerate(self.transforms):
            opened = transform.apply(opened, self.seed, number)
        return opened

    @cached_property
    def stream_spec(self) -> str:
        """The full spec of the stream."""
        return str(self.stream[0])

    @cached_property
    def learner_spec(self) -> str:
        """The full spec of the learner."""
        return str(self.learner.spec)

    @cached_property
    def transform_specs(self) -> tuple[str, ...]:
        """The full specs of the transforms."""
        return tuple(str(spec) for spec, _ in self.transforms)

    @cached_property
    def stream_key(self) -> tuple[Hashable, ...]:
        """What decides the rows: trials with the same key can share a stream."""
        return self.stream_spec, self.seed, self.rounds, self.transform_specs

    @cached_property
    def _key(self) -> tuple[Hashable, ...]:
        return self.learner_spec, *self.stream_key

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Trial) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


class Result(NamedTuple):
    """What came of a trial; the fields of a line of `--json`. Errors are fractions."""

    stream: str
    learner: str
    rounds: int
    seed: int
    mistakes: int
    error: float
    seconds: float
    compile_seconds: float
    us_per_round: float
    labels: int
    features: int
    curve: list[tuple[int, int]]
    transforms: list[str]
    interrupted: bool
    diagnostics: dict[str, Any]
    regret: int = 0
    best_fixed: str = ""
    fixed_mistakes: Sequence[int] = ()
    fixed: str = "labels"


class Watch(Protocol):
    """Somebody who looks on while trials run."""

    def begin(self, trial: Trial, rounds: int) -> None:
        """Hear how many rounds there will be; compiling comes first."""

    def go_on(self, trial: Trial, rounds: int, mistakes: int) -> bool:
        """Hear how far it got, and say whether to go on."""


class _Run:
    """An agent on its way through a stream."""

    def __init__(self, trial: Trial, stream: streams.Stream, rounds: int) -> None:
        self.trial = trial
        self.agent = Agent(
            trial.learner,
            stream.labels,
            features=stream.features,
            columns=stream.columns,
            seed=trial.seed,
        )
        late = stream.delays and LatePlay(self.agent, stream.delays)
        self._play = late.play if late else self.agent.play
        self.done = self.mistakes = 0
        self.compile_seconds = self.kernel_seconds = 0.0
        self.curve: list[tuple[int, int]] = []
        self._points = iter([*curve_points(rounds), rounds + 1])
        self._point = next(self._points)

    def compile(self, block: Block) -> None:
        """Compile for this kind of row, by playing no rounds of it."""
        before = time.perf_counter()
        self._play(block.head(0))
        self.compile_seconds += time.perf_counter() - before

    def play(self, block: Block) -> None:
        """Play a block and note the mistakes at the points of the curve."""
        before = time.perf_counter()
        missed = self._play(block)
        self.kernel_seconds += time.perf_counter() - before
        so_far = self.mistakes + np.cumsum(missed)
        while self._point <= self.done + block.rounds:
            self.curve.append((self._point, int(so_far[self._point - self.done - 1])))
            self._point = next(self._points)
        self.done += block.rounds
        self.mistakes += int(np.count_nonzero(missed))


def run(trials: Sequence[Trial], watch: Watch) -> list[Result]:
    """Play trials with the same stream key, block by block."""
    first = trials[0]
    stream = first.open_stream()
    rounds = rounds_of(first, stream)
    for trial in trials:
        refuse_features(trial, stream)
    hindsight = Hindsight(stream)
    runs = [_Run(trial, stream, rounds) for trial in trials]
    for trial in trials:
        watch.begin(trial, rounds)
    start = time.perf_counter()
    stream.prepare()
    prepared = time.perf_counter() - start
    making, before = 0.0, time.perf_counter()
    for block in stream.blocks():
        if block.rounds > rounds - runs[0].done:
            block = block.head(rounds - runs[0].done)
        making += time.perf_counter() - before
        for each in runs:
            if not each.done:
                each.compile(block)
            each.play(block)
        hindsight.watch(block)
        if not _all_go_on(runs, watch) or runs[0].done >= rounds:
            break
        before = time.perf_counter()
    if first.rounds is not None and runs[0].done < rounds and _all_go_on(runs, watch):
        raise _too_many(rounds, runs[0].done)
    return [
        Result(
            first.stream_spec, each.trial.learner_spec, each.done, first.seed, each.mistakes,
            each.mistakes / max(each.done, 1), making + each.kernel_seconds,
            prepared + each.compile_seconds, each.kernel_seconds / max(each.done, 1) * 1e6,
            len(stream.labels), stream.features, each.curve, list(first.transform_specs),
            each.done < rounds and not watch.go_on(each.trial, each.done, each.mistakes),
            each.agent.diagnostics(), **hindsight.fields(each.mistakes),
        )
        for each in runs
    ]  # fmt: skip


def _all_go_on(runs: Sequence[_Run], watch: Watch) -> bool:
    """Tell how far each run got; say whether to go on."""
    going = [watch.go_on(each.trial, each.done, each.mistakes) for each in runs]
    return all(going)


def refuse_features(trial: Trial, stream: streams.Stream) -> None:
    """Raise the sentence if a learner of advice is given rows of features."""
    kind = trial.learner.kind
    if learners.traits(kind).row == "advice" != stream.row:
        raise BadInput(
            f"{kind.__name__}: it reads advice, and the rows of {trial.stream_spec} are features;"
            " give --with advise:class=stumps, or another class of `onebit hypotheses`."
        )


def rounds_of(trial: Trial, stream: streams.Stream) -> int:
    """Return how many rounds a trial plays on its stream."""
    if stream.length is None:
        return trial.rounds or (UNTIL_IT_ENDS if stream.ends else ENDLESS_ROUNDS)
    if trial.rounds is not None and trial.rounds > stream.length:
        raise _too_many(trial.rounds, stream.length)
    return trial.rounds or stream.length


def _too_many(rounds: int, rows: int) -> BadInput:
    return BadInput(
        f"onebit: rounds must be at most the stream's {rows} rows, got {rounds};"
        f" give --with repeat:n={-(-rounds // rows)} to go over them again."
    )


def curve_points(rounds: int) -> list[int]:
    """Return the rounds at which a learning curve is read: ten a decade."""
    points = sorted({round(10 ** (i / 10)) for i in range(200)})
    return [point for point in points if point <= rounds]
