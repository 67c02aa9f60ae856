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
from onebit.streams.reading.hashing import finish_hash, mix_four_bytes
from onebit.streams.reading.numbers import Bytes, byte_at
from onebit.streams.reading.row_buffer import Int64s
from onebit.streams.reading.row_cleanup import sort_entries, sorting_scratch

#: What is left to Python: a text with so many different words, more bytes, a larger sum of squares,
#: a word that occurs more often, characters from here on.
_MOST_WORDS, _MOST_BYTES, _LARGEST_SUM, _MOST_TIMES = 4096, 1 << 17, 2000.0, 64
_CHARACTERS = 0x20000
#: So few places are sorted by counting those below each.
_FEW = 64
#: Squares are counted in units of 2**-52.
_UNITS = 4503599627370496.0
#: In place of a character in lower case: one that is in no word, or that is left to Python; and in
#: place of a byte, one of a character beyond ASCII.
_NO_WORD, _UNUSUAL, _BEYOND = 0, -1, 255


class WordScratch(NamedTuple):
    """The words and the places of the text at hand, and tables of characters and logarithms.

    Place n is at slots[slot_of[n]]; the words there are firsts[n] and those that `nexts` links to
    it. Word n is low[starts[n]:starts[n + 1]], its place is owners[n].
    """

    slots: Ints
    slot_of: Ints
    places: Ints
    weights: Floats
    firsts: Ints
    nexts: Ints
    owners: Ints
    counts: Ints
    starts: Ints
    keys: Int64s
    copy: Floats
    low: Bytes
    lower_case: Ints
    ascii_case: Bytes
    logarithms: Floats


def new_word_scratch() -> WordScratch:
    """Return scratch arrays."""
    n, lower_case = _MOST_WORDS, _lower_case()
    ascii_case = np.full(256, _BEYOND, np.uint8)
    ascii_case[:128] = lower_case[:128]
    logarithms = [0.0, *map(math.log, range(1, _MOST_TIMES + 1))]
    slot_of, firsts, nexts, owners, counts, starts = (np.zeros(n + 1, np.int32) for _ in range(6))
    return WordScratch(
        np.full(2 * n, -1, np.int32), slot_of, np.empty(n, np.int32), np.empty(n), firsts, nexts,
        owners, counts, starts, *sorting_scratch(n), np.empty(_MOST_BYTES, np.uint8),
        lower_case, ascii_case, np.array(logarithms),
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
    low, ascii_case = scratch.low, scratch.ascii_case
    if stop - start > _MOST_BYTES // 2:  # lower case may take more bytes
        return -1, 0
    words, places, begin, end, at = 0, 0, 0, 0, start
    while at < stop:
        c = ascii_case[np.uint64(byte_at(text, at))]
        while c != _NO_WORD and c != _BEYOND:
            low[np.uint64(end)] = c
            end += 1
            at += 1
            c = ascii_case[np.uint64(byte_at(text, at))] if at < stop else _NO_WORD
        if c == _BEYOND:
            code, size = read_character(text, at)
            code = int(scratch.lower_case[code]) if code < _CHARACTERS else _UNUSUAL
            if code == _UNUSUAL:
                return -1, places
            at += size
            if code != _NO_WORD:
                four, left = utf8_bytes(code)
                while left > 0:
                    low[end] = four & 255
                    four, left, end = four >> 8, left - 1, end + 1
                if at < stop:
                    continue
        else:
            at += 1
        if end > begin:
            hashed, mask = hash_word(low, begin, end, prefix), width - 1
            place = hashed & mask if mask & width == 0 else hashed % width
            words, places, end = note_word(scratch, words, places, begin, end, place)
            begin = end
            if words == _MOST_WORDS:
                return -1, places
    return words, places


@kernel
def hash_word(low: Bytes, begin: int, end: int, prefix: tuple[int, int, int]) -> int:
    """Return the hash of low[begin:end] behind a prefix."""
    h, rest, length = prefix
    shift = 8 * (length & 3)
    length += end - begin
    while end - begin >= 4:
        four = byte_at(low, begin) | byte_at(low, begin + 1) << 8
        four |= byte_at(low, begin + 2) << 16 | byte_at(low, begin + 3) << 24
        mixed = rest | four << shift
        h, rest = mix_four_bytes(h, mixed & 0xFFFFFFFF), mixed >> 32
        begin += 4
    # the last bytes without a branch: there is room behind the word
    last = byte_at(low, begin) | byte_at(low, begin + 1) << 8 | byte_at(low, begin + 2) << 16
    rest |= (last & ((1 << (8 * (end - begin))) - 1)) << shift
    if shift + 8 * (end - begin) >= 32:
        h, rest = mix_four_bytes(h, rest & 0xFFFFFFFF), rest >> 32
    return finish_hash(h, rest, length)  # type: ignore[no-any-return]


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
    few = places <= _FEW
    for n in range(places):
        place, rank = scratch.places[n], 0 if few else n
        for m in range(places if few else 0):  # is vectorized, and has no branch
            rank += scratch.places[np.uint64(m)] < place
        indices[end + rank] = first + place
        values[end + rank] = weight * (weights[n] / norm)
    if not few:
        stop = end + places
        sort_entries(indices[end:stop], values[end:stop], scratch.keys, scratch.copy)
    return True
