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
from onebit.streams.reading.eight_bytes import ONES, eight_bytes, key_of, same_bytes
from onebit.streams.reading.field_spans import read_character
from onebit.streams.reading.hashing import finish_hash, mix_four_bytes
from onebit.streams.reading.numbers import Bytes, byte_at
from onebit.streams.reading.row_buffer import Int64s
from onebit.streams.reading.row_cleanup import sort_entries, sorting_scratch
from onebit.streams.reading.word_marks import WordMarks, first_mark

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
    it. Word n begins at starts[n] of a text in lower case, has the key word_keys[n] and the place
    owners[n].
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
    lengths: Ints
    word_keys: Int64s
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
    slot_of, firsts, nexts, owners, counts, starts, lengths = (
        np.zeros(n + 1, np.int32) for _ in range(7)
    )
    return WordScratch(
        np.full(2 * n, -1, np.int32), slot_of, np.empty(n, np.int32), np.empty(n), firsts, nexts,
        owners, counts, starts, lengths, np.zeros(n + 1, np.int64), *sorting_scratch(n),
        np.empty(_MOST_BYTES, np.uint8), lower_case, ascii_case, np.array(logarithms),
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
    found: WordMarks, scratch: WordScratch,
) -> tuple[int, int]:  # fmt: skip
    """Find the different words of text[start:stop]; return how many they and their places are.

    `prefix` is the unfinished hash of what is before each word, `found` where words are in the
    whole text. The first count is -1 if the text is left to Python.
    """
    low, marks, words, places = found.low, found.marks, 0, 0
    power = width & (width - 1) == 0
    mask = mask_for(stop - start, scratch)
    at = first_mark(found, start)
    begin = int(marks[np.uint64(at)])
    if at & 1 == 1:  # in the middle of a word of the text
        begin, at = start, at - 1
    while begin < stop:
        end = min(int(marks[np.uint64(at + 1)]), stop)
        length = int(end - begin)
        beyond = eight_bytes(low, end)  # there are eight bytes before the text
        if length <= 8:
            key = beyond >> (8 * (8 - length))
            beyond = key
            hashed = hash_short_word(key, length, prefix)
        else:
            for n in range(begin + 8, end, 8):
                beyond |= eight_bytes(low, n)
            key = key_of(low, begin + 8, end + 8)
            hashed = hash_word(low, begin + 8, end + 8, prefix)
        if (beyond >> 7) & ONES != 0:
            forget_places(scratch, places)
            return scan_any_words(text, start, stop, width, prefix, scratch)  # type: ignore[no-any-return]
        place = hashed & (width - 1) if power else hashed % width
        words, places, _ = note_word(
            scratch, low, mask, words, places, begin + 8, end + 8, place, key
        )
        if words == _MOST_WORDS:
            return -1, places
        at += 2
        begin = int(marks[np.uint64(at)])
    return words, places


@kernel
def mask_for(size: int, scratch: WordScratch) -> int:
    """Return the mask of as many slots as are enough for the words in so many bytes."""
    return 127 if size < 128 else 1023 if size < 1024 else scratch.slots.shape[0] - 1


@kernel
def scan_any_words(
    text: Bytes, start: int, stop: int, width: int, prefix: tuple[int, int, int],
    scratch: WordScratch,
) -> tuple[int, int]:  # fmt: skip
    """Find words as `scan_words` does, with characters beyond ASCII in them."""
    low, ascii_case, mask = scratch.low, scratch.ascii_case, mask_for(stop - start, scratch)
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
            hashed, key = hash_word(low, begin, end, prefix), key_of(low, begin, end)
            place = hashed % width
            words, places, end = note_word(
                scratch, low, mask, words, places, begin, end, place, key
            )
            begin = end
            if words == _MOST_WORDS:
                return -1, places
    return words, places


