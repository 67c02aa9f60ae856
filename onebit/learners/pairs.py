"""Pairs: multinomial logistic regression on products of two features, from one bit."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from onebit.kernel.rng import key, subkey
from onebit.kernel.round import Bit, Played, learn, score
from onebit.kernel.rows import Floats, Ints, Row, Starts, feature
from onebit.kernel.sizes import Sizes
from onebit.kernel.state import COUNTS, SCRATCH, Axes, initial_state, lanes
from onebit.kernel.verbs import implements, kernel
from onebit.learners import learner
from onebit.learners.shared.conditioned import first_entry, has_numbers, in_table
from onebit.learners.shared.experts import awake, effort, forget
from onebit.learners.shared.softmax_steps import bit_gradient, to_probabilities
from onebit.learners.shared.table import Lanes, add_row, set_rows_to_zero, step_row
from onebit.naming.params import Real, Whole

#: Places of the hash, and the most weights (rows of the table times labels).
PLACES, MOST_WEIGHTS = 2**18, 2**23
#: Entries of a row that are paired, and most that are also used on their own.
MOST_ENTRIES, MOST_SINGLES = 2**16, 128
#: Most buckets by which pairs are found.
MOST_BUCKETS = 2**14
#: Larger values are clipped, so that squares of products fit into a float32.
LARGEST = 1e6
#: The factor of single features, and the value of the bias.
SINGLE, BIAS = np.float32(0.7), np.float32(0.3)


@learner(hears=Bit, explorer="fastcb", estimates=True)
class Pairs(NamedTuple):
    """Multinomial logistic regression on products of two features, by AdaGrad.

    The loss is that of `softmax`. Of a row with many entries only a share of the pairs is used,
    always the same ones, and their values are raised by the fourth root of what was left out. A
    row with at most 128 entries also gives each entry on its own, and the squares of numbers.
    Pairs are hashed to a table of weights.

    Units: a product of values has the square of their unit, and steps are for values of about 1.

    Reference: the loss as in `softmax`; hashed products of features as in Langford, Li and
    Strehl, Vowpal Wabbit (2007).

    Guarantee: none known.

    >>> from onebit import Agent
    >>> agent = Agent("pairs", labels=["same", "different"], seed=1)
    >>> for n in range(80):
    ...     x = {"left": "ab"[n % 2], "right": "ab"[n // 2 % 2]}
    ...     choice = agent.decide(x)
    ...     agent.learn(choice, correct=(choice.label == "same") == (x["left"] == x["right"]))
    >>> agent.predict({"left": "b", "right": "b"})
    'same'
    """

    places: Annotated[Ints, Axes("hashed", dtype="int32", within="[0, 4e18]")]
    weights: Annotated[Lanes, Axes("rows", "lanes", dtype="float32")]
    squares: Annotated[Lanes, Axes("rows", "lanes", dtype="float32", within="[0, inf)")]
    taken: Annotated[npt.NDArray[np.int64], Axes(1, dtype="int64", within=COUNTS)]
    hashes: Annotated[Starts, Axes("entries", dtype="int64", role=SCRATCH)]
    used: Annotated[Lanes, Axes("entries", dtype="float32", role=SCRATCH)]
    links: Annotated[Ints, Axes("entries", dtype="int32", role=SCRATCH)]
    heads: Annotated[Ints, Axes("buckets", dtype="int32", role=SCRATCH)]
    listed: Annotated[Ints, Axes("list", dtype="int32", role=SCRATCH)]
    products: Annotated[Lanes, Axes("list", dtype="float32", role=SCRATCH)]
    length: Annotated[Starts, Axes(1, dtype="int64", role=SCRATCH)]
    logits: Annotated[Lanes, Axes("lanes", dtype="float32", role=SCRATCH)]
    steps: Annotated[Lanes, Axes("lanes", dtype="float32", role=SCRATCH)]
    gradient: Annotated[Floats, Axes("labels", role=SCRATCH)]
    rate: Annotated[float, Real("(0, inf)"), "step size of AdaGrad"] = 1.0
    floor: Annotated[float, Real("(0, inf)"), "added to the sums of squared gradients"] = 0.01
    budget: Annotated[int, Whole(1, 2**24), "pairs of a row times labels; 96 to 1024 pairs"] = 8192
    most_pairs: int = 0
    key: int = 0

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: dict[str, Any]) -> Pairs:
        """Return the first state: a table without rows but the bias."""
        width = lanes(sizes.begun_labels)
        most_pairs = min(max(params["budget"] // width, 96), 1024)
        lengths = {
            "hashed": PLACES,
            "rows": max(min(PLACES, MOST_WEIGHTS // width), 2) + 1,
            "entries": min(sizes.features, MOST_ENTRIES),
            "buckets": MOST_BUCKETS,
            "list": 2 * (most_pairs + MOST_SINGLES),
        }
        state = initial_state(cls, sizes, {**params, **lengths})
        state.taken[0] = 1  # the bias
        return state._replace(most_pairs=most_pairs, key=key(seed, "pairs"))

    def is_sound(self) -> bool:
        """Return whether every place is in the table."""
        rows = len(self.weights)
        return bool(1 <= self.taken[0] <= rows and (self.places < self.taken[0]).all())


@implements(awake, Pairs)
def _(learner: Pairs, x: Row) -> bool:
    return in_table(x)  # type: ignore[no-any-return]


@implements(effort, Pairs)
def _(learner: Pairs, x: Row) -> int:
    return learner.length[0] + 1 if in_table(x) else 1


@implements(score, Pairs)
def _(learner: Pairs, x: Row, out: Floats) -> None:
    list_products(learner, x)
    logits = learner.logits
    for k in range(logits.shape[0]):
        logits[k] = 0.0
    add_row(learner.weights, 0, BIAS, logits)
    for e in range(learner.length[0]):
        row = learner.places[learner.listed[e]]
        if row > 0:
            add_row(learner.weights, row, learner.products[e], logits)
    for k in range(out.shape[0]):
        out[k] = logits[k]
    to_probabilities(out)


@implements(learn, Pairs)
def _(learner: Pairs, x: Row, scores: Floats, played: Played, feedback: Bit) -> None:
    bit_gradient(scores, played.label, feedback.correct, learner.gradient)
    for k in range(scores.shape[0]):
        learner.steps[k] = learner.gradient[k]
    rate, floor = np.float32(learner.rate), np.float32(learner.floor)
    step_row(learner.weights, learner.squares, 0, BIAS, learner.steps, rate, floor)
    for e in range(learner.length[0]):
        row, value = row_for(learner, learner.listed[e]), learner.products[e]
        step_row(learner.weights, learner.squares, row, value, learner.steps, rate, floor)


@implements(forget, Pairs)
def _(learner: Pairs) -> None:
    set_rows_to_zero(learner.weights, learner.taken[0])
    set_rows_to_zero(learner.squares, learner.taken[0])


@kernel
def row_for(learner: Pairs, place: int) -> int:
    """Return the row of a place of the hash; at first use the next one, shared if all are taken."""
    if learner.places[place] == 0:
        taken, rows = learner.taken[0], learner.weights.shape[0]
        if taken < rows:
            learner.places[place] = taken
            learner.taken[0] = taken + 1
        else:
            learner.places[place] = 1 + place % (rows - 1)
    return learner.places[place]  # type: ignore[no-any-return]


@kernel
def list_products(learner: Pairs, x: Row) -> None:
    """List the entries and products of a row: their places in the hash, and their values."""
    count = hash_entries(learner, x)
    learner.length[0] = 0
    if count <= MOST_SINGLES:
        squares = has_numbers(x)
        for n in range(count):
            value, number = learner.used[n], learner.hashes[n]
            append(learner, 1, number, SINGLE * value)
            if squares:
                append(learner, 2, number, SINGLE * value * value)
    parts = 1
    while count * (count - 1) > 2 * learner.most_pairs * parts:
        parts *= 2
    factor, last = np.float32(np.sqrt(np.sqrt(float(parts)))), min(parts, MOST_BUCKETS) - 1
    for n in range(count):
        learner.heads[learner.hashes[n] & last] = -1
        learner.heads[-learner.hashes[n] & last] = -1
    for n in range(count):
        number = learner.hashes[n]
        other = learner.heads[-number & last]
        while other >= 0:
            both = number + learner.hashes[other]
            if both & (parts - 1) == 0:
                append(learner, 0, both, learner.used[n] * learner.used[other] * factor)
            other = learner.links[other]
        learner.links[n] = learner.heads[number & last]
        learner.heads[number & last] = n


@kernel
def hash_entries(learner: Pairs, x: Row) -> int:
    """Hash the features of a row that are not zero; return how many there are."""
    count = 0
    for n in range(first_entry(x), x.values.shape[0]):
        value = np.float32(min(max(x.values[n], -LARGEST), LARGEST))
        if value != 0.0 and count < learner.hashes.shape[0]:
            # 61 bits, so that two can be added
            learner.hashes[count] = np.int64(subkey(learner.key, feature(x, n))) >> 2
            learner.used[count] = value
            count += 1
    return count


@kernel
def append(learner: Pairs, kind: int, number: int, value: Any) -> None:
    """Add an entry, square or pair to the list, unless it is full."""
    n = learner.length[0]
    if n < learner.listed.shape[0]:
        learner.listed[n] = np.int64(subkey(learner.key + kind, number)) & (PLACES - 1)
        learner.products[n] = value
        learner.length[0] = n + 1
