"""A trial: one learner on one stream under one seed, and what came of it.

Trials that share a stream are played side by side, block by block, so that its
rows are made once.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
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
from onebit.streams.opening import open_stream, resolve, resolve_transform

#: Rounds of an endless stream, unless the user asks for another number.
ENDLESS_ROUNDS = 1_000_000
#: Rounds of a stream that ends nobody knows when.
UNTIL_IT_ENDS = 10**18


class Trial(NamedTuple):
    """What to run: specs with every default filled in."""

    stream: str
    learner: str
    seed: int
    rounds: int | None = None
    transforms: tuple[str, ...] = ()

    @classmethod
    def parse(
        cls,
        stream: str | Spec,
        learner: str,
        seed: int = 0,
        rounds: int | None = None,
        transforms: tuple[str, ...] = (),
    ) -> Trial:
        """Check the specs and fill in their defaults."""
        return cls(
            str(resolve(stream)[0]),
            str(Recipe.parse(learner).spec),
            seed,
            rounds,
            tuple(str(resolve_transform(text)[0]) for text in transforms),
        )

    @property
    def scene(self) -> Trial:
        """The trial without its learner: trials with the same scene can share a stream."""
        return self._replace(learner="")


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
    """Play trials of one scene, block by block."""
    scene = trials[0].scene
    stream = open_stream(scene.stream, scene.seed, scene.transforms)
    rounds = rounds_of(scene, stream)
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
    if scene.rounds is not None and runs[0].done < rounds and _all_go_on(runs, watch):
        raise _too_many(rounds, runs[0].done)
    return [
        Result(
            scene.stream, each.trial.learner, each.done, scene.seed, each.mistakes,
            each.mistakes / max(each.done, 1), making + each.kernel_seconds,
            prepared + each.compile_seconds, each.kernel_seconds / max(each.done, 1) * 1e6,
            len(stream.labels), stream.features, each.curve, list(scene.transforms),
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
    kind = Recipe.parse(trial.learner).kind
    if learners.traits(kind).row == "advice" != stream.row:
        raise BadInput(
            f"{kind.__name__}: it reads advice, and the rows of {trial.stream} are features;"
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
