"""Square matrices of second-order learners: their first value, and changes of rank one."""

from __future__ import annotations

import math

from onebit.kernel.rows import Floats, Row, feature, squared_norm
from onebit.kernel.verbs import kernel

#: By how much, relatively, rounding may break v_i^2 <= P_ii v'P^-1 v.
TOLERANCE = 1e-3


def set_identity(matrices: Floats, value: float) -> None:
    """Set square matrices (the last two axes) to `value` times the identity.

    Matrices with one column are diagonals.
    """
    for i in range(matrices.shape[-2]):
        matrices[..., i, i if matrices.shape[-1] > 1 else 0] = value


@kernel
def unit_scale(x: Row) -> float:
    """Return 1 / norm of a row, 0 for one without any."""
    total = squared_norm(x)
    return 1.0 / math.sqrt(total) if total > 0.0 else 0.0


@kernel
def quadratic_form(matrix: Floats, x: Row, scale: float) -> float:
    """Return u'Pu for the row u = scale x; P is a matrix, or a diagonal in one column."""
    total = 0.0
    for n in range(x.values.shape[0]):
        if x.values[n] != 0.0:
            i, u = feature(x, n), scale * x.values[n]
            if matrix.shape[1] == 1:
                total += u * u * matrix[i, 0]
            else:
                inner = 0.0
                for m in range(x.values.shape[0]):
                    if x.values[m] != 0.0:
                        inner += scale * x.values[m] * matrix[i, feature(x, m)]
                total += u * inner
    return max(total, 0.0)


@kernel
def times_row(matrix: Floats, x: Row, scale: float, out: Floats) -> None:
    """Set out to P u for the row u = scale x; of a diagonal only where u is not zero."""
    if matrix.shape[1] == 1:
        for n in range(x.values.shape[0]):
            if x.values[n] != 0.0:
                i = feature(x, n)
                out[i] = matrix[i, 0] * (scale * x.values[n])
    else:
        for i in range(out.shape[0]):
            total = 0.0
            for n in range(x.values.shape[0]):
                if x.values[n] != 0.0:
                    total += scale * x.values[n] * matrix[i, feature(x, n)]
            out[i] = total


@kernel
def subtract_rank_one(matrix: Floats, v: Floats, form: float, weight: float) -> bool:
    """Replace P by (P^-1 + weight u u')^-1, where v = P u and form = u'P u.

    Return whether it did: after rows of very different sizes, rounding can leave a matrix that
    is not positive, and then it is left as it is.
    """
    for i in range(v.shape[0]):
        if v[i] * v[i] > (1.0 + TOLERANCE) * max(matrix[i, i], 0.0) * form:
            return False
    factor = weight / (1.0 + weight * form)
    for i in range(v.shape[0]):
        if v[i] != 0.0:
            for j in range(v.shape[0]):
                matrix[i, j] -= factor * (v[i] * v[j])
    return True


@kernel
def kalman_step(
    matrix: Floats, weights: Floats, label: int, x: Row, scale: float, form: float,
    residual: float, weight: float, v: Floats,
) -> None:  # fmt: skip
    """Step the weights of a label by residual P u / (1 + weight u'Pu), and P as in a Newton step.

    `matrix` is that label's P, or its diagonal in one column; v is scratch.
    """
    times_row(matrix, x, scale, v)
    gain = residual / (1.0 + weight * form)
    if matrix.shape[1] == 1:
        factor = weight / (1.0 + weight * form)
        for n in range(x.values.shape[0]):
            if x.values[n] != 0.0:
                i = feature(x, n)
                weights[i, label] += gain * v[i]
                matrix[i, 0] = max(matrix[i, 0] - factor * (v[i] * v[i]), 0.0)
    elif subtract_rank_one(matrix, v, form, weight):
        for i in range(v.shape[0]):
            weights[i, label] += gain * v[i]
