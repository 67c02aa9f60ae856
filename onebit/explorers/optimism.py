"""Optimism: a bonus for labels seldom played on rows like this, then FastCB."""

from __future__ import annotations

import math
from typing import Annotated, Any, NamedTuple

import numpy as np

from onebit.explorers import explorer
from onebit.explorers._fastcb import fastcb_prob
from onebit.kernel.exploration import (
    Situation,
    adapt,
    began_anew,
    explore,
    label_number,
    marginals,
)
from onebit.kernel.round import Feedback, Played
from onebit.kernel.rows import Floats, Row, feature
from onebit.kernel.sizes import Sizes
from onebit.kernel.state import COUNTS, SCRATCH, Axes, initial_state, lanes
from onebit.kernel.verbs import implements, kernel
from onebit.naming.params import Real

#: Estimates are clipped to this distance from 0 and 1.
CLIP = 1e-6
#: Labels whose estimates are this close to the highest, relatively, share its probability.
TIE = 1e-5
#: The most counts (features times labels); with more features some share them.
MOST_COUNTS = 2**22
#: The largest square of a value that counts.
LARGEST = 1e30


@explorer(needs="estimates")
class Optimism(NamedTuple):
    """Plays by `fastcb`, after raising the estimates of labels seldom played on rows like this.

    The log-odds of label k rise by bonus ln(K) r_k. r_k is the mean over the row's features, in
    proportion to their squares and with one feature of value 1 beside them, of 1 / (1 + n), n the
    sum of the feature's squares over the rounds in which k was played: 1 for a label that was
    never played, 0 for one played often. It is for many
    labels and learners that learn fast: with `softmax` alone it explores for long. Labels that tie
    for the highest estimate share its probability, whatever `ties` says. When a learner begins
    anew, as `auto` does where the data changed, the counts do too.

    Its results depend on the platform's exp and log in the last bits.

    Reference: none; the bonus is in the spirit of the upper confidence bounds of Auer, "Using
    confidence bounds for exploitation-exploration trade-offs", JMLR 3 (2002).
    """

    counts: Annotated[Any, Axes("rows", "lanes", dtype="float32", within="[0, inf)")]
    rounds: Annotated[Floats, Axes("labels", within=COUNTS)]
    new: Annotated[Any, Axes("lanes", dtype="float32", role=SCRATCH)]
    bonus: Annotated[float, Real("[0, inf)"), "rise of the log-odds of a new label, by ln K"] = 4.0
    gamma_scale: Annotated[float, Real("(0, inf)"), "the higher, the less it explores"] = 50.0

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: dict[str, Any]) -> Optimism:
        """Return the first state: nothing was played."""
        rows = min(sizes.features + 1, max(MOST_COUNTS // lanes(sizes.begun_labels), 2))
        return initial_state(cls, sizes, {**params, "rows": rows})


@kernel
def set_novelty(explorer: Optimism, x: Row) -> None:
    """Set how new each label is on rows like x, between 0 and 1."""
    new, counts, one = explorer.new, explorer.counts, np.float32(1.0)
    total = one
    for k in range(new.shape[0]):
        new[k] = 1.0 / (1.0 + explorer.rounds[k]) if k < explorer.rounds.shape[0] else 0.0
    for n in range(x.values.shape[0]):
        square = squared(x.values[n])
        if square > 0.0:
            total += square
            j = feature(x, n) % counts.shape[0]
            for k in range(new.shape[0]):
                new[k] += square / (one + counts[j, k])
    for k in range(new.shape[0]):
        new[k] /= total


@kernel
def squared(value: float) -> Any:
    """Return the square as a float32, which it fits into."""
    return np.float32(min(value * value, LARGEST))


@implements(explore, Optimism)
def _(explorer: Optimism, situation: Situation, greedy: int, probs: Floats) -> None:
    labels = probs.shape[0]
    gamma = explorer.gamma_scale * math.sqrt(situation.round)
    rise = explorer.bonus * math.log(labels)
    set_novelty(explorer, situation.x)
    best = 0.0
    for k in range(labels):
        estimate = min(max(situation.scores[k], CLIP), 1.0 - CLIP)
        new = np.float64(explorer.new[label_number(situation.labels, k)])
        odds = math.log(estimate / (1.0 - estimate)) + rise * new
        probs[k] = 1.0 / (1.0 + math.exp(-odds))
        best = max(best, probs[k])
    rest, ties = 1.0, 0
    for k in range(labels):
        if probs[k] >= best * (1.0 - TIE):
            probs[k] = -1.0
            ties += 1
        else:
            probs[k] = fastcb_prob(best, probs[k], labels, gamma)
            rest -= probs[k]
    for k in range(labels):
        if probs[k] < 0.0:
            probs[k] = rest / ties


@implements(marginals, Optimism)
def _(
    explorer: Optimism, situation: Situation, greedy_probs: Floats, work: Floats, out: Floats
) -> None:
    explore(explorer, situation, 0, out)


@implements(adapt, Optimism)
def _(explorer: Optimism, learner: Any, x: Row, played: Played, feedback: Feedback) -> None:
    counts = explorer.counts
    if began_anew(learner):
        forget_counts(explorer)
    for n in range(x.values.shape[0]):
        if x.values[n] != 0.0:
            counts[feature(x, n) % counts.shape[0], played.label] += squared(x.values[n])
    explorer.rounds[played.label] += 1.0


@kernel
def forget_counts(explorer: Optimism) -> None:
    """Begin anew; what is zero is not written, and so takes no memory."""
    counts = explorer.counts
    for j in range(counts.shape[0]):
        for k in range(counts.shape[1]):
            if counts[j, k] != 0.0:
                counts[j, k] = 0.0
    for k in range(explorer.rounds.shape[0]):
        explorer.rounds[k] = 0.0
