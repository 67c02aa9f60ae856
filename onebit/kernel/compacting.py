"""Dense rows without their zeros, in the form of sparse rows.

Learners go through a row several times a round. A branch for every value that may be zero is often
predicted wrongly, so there is none here: each value is written at the cursor, which moves on if it
is not zero.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from onebit.kernel.verbs import entry


@entry
def compact(
    dense: npt.NDArray[np.float64],
    starts: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    values: npt.NDArray[np.float64],
) -> None:
    """Write the entries of dense rows that are not zero, and where each row starts.

    `indices` and `values` have room for as many entries as `dense` has; the first starts[-1] are
    set.
    """
    n = 0
    starts[0] = 0
    for i in range(dense.shape[0]):
        for j in range(dense.shape[1]):
            value = dense[i, j]
            indices[n], values[n] = j, value
            n += value != 0.0
        starts[i + 1] = n
