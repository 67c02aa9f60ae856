"""The loops: decide one row, teach one round, play a block at once or late, or replay one.

They hold no algorithm: every step is a verb, found by the types inside the
Player. Nothing here checks its input; whoever calls has done so.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from onebit.kernel.block import LOST, Block
from onebit.kernel.rng import draw, uniform
from onebit.kernel.round import (
    Feedback,
    Played,
    counts_as_correct,
    explore,
    feedback_for,
    greedy_label,
    learn,
    score,
)
from onebit.kernel.rows import Floats, Ints, Row, Starts, row
from onebit.kernel.verbs import entry, kernel


class RandomKeys(NamedTuple):
    """The keys of the two draws of a round, and whether ties are drawn at all."""

    ties: int
    labels: int
    random_ties: bool


class Player(NamedTuple):
    """All that plays: a learner, an explorer, an ear, chance, and room to compute in."""

    learner: Any
    explorer: Any
    ear: Feedback
    chance: RandomKeys
    scores: Floats
    probs: Floats


#: How a round was played, kept until it is heard.
RECORD = np.dtype(
    [("greedy", np.int64), ("label", np.int64), ("prob", np.float64), ("missed", np.bool_)],
    align=True,
)


class Delayed(NamedTuple):
    """When the rounds of a block are heard: after round `after[n]`, round `heard[n]`.

    The first `old` rounds were played before; their records are there already.
    """

    old: int
    records: npt.NDArray[np.void]
    heard: Starts
    after: Starts


@kernel
def choose(player: Player, x: Row, round: int) -> Played:
    """Score the row and draw a label; leaves the scores in `player.scores`."""
    score(player.learner, x, player.scores)
    u = uniform(player.chance.ties, round) if player.chance.random_ties else 0.0
    greedy = greedy_label(player.explorer, player.scores, u)
    explore(player.explorer, player.scores, greedy, round, player.probs)
    label = draw(player.probs, uniform(player.chance.labels, round))
    return Played(greedy, label, player.probs[label])  # type: ignore[arg-type]


@kernel
def keep_alive(x: Row) -> None:
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
        missed[i] = not counts_as_correct(player.explorer, block.truths, i, player.scores, played)
        if block.signals[i] != LOST:
            feedback = feedback_for(player.ear, block, i, played, player.scores.shape[0])
            learn(player.learner, x, player.scores, played, feedback)
        keep_alive(x)


@entry
def play_delayed(player: Player, block: Block, first: int, late: Delayed) -> None:
    """Play the new rounds of a block, the first of which has number `first`; teach as told."""
    greedy, label = late.records["greedy"], late.records["label"]
    prob, missed = late.records["prob"], late.records["missed"]
    n = 0
    for i in range(late.old, missed.shape[0]):
        played = choose(player, row(block.rows, i), first + i - late.old)
        greedy[i], label[i], prob[i] = played.greedy, played.label, played.prob
        missed[i] = not counts_as_correct(player.explorer, block.truths, i, player.scores, played)
        while n < late.heard.shape[0] and late.after[n] == i:
            j = late.heard[n]
            x = row(block.rows, j)
            then = Played(greedy[j], label[j], prob[j])
            feedback = feedback_for(player.ear, block, j, then, player.scores.shape[0])
            score(player.learner, x, player.scores)
            learn(player.learner, x, player.scores, then, feedback)
            n += 1


@entry
def replay(player: Player, block: Block, first: int, labels: Ints, probs: Floats) -> None:
    """Learn from a block of rounds that another played: its labels, and their probs."""
    for i in range(labels.shape[0]):
        x = row(block.rows, i)
        played = Played(choose(player, x, first + i).greedy, labels[i], probs[i])
        feedback = feedback_for(player.ear, block, i, played, player.scores.shape[0])
        learn(player.learner, x, player.scores, played, feedback)
