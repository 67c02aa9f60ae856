"""Auto: several learners on conditioned rows, combined and calibrated, with nothing to tune."""

from __future__ import annotations

import math
from typing import Annotated, Any, NamedTuple

from onebit.kernel.rng import key, uniform
from onebit.kernel.round import Bit, Played, conditioned, learn, score
from onebit.kernel.rows import Floats, Row, Starts
from onebit.kernel.sizes import Sizes
from onebit.kernel.state import SCRATCH, Axes, begin, initial_state, lanes
from onebit.kernel.verbs import implements
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
    first_logit,
    learn_each,
    learners_of,
    plan_draws,
    score_each,
)
from onebit.learners.shared.ring import CORRECT, NEXT, OLDEST, Ring, recall, store
from onebit.learners.shared.stack import Stack, combine, learn_bit
from onebit.naming.params import OneOf, declared_params

#: The most weights of a linear expert (columns times labels).
MOST_WEIGHTS = 2**22
#: Random numbers that a round takes, at most: one more than draws of remembered rounds.
MOST_DRAWS = 32
SIZES = ("light", "standard", "full")


@learner(hears=Bit, explorer="optimism", estimates=True)
class Auto(NamedTuple):
    """Several learners on conditioned rows, combined by what the bits say of them.

    Reference: none.

    Guarantee: none known.
    """

    conditioning: Any
    experts: Any
    stack: Any
    ring: Any
    estimates: Annotated[Floats, Axes("members", "labels", role=SCRATCH)]
    draws: Annotated[Starts, Axes("members", dtype="int64", role=SCRATCH)]
    size: Annotated[int, OneOf(SIZES), "how much time it may take"] = "standard"  # type: ignore[assignment]
    cost: float = 24000.0
    key: int = 0

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: dict[str, Any]) -> Auto:
        """Return the first state."""
        width = lanes(sizes.begun_labels)
        columns = min(sizes.features + 1, max(MOST_WEIGHTS // width, 2))
        inner = Sizes(columns, sizes.labels, (), sizes.begun)
        chain: Any = End()
        recipes = RECIPES[params["size"]]
        for name, draws, early, given in reversed(recipes):
            kind = find(name)
            values = {p.name: p.default for p in declared_params(kind)} | given
            if values.get("rate") == "linear":
                values["rate"] = max(3.0, math.log(sizes.begun_labels))
            chain = Expert(begin(kind, inner, seed, values), draws, early, chain)
        lengths = {"members": len(recipes), "most_columns": columns}
        stack = Stack.begin(sizes, seed, lengths)
        for i, each in enumerate(learners_of(chain)):
            stack.first_logits[i] = first_logit(each, sizes.labels)
        states = (Conditioning.begin(sizes, seed, lengths), chain, stack)
        made = {n: a.array(sizes, lengths) for n, a in declared_arrays(cls).items()}
        return cls(
            *states,
            Ring.begin(sizes, seed, lengths),
            **made,
            size=SIZES.index(params["size"]),
            cost=(12000.0 if params["size"] == "light" else 24000.0) / width,
            key=key(seed, "replay"),
        )


from onebit.kernel.state import declared_arrays

#: For each size the experts: draws of remembered rounds after each round, early, and parameters.
_LINEAR = {"rate": "linear", "floor": 0.1}
RECIPES: dict[str, list[tuple[str, float, float, dict[str, Any]]]] = {
    "light": [
        ("softmax", 4.0, 4.0, _LINEAR),
        ("pairs", 2.0, 2.0, {"budget": 4096}),
        ("forest", 1.0, 1.0, {"depth": 10}),
    ],
    "standard": [
        ("softmax", 8.0, 16.0, _LINEAR),
        ("pairs", 2.0, 2.0, {}),
        ("forest", 1.0, 1.0, {}),
    ],
    "full": [
        ("softmax", 8.0, 16.0, _LINEAR),
        ("softmax", 8.0, 16.0, {"rate": 1.0, "floor": 0.1}),
        ("pairs", 2.0, 2.0, {"budget": 16384}),
        ("forest", 1.0, 1.0, {"trees": 30, "depth": 14, "rate": 0.04}),
    ],
}


@implements(score, Auto)
def _(learner: Auto, x: Row, out: Floats) -> None:
    make_row(learner.conditioning, x)
    row = made_row(learner.conditioning)
    for i in range(learner.draws.shape[0]):
        learner.draws[i] = 0
    score_each(learner.experts, row, -1, learner.draws, learner.estimates, 0)
    combine(learner.stack, learner.estimates, out)


@implements(conditioned, Auto)
def _(learner: Auto, x: Row) -> Conditioned:
    row = made_row(learner.conditioning)
    return Conditioned(
        row.indices[1:],
        row.values[1:],
        row.numeric[1:],
        row.scale,
        row.has_numbers,
        row.in_table,
    )


@implements(learn, Auto)
def _(learner: Auto, x: Row, scores: Floats, played: Played, feedback: Bit) -> None:
    label, correct, ring = played.label, feedback.correct, learner.ring
    row = made_row(learner.conditioning)
    t = learner.conditioning.totals[ROUNDS] + 1.0
    first = MOST_DRAWS * int(t)
    u = uniform(learner.key, first)
    plan_draws(learner.experts, row, t, learner.cost, u, learner.draws, 0)
    learn_bit(learner.stack, label, correct)
    oldest, count = ring.ends[OLDEST], ring.ends[NEXT] - ring.ends[OLDEST]
    draws = 0
    for i in range(learner.draws.shape[0]):
        draws = max(draws, learner.draws[i]) if count > 0 else 0
    for n in range(draws + 1):
        learn_each(learner.experts, row, learner.estimates, played, feedback, 0)
        if n < draws:
            number = oldest + int(uniform(learner.key, first + 1 + n) * count)
            row = recall(ring, number)
            at = number % ring.starts.shape[0]
            score_each(learner.experts, row, n, learner.draws, learner.estimates, 0)
            played = Played(ring.labels[at], ring.labels[at], 1.0)
            feedback = Bit(ring.kinds[at] & CORRECT != 0)
    store(ring, made_row(learner.conditioning), label, correct)
    remember_row(learner.conditioning, x)
