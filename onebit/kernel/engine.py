"""The loops: decide one row, learn one round, play a block, now or with delay, or replay one.

They contain no algorithm: every step is a verb, found by the types inside the Player. Nothing here
checks its input; the caller has done so.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from onebit.kernel.block import LOST, Block, is_right
from onebit.kernel.exploration import (
    AllLabels,
    Situation,
    SomeLabels,
    adapt,
    counts_as_correct,
    explore,
    greedy_label,
    greedy_probs,
    is_picked,
    marginals,
)
from onebit.kernel.rng import draw, uniform
from onebit.kernel.round import (
    Feedback,
    Played,
    conditioned,
    feedback_for,
    feedback_from,
    learn,
    score,
    unwrapped,
)
from onebit.kernel.rows import Floats, Ints, Row, Rows, Starts, row
from onebit.kernel.verbs import entry, kernel

Flags = npt.NDArray[np.bool_]


class RandomKeys(NamedTuple):
    """The keys of the two draws of a round, and whether ties are broken at random."""

    ties: int
    labels: int
    random_ties: bool


class Player(NamedTuple):
    """A learner, its explorer, the type of its feedback, random keys, and scratch space."""

    learner: Any
    explorer: Any
    feedback: Feedback
    keys: RandomKeys
    scores: Floats
    probs: Floats
    #: Rows: the probabilities of being greedy, the marginals, scores of some labels, their probs.
    work: Floats


#: A decision: the greedy label, the label played, its prob given the greedy one, and its marginal.
Decision = tuple[int, int, float, float]

#: Decisions of a block, kept until their feedback arrives.
RECORD = np.dtype(
    [
        ("greedy", np.int64),
        ("label", np.int64),
        ("prob", np.float64),
        ("missed", np.bool_),
        ("picked", np.bool_),
    ],
    align=True,
)


class Delayed(NamedTuple):
    """When the feedback of a block's rounds arrives: after round `after[n]`, that of `heard[n]`.

    The first `old` rounds were played before; their records are there already.
    """

    old: int
    records: npt.NDArray[np.void]
    heard: Starts
    after: Starts


@kernel
def choose(player: Player, x: Row, round: int, draw_number: int) -> Played:
    """Score the row and draw a label; leaves the scores in `player.scores`."""
    score(player.learner, x, player.scores)
    u = uniform(player.keys.ties, draw_number) if player.keys.random_ties else 0.0
    greedy = greedy_label(player.explorer, player.scores, u)
    situation = situation_of(player, x, round)
    explore(player.explorer, situation, greedy, player.probs)
    label = draw(player.probs, uniform(player.keys.labels, draw_number))
    return Played(greedy, label, player.probs[label])  # type: ignore[arg-type]


@kernel
def situation_of(player: Player, x: Row, round: int) -> Situation:
    """Return what the explorer may look at, after the row was scored."""
    return Situation(
        unwrapped(player.learner),
        conditioned(player.learner, x),
        AllLabels(player.scores.shape[0]),
        player.scores,
        round,
    )


@kernel
def marginal_of(player: Player, situation: Situation, played: Played) -> float:
    """Return the probability of the played label over all labels that could have been greedy."""
    greedy, out, work = work_of(player, situation)
    count = greedy_probs(player.explorer, situation.scores, player.keys.random_ties, greedy)
    if count == 1:
        return played.prob
    marginals(player.explorer, situation, greedy, work, out)
    return out[played.label]  # type: ignore[no-any-return]


@kernel
def work_of(player: Player, situation: Situation) -> tuple[Floats, Floats, Floats]:
    """Return space for the probabilities of being greedy, the marginals, and the probs given one.

    Each is contiguous, among some labels too, so that their code is compiled once for both.
    """
    n = situation.scores.shape[0]
    return player.work[0, :n], player.work[1, :n], player.work[3, :n]


@kernel
def all_marginals(player: Player, situation: Situation) -> None:
    """Leave the marginal probability of every label of the situation in `player.work[1]`."""
    greedy, out, work = work_of(player, situation)
    greedy_probs(player.explorer, situation.scores, player.keys.random_ties, greedy)
    marginals(player.explorer, situation, greedy, work, out)


@entry
def decide(player: Player, x: Row, round: int, draw_number: int) -> Decision:
    """Play a label for one row; `player.work[1]` is left with the marginals if they differ."""
    played = choose(player, x, round, draw_number)
    situation = situation_of(player, x, round)
    marginal = marginal_of(player, situation, played)
    return played.greedy, played.label, played.prob, marginal


@kernel
def choose_among(player: Player, x: Row, round: int, draw_number: int, among: Starts) -> Decision:
    """Play one of some labels for one row, as if there were no others."""
    score(player.learner, x, player.scores)
    situation = situation_among(player, x, round, among)
    u = uniform(player.keys.ties, draw_number) if player.keys.random_ties else 0.0
    greedy = greedy_label(player.explorer, situation.scores, u)
    probs = player.work[3, : among.shape[0]]
    explore(player.explorer, situation, greedy, probs)
    label = draw(probs, uniform(player.keys.labels, draw_number))
    played = Played(greedy, label, probs[label])  # type: ignore[arg-type]
    marginal = marginal_of(player, situation, played)
    return among[greedy], among[label], played.prob, marginal  # type: ignore[return-value]


@kernel
def situation_among(player: Player, x: Row, round: int, among: Starts) -> Situation:
    """Return what the explorer may look at where only some labels may be played."""
    scores = player.work[2, : among.shape[0]]
    for i in range(among.shape[0]):
        scores[i] = player.scores[among[i]]
    labels, row = SomeLabels(among), conditioned(player.learner, x)
    return Situation(unwrapped(player.learner), row, labels, scores, round)


@entry
def decide_among(player: Player, x: Row, round: int, draw_number: int, among: Starts) -> Decision:
    """Play one of some labels for one row."""
    return choose_among(player, x, round, draw_number, among)  # type: ignore[no-any-return]


@entry
def probabilities(player: Player, x: Row, round: int) -> int:
    """Leave the marginal probability of every label in `player.work[1]`; return the best label."""
    score(player.learner, x, player.scores)
    situation = situation_of(player, x, round)
    all_marginals(player, situation)
    return greedy_label(player.explorer, player.scores, 0.0)  # type: ignore[no-any-return]


@entry
def probabilities_among(player: Player, x: Row, round: int, among: Starts) -> int:
    """Leave the marginals of some labels in `player.work[1]`, side by side; return the best."""
    score(player.learner, x, player.scores)
    situation = situation_among(player, x, round, among)
    all_marginals(player, situation)
    return among[greedy_label(player.explorer, situation.scores, 0.0)]  # type: ignore[return-value]


@kernel
def update(player: Player, x: Row, played: Played, feedback: Feedback) -> None:
    """Let the explorer and the learner learn from a round that was scored just now."""
    row = conditioned(player.learner, x)
    adapt(player.explorer, unwrapped(player.learner), row, played, feedback)
    learn(player.learner, x, player.scores, played, feedback)


@entry
def teach(player: Player, x: Row, greedy: int, label: int, prob: float, feedback: Feedback) -> None:
    """Learn from one round, however long ago it was played."""
    score(player.learner, x, player.scores)
    update(player, x, Played(greedy, label, prob), feedback)


@entry
def decide_many(player: Player, rows: Rows, first: int, decisions: Floats) -> None:
    """Decide rows one after another, without feedback between; one decision a row."""
    for i in range(decisions.shape[0]):
        x = row(rows, i)
        played = choose(player, x, first + i, first + i)
        situation = situation_of(player, x, first + i)
        decisions[i, 0], decisions[i, 1], decisions[i, 2] = played.greedy, played.label, played.prob
        decisions[i, 3] = marginal_of(player, situation, played)


@entry
def probabilities_many(player: Player, rows: Rows, round: int, best: Starts, probs: Floats) -> None:
    """Set probs[i] to the marginals of row i, and best[i] to its best label."""
    for i in range(best.shape[0]):
        x = row(rows, i)
        score(player.learner, x, player.scores)
        best[i] = greedy_label(player.explorer, player.scores, 0.0)
        if probs.shape[0] > 0:
            situation = situation_of(player, x, round)
            greedy_probs(player.explorer, player.scores, player.keys.random_ties, player.work[0])
            marginals(player.explorer, situation, player.work[0], player.work[3], probs[i])


@entry
def decide_many_among(
    player: Player, rows: Rows, first: int, among: Starts, decisions: Floats
) -> None:
    """Decide rows one after another where only some labels may be played."""
    for i in range(decisions.shape[0]):
        found = choose_among(player, row(rows, i), first + i, first + i, among)
        decisions[i, 0], decisions[i, 1], decisions[i, 2], decisions[i, 3] = found


@entry
def teach_many(player: Player, rows: Rows, decisions: Floats, heard: Starts) -> None:
    """Learn from decisions one after another; heard[i] is the bit or the true label."""
    for i in range(heard.shape[0]):
        x = row(rows, i)
        played = Played(int(decisions[i, 0]), int(decisions[i, 1]), decisions[i, 2])
        score(player.learner, x, player.scores)
        update(player, x, played, feedback_from(player.feedback, heard[i]))


@entry
def play(player: Player, block: Block, first: int, missed: Flags) -> None:
    """Play and learn a block of rounds, the first of which has number `first`."""
    for i in range(missed.shape[0]):
        x = row(block.rows, i)
        played = choose(player, x, first + i, first + i)
        missed[i] = not counts_as_correct(player.explorer, block.truths, i, player.scores, played)
        if block.signals[i] != LOST:
            picked = is_picked(player.explorer, block.truths, i, player.scores, played)
            feedback = feedback_for(player.feedback, block, i, picked, player.scores.shape[0])
            update(player, x, played, feedback)


@entry
def play_delayed(player: Player, block: Block, first: int, delayed: Delayed) -> None:
    """Play the new rounds of a block, numbered from `first` on; learn when feedback arrives."""
    greedy, label = delayed.records["greedy"], delayed.records["label"]
    prob, missed = delayed.records["prob"], delayed.records["missed"]
    picked = delayed.records["picked"]
    n = 0
    for i in range(delayed.old, missed.shape[0]):
        number = first + i - delayed.old
        played = choose(player, row(block.rows, i), number, number)
        greedy[i], label[i], prob[i] = played.greedy, played.label, played.prob
        missed[i] = not counts_as_correct(player.explorer, block.truths, i, player.scores, played)
        picked[i] = is_picked(player.explorer, block.truths, i, player.scores, played)
        while n < delayed.heard.shape[0] and delayed.after[n] == i:
            j = delayed.heard[n]
            x = row(block.rows, j)
            then = Played(greedy[j], label[j], prob[j])
            feedback = feedback_for(player.feedback, block, j, picked[j], player.scores.shape[0])
            score(player.learner, x, player.scores)
            update(player, x, then, feedback)
            n += 1


@entry
def replay(player: Player, block: Block, first: int, labels: Ints, probs: Floats) -> None:
    """Learn from a block of rounds that another agent played: its labels, and their probs."""
    for i in range(labels.shape[0]):
        x = row(block.rows, i)
        greedy = choose(player, x, first + i, first + i).greedy
        played = Played(greedy, np.int64(labels[i]), probs[i])  # type: ignore[arg-type]
        picked = is_right(block.truths, i, labels[i])
        feedback = feedback_for(player.feedback, block, i, picked, player.scores.shape[0])
        update(player, x, played, feedback)
