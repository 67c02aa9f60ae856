"""vw: Vowpal Wabbit's text, `label weight 'tag |namespace name:value name ...`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, NamedTuple

import numpy as np

from onebit.kernel.features import HASHED_WIDTH
from onebit.kernel.verbs import implements, kernel
from onebit.naming.params import Whole
from onebit.streams.formats import file_format
from onebit.streams.reading import compiled as piecewise
from onebit.streams.reading.batch import Batch, Layout, Reading
from onebit.streams.reading.compiled import parse_line
from onebit.streams.reading.hashing import finished, mixed
from onebit.streams.reading.line_bytes import after_gap, is_gap
from onebit.streams.reading.numbers import HARD, NONE, Bytes, read_number
from onebit.streams.reading.row_buffer import WEIGHTS, Sheet, defer

#: What can be wrong with a line.
NO_LABEL, NO_WEIGHT, NO_BAR, NO_FEATURE, A_LOG = 1, 2, 3, 4, 5
_SENTENCES = {
    NO_LABEL: "start with a label and a space (a word that touches the bar is a tag)",
    NO_WEIGHT: "have at most a weight, a base and a tag between its label and the bar",
    NO_BAR: "have a bar | behind its label",
    NO_FEATURE: "have features name or name:value, with a number for the value,",
    A_LOG: "have a plain label (label:cost:prob is a log, for `onebit learn`)",
}


class Rules(NamedTuple):
    """How many features names are hashed to, and whether all before the bar is the label."""

    features: int
    whole: bool


@file_format(".vw")
class Vw(NamedTuple):
    """Vowpal Wabbit text: a label, a bar, then features by name, one row a line."""

    features: Annotated[int, Whole(1), "how many columns names are hashed to"] = HASHED_WIDTH

    def layout(self, repeatable: bool) -> Layout:
        """Names are hashed: nothing has to be read for it."""
        return Layout(self.features, notes=False)

    def batches(self, reading: Reading, layout: Layout) -> Iterator[Batch]:
        """Read the rows; with notes=True, a label is all that stands before the bar."""
        rules = Rules(layout.features, layout.notes)
        return piecewise.batches(reading, rules, _SENTENCES.__getitem__)

    def prepare(self) -> None:
        """Compile the reader."""
        piecewise.prepare(Rules(1, False))


@kernel
def in_word(c: int) -> bool:
    """Say whether a byte belongs to a name: no gap, line end, control character, bar or colon."""
    return c > 32 and c != 124 and c != 58


@kernel
def with_byte(h: int, rest: int, length: int, c: int) -> tuple[int, int]:
    """Return a hash under way after one more byte."""
    rest |= c << (8 * (length & 3))
    return (mixed(h, rest), 0) if length & 3 == 3 else (h, rest)


@kernel
def read_name(text: Bytes, at: int, h: int, rest: int, length: int) -> tuple[int, int, int]:
    """Hash the name at a place, going on from a hash under way; return the hash under way."""
    c = int(np.int64(text[at]))
    while in_word(c):
        h, rest = with_byte(h, rest, length, c)
        length += 1
        at += 1
        c = int(np.int64(text[at]))
    return h, rest, length


@kernel
def read_head(sheet: Sheet, text: Bytes, at: int, row: int, whole: bool) -> tuple[int, int]:
    """Read what stands before the first bar; return where it ends and what is wrong."""
    start = at
    while text[at] > 32 and text[at] != 124 and (whole or text[at] != 58):
        at += 1
    sheet.labels_from[row], sheet.labels_to[row] = start, at
    if whole:
        while text[at] != 124 and text[at] != 10:
            at += 1
        sheet.labels_to[row] = at
        return at, 0 if text[at] == 124 else NO_BAR
    if text[at] == 58:
        return at, A_LOG
    if at == start or text[at] == 124 or text[start] == 39:
        return start, NO_LABEL
    for word in range(4):
        at = after_gap(text, at)
        if text[at] == 124:
            return at, 0
        start = at
        if text[at] != 39 and word < 2:
            at, value, kind = read_number(text, at)
            if kind != NONE and is_gap(text[at]):
                if word == 0 and value != 1.0:
                    sheet.place[WEIGHTS] += 1
                continue
            at = start
        while text[at] > 32 and text[at] != 124:
            at += 1
        if text[at] == 10:
            return start, NO_BAR
        if text[at] < 32 and not is_gap(text[at]):
            return at, NO_WEIGHT
        if text[start] != 39 and text[at] != 124:
            return start, NO_WEIGHT
    return at, NO_WEIGHT


@kernel
def ends_feature(c: int) -> bool:
    """Say whether a byte may follow a feature: a gap, a bar or a line end."""
    return is_gap(c) or c == 124 or c == 10


@implements(parse_line, Rules)
def _(
    rules: Rules, sheet: Sheet, text: Bytes, at: int, row: int, end: int, hards: int
) -> tuple[int, int, int, int]:
    at, wrong = read_head(sheet, text, at, row, rules.whole)
    if wrong != 0:
        return at, end, hards, wrong
    space, space_hash, space_rest, scale = 0, 0, 0, 1.0
    while True:
        if text[at] == 124:
            # a namespace: its name and a hat stand before the names of its features
            at += 1
            space_hash, space_rest, space = read_name(text, at, 0, 0, 0)
            at += space
            scale = 1.0
            if space > 0:
                space_hash, space_rest = with_byte(space_hash, space_rest, space, 94)
                space += 1
            if text[at] == 58:
                at, scale, kind = read_number(text, at + 1)
                if kind != 0 or space == 0:
                    return at, end, hards, NO_FEATURE
            if not ends_feature(text[at]):
                return at, end, hards, NO_FEATURE
            continue
        at = after_gap(text, at)
        if text[at] == 10:
            return at, end, hards, 0
        if text[at] == 124:
            continue
        start = at
        name, rest, length = read_name(text, at, space_hash, space_rest, space)
        at += length - space
        value, kind = 1.0, 0
        if length > space and text[at] == 58:
            first = at + 1
            at, value, kind = read_number(text, first)
            if kind == HARD:
                hards = defer(sheet, hards, end, scale, first, at)
        if length == space or kind == NONE or not ends_feature(text[at]):
            return start, end, hards, NO_FEATURE
        sheet.indices[end] = finished(name, rest, length) % rules.features
        sheet.values[end] = value * scale
        end += 1
