"""Words of a text in compiled code: hashed as they are scanned, counted, weighed, scaled to norm 1.

It makes the same entries as `onebit.streams.tables.words.text_entries`, bit for bit. Logarithms
are from a table that Python fills. Weights are at least 1, so that their squares are whole
multiples of 2**-52, and the sum, if it is small, is exact in 64 bits, as that of math.fsum is.
"""

from __future__ import annotations

import functools
import math
from typing import NamedTuple

import numpy as np

from onebit.kernel.rows import Floats, Ints
from onebit.kernel.verbs import kernel
from onebit.streams.reading.field_spans import read_character
from onebit.streams.reading.hashing import finish_hash, hash_byte
from onebit.streams.reading.numbers import Bytes, byte_at
from onebit.streams.reading.row_buffer import Int64s

#: What is left to Python: a text with more different words, more bytes in these, a larger sum of
#: squares, a word that occurs more often, characters from here on.
_MOST_WORDS, _MOST_BYTES, _LARGEST_SUM, _MOST_TIMES = 4096, 1 << 17, 2000.0, 64
_CHARACTERS = 0x20000
#: Squares are counted in units of 2**-52.
_UNITS = 4503599627370496.0
#: In place of a character in lower case: one that is in no word, or that is left to Python.
_NO_WORD, _UNUSUAL = 0, -1


class WordScratch(NamedTuple):
    """The words and the places of the text at hand, and tables of characters and logarithms.

    Place n is at slots[slot_of[n]]; the words there are firsts[n] and those that `nexts` links to
    it. Word n is low[starts[n]:starts[n + 1]], its place is owners[n].
    """

    slots: Ints
    slot_of: Ints
    places: Int64s
    weights: Floats
    firsts: Ints
    nexts: Ints
    owners: Ints
    counts: Ints
    starts: Ints
    low: Bytes
    lower_case: Ints
    logarithms: Floats


def new_word_scratch() -> WordScratch:
    """Return scratch arrays."""
    n = _MOST_WORDS
    logarithms = [0.0, *map(math.log, range(1, _MOST_TIMES + 1))]
    slot_of, firsts, nexts, owners, counts, starts = (np.zeros(n + 1, np.int32) for _ in range(6))
    return WordScratch(
        np.full(2 * n, -1, np.int32), slot_of, np.empty(n, np.int64), np.empty(n), firsts, nexts,
        owners, counts, starts, np.empty(_MOST_BYTES, np.uint8), _lower_case(),
        np.array(logarithms),
    )  # fmt: skip


@functools.cache
def _lower_case() -> Ints:
    """Return the lower case of each character, _NO_WORD or _UNUSUAL."""
    table = np.full(_CHARACTERS, _NO_WORD, np.int32)
    for code, character in enumerate(map(chr, range(_CHARACTERS))):
        low = character.lower()
        if len(low) > 1 or ord(low) >= _CHARACTERS or character in "\u03a3\u00a0\u202f":
            table[code] = _UNUSUAL  # a sigma depends on what follows; blanks may mean missing
        elif low == "_" or low.isalnum():
            table[code] = ord(low)
    return table


@kernel
def scan_words(
    text: Bytes, start: int, stop: int, width: int, prefix: tuple[int, int, int],
    scratch: WordScratch,
) -> tuple[int, int]:  # fmt: skip
    """Find the different words of text[start:stop]; return how many they and their places are.

    `prefix` is the unfinished hash of what is before each word. The first count is -1 if the text
    is left to Python.
    """
    low, lower_case = scratch.low, scratch.lower_case
    words, places, begin, end = 0, 0, 0, 0
    h, rest, length = prefix
    at = start
    while at <= stop:
        code, size = _NO_WORD, 1
        if at < stop:
            code = byte_at(text, at)
            if code >= 128:
                code, size = read_character(text, at)
            code = int(lower_case[code]) if code < _CHARACTERS else _UNUSUAL
        at += size
        if code == _UNUSUAL or end + 4 > _MOST_BYTES:
            return -1, places
        if code != _NO_WORD:
            bytes_of, left = utf8_bytes(code)
            while left > 0:
                c = bytes_of & 255
                low[end] = c
                h, rest = hash_byte(h, rest, length, c)
                length, end, bytes_of, left = length + 1, end + 1, bytes_of >> 8, left - 1
        elif end > begin:
            if words == _MOST_WORDS:
                return -1, places
            hashed, mask = finish_hash(h, rest, length), width - 1
            place = hashed & mask if mask & width == 0 else hashed % width
            words, places, end = note_word(scratch, words, places, begin, end, place)
            begin = end
            h, rest, length = prefix
    return words, places


