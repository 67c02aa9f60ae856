"""What the linear weak learners share: fields, margins, votes and updates of N copies."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple, Self

import numpy as np

from onebit.kernel.rng import key, subkey, uniform
from onebit.kernel.rows import Floats, Row, dot, feature, squared_norm
from onebit.kernel.sizes import Sizes
from onebit.kernel.state import SCRATCH, Axes, initial_state
from onebit.kernel.verbs import entry, kernel
from onebit.learners.weak import LITERAL, SMOOTH, Copies, Dtype, Reading, Start

Weights = Annotated[Floats, Axes("features", "labels*n", dtype="dtype")]
PerCopy = Annotated[Floats, Axes("labels", "n")]
Squares = Annotated[Floats, Axes("labels", "n", within="[0, inf)")]
Margins = Annotated[Floats, Axes("labels*n", role=SCRATCH)]
Steps = Annotated[Floats, Axes("n", role=SCRATCH)]


class Linear(NamedTuple):
    """The fields of a linear bank; weak learners with these fields are subclasses.

    `squares` are the squared norms of weights and bias, updated with them so that a vote
    needs no pass over the weights; `margins` are those of the latest vote, `steps` a buffer.
    """

    weights: Weights
    bias: PerCopy
    squares: Squares
    margins: Margins
    steps: Steps
    n: Copies = 1
    reading: Reading = "plain"  # type: ignore[assignment]
    start: Start = "zero"  # type: ignore[assignment]
    dtype: Dtype = "float64"  # type: ignore[assignment]

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: Mapping[str, Any]) -> Self:
        """Return the first state."""
        return initial_bank(cls, sizes, seed, params)  # type: ignore[no-any-return]


def initial_bank(kind: Any, sizes: Sizes, seed: int, params: Mapping[str, Any]) -> Any:
    """Return a linear bank whose weights are zero, or random if start=random."""
    bank = initial_state(kind, sizes, params)
    if bank.start:
        draw_weights(key(seed, "weak start"), bank.weights, bank.squares)
    return bank


@entry
def draw_weights(key: int, weights: Floats, squares: Floats) -> None:
    """Draw all weights uniformly from (-1, 1), and set their squared norms.

    A weight depends on its feature, label and copy alone, so that it is the same however many
    labels there are.
    """
    labels, n = squares.shape
    for k in range(labels):
        label_key = subkey(key, k)
        for j in range(weights.shape[0]):
            for i in range(n):
                c = k * n + i
                weights[j, c] = 2.0 * uniform(label_key, j * n + i) - 1.0
                squares[k, i] += np.float64(weights[j, c]) * weights[j, c]


@kernel
def row_factor(bank: Any, x: Row) -> float:
    """Return the factor of a row: 1 / norm if reading=literal (0 for an empty row), else 1."""
    if bank.reading != LITERAL:
        return 1.0
    total = squared_norm(x)
    return 1.0 / math.sqrt(total) if total > 0.0 else 0.0


@kernel
def squared_length(bank: Any, x: Row) -> float:
    """Return the squared norm of a row, with its bias feature or factor."""
    total = squared_norm(x)
    if bank.reading == SMOOTH:
        return total + 1.0  # type: ignore[no-any-return]
    if bank.reading == LITERAL:
        return 1.0 if total > 0.0 else 0.0
    return total  # type: ignore[no-any-return]


@kernel
def vote_by_margin(bank: Any, x: Row, out: Floats) -> None:
    """Set the margins of all copies, and their votes."""
    set_margins(bank, x)
    set_votes(bank, x, out)


@kernel
def set_margins(bank: Any, x: Row) -> None:
    """Set the margins of all copies of all labels."""
    dot(x, bank.weights, bank.margins)
    if bank.reading == SMOOTH:
        labels, n = bank.bias.shape
        for k in range(labels):
            for i in range(n):
                bank.margins[k * n + i] += bank.bias[k, i]
    elif bank.reading == LITERAL:
        factor = row_factor(bank, x)
        for c in range(bank.margins.shape[0]):
            bank.margins[c] *= factor


@kernel
def set_votes(bank: Any, x: Row, out: Floats) -> None:
    """Set the votes to the margins, their cosines (0 if weights or row are 0), or their signs."""
    labels, n = out.shape
    if bank.reading == SMOOTH:
        length = math.sqrt(squared_length(bank, x))
        for k in range(labels):
            for i in range(n):
                both = math.sqrt(bank.squares[k, i]) * length
                cosine = bank.margins[k * n + i] / both if both > 0.0 else 0.0
                out[k, i] = min(1.0, max(-1.0, cosine))
    elif bank.reading == LITERAL:
        for k in range(labels):
            for i in range(n):
                out[k, i] = 1.0 if bank.margins[k * n + i] >= 0.0 else -1.0
    else:
        for k in range(labels):
            for i in range(n):
                out[k, i] = bank.margins[k * n + i]


@kernel
def apply_steps(bank: Any, x: Row, label: int) -> None:
    """Add bank.steps[i] times the row to copy i of a label, and update the squared norms."""
    n = bank.steps.shape[0]
    at = label * n
    factor = row_factor(bank, x)
    for e in range(x.values.shape[0]):
        j, value = feature(x, e), x.values[e]
        if value != 0.0:
            value = factor * value
            for i in range(n):
                bank.weights[j, at + i] += bank.steps[i] * value
    if bank.reading == SMOOTH:
        total = squared_length(bank, x)
        for i in range(n):
            s = bank.steps[i]
            bank.bias[label, i] += s
            grown = bank.squares[label, i] + 2.0 * s * bank.margins[at + i] + s * s * total
            bank.squares[label, i] = max(0.0, grown)
