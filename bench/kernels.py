"""Every learner of the list, and the loops written by hand: the loop alone, on rows in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from bench import datasets
from bench.by_hand import LOOPS
from bench.datasets import Dataset, dataset
from bench.timing import Case, step_seconds
from onebit import learners
from onebit.agent.core import Core
from onebit.agent.recipe import Recipe
from onebit.kernel.block import Block
from onebit.kernel.state import size_in_bytes

#: Learners with other parameters than the defaults, and their data sets.
MORE = (("soa:table=01010101/10101010/00110011/11001100/00001111/11110000", "a tiny class"),)
#: Learners with a loop written by hand, and the data set of both.
PAIRS = (
    ("perceptron", "sparse"),
    ("banditron", "sparse"),
    ("cova", "sparse"),
    ("cova", "connect4"),
    ("arow", "sparse"),
    ("soba", "sparse"),
    ("softmax", "sparse"),
    ("auto:experts=softmax", "sparse"),
    ("banditboost:step=smooth", "connect4"),
    ("exp4", "a small class"),
    ("exp4", "advice"),
    ("exp4", "a large class"),
    ("exp4:rounds=100000", "a small class"),
    ("exp4:rounds=100000", "advice"),
    ("exp4:rounds=100000", "a large class"),
)

Play = Callable[[Block, int, np.ndarray], None]


def cases(most: int | None = None) -> Iterator[Case]:
    """Yield the cases of all learners on the rows they read, and of the pairs.

    A data set is cut after the block that contains round number `most`.
    """
    listed = [*learners_and_datasets(), *MORE]
    for spec, name in dict.fromkeys([*listed, *PAIRS]):
        section = "learners" if (spec, name) in listed else "by hand"
        yield _case(spec, name, _onebit_loop, section, dataset(name, most))
        if (spec, name) in PAIRS:
            by_hand = _case(spec, name, _hand_loop, "by hand", dataset(name, most))
            yield by_hand._replace(name=f"{by_hand.name}, by hand", against=by_hand.name)


def learners_and_datasets() -> Iterator[tuple[str, str]]:
    """Yield every learner with the names of its data sets."""
    for learner in learners.names():
        for name in datasets.datasets_for(learners.traits(learners.find(learner))):
            yield learner, name


def assert_pairs_agree() -> None:
    """Assert for every pair that both loops agree, over the whole data set."""
    for spec, name in PAIRS:
        assert_same_mistakes(spec, dataset(name))


def assert_same_mistakes(spec: str, given: Dataset) -> None:
    """Assert that the loop written by hand makes its mistakes in the same rounds as the learner."""
    onebit, by_hand = (_missed(begin(spec, given), given) for begin in (_onebit_loop, _hand_loop))
    assert (onebit == by_hand).all(), f"{spec}: the loop by hand plays differently"


def _onebit_loop(spec: str, given: Dataset) -> Callable[[], Play]:
    """Return a function that starts onebit's loop from the initial state."""

    def begin() -> Play:
        return Core(Recipe.parse(spec), given.sizes, datasets.SEED).play

    return begin


def _hand_loop(spec: str, given: Dataset) -> Callable[[], Play]:
    """Return a function that starts the loop written by hand from the initial state."""
    by_hand = LOOPS[spec.partition(":")[0]]

    def begin() -> Play:
        own = by_hand.own(Recipe.parse(spec).player(given.sizes, datasets.SEED))
        return lambda block, first, missed: by_hand.loop(
            *block.rows, block.truths.labels, first, missed, *own
        )

    return begin


def _case(
    spec: str, name: str, make: Callable[[str, Dataset], Callable[[], Play]], section: str,
    given: Dataset,
) -> Case:  # fmt: skip
    begin = make(spec, given)
    state = size_in_bytes(Recipe.parse(spec).player(given.sizes, datasets.SEED).learner)

    def run() -> list[float]:
        missed = np.empty(given.rounds, np.bool_)
        return step_seconds(_plays(begin(), given, missed))

    return Case(section, f"{spec}, {name}", given.rounds, run, state, None, given.about)


def _plays(play: Play, given: Dataset, missed: np.ndarray) -> Iterator[None]:
    """Play block after block."""
    at = 0
    for block in given.blocks:
        yield play(block, at + 1, missed[at : at + block.rounds])
        at += block.rounds


def _missed(begin: Callable[[], Play], given: Dataset) -> np.ndarray:
    missed = np.empty(given.rounds, np.bool_)
    for _ in _plays(begin(), given, missed):
        pass
    return missed
