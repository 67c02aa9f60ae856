"""Auto: several learners on conditioned rows, combined and calibrated, with nothing to tune."""

from __future__ import annotations

import math
from typing import Annotated, Any, NamedTuple

import numpy as np

from onebit.kernel.rng import key, uniform
from onebit.kernel.round import Bit, Played, learn, score
from onebit.kernel.rows import Floats, Row, Starts
from onebit.kernel.sizes import Sizes
from onebit.kernel.state import SCRATCH, Axes, begin, initial_state, lanes
from onebit.kernel.verbs import implements, kernel, no_refcount
from onebit.learners import find, learner
from onebit.learners.shared.conditioned import Conditioned
from onebit.learners.shared.conditioning import (
    ROUNDS,
    Conditioning,
    made_row,
    make_row,
    remember_row,
)
from onebit.learners.shared.experts import (
    End,
    Expert,
    first_logits,
    learn_each,
    plan_replay,
    replay_each,
    score_each,
)
from onebit.learners.shared.ring import CORRECT, NEXT, OLDEST, Ring, recall, store
from onebit.learners.shared.stack import MARGIN, Stack, combine, learn_bit, logit, sigmoid
from onebit.learners.shared.table import Lanes
from onebit.naming.params import OneOf, Real, declared_params

#: The most weights of a linear expert (columns times labels).
MOST_WEIGHTS = 2**22
#: Labels whose estimates are this near, relatively, tie.
TIE = 1e-5
#: Draws of remembered rounds in one round, at most.
MOST_DRAWS = 16

#: Draws of each expert after a round, and early.
DRAWS = {"softmax": (8.0, 16.0), "pairs": (2.0, 2.0), "forest": (1.0, 1.0)}


