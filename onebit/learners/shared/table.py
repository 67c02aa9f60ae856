"""Tables of weights that are found by a hash: a row of float32 lanes for each, one a label.

Lanes are labels, padded to a multiple of eight, so that loops over them are vector instructions.
All arithmetic is in float32: numpy's numbers and compiled ones agree.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from onebit.kernel.verbs import kernel

Lanes = npt.NDArray[np.float32]


@kernel
def add_row(weights: Lanes, row: int, value: Any, out: Lanes) -> None:
    """Add value times a row of weights; value is a float32."""
    for k in range(out.shape[0]):
        out[k] += value * weights[row, k]


@kernel
def step_row(
    weights: Lanes, squares: Lanes, row: int, value: Any, gradient: Lanes, rate: Any, floor: Any
) -> None:
    """Take a step of AdaGrad in a row, for all labels; value, rate and floor are float32."""
    for k in range(gradient.shape[0]):
        g = value * gradient[k]
        square = squares[row, k] + g * g
        squares[row, k] = square
        weights[row, k] -= rate * g / np.sqrt(square + floor)


@kernel
def step_label(
    weights: Lanes, squares: Lanes, row: int, label: int, g: Any, rate: Any, floor: Any
) -> None:
    """Take a step of AdaGrad in a row, for one label; g, rate and floor are float32."""
    square = squares[row, label] + g * g
    squares[row, label] = square
    weights[row, label] -= rate * g / np.sqrt(square + floor)


@kernel
def set_rows_to_zero(table: Lanes, rows: int) -> None:
    """Set the first rows to zero; what is zero is not written, and so takes no memory."""
    for row in range(rows):
        for k in range(table.shape[1]):
            if table[row, k] != 0.0:
                table[row, k] = 0.0
