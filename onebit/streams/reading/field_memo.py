"""A memory of fields, for compiled code: what the encoder makes of each, by its column and text.

A field that is not there yet is inserted by compiled code, and filled in by Python after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from onebit.kernel.rows import Floats, Ints
from onebit.kernel.verbs import entry, kernel
from onebit.streams.reading.eight_bytes import key_of, same_bytes, slot_of
from onebit.streams.reading.field_numbers import is_missing_word
from onebit.streams.reading.numbers import Bytes, byte_at
from onebit.streams.reading.row_buffer import Int64s
from onebit.streams.reading.row_cleanup import Flags


class Memo(NamedTuple):
    """Open addressing: slots hold numbers of fields, -1 if free; size[0] fields are stored.

    Field n, of column columns[n], is text[starts[n]:starts[n + 1]], and keys[n] its key. It has the
    entries from entry_starts[n] to entry_stops[n]; the former is -1 if they are not known. `marked`
    says that it is malformed, or missing. Fields of one byte are found in `singles`, by column and
    byte.
    """

    size: Int64s
    slots: Ints
    keys: Int64s
    columns: Ints
    starts: Int64s
    text: Bytes
    entry_starts: Int64s
    entry_stops: Int64s
    marked: Flags
    indices: Ints
    values: Floats
    singles: Ints


def new_memo(columns: int, fields: int = 1024, size: int = 1 << 14, entries: int = 4096) -> Memo:
    """Return an empty memory for so many fields, of `size` bytes, with `entries` entries."""
    slots = 1 << (2 * fields - 1).bit_length()
    return Memo(
        np.zeros(1, np.int64), np.full(slots, -1, np.int32), np.empty(fields, np.int64),
        np.empty(fields, np.int32), np.zeros(fields + 1, np.int64), np.empty(size, np.uint8),
        np.full(fields, -1, np.int64), np.full(fields, -1, np.int64), np.zeros(fields, np.bool_),
        np.empty(entries, np.int32), np.empty(entries), np.full(256 * columns, -1, np.int32),
    )  # fmt: skip


def grown(memo: Memo, size: int) -> Memo:
    """Return a memory with the same fields and twice the room, at least `size` bytes more."""
    more = 2 * len(memo.text) + size
    larger = new_memo(len(memo.singles) // 256, 2 * len(memo.keys), more, 1)
    _copy(memo, larger)
    for name in ("entry_starts", "entry_stops", "marked"):
        old = getattr(memo, name)
        getattr(larger, name)[: len(old)] = old
    return larger._replace(indices=memo.indices, values=memo.values)


def fill(memo: Memo, first: int, entries: Iterable[Sequence[tuple[int, float]]]) -> Memo:
    """Set the entries of the fields from `first` on; return a memory with room for them."""
    end = int(memo.entry_stops[:first].max(initial=0))
    stop, all_entries = end, list[tuple[int, float]]()
    for n, found in enumerate(entries, first):
        memo.entry_starts[n] = stop
        stop += len(found)
        memo.entry_stops[n] = stop
        all_entries += found
    if stop > len(memo.indices):
        memo = memo._replace(
            indices=np.concatenate([memo.indices[:end], np.empty(2 * stop, np.int32)]),
            values=np.concatenate([memo.values[:end], np.empty(2 * stop)]),
        )
    if all_entries:
        memo.indices[end:stop], memo.values[end:stop] = zip(*all_entries, strict=True)
    return memo


def stored_field(memo: Memo, n: int) -> str:
    """Return the text of a field."""
    text = memo.text[memo.starts[n] : memo.starts[n + 1]].tobytes()
    return text.decode(errors="surrogatepass")


@kernel
def find_field(memo: Memo, column: int, text: Bytes, start: int, stop: int) -> int:
    """Return the number of a field, inserted if it is not there yet; -1 if there is no room."""
    length = stop - start
    if length == 1:
        n = int(memo.singles[np.uint64(256 * column + byte_at(text, start))])
        if n >= 0:
            return n
    key, mask = key_of(text, start, stop), memo.slots.shape[0] - 1
    slot = slot_of(key, column, mask)
    n = int(memo.slots[np.uint64(slot)])
    while n >= 0:
        first = int(memo.starts[np.uint64(n)])
        same = (memo.keys[np.uint64(n)] == key) & (memo.columns[np.uint64(n)] == column)
        same = same & (memo.starts[np.uint64(n + 1)] - first == length)
        if same and (key >= 0 or same_bytes(memo.text, first, text, start, length)):
            return n
        slot = (slot + 1) & mask
        n = int(memo.slots[np.uint64(slot)])
    return insert_field(memo, column, text, start, stop, key, slot)  # type: ignore[no-any-return]


@kernel
def insert_field(
    memo: Memo, column: int, text: Bytes, start: int, stop: int, key: int, slot: int
) -> int:
    """Insert a field with its key into a free slot; return its number, -1 if there is no room."""
    n, length = memo.size[0], stop - start
    first = memo.starts[n]
    if n == memo.keys.shape[0] or first + length >= memo.text.shape[0]:  # a byte is after each
        return -1
    for m in range(length):
        memo.text[first + m] = text[start + m]
    memo.starts[n + 1], memo.keys[n], memo.columns[n] = first + length, key, column
    memo.slots[slot] = n
    if length == 1:
        memo.singles[256 * column + byte_at(text, start)] = n
    memo.marked[n] = is_missing_word(text, start, stop)
    memo.size[0] = n + 1
    return n  # type: ignore[no-any-return]


@entry
def _copy(old: Memo, new: Memo) -> None:
    for n in range(old.size[0]):
        find_field(new, old.columns[n], old.text, old.starts[n], old.starts[n + 1])