@learner(hears=Bit, explorer="fastcb")
class Auto(NamedTuple):
    """Several learners on conditioned rows, combined by what the bits say of them.

    Reference: none.

    Guarantee: none known.
    """

    conditioning: Conditioning
    experts: Any
    stack: Stack
    ring: Ring
    plays: Annotated[Lanes, Axes("columns", "lanes", dtype="float32", within="[0, inf)")]
    estimates: Annotated[Floats, Axes("experts", "labels", role=SCRATCH)]
    doubts: Annotated[Lanes, Axes("lanes", dtype="float32", role=SCRATCH)]
    work: Annotated[Floats, Axes("labels", role=SCRATCH)]
    draws: Annotated[Starts, Axes("experts", dtype="int64", role=SCRATCH)]
    size: Annotated[int, OneOf(("light", "standard", "full")), "how much time it may take"] = (
        "standard"  # type: ignore[assignment]
    )
    optimism: Annotated[float, Real("[0, inf)"), "bonus for labels seldom played on such rows"] = 4.0
    cost: float = 24000.0
    key: int = 0

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: dict[str, Any]) -> Auto:
        """Return the first state."""
        light = params["size"] == "light"
        width = lanes(sizes.begun_labels)
        columns = max(min(sizes.features + 1, MOST_WEIGHTS // width), 2)
        inner = Sizes(columns, sizes.labels, (), sizes.begun)
        names = ["softmax", "pairs", "forest"]
        given = {
            "softmax": {"rate": max(3.0, math.log(sizes.begun_labels)), "floor": 0.1},
            "pairs": {"budget": 4096 if light else 8192},
            "forest": {"depth": 10 if light else 12},
        }
        chain: Any = End()
        for name in reversed(names):
            kind = find(name)
            values = {p.name: p.default for p in declared_params(kind)} | given.get(name, {})
            draws, early = DRAWS.get(name, (1.0, 1.0))
            if light and name == "softmax":
                draws = early = 4.0
            chain = Expert(begin(kind, inner, seed, values), draws, early, chain)
        lengths = {"columns": columns, "experts": len(names), "most_columns": columns}
        stack = Stack.begin(sizes, seed, lengths)
        first_logits(chain, sizes.labels, stack.first_logits, 0)
        made = {n: a.array(sizes, lengths) for n, a in declared(cls).items()}
        return cls(
            conditioning=Conditioning.begin(sizes, seed, lengths),
            experts=chain,
            stack=stack,
            ring=Ring.begin(sizes, seed, lengths),
            **made,
            size=OneOf(("light", "standard", "full")).number(params["size"]),
            optimism=params["optimism"],
            cost=(12000.0 if light else 24000.0) / width,
            key=key(seed, "replay"),
        )


def declared(kind: type) -> dict[str, Axes]:
    from onebit.kernel.state import declared_arrays
    return declared_arrays(kind)


@implements(score, Auto)
def _(learner: Auto, x: Row, out: Floats) -> None:
    make_row(learner.conditioning, x)
    row = made_row(learner.conditioning)
    score_each(learner.experts, row, learner.estimates, 0)
    combine(learner.stack, learner.estimates, -math.log(out.shape[0] - 1.0), out)
    add_optimism(learner, row, out)


@no_refcount
@kernel
def add_optimism(learner: Auto, row: Conditioned, out: Floats) -> None:
    """Raise the estimates of labels that were seldom played on rows like this; let near ones tie."""
    doubts, plays = learner.doubts, learner.plays
    one = np.float32(1.0)
    for k in range(doubts.shape[0]):
        doubts[k] = one / (one + plays[0, k])
    total = 1.0
    for e in range(1, row.indices.shape[0]):
        j, square = row.indices[e], np.float32(row.values[e] * row.values[e])
        total += np.float64(square)
        for k in range(doubts.shape[0]):
            doubts[k] += square / (one + plays[j, k])
    bonus = learner.optimism * math.log(out.shape[0]) / total
    best = 0.0
    for k in range(out.shape[0]):
        out[k] = sigmoid(logit(out[k], MARGIN) + bonus * np.float64(doubts[k]))
        best = max(best, out[k])
    for k in range(out.shape[0]):
        if out[k] >= best * (1.0 - TIE):
            out[k] = best


@implements(learn, Auto)
def _(learner: Auto, x: Row, scores: Floats, played: Played, feedback: Bit) -> None:
    label, correct = played.label, feedback.correct
    row = made_row(learner.conditioning)
    t = learner.conditioning.totals[ROUNDS] + 1.0
    u = uniform(learner.key, 32 * int(t))
    plan_replay(learner.experts, row, t, learner.cost, u, learner.draws, 0)
    learn_bit(learner.stack, label, correct, -math.log(scores.shape[0] - 1.0))
    learn_each(learner.experts, row, learner.estimates, played, feedback, 0)
    count_play(learner.plays, row, label)
    replay_rounds(learner, int(t))
    store(learner.ring, row, label, correct)
    remember_row(learner.conditioning, x)


@no_refcount
@kernel
def count_play(plays: Lanes, row: Conditioned, label: int) -> None:
    """Count a label as played on a row; the bias counts 1."""
    plays[0, label] += np.float32(1.0)
    for e in range(1, row.indices.shape[0]):
        plays[row.indices[e], label] += np.float32(row.values[e] * row.values[e])


@kernel
def replay_rounds(learner: Auto, t: int) -> None:
    """Let the experts learn from rounds drawn from the ring."""
    ring = learner.ring
    oldest, count = ring.ends[OLDEST], ring.ends[NEXT] - ring.ends[OLDEST]
    most = 0
    for i in range(learner.draws.shape[0]):
        most = max(most, learner.draws[i])
    if count > 0:
        for n in range(most):
            number = oldest + int(uniform(learner.key, 32 * t + 1 + n) * count)
            row = recall(ring, number)
            at = number % ring.starts.shape[0]
            label, correct = ring.labels[at], ring.kinds[at] & CORRECT != 0
            then = Played(label, label, 1.0)
            replay_each(learner.experts, row, learner.work, then, Bit(correct), n, learner.draws, 0)
