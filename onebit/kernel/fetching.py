"""Fetching weights from memory ahead of their use.

The weights of a sparse row lie far apart in a large array. A processor waits for a few of them at a
time while it computes; if all are prefetched first, it waits once. No number changes: in Python
there is nothing to do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from onebit.kernel.verbs import kernel, lowered

#: Arrays of fewer numbers than this are in the cache already.
FEW = 2**15


def _make_fetch() -> Callable[..., None]:
    """Return what `fetch` is compiled from: LLVM's instruction, of which numba does not know."""
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.extending import intrinsic

    tools: Any = cgutils

    def fetch_line(typing_context: Any, array: Any, i: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            made = context.make_array(signature.args[0])(context, builder, args[0])
            place = context.cast(builder, args[1], signature.args[1], types.intp)
            stride = tools.unpack_tuple(builder, made.strides)[0]
            byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
            first = builder.bitcast(made.data, byte)
            kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
            to_read, near, data = number(0), number(3), number(1)
            instruction = tools.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
            at = builder.gep(first, [builder.mul(place, stride)])
            builder.call(instruction, [at, to_read, near, data])
            return context.get_dummy_value()

        return types.void(array, i), generate

    line: Any = intrinsic(fetch_line)

    def fetch(array, i):  # type: ignore[no-untyped-def]
        line(array, i)

    return fetch


@lowered(_make_fetch)
def fetch(array: npt.NDArray[np.floating], i: int) -> None:
    """Ask for the memory at array[i], which is used soon.

    Parameters
    ----------
    array : array of any shape
        The array.
    i : int
        A position on its first axis, which may lie outside.
    """


@kernel
def fetch_all(array: npt.NDArray[np.floating], places: npt.NDArray[np.int32]) -> None:
    """Ask for the memory at some positions of a matrix, if it is large.

    Parameters
    ----------
    array : array of two dimensions
        The matrix.
    places : array of int32
        Positions on its first axis.
    """
    if array.shape[0] * array.shape[1] > FEW:
        for n in range(places.shape[0]):
            fetch(array, places[n])