@kernel
def utf8_bytes(code: int) -> tuple[int, int]:
    """Return the bytes of a character as one number, the first one lowest, and their count."""
    if code < 0x80:
        return code, 1
    last = 0x80 | (code & 63)
    if code < 0x800:
        return 0xC0 | (code >> 6) | last << 8, 2
    middle = 0x80 | ((code >> 6) & 63)
    if code < 0x10000:
        return 0xE0 | (code >> 12) | middle << 8 | last << 16, 3
    return 0xF0 | (code >> 18) | (0x80 | ((code >> 12) & 63)) << 8 | middle << 16 | last << 24, 4


@kernel
def note_word(
    scratch: WordScratch, words: int, places: int, begin: int, end: int, place: int
) -> tuple[int, int, int]:
    """Count the word low[begin:end]; return the counts of words and places, and where it ends.

    That is `begin` if the word is no new one.
    """
    slots, low, starts = scratch.slots, scratch.low, scratch.starts
    mask = slots.shape[0] - 1
    slot = place & mask
    while slots[slot] >= 0 and scratch.places[slots[slot]] != place:
        slot = (slot + 1) & mask
    owner = slots[slot]
    if owner < 0:
        owner = places
        slots[slot], scratch.slot_of[owner], scratch.places[owner] = owner, slot, place
        scratch.firsts[owner], scratch.weights[owner] = -1, 0.0
        places += 1
    n = scratch.firsts[owner]
    while n >= 0:
        first = starts[n]
        same = starts[n + 1] - first == end - begin
        m = 0
        while same and m < end - begin:
            same = low[first + m] == low[begin + m]
            m += 1
        if same:
            scratch.counts[n] += 1
            return words, places, begin
        n = scratch.nexts[n]
    scratch.nexts[words], scratch.firsts[owner] = scratch.firsts[owner], words
    scratch.owners[words], scratch.counts[words] = owner, 1
    starts[words], starts[words + 1] = begin, end
    return words + 1, places, end


@kernel
def weigh_words(
    scratch: WordScratch, words: int, places: int, first: int, weight: float,
    indices: Ints, values: Floats, end: int,
) -> bool:  # fmt: skip
    """Write the entries of the words that were found from `end` on, one for each place.

    Features count from `first`, and the norm is `weight`. Returns whether that was possible. The
    scratch arrays are ready for the next text then, also if `words` is -1.
    """
    weights = scratch.weights
    for n in range(places):
        scratch.slots[scratch.slot_of[n]] = -1
    if words < 0:
        return False
    for n in range(words):  # in the order in which they occur first
        count, owner = scratch.counts[n], scratch.owners[n]
        if count > _MOST_TIMES:
            return False
        weights[owner] = weights[owner] + 1.0 + scratch.logarithms[count]
    total, about = 0, 0.0
    for n in range(places):
        square = weights[n] * weights[n]
        about += square
        if about > _LARGEST_SUM:
            return False
        total += int(square * _UNITS)
    norm = math.sqrt(float(total) / _UNITS)
    for n in range(places):
        indices[end + n] = first + scratch.places[n]
        values[end + n] = weight * (weights[n] / norm)
    return True
