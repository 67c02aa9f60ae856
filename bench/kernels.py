"""Every learner of the list, and the loops by hand: the loop alone, on rows that are there."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from bench import material
from bench.by_hand import LOOPS
from bench.clock import Case, laps
from bench.material import Lesson, lesson
from onebit import learners
from onebit.agent.recipe import Recipe
from onebit.kernel import engine
from onebit.kernel.block import Block
from onebit.kernel.state import size_in_bytes

#: Learners with other parameters than the usual ones, and their lessons.
MORE = (("soa:table=01010101/10101010/00110011/11001100/00001111/11110000", "a tiny class"),)
#: What is set beside a loop written by hand, and the lesson of both.
PAIRS = (
    ("perceptron", "sparse"),
    ("banditron", "sparse"),
    ("cova", "sparse"),
    ("cova", "connect4"),
    ("banditboost", "connect4"),
    ("exp4", "a small class"),
    ("exp4", "advice"),
    ("exp4", "a large class"),
    ("exp4:rounds=100000", "a small class"),
    ("exp4:rounds=100000", "advice"),
    ("exp4:rounds=100000", "a large class"),
)

Play = Callable[[Block, int, np.ndarray], None]


def cases(most: int | None = None) -> Iterator[Case]:
    """Yield the cases of all learners on what they read, and of the pairs.

    A lesson is cut after the block in which round number `most` is.
    """
    listed = [*lessons(), *MORE]
    for spec, name in dict.fromkeys([*listed, *PAIRS]):
        section = "learners" if (spec, name) in listed else "by hand"
        yield _case(spec, name, _ours, section, lesson(name, most))
        if (spec, name) in PAIRS:
            by_hand = _case(spec, name, _by_hand, "by hand", lesson(name, most))
            yield by_hand._replace(name=f"{by_hand.name}, by hand", against=by_hand.name)


def lessons() -> Iterator[tuple[str, str]]:
    """Yield every learner with the names of its lessons."""
    for learner in learners.names():
        for name in material.lessons_for(learners.traits(learners.find(learner))):
            yield learner, name


def assert_pairs_agree() -> None:
    """Demand it of every pair, over the whole lesson."""
    for spec, name in PAIRS:
        assert_same_mistakes(spec, lesson(name))


def assert_same_mistakes(spec: str, given: Lesson) -> None:
    """Demand that the loop written by hand does the learner's work: it errs in the same rounds."""
    ours, by_hand = (_missed(begin(spec, given), given) for begin in (_ours, _by_hand))
    assert (ours == by_hand).all(), f"{spec}: the loop by hand plays differently"


def _ours(spec: str, given: Lesson) -> Callable[[], Play]:
    """Return a function that begins anew with onebit's own loop."""

    def begin() -> Play:
        player = Recipe.parse(spec).player(given.sizes, material.SEED)
        return lambda block, first, missed: engine.play(player, block, first, missed)

    return begin


def _by_hand(spec: str, given: Lesson) -> Callable[[], Play]:
    """Return a function that begins anew with the loop written by hand."""
    by_hand = LOOPS[spec.partition(":")[0]]

    def begin() -> Play:
        own = by_hand.own(Recipe.parse(spec).player(given.sizes, material.SEED))
        return lambda block, first, missed: by_hand.loop(
            *block.rows, block.truths.labels, first, missed, *own
        )

    return begin


def _case(
    spec: str, name: str, make: Callable[[str, Lesson], Callable[[], Play]], section: str,
    given: Lesson,
) -> Case:  # fmt: skip
    begin = make(spec, given)
    state = size_in_bytes(Recipe.parse(spec).player(given.sizes, material.SEED).learner)

    def run() -> list[float]:
        missed = np.empty(given.rounds, np.bool_)
        return laps(_plays(begin(), given, missed))

    return Case(section, f"{spec}, {name}", given.rounds, run, state, None, given.about)


def _plays(play: Play, given: Lesson, missed: np.ndarray) -> Iterator[None]:
    """Play block after block."""
    at = 0
    for block in given.blocks:
        yield play(block, at + 1, missed[at : at + block.rounds])
        at += block.rounds


def _missed(begin: Callable[[], Play], given: Lesson) -> np.ndarray:
    missed = np.empty(given.rounds, np.bool_)
    for _ in _plays(begin(), given, missed):
        pass
    return missed
