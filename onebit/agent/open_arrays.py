"""Open decisions in a snapshot: as a few long arrays, and checked when they are read."""

from __future__ import annotations

from typing import Any

import numpy as np

from onebit.agent.choice import TOKEN
from onebit.agent.open_decisions import Open, OpenDecisions
from onebit.agent.snapshot import Arrays, Snapshot
from onebit.kernel.features import LARGEST, norm_is_at_most
from onebit.kernel.round import LEAST_PROB
from onebit.kernel.rows import Dense, Row, Sparse, row_fits
from onebit.kernel.sizes import Sizes
from onebit.kernel.state import Array

_OPEN = {
    "rounds": np.int64, "greedy": np.int64, "label": np.int64, "prob": np.float64,
    "marginal": np.float64, "token": np.uint64, "sparse": np.bool_, "lengths": np.int64,
    "indices": np.int32, "values": np.float64, "choices": np.int64, "among": np.int64,
    "places": np.int64, "shown": np.int64,
}  # fmt: skip


def open_arrays(open_: OpenDecisions) -> Arrays:
    """Return open decisions as a few long arrays."""
    numbers, decisions = zip(*open_.items(), strict=True) if len(open_) else ((), ())
    rows = [each.row for each in decisions]
    among, shown = [_or_empty(d.among) for d in decisions], [_or_empty(d.shown) for d in decisions]
    columns: dict[str, Any] = {
        "rounds": numbers,
        "sparse": [isinstance(row, Sparse) for row in rows],
        "lengths": [len(row.values) for row in rows],
        "indices": _joined([row.indices for row in rows if isinstance(row, Sparse)]),
        "values": _joined([row.values for row in rows]),
        "choices": [len(each) for each in among],
        "among": _joined(among),
        "places": [len(each) for each in shown],
        "shown": _joined(shown),
        "token": [int(each.token, 16) for each in decisions],
    }
    for place, name in enumerate(("greedy", "label", "prob", "marginal")):
        columns[name] = [each.decision[place] for each in decisions]
    return {f"open.{name}": np.array(columns[name], dtype) for name, dtype in _OPEN.items()}


def read_open(snapshot: Snapshot, open_: OpenDecisions, sizes: Sizes, last: int) -> set[str]:
    """Add the decisions that `open_arrays` wrote; return the names that were read.

    Raises
    ------
    DamagedSnapshot
        If a row, label, probability or round is not one that the agent could have.
    """
    saved = {name: snapshot.array(f"open.{name}", dtype) for name, dtype in _OPEN.items()}
    count = len(saved["rounds"])
    if any(
        len(saved[n]) != count for n in _OPEN if n not in ("indices", "values", "among", "shown")
    ):
        raise snapshot.damaged()
    values, indices = _Reader(saved["values"]), _Reader(saved["indices"])
    among, shown, before = _Reader(saved["among"]), _Reader(saved["shown"]), 0
    for n in range(count):
        number, length = int(saved["rounds"][n]), int(saved["lengths"][n])
        row: Row = Dense(values.take(length))
        if saved["sparse"][n]:
            row = Sparse(indices.take(length), row.values)
        allowed = among.take(int(saved["choices"][n]))
        offered = shown.take(int(saved["places"][n]))
        greedy, label = int(saved["greedy"][n]), int(saved["label"][n])
        prob, marginal = float(saved["prob"][n]), float(saved["marginal"][n])
        token = f"{int(saved['token'][n]):0{TOKEN}x}"
        played, offers = {greedy, label}, offered.tolist()
        sound = (
            before < number <= last
            and row_fits(row, sizes.features)
            and len(row.values) == length
            and bool(norm_is_at_most(row.values, LARGEST**2))
            and bool((np.diff(allowed) > 0).all())
            and all(0 <= k < sizes.labels for k in (*played, *offers, *allowed[:1], *allowed[-1:]))
            and (not len(allowed) or {*played, *offers} <= set(allowed.tolist()))
            and len(set(offers)) == len(offers)
            and LEAST_PROB <= prob <= 1.0
            and 0.0 < marginal <= 1.0
        )
        if not sound:
            raise snapshot.damaged()
        decision = greedy, label, prob, marginal
        labels = (each if len(each) else None for each in (allowed, offered))
        open_.add(number, Open(row, decision, next(labels), token, next(labels)))
        before = number
    if not (values.at_end and indices.at_end and among.at_end and shown.at_end):
        raise snapshot.damaged()
    return {f"open.{name}" for name in _OPEN}


class _Reader:
    """Takes runs of an array, one after another."""

    def __init__(self, array: Array) -> None:
        self.array, self.at = array, 0

    def take(self, length: int) -> Array:
        """Return the next run in an array of its own, shorter if the array ends."""
        start, self.at = self.at, self.at + max(length, 0)
        return self.array[start : self.at].copy()

    @property
    def at_end(self) -> bool:
        """Whether all was taken, and no more."""
        return self.at == len(self.array)


def _or_empty(numbers: Array | None) -> Any:
    return [] if numbers is None else numbers


def _joined(parts: list[Any]) -> Any:
    return np.concatenate(parts) if parts else []
