"""Where the words of a text begin and end, in compiled code: of all its fields at once.

This is found without a branch that depends on the text: a processor could not foresee where words
end. A byte of a character beyond ASCII counts as a part of a word.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from onebit.kernel.rows import Ints
from onebit.kernel.verbs import entry, kernel
from onebit.streams.reading.numbers import Bytes
from onebit.streams.reading.row_buffer import Int64s

#: There are so many bytes before a text in lower case.
_BEFORE = 8


class WordMarks(NamedTuple):
    """A text in lower case, after eight bytes, with 0 for what is in no word.

    `marks` are where words begin and end, in turns; blocks[n] of them are before byte 64 * n. Of
    the scratch arrays, `eight_flags` is the memory of `flags`, eight at a time.
    """

    low: Bytes
    marks: Ints
    blocks: Ints
    flags: Bytes
    eight_flags: Int64s


def new_word_marks(size: int) -> WordMarks:
    """Return arrays for a text of up to `size` bytes."""
    eight_flags = np.empty(size // 8 + 2, np.int64)
    return WordMarks(
        np.zeros(size + 2 * _BEFORE, np.uint8), np.empty(size + 12, np.int32),
        np.empty(size // 64 + 2, np.int32), eight_flags.view(np.uint8), eight_flags,
    )  # fmt: skip


@entry
def mark_words(text: Bytes, out: WordMarks) -> None:
    """Find the words of a text."""
    low, flags, marks, eights = out.low, out.flags, out.marks, out.eight_flags
    size = text.shape[0]
    for n in range(size):  # is vectorized
        c = text[n]
        letter = ((c >= np.uint8(65)) & (c <= np.uint8(90))) | (
            (c >= np.uint8(97)) & (c <= np.uint8(122))
        )
        other = ((c >= np.uint8(48)) & (c <= np.uint8(57))) | (c == np.uint8(95))
        other = other | (c >= np.uint8(128))
        kept = c if other else np.uint8(0)
        low[n + 8] = c | np.uint8(32) if letter else kept
    for n in range(size + 8, size + 16):
        low[n] = 0
    whole = (size + 8) & -8
    for n in range(size + 1):  # is vectorized
        flags[n] = (low[n + 8] != np.uint8(0)) ^ (low[n + 7] != np.uint8(0))
    for n in range(size + 1, whole):
        flags[n] = 0
    count = np.uint64(0)
    for n in range(whole >> 3):
        if n & 7 == 0:
            out.blocks[n >> 3] = count
        if eights[np.uint64(n)] != 0:
            for place in range(np.uint64(8 * n), np.uint64(8 * n + 8)):
                marks[count] = place
                count += np.uint64(flags[place])
    marks[count] = size + 1
    marks[count + np.uint64(1)] = size + 1


@kernel
def first_mark(found: WordMarks, start: int) -> int:
    """Return the number of the first mark from a byte on, at which no word ends."""
    at = int(found.blocks[np.uint64(start >> 6)])
    while found.marks[np.uint64(at)] < start:
        at += 1
    if at & 1 == 1 and found.marks[np.uint64(at)] == start:
        at += 1
    return at
