"""vw: Vowpal Wabbit's text, `label weight 'tag |namespace name:value name ...`."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Annotated, NamedTuple

from onebit.kernel.features import HASHED_WIDTH, WIDEST
from onebit.kernel.verbs import implements, kernel
from onebit.naming.params import Whole
from onebit.streams.formats import file_format
from onebit.streams.reading import line_parser
from onebit.streams.reading.batch import Batch, Layout, Reading
from onebit.streams.reading.hashing import finish_hash, hash_byte
from onebit.streams.reading.label_scan import end_of_label
from onebit.streams.reading.line_parser import parse_line
from onebit.streams.reading.numbers import DEFERRED, NO_NUMBER, Bytes, byte_at, read_number
from onebit.streams.reading.row_buffer import WEIGHTS, RowBuffer, defer_number
from onebit.streams.reading.scanning import is_blank, skip_blanks

#: Error numbers, and what a line must do, to follow "must" in a message.
NO_LABEL, NO_WEIGHT, NO_BAR, NO_FEATURE, LOG_LINE = 1, 2, 3, 4, 5
_SENTENCES = {
    NO_LABEL: "start with a label and a space (a word that touches the bar is a tag)",
    NO_WEIGHT: "have at most a weight, a base and a tag between its label and the bar",
    NO_BAR: "have a bar | after its label",
    NO_FEATURE: "have features name or name:value, with a number for the value,",
    LOG_LINE: "have a plain label (label:cost:prob is a log, for `onebit learn`)",
}


class Rules(NamedTuple):
    """How many features names are hashed to, and whether the label is all text before the bar."""

    features: int
    log: bool


@file_format(".vw")
class Vw(NamedTuple):
    """Vowpal Wabbit text: a label, a bar, then features by name, one row a line."""

    features: Annotated[int, Whole(1, WIDEST), "how many columns names are hashed to"] = (
        HASHED_WIDTH
    )

    def layout(self, repeatable: bool) -> Layout:
        """Names are hashed: the layout is known without reading."""
        return Layout(self.features, details=False)

    def batches(self, reading: Reading, layout: Layout) -> Iterator[Batch]:
        """Read the rows; if layout.details is true, the label is all text before the first bar."""
        return line_parser.batches(reading, self.rules(layout), _SENTENCES.__getitem__)

    def rules(self, layout: Layout) -> Rules:
        """Return the rules by which lines are parsed."""
        return Rules(layout.features, layout.details)

    def prepare(self) -> None:
        """Compile the reader."""
        line_parser.prepare(Rules(1, False))


@kernel
def is_name_byte(c: int) -> bool:
    """Return whether a byte is part of a name: no blank, control character, bar or colon."""
    return c > 32 and c != 124 and c != 58


@kernel
def hash_name(text: Bytes, at: int, h: int, rest: int, length: int) -> tuple[int, int, int]:
    """Continue an unfinished hash with the name at text[at:]; return hash, rest and length."""
    c = byte_at(text, at)
    while is_name_byte(c):
        h, rest = hash_byte(h, rest, length, c)
        length += 1
        at += 1
        c = byte_at(text, at)
    return h, rest, length


@kernel
def label_end(text: Bytes, at: int) -> tuple[int, int]:
    """Return where the label at text[at:] ends, and an error number."""
    start = at
    while byte_at(text, at) > 32 and byte_at(text, at) != 124 and byte_at(text, at) != 58:
        at += 1
    if byte_at(text, at) == 58:
        return at, LOG_LINE
    if at == start or byte_at(text, at) == 124 or byte_at(text, start) == 39:
        return start, NO_LABEL
    return at, 0


@implements(end_of_label, Rules)
def _(rules: Rules, text: Bytes, at: int) -> tuple[int, int]:
    return label_end(text, at)  # type: ignore[no-any-return]


@kernel
def parse_head(buffer: RowBuffer, text: Bytes, at: int, row: int, log: bool) -> tuple[int, int]:
    """Parse the text before the first bar; return where it ends and an error number."""
    buffer.label_starts[row] = at
    if log:
        while byte_at(text, at) != 124 and byte_at(text, at) != 10:
            at += 1
        buffer.label_stops[row] = at
        return at, 0 if byte_at(text, at) == 124 else NO_BAR
    at, error = label_end(text, at)
    buffer.label_stops[row] = at
    if error != 0:
        return at, error
    for word in range(4):
        at = skip_blanks(text, at)
        if byte_at(text, at) == 124:
            return at, 0
        start = at
        if byte_at(text, at) != 39 and word < 2:
            at, value, kind = read_number(text, at)
            if kind != NO_NUMBER and is_blank(byte_at(text, at)):
                if word == 0 and value != 1.0:
                    buffer.cursor[WEIGHTS] += 1
                continue
            at = start
        while byte_at(text, at) > 32 and byte_at(text, at) != 124:
            at += 1
        if byte_at(text, at) == 10:
            return start, NO_BAR
        if byte_at(text, at) < 32 and not is_blank(byte_at(text, at)):
            return at, NO_WEIGHT
        if byte_at(text, start) != 39 and byte_at(text, at) != 124:
            return start, NO_WEIGHT
    return at, NO_WEIGHT


@kernel
def ends_feature(c: int) -> bool:
    """Return whether a byte ends a feature: a blank, a bar or a newline."""
    return is_blank(c) or c == 124 or c == 10


@implements(parse_line, Rules)
def _(
    rules: Rules, buffer: RowBuffer, text: Bytes, at: int, row: int, end: int, deferred: int
) -> tuple[int, int, int, int]:
    at, error = parse_head(buffer, text, at, row, rules.log)
    if error != 0:
        return at, end, deferred, error
    prefix, prefix_hash, prefix_rest, scale = 0, 0, 0, 1.0
    scale_start, scale_stop = 0, 0  # where the scale is in the text, if it is nan: deferred
    features, mask = rules.features, rules.features - 1
    while True:
        if byte_at(text, at) == 124:
            # the names of features are hashed as namespace^name
            at += 1
            prefix_hash, prefix_rest, prefix = hash_name(text, at, 0, 0, 0)
            at += prefix
            scale = 1.0
            if prefix > 0:
                prefix_hash, prefix_rest = hash_byte(prefix_hash, prefix_rest, prefix, 94)
                prefix += 1
            if byte_at(text, at) == 58:
                scale_start = at + 1
                at, scale, kind = read_number(text, scale_start)
                if kind == NO_NUMBER or prefix == 0:
                    return at, end, deferred, NO_FEATURE
                if kind == DEFERRED:
                    scale, scale_stop = math.nan, at
            if not ends_feature(byte_at(text, at)):
                return at, end, deferred, NO_FEATURE
            continue
        at = skip_blanks(text, at)
        if byte_at(text, at) == 10:
            return at, end, deferred, 0
        if byte_at(text, at) == 124:
            continue
        start = at
        name, rest, length = hash_name(text, at, prefix_hash, prefix_rest, prefix)
        at += length - prefix
        value, kind = 1.0, 0
        if length > prefix and byte_at(text, at) == 58:
            first = at + 1
            at, value, kind = read_number(text, first)
            if kind == DEFERRED:
                known = 1.0 if math.isnan(scale) else scale
                deferred = defer_number(buffer, deferred, end, known, first, at)
        if length == prefix or kind == NO_NUMBER or not ends_feature(byte_at(text, at)):
            return start, end, deferred, NO_FEATURE
        hashed = finish_hash(name, rest, length)
        # a remainder takes long; most widths are powers of two
        buffer.indices[end] = hashed & mask if mask & features == 0 else hashed % features
        buffer.values[end] = value * scale
        if math.isnan(scale):  # the value is multiplied by it after all
            buffer.values[end] = value
            deferred = defer_number(buffer, deferred, end, scale, scale_start, scale_stop)
        end += 1
