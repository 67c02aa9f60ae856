"""Records of a user: dicts, rows of data frames and data classes; and whole data frames."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from onebit.errors import BadRow
from onebit.naming.params import short_repr
from onebit.streams.tables.fields import text_of


def as_record(x: Any) -> Mapping[Any, Any] | None:
    """Return the fields of a record by the names of a table's columns; None if x is none.

    A record is a mapping, a data class, a named tuple, or anything with a method `to_dict`, as
    a row of a pandas frame has.
    """
    found = _fields_of(x)
    if found is None or {*map(type, found)} <= {str}:
        return found
    return {_name(name): value for name, value in found.items()}


def _name(name: Any) -> str:
    """Return the name of a column as text."""
    try:
        return str(name)
    except ValueError:  # a number of too many digits
        raise BadRow(f"Agent: a column must have a name of text, got {short_repr(name)}.") from None


def _fields_of(x: Any) -> Mapping[Any, Any] | None:
    if isinstance(x, Mapping):
        return x
    if isinstance(x, type):
        return None
    if dataclasses.is_dataclass(x):
        return {field.name: getattr(x, field.name) for field in dataclasses.fields(x)}
    for method in ("_asdict", "to_dict"):
        if hasattr(x, method) and not hasattr(x, "columns"):
            found = getattr(x, method)()
            return found if isinstance(found, Mapping) else None
    return None


def field_of(value: Any) -> str:
    """Return a value of a record as a field."""
    if isinstance(value, str):
        return value
    try:
        return text_of(value)
    except Exception:
        raise BadRow(
            f"Agent: a value of a record must be a text, a number, a date or missing,"
            f" got {short_repr(value)}."
        ) from None


def is_frame(table: Any) -> bool:
    """Return whether something is a data frame: columns with names, each a sequence."""
    return hasattr(table, "columns") and hasattr(table, "__getitem__") and hasattr(table, "shape")


def frame_columns(who: str, table: Any) -> tuple[list[str], list[list[str]]]:
    """Return the names and the fields of a table, column by column.

    It is a pandas or polars frame, a pyarrow table, a mapping of columns, or a list of records.
    """
    try:
        names, columns = _named_columns(table)
    except TypeError:
        raise BadRow(
            f"{who}: a table must be a data frame, a dict of columns or a list of records,"
            f" got {short_repr(table)}."
        ) from None
    texts = [*map(_name, names)]
    if len(set(texts)) < len(texts):
        raise BadRow(f"{who}: the columns of a table must have different names.")
    if not columns or not columns[0] or any(len(c) != len(columns[0]) for c in columns):
        raise BadRow(f"{who}: a table must have rows, and columns of one length.")
    return texts, [list(map(field_of, column)) for column in columns]


def _named_columns(table: Any) -> tuple[list[Any], list[list[Any]]]:
    """Return names and columns; raise TypeError if a table is none."""
    if hasattr(table, "column_names") and hasattr(table, "column"):  # pyarrow
        names = list(table.column_names)
        return names, [_values(table.column(n)) for n in range(len(names))]
    if is_frame(table):
        return list(table.columns), [_values(table[name]) for name in table.columns]
    if isinstance(table, Mapping):
        return list(table), [list(column) for column in table.values()]
    records = [as_record(each) for each in table]
    if not records or any(record is None for record in records):
        raise TypeError
    names = list(dict.fromkeys(name for each in records if each for name in each))
    return names, [[(each or {}).get(name) for each in records] for name in names]


def _values(column: Any) -> list[Any]:
    """Return the values of a column of a frame as a list."""
    for method in ("to_pylist", "to_list", "tolist"):
        if hasattr(column, method):
            return list(getattr(column, method)())
    return list(column)
