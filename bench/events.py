"""Decisions from Python, one at a time and many: decide and learn, with input checks."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from bench import datasets
from bench.timing import Case, step_seconds
from onebit.agent.agent import Agent
from onebit.agent.core import Core
from onebit.agent.recipe import Recipe
from onebit.kernel.rng import key, uniform
from onebit.kernel.sizes import Sizes
from onebit.kernel.validation import read_rows

#: Events between two readings of the clock.
BATCH = 100
#: Calls for many rows in a run.
REPEATS = 20


def cases(events: int) -> Iterator[Case]:
    """Yield the cases: a full array, one of SYNSEP's (50 of 400 not zero), a dict, and `auto`."""
    block = datasets.dataset("dense", events).blocks[0].head(events)
    truths = datasets.labels(block)
    source = key(0, "bench values")
    width = datasets.SIZES.features
    full = np.array([uniform(source, n) for n in range(width * 100)]).reshape(100, width)
    sparse = datasets.nonzero_features(datasets.dataset("sparse", events).blocks[0])
    words = [{f"word {j}": 1.0 for j in row[:20]} for row in sparse]
    yield _case("decide + learn, array of 50", [full[n % 100, :50] for n in range(events)], truths)
    yield _case(f"decide + learn, array of {width}", [full[n % 100] for n in range(events)], truths)
    yield _case("decide + learn, row of SYNSEP", list(block.rows.values), truths)
    yield from _csr_cases(full, truths)
    yield from _many_cases("array of 50", full[np.arange(events) % 100, :50], truths)
    yield _case("decide + learn, dict of 20 names", words[:events], truths)
    table = [{f"column {j}": float(full[n % 100, j]) for j in range(20)} for n in range(events)]
    few = [int(8 * full[n % 100, 0]) for n in range(events)]
    yield _case(
        "decide + learn, dict of 20 names, auto:size=light", table, few, "auto:size=light", 8
    )


def _csr_cases(full: Any, truths: list[int]) -> Iterator[Case]:
    """Yield the cases of CSR rows with 75 entries in 10,000 columns, if scipy is there."""
    try:
        sparse: Any = importlib.import_module("scipy.sparse")
    except ImportError:
        return
    columns = np.arange(75, dtype=np.int32) * 133
    rows = [
        sparse.csr_array((full[n % 100, :75], columns, [0, 75]), shape=(1, 10_000))
        for n in range(len(truths))
    ]
    yield _case("decide + learn, CSR row of 75", rows, truths)
    yield from _many_cases("CSR row of 75", sparse.vstack(rows, format="csr"), truths)


def _many_cases(name: str, rows: Any, truths: list[int]) -> Iterator[Case]:
    """Yield the cases of all rows at a time: the calls of an agent, and the loops in them alone."""
    labels, bits = range(datasets.SIZES.labels), np.array(truths) == 0
    numbers = read_rows(rows, rows.shape[1])

    def run() -> list[float]:
        agent = Agent("banditron", labels=labels, features=rows.shape[1], seed=0)
        agent.learn_many(agent.decide_many(rows[:1]), [True])  # loads the compiled code
        return step_seconds(play(agent) for _ in range(REPEATS))

    def play(agent: Agent) -> None:
        agent.learn_many(agent.decide_many(rows), bits)

    def run_loops() -> list[float]:
        core = Core(Recipe.parse("banditron"), Sizes(rows.shape[1], len(labels)), 0)
        return step_seconds(play_loops(core, n) for n in range(REPEATS))

    def play_loops(core: Core, n: int) -> None:
        decisions = core.decide_many(numbers, 1 + n * len(bits), None)
        core.teach_many(numbers, decisions, bits.astype(np.int64))

    rounds = REPEATS * len(bits)
    many = f"decide_many + learn_many, {len(bits):,} rows, {name}"
    yield Case("events", many, rounds, run)
    yield Case("events", f"{many}, loops alone", rounds, run_loops, against=many)


def _case(
    name: str,
    rows: list[Any],
    truths: list[int],
    learner: str = "banditron",
    labels: int = datasets.SIZES.labels,
) -> Case:
    def run() -> list[float]:
        agent = Agent(learner, labels=range(labels), seed=0)
        agent.predict(rows[0])  # loads the compiled code
        return step_seconds(play_batch(agent, n) for n in range(0, len(rows), BATCH))

    def play_batch(agent: Agent, first: int) -> None:
        for n in range(first, first + BATCH):
            choice = agent.decide(rows[n])
            agent.learn(choice, correct=choice.label == truths[n])

    return Case("events", name, len(rows), run)
