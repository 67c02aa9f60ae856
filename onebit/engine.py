"""The three loops: decide one row, teach one round, play a block of rounds.

They hold no algorithm: every step is a verb, found by the types inside the
Player. Nothing here checks its input; whoever calls has done so.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from onebit.block import LOST, Block
from onebit.chance import draw, uniform
from onebit.round import Feedback, Played, explore, hear, lead, learn, score, serves
from onebit.rows import Floats, Row, row
from onebit.verbs import entry, kernel


class Chance(NamedTuple):
    """The keys of the two draws of a round, and whether ties are drawn at all."""

    ties: int
    labels: int
    random_ties: bool


class Player(NamedTuple):
    """All that plays: a learner, an explorer, an ear, chance, and room to compute in."""

    learner: Any
    explorer: Any
    ear: Feedback
    chance: Chance
    scores: Floats
    probs: Floats


@kernel
def choose(player: Player, x: Row, round: int) -> Played:
    """Score the row and draw a label; leaves the scores in `player.scores`."""
    score(player.learner, x, player.scores)
    u = uniform(player.chance.ties, round) if player.chance.random_ties else 0.0
    greedy = lead(player.explorer, player.scores, u)
    explore(player.explorer, player.scores, greedy, round, player.probs)
    label = draw(player.probs, uniform(player.chance.labels, round))
    return Played(greedy, label, player.probs[label])  # type: ignore[arg-type]


@kernel
def hold(x: Row) -> None:
    """Do nothing with a row, at the end of its round.

    A row that is last used inside a branch has its references counted at run
    time, which costs a fifth of a round; used after it, they are counted while compiling.
    """


@entry
def decide(player: Player, x: Row, round: int) -> Played:
    """Play a label for one row."""
    return choose(player, x, round)  # type: ignore[no-any-return]


@entry
def teach(player: Player, x: Row, played: Played, feedback: Feedback) -> None:
    """Learn from one round, however long ago it was played."""
    score(player.learner, x, player.scores)
    learn(player.learner, x, player.scores, played, feedback)


@entry
def play(player: Player, block: Block, first: int, missed: npt.NDArray[np.bool_]) -> None:
    """Play and learn a block of rounds, the first of which has number `first`."""
    for i in range(missed.shape[0]):
        x = row(block.rows, i)
        played = choose(player, x, first + i)
        missed[i] = not serves(player.explorer, block.truths, i, player.scores, played)
        if block.signals[i] != LOST:
            feedback = hear(player.ear, block, i, played, player.scores.shape[0])
            learn(player.learner, x, player.scores, played, feedback)
        hold(x)