@kernel
def hash_short_word(word: int, length: int, prefix: tuple[int, int, int]) -> int:
    """Return the hash of a word of up to eight bytes, given as one number, after a prefix.

    It has no branch: a processor could not foresee how long words are.
    """
    h, rest, before = prefix
    shift = 8 * (before & 3)
    one = rest | (word & 0xFFFFFFFF) << shift
    two = one >> 32 | (word >> 32) << shift
    blocks = ((before & 3) + length) >> 2
    after_one = mix_four_bytes(h, one & 0xFFFFFFFF)
    after_two = mix_four_bytes(after_one, two & 0xFFFFFFFF)
    h = after_two if blocks == 2 else after_one if blocks == 1 else h
    rest = two >> 32 if blocks == 2 else two if blocks == 1 else one
    return finish_hash(h, rest, before + length)  # type: ignore[no-any-return]


@kernel
def hash_word(low: Bytes, begin: int, end: int, prefix: tuple[int, int, int]) -> int:
    """Return the hash of low[begin:end] after a prefix."""
    h, rest, length = prefix
    shift = 8 * (length & 3)
    length += end - begin
    while end - begin >= 4:
        four = byte_at(low, begin) | byte_at(low, begin + 1) << 8
        four |= byte_at(low, begin + 2) << 16 | byte_at(low, begin + 3) << 24
        mixed = rest | four << shift
        h, rest = mix_four_bytes(h, mixed & 0xFFFFFFFF), mixed >> 32
        begin += 4
    # the last bytes without a branch: there is room after the word
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
    scratch: WordScratch, low: Bytes, mask: int, words: int, places: int, begin: int, end: int,
    place: int, key: int,
) -> tuple[int, int, int]:  # fmt: skip
    """Count the word low[begin:end]; return the counts of words and places, and where it ends.

    That is `begin` if the word is no new one.
    """
    slots = scratch.slots
    slot = place & mask
    owner = int(slots[np.uint64(slot)])
    while owner >= 0 and scratch.places[np.uint64(owner)] != place:
        slot = (slot + 1) & mask
        owner = int(slots[np.uint64(slot)])
    n = -1
    if owner < 0:
        owner = places
        slots[np.uint64(slot)], scratch.slot_of[np.uint64(owner)] = owner, slot
        scratch.places[np.uint64(owner)], scratch.weights[np.uint64(owner)] = place, 0.0
        places += 1
    else:
        n = int(scratch.firsts[np.uint64(owner)])
    last, length = n, end - begin
    while n >= 0:
        same = (scratch.word_keys[n] == key) & (scratch.lengths[n] == length)
        if same and (key >= 0 or same_bytes(low, scratch.starts[n], low, begin, length)):
            scratch.counts[n] += 1
            return words, places, begin
        n = int(scratch.nexts[n])
    new = np.uint64(words)
    scratch.nexts[new], scratch.firsts[np.uint64(owner)] = last, words
    scratch.owners[new], scratch.counts[new] = owner, 1
    scratch.starts[new], scratch.lengths[new], scratch.word_keys[new] = begin, length, key
    return words + 1, places, end


@kernel
def forget_places(scratch: WordScratch, places: int) -> None:
    """Free the slots of the places that were found."""
    for n in range(np.uint64(places)):
        scratch.slots[np.uint64(scratch.slot_of[n])] = -1


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
    forget_places(scratch, places)
    if words < 0:
        return False
    for n in range(np.uint64(words)):  # in the order in which they occur first
        count, owner = int(scratch.counts[n]), np.uint64(scratch.owners[n])
        if count > _MOST_TIMES:
            return False
        weights[owner] = weights[owner] + 1.0 + scratch.logarithms[np.uint64(count)]
    total, about = 0, 0.0
    for n in range(np.uint64(places)):
        square = weights[n] * weights[n]
        about += square
        total += int(square * _UNITS) if square <= _LARGEST_SUM else 0
    if about > _LARGEST_SUM:
        return False
    norm = math.sqrt(float(total) / _UNITS)
    few = places <= _FEW
    for n in range(np.uint64(places)):
        place, rank = scratch.places[n], 0 if few else np.int64(n)
        for m in range(np.uint64(places if few else 0)):  # is vectorized, and has no branch
            rank += scratch.places[m] < place
        indices[np.uint64(end + rank)] = first + place
        values[np.uint64(end + rank)] = weight * (weights[n] / norm)
    if not few:
        stop = end + places
        sort_entries(indices[end:stop], values[end:stop], scratch.keys, scratch.copy)
    return True
