"""What the linear weak learners share: fields, margins, votes and updates of N copies."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from onebit.kernel.rng import key, subkey, uniform
from onebit.kernel.rows import Floats, Row, dot, feature, squared_norm
from onebit.kernel.sizes import Sizes
from onebit.kernel.state import DERIVED, SCRATCH, Axes, initial_state
from onebit.kernel.verbs import kernel
from onebit.learners.weak import LITERAL, PLAIN, SCALED, SMOOTH, Copies, Dtype, Reading, Start

#: The norm of a row beside its bias feature of 1, if reading=scaled.
ROW_NORM = 10.0

Squares = Annotated[Floats, Axes("labels", "n", within="[0, inf)")]


class Linear(NamedTuple):
    """The fields of a linear bank; weak learners with just these fields are subclasses.

    `squares` are the squared norms of weights and bias, updated with them so that a vote
    needs no pass over the weights; `margins` are those of the latest vote, `steps` a buffer.
    Random weights of a feature are drawn when it is first trained on, which is when they begin
    to count in `squares`: a wide row costs nothing until its features occur.
    """

    weights: Annotated[Floats, Axes("features", "labels*n", dtype="dtype")]
    bias: Annotated[Floats, Axes("labels", "n")]
    squares: Squares
    drawn: Annotated[npt.NDArray[np.bool_], Axes("features", dtype="bool", role=DERIVED)]
    margins: Annotated[Floats, Axes("labels*n", role=SCRATCH)]
    steps: Annotated[Floats, Axes("n", role=SCRATCH)]
    n: Copies = 1
    reading: Reading = "plain"  # type: ignore[assignment]
    start: Start = "zero"  # type: ignore[assignment]
    dtype: Dtype = "float64"  # type: ignore[assignment]
    start_key: int = 0

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: Mapping[str, Any]) -> Self:
        """Return the first state."""
        return initial_state(cls, sizes, params)._replace(start_key=key(seed, "weak start"))

    def derive(self) -> None:
        """Find the features whose random weights were drawn."""
        self.drawn[:] = self.weights.any(axis=1) if self.start else False

    def grown(self, old: Self) -> None:
        """Draw the weights of new labels for the features that the others have."""
        if self.start:
            for j in np.flatnonzero(old.drawn):
                draw_feature(self, int(j), old.bias.shape[0])


@kernel
def start_weight(label_key: int, n: int, j: int, i: int) -> float:
    """Return the first weight of feature j in copy i of a label, from (-1, 1).

    It depends on these alone, so that it is the same however many labels there are.
    """
    return 2.0 * uniform(label_key, j * n + i) - 1.0  # type: ignore[no-any-return]


@kernel
def draw_feature(bank: Any, j: int, first: int) -> None:
    """Draw the weights of a feature for all labels from `first` on."""
    labels, n = bank.bias.shape
    for k in range(first, labels):
        label_key = subkey(bank.start_key, k)
        for i in range(n):
            c = k * n + i
            bank.weights[j, c] = start_weight(label_key, n, j, i)
            bank.squares[k, i] += np.float64(bank.weights[j, c]) * bank.weights[j, c]


@kernel
def draw_new_features(bank: Any, x: Row) -> None:
    """Draw the weights of the row's features that have none yet."""
    for e in range(x.values.shape[0]):
        j = feature(x, e)
        if x.values[e] != 0.0 and not bank.drawn[j]:
            draw_feature(bank, j, 0)
            bank.drawn[j] = True


@kernel
def add_start_margins(bank: Any, x: Row) -> None:
    """Add to the margins what features add whose random weights were not drawn yet."""
    labels, n = bank.bias.shape
    for e in range(x.values.shape[0]):
        j, value = feature(x, e), x.values[e]
        if value != 0.0 and not bank.drawn[j]:
            for k in range(labels):
                label_key = subkey(bank.start_key, k)
                for i in range(n):
                    bank.margins[k * n + i] += value * start_weight(label_key, n, j, i)


@kernel
def row_factor(bank: Any, x: Row) -> float:
    """Return the factor that gives a row the norm that `reading` asks for; 0 for an empty row."""
    if bank.reading == PLAIN or bank.reading == SMOOTH:
        return 1.0
    total = squared_norm(x)
    norm = ROW_NORM if bank.reading == SCALED else 1.0
    return norm / math.sqrt(total) if total > 0.0 else 0.0


@kernel
def bias_feature(bank: Any) -> float:
    """Return the bias feature of a row: 1 if `reading` has one, else 0."""
    return 1.0 if bank.reading == SMOOTH or bank.reading == SCALED else 0.0


@kernel
def squared_length(bank: Any, x: Row) -> float:
    """Return the squared norm of a row as it is read, bias feature included."""
    total = squared_norm(x)
    if bank.reading == SCALED and total > 0.0:
        total = ROW_NORM * ROW_NORM
    elif bank.reading == LITERAL and total > 0.0:
        total = 1.0
    return total + bias_feature(bank)  # type: ignore[no-any-return]


@kernel
def vote_by_margin(bank: Any, x: Row, out: Floats) -> None:
    """Set the margins of all copies, and their votes."""
    set_margins(bank, x)
    set_votes(bank, x, out)


@kernel
def set_margins(bank: Any, x: Row) -> None:
    """Set the margins of all copies of all labels."""
    dot(x, bank.weights, bank.margins)
    if bank.start:
        add_start_margins(bank, x)
    if bank.reading != PLAIN:
        factor, one = row_factor(bank, x), bias_feature(bank)
        labels, n = bank.bias.shape
        for k in range(labels):
            for i in range(n):
                margin = factor * bank.margins[k * n + i]
                bank.margins[k * n + i] = margin + one * bank.bias[k, i]


@kernel
def set_votes(bank: Any, x: Row, out: Floats) -> None:
    """Set the votes to the margins, their cosines (0 if weights or row are 0), or their signs."""
    labels, n = out.shape
    if bank.reading == LITERAL:
        for k in range(labels):
            for i in range(n):
                out[k, i] = 1.0 if bank.margins[k * n + i] >= 0.0 else -1.0
    elif bank.reading == PLAIN:
        for k in range(labels):
            for i in range(n):
                out[k, i] = bank.margins[k * n + i]
    else:
        length = math.sqrt(squared_length(bank, x))
        for k in range(labels):
            for i in range(n):
                both = math.sqrt(bank.squares[k, i]) * length
                cosine = bank.margins[k * n + i] / both if both > 0.0 else 0.0
                out[k, i] = min(1.0, max(-1.0, cosine))


@kernel
def apply_steps(bank: Any, x: Row, label: int) -> None:
    """Add bank.steps[i] times the row to copy i of a label, and update the squared norms."""
    n = bank.steps.shape[0]
    at = label * n
    if bank.start:
        draw_new_features(bank, x)
    if bias_feature(bank) > 0.0:
        total = squared_length(bank, x)
        for i in range(n):
            s = bank.steps[i]
            bank.bias[label, i] += s
            grown = bank.squares[label, i] + 2.0 * s * bank.margins[at + i] + s * s * total
            bank.squares[label, i] = max(0.0, grown)
    factor = row_factor(bank, x)
    for e in range(x.values.shape[0]):
        j, value = feature(x, e), x.values[e]
        if value != 0.0:
            value = factor * value
            for i in range(n):
                bank.weights[j, at + i] += bank.steps[i] * value
