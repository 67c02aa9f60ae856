"""The adviser: turns a user's row into the advice of a class of hypotheses."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from onebit.errors import BadParameter, BadRow
from onebit.kernel.features import read_row, width_of
from onebit.kernel.rows import Dense, Row
from onebit.kernel.sizes import Sizes
from onebit.naming.params import check_params, declared_params, short_repr
from onebit.theory.hypotheses import advise_all, as_rows, is_advice
from onebit.theory.hypotheses.callables import Callables


class Adviser:
    """A class of hypotheses that is asked about one row at a time.

    `features` is the width of the rows that the hypotheses read, by default that
    of the first one.
    """

    def __init__(
        self, hypotheses: Any, numbers: Mapping[Any, int], features: int | None = None
    ) -> None:
        known = isinstance(hypotheses, Callables) or hasattr(hypotheses, "for_sizes")
        if not known or isinstance(hypotheses, type):
            raise BadParameter(
                "Agent: hypotheses must be those of a class of onebit.theory.hypotheses, such as"
                f" Stumps(), got {short_repr(hypotheses)}."
            )
        params = declared_params(type(hypotheses))
        check_params(
            type(hypotheses).__name__, params, {p.name: getattr(hypotheses, p.name) for p in params}
        )
        self.hypotheses, self.numbers = hypotheses, numbers
        self._made: tuple[int, Any] = (0, None)  # the width asked for last, and its hypotheses
        self.width = features  # of rows; None until the first one is kept
        self.size: int | None = None
        self._lock = threading.Lock()  # for the scratch space of the hypotheses
        if isinstance(hypotheses, Callables):
            functions = hypotheses.functions
            listed = isinstance(functions, Sequence) and len(functions) > 0
            if not (listed and all(map(callable, functions))):
                raise BadParameter(
                    f"Callables: it must have at least one function, got {short_repr(functions)}."
                )
            self.size = hypotheses.size
        elif features is not None:
            self.size = self._for(features).size

    @property
    def reads_anything(self) -> bool:
        """Whether functions of the user read the rows, of whatever kind they are."""
        return isinstance(self.hypotheses, Callables)

    def advice(self, x: Any) -> tuple[Dense, int]:
        """Return the label number that every hypothesis predicts for x, and the width of x."""
        if isinstance(self.hypotheses, Callables):
            return Dense(np.array([self._number(*said) for said in self._said(x)], np.float64)), 0
        width = width_of(x) if self.width is None else self.width
        made = self._for(width)
        rows, out = as_rows(read_row(x, width)), np.empty((1, made.size))
        with self._lock:
            advise_all(made, rows, out)
        if not is_advice(out, len(self.numbers)):
            raise BadRow(
                f"{type(self.hypotheses).__name__}: it has nothing to say about {short_repr(x)}."
            )
        return Dense(out[0]), width

    def _for(self, width: int) -> Any:
        """Return the hypotheses for rows of a width."""
        made = self._made
        if made[0] != width:
            made = width, self.hypotheses.for_sizes(Sizes(width, len(self.numbers)))
            self._made = made
        return made[1]

    def _said(self, x: Any) -> enumerate[Any]:
        return enumerate(self.hypotheses.ask(x))

    def _number(self, which: int, label: Any) -> int:
        try:
            return self.numbers[label]
        except (KeyError, TypeError):
            raise BadRow(
                f"Callables: function {which} must return one of the labels,"
                f" got {short_repr(label)}."
            ) from None


def row_is_advice(x: Row, labels: int) -> bool:
    """Return whether a row has one label number for each hypothesis."""
    return isinstance(x, Dense) and is_advice(x.values.reshape(1, -1), labels)


def check_advice(x: Row, labels: int) -> None:
    """Raise BadRow if a row is not advice."""
    if not row_is_advice(x, labels):
        raise BadRow(
            "Agent: a row of advice must be an array of label numbers, from 0 to"
            f" {labels - 1}, one for each hypothesis; hypotheses=... makes it from other rows."
        )
