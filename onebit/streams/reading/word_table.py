"""A hash table from words in a text to numbers, for compiled code."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from onebit.kernel.rows import Ints
from onebit.kernel.verbs import entry, kernel
from onebit.streams.reading.eight_bytes import key_of, same_bytes, slot_of
from onebit.streams.reading.numbers import Bytes
from onebit.streams.reading.row_buffer import Int64s


class WordTable(NamedTuple):
    """Open addressing: slots hold places of words, -1 if free; size[0] words are stored.

    Word n is text[starts[n]:starts[n + 1]], its key is keys[n], and its number is numbers[n].
    """

    slots: Ints
    starts: Int64s
    keys: Int64s
    numbers: Ints
    text: Bytes
    size: Int64s


def new_word_table(slots: int, size: int) -> WordTable:
    """Return an empty table for at most slots / 2 words of `size` bytes together."""
    words = slots // 2
    return WordTable(
        np.full(slots, -1, np.int32), np.zeros(words + 1, np.int64), np.empty(words, np.int64),
        np.empty(words, np.int32), np.empty(size, np.uint8), np.zeros(1, np.int64),
    )  # fmt: skip


def insert_word(table: WordTable, word: Bytes, number: int) -> WordTable:
    """Return the table with one more word; a larger table if it was full."""
    count = int(table.size[0])
    end = int(table.starts[count])
    if count == len(table.numbers) or end + len(word) > len(table.text):
        larger = new_word_table(2 * len(table.slots), 2 * (len(table.text) + len(word)))
        _copy(table, larger)
        table = larger
    _insert(table, word, number)
    return table


@kernel
def find_slot(table: WordTable, text: Bytes, start: int, stop: int) -> int:
    """Return the slot of the word text[start:stop], or the free slot for it."""
    key, mask = key_of(text, start, stop), table.slots.shape[0] - 1
    slot = slot_of(key, 0, mask)
    word = int(table.slots[np.uint64(slot)])
    while word >= 0:
        first, length = table.starts[np.uint64(word)], stop - start
        same = table.keys[np.uint64(word)] == key
        same = same & (table.starts[np.uint64(word + 1)] - first == length)
        if same and (key >= 0 or same_bytes(table.text, first, text, start, length)):
            break
        slot = (slot + 1) & mask
        word = int(table.slots[np.uint64(slot)])
    return slot  # type: ignore[no-any-return]


@kernel
def append_word(table: WordTable, text: Bytes, start: int, stop: int, number: int) -> None:
    """Append the word text[start:stop] to a table that is not full."""
    n = table.size[0]
    first = table.starts[n]
    for m in range(stop - start):
        table.text[first + m] = text[start + m]
    table.starts[n + 1] = first + stop - start
    table.numbers[n], table.keys[n] = number, key_of(text, start, stop)
    table.slots[find_slot(table, text, start, stop)] = n
    table.size[0] = n + 1


@entry
def _insert(table: WordTable, word: Bytes, number: int) -> None:
    append_word(table, word, 0, word.shape[0], number)


@entry
def _copy(old: WordTable, new: WordTable) -> None:
    for n in range(old.size[0]):
        append_word(new, old.text, old.starts[n], old.starts[n + 1], old.numbers[n])


@entry
def find_words(table: WordTable, text: Bytes, starts: Int64s, stops: Int64s, out: Ints) -> None:
    """Set out[i] to the number of the word text[starts[i]:stops[i]], -1 if it is not stored."""
    for i in range(out.shape[0]):
        word = table.slots[find_slot(table, text, starts[i], stops[i])]
        out[i] = table.numbers[word] if word >= 0 else -1


@entry
def any_contains(text: Bytes, starts: Int64s, stops: Int64s, byte: int) -> bool:
    """Return whether any word text[starts[i]:stops[i]] has a byte in it."""
    for i in range(starts.shape[0]):
        for at in range(starts[i], stops[i]):
            if text[at] == byte:
                return True
    return False
