"""Every learner of the list: the loop alone, on rows that are there already."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from bench import material
from bench.clock import Case, laps
from bench.fused import FUSED, Fused
from onebit import engine, learners
from onebit.block import BLOCK, Block
from onebit.recipe import Recipe
from onebit.state import size_in_bytes

#: What a learner may read for SYNSEP to be a fair lesson.
READS = ("features", "nothing")

Play = Callable[[Block, int, np.ndarray], None]


def cases(blocks: int, dense_blocks: int) -> Iterator[Case]:
    """Yield the cases of all learners, and of the loops written by hand."""
    for name in measured():
        state = size_in_bytes(Recipe.parse(name).player(material.SIZES, material.SEED).learner)
        sparse, dense = material.sparse(blocks), material.dense(dense_blocks)
        yield _case(f"{name}, dense", _ours(name), dense, state)
        yield _case(f"{name}, sparse", _ours(name), sparse, state)
        if name in FUSED:
            assert_same_mistakes(name, sparse[:5])
            by_hand = _case(f"{name}, by hand", _by_hand(name, FUSED[name]), sparse, state)
            yield by_hand._replace(section="by hand", against=f"{name}, sparse")


def measured() -> list[str]:
    """Return the learners that can read the rows of SYNSEP, and take its labels."""
    facts = {name: learners.facts(learners.find(name)) for name in learners.names()}
    return [n for n, fact in facts.items() if fact.row in READS and fact.labels is None]


def assert_same_mistakes(name: str, blocks: Sequence[Block]) -> None:
    """Demand that the loop written by hand does the learner's work: it errs in the same rounds."""
    ours, by_hand = (_missed(begin, blocks) for begin in (_ours(name), _by_hand(name, FUSED[name])))
    assert (ours == by_hand).all(), f"{name}: the loop by hand plays differently"


def _ours(name: str) -> Callable[[], Play]:
    """Return a function that begins anew with onebit's own loop."""

    def begin() -> Play:
        player = Recipe.parse(name).player(material.SIZES, material.SEED)
        return lambda block, first, missed: engine.play(player, block, first, missed)

    return begin


def _by_hand(name: str, fused: Fused) -> Callable[[], Play]:
    """Return a function that begins anew with the loop written by hand."""

    def begin() -> Play:
        own = fused.own(Recipe.parse(name).player(material.SIZES, material.SEED))
        return lambda block, first, missed: fused.loop(
            *block.rows, block.truths.labels, first, missed, *own
        )

    return begin


def _case(name: str, begin: Callable[[], Play], blocks: Sequence[Block], state: int) -> Case:
    length = blocks[0].rounds
    missed = np.empty(length, np.bool_)

    def run() -> list[float]:
        play = begin()
        return laps(play(block, n * length + 1, missed) for n, block in enumerate(blocks))

    return Case("learners", name, len(blocks) * length, run, state)


def _missed(begin: Callable[[], Play], blocks: Sequence[Block]) -> np.ndarray:
    missed = np.empty((len(blocks), BLOCK), np.bool_)
    play = begin()
    for number, block in enumerate(blocks):
        play(block, number * BLOCK + 1, missed[number])
    return missed
