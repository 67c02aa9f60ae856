"""A trial: one learner on one stream under one seed, and what came of it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from onebit import learners, streams
from onebit.agent import Agent
from onebit.experiment.regret import Hindsight
from onebit.params import BadInput
from onebit.recipe import Recipe

#: Rounds of an endless stream, unless the user asks for another number.
ENDLESS_ROUNDS = 1_000_000


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
        stream: str,
        learner: str,
        seed: int = 0,
        rounds: int | None = None,
        transforms: tuple[str, ...] = (),
    ) -> Trial:
        """Check the specs and fill in their defaults."""
        return cls(
            str(streams.resolve(stream)[0]),
            str(Recipe.parse(learner).spec),
            seed,
            rounds,
            tuple(str(streams.resolve_transform(text)[0]) for text in transforms),
        )


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
    regret: int = 0
    best_fixed: str = ""
    fixed_mistakes: Sequence[int] = ()
    fixed: str = "labels"


class Watch(Protocol):
    """Somebody who looks on while a trial runs."""

    def begin(self, trial: Trial, rounds: int) -> None:
        """Hear how many rounds there will be; compiling comes first."""

    def go_on(self, trial: Trial, rounds: int, mistakes: int) -> bool:
        """Hear how far it got, and say whether to go on."""


def run(trial: Trial, watch: Watch) -> Result:
    """Play the trial, block by block."""
    stream = streams.open_stream(trial.stream, trial.seed, trial.transforms)
    rounds = rounds_of(trial, stream)
    refuse_features(trial, stream)
    agent = Agent(
        trial.learner,
        stream.labels,
        features=stream.features,
        columns=stream.columns,
        seed=trial.seed,
    )
    hindsight = Hindsight(stream)
    watch.begin(trial, rounds)
    start = time.perf_counter()
    stream.prepare()
    compile_seconds = time.perf_counter() - start

    points = iter([*curve_points(rounds), rounds + 1])
    point = next(points)
    curve: list[tuple[int, int]] = []
    done = mistakes = 0
    kernel_seconds, start = 0.0, time.perf_counter()
    for block in stream.blocks():
        if not done:
            before = time.perf_counter()
            agent.play(block.head(0))  # no rounds: compiles for this kind of row
            compiled = time.perf_counter()
            compile_seconds += compiled - before
            start += compiled - before
        if block.rounds > rounds - done:
            block = block.head(rounds - done)
        before = time.perf_counter()
        missed = agent.play(block)
        kernel_seconds += time.perf_counter() - before
        hindsight.watch(block)
        so_far = mistakes + np.cumsum(missed)
        while point <= done + block.rounds:
            curve.append((point, int(so_far[point - done - 1])))
            point = next(points)
        done += block.rounds
        mistakes += int(np.count_nonzero(missed))
        if not watch.go_on(trial, done, mistakes) or done >= rounds:
            break
    seconds = time.perf_counter() - start
    return Result(
        trial.stream, trial.learner, done, trial.seed, mistakes, mistakes / max(done, 1),
        seconds, compile_seconds, kernel_seconds / max(done, 1) * 1e6,
        len(stream.labels), stream.features, curve, list(trial.transforms), done < rounds,
        **hindsight.fields(mistakes),
    )  # fmt: skip


def refuse_features(trial: Trial, stream: streams.Stream) -> None:
    """Raise the sentence if a learner of advice is given rows of features."""
    kind = Recipe.parse(trial.learner).kind
    if learners.facts(kind).row == "advice" != stream.row:
        raise BadInput(
            f"{kind.__name__}: it reads advice, and the rows of {trial.stream} are features;"
            " give --with advise:class=stumps, or another class of `onebit hypotheses`."
        )


def rounds_of(trial: Trial, stream: streams.Stream) -> int:
    """Return how many rounds a trial plays on its stream."""
    if stream.length is None:
        return trial.rounds or ENDLESS_ROUNDS
    if trial.rounds is not None and trial.rounds > stream.length:
        raise BadInput(
            f"onebit: rounds must be at most the stream's {stream.length} rows, got"
            f" {trial.rounds}; give --with repeat to go over them again."
        )
    return trial.rounds or stream.length


def curve_points(rounds: int) -> list[int]:
    """Return the rounds at which a learning curve is read: ten a decade."""
    points = sorted({round(10 ** (i / 10)) for i in range(200)})
    return [point for point in points if point <= rounds]
