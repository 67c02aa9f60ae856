"""How a table in text is written: what is between fields, and whether the first line is names."""

from __future__ import annotations

import csv
import itertools
import re
from collections import Counter
from collections.abc import Sequence

from onebit.errors import BadFile
from onebit.streams.tables.fields import is_missing, plain_number, readings

#: What may be between fields, by the name that the parameter `delimiter` has for it.
DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|"}
_ANY_DELIMITER = re.compile(f"[{re.escape(''.join(DELIMITERS.values()))}]")
#: Lines that are looked at.
HEAD = 500

Fields = Sequence[str]


def find_delimiter(who: str, lines: Sequence[str]) -> str:
    """Return what is between the fields of a table, from its first lines.

    It splits nearly all lines into as many fields as the first. If several characters do, it is
    the one that leaves the fewest of the others within fields that are no numbers.
    """
    stray: dict[str, int] = {}
    for mark in DELIMITERS.values():
        records = split_lines(lines, mark)
        widths = Counter(map(len, records))
        width = len(records[0]) if records else 0
        if width >= 2 and widths[width] >= 0.9 * len(records):
            fields = filter(_ANY_DELIMITER.search, itertools.chain.from_iterable(records))
            stray[mark] = sum(not readings(field).styles for field in fields)
    if not stray:
        return ","
    best = [mark for mark, count in stray.items() if count == min(stray.values())]
    if len(best) > 1:
        names = [name for name, mark in DELIMITERS.items() if mark in best]
        raise BadFile(
            f"{who}: its lines can be split at more than one character; which one is between"
            f" fields? Give delimiter={' or delimiter='.join(names)}."
        )
    return best[0]


def find_header(who: str, records: Sequence[Fields]) -> bool:
    """Return whether the first of some records is the names of columns.

    A column speaks for names if it has numbers below a word, or values that repeat below one that
    does not, and against them if its first field is a number like all below, or occurs again.
    """
    first, rest = records[0], [record for record in records[1:] if len(record) == len(records[0])]
    names = values = 0
    for n, field in enumerate(first):
        below = [record[n] for record in rest if not is_missing(record[n])]
        if not below or is_missing(field):
            continue
        if all(map(_is_number, set(below))):
            names, values = names + (not _is_number(field)), values + _is_number(field)
        elif field in below:
            values += 1
        elif len(below) >= 4 and len(set(below)) <= len(below) / 2:
            names += 1
    if names == values > 0:
        raise BadFile(f"{who}: is its first line the names of columns? Give header=yes or no.")
    return names >= values


def split_lines(lines: Sequence[str], delimiter: str) -> list[list[str]]:
    """Return the records of some lines; what cannot be read is left out."""
    reader = csv.reader((line + "\n" for line in lines), delimiter=delimiter, skipinitialspace=True)
    records: list[list[str]] = []
    while True:
        try:
            record = next(reader)
        except StopIteration:
            return records
        except csv.Error:
            continue
        if record:
            records.append(record)


def _is_number(field: str) -> bool:
    return plain_number(field) is not None or bool(readings(field).styles)
