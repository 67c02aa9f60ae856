"""The adviser: turns what a user calls a row into the advice of a class of hypotheses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from onebit.errors import BadInput
from onebit.hypotheses import advise_all, as_rows, is_advice
from onebit.hypotheses.callables import Callables
from onebit.kernel.features import read_row, width_of
from onebit.kernel.rows import Dense, Row
from onebit.kernel.state import Sizes
from onebit.naming.params import check_params, declared_params, short_repr


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
            raise BadInput(
                "Agent: hypotheses must be those of a class of onebit.hypotheses, such as"
                f" Stumps(), got {short_repr(hypotheses)}."
            )
        params = declared_params(type(hypotheses))
        check_params(
            type(hypotheses).__name__, params, {p.name: getattr(hypotheses, p.name) for p in params}
        )
        self.hypotheses, self.numbers = hypotheses, numbers
        self.made: Any = None
        if isinstance(hypotheses, Callables):
            functions = hypotheses.functions
            if not functions or not all(map(callable, functions)):
                raise BadInput(
                    f"Callables: it must have at least one function, got {short_repr(functions)}."
                )
            self.size: int | None = hypotheses.size
        else:
            self.size = None
            if features is not None:
                self._begin(features)

    def advice(self, x: Any) -> Dense:
        """Return what every hypothesis says about x."""
        if isinstance(self.hypotheses, Callables):
            return Dense(np.array([self._number(*said) for said in self._said(x)], np.float64))
        if self.made is None:
            self._begin(width_of(x))
        out = np.empty((1, self.made.size))
        advise_all(self.made, as_rows(read_row(x, self.features)), out)
        if not is_advice(out, len(self.numbers)):
            raise BadInput(
                f"{type(self.hypotheses).__name__}: it has nothing to say about {short_repr(x)}."
            )
        return Dense(out[0])

    def _begin(self, features: int) -> None:
        self.made = self.hypotheses.for_sizes(Sizes(features, len(self.numbers)))
        self.features, self.size = features, self.made.size

    def _said(self, x: Any) -> enumerate[Any]:
        return enumerate(self.hypotheses.ask(x))

    def _number(self, which: int, label: Any) -> int:
        try:
            return self.numbers[label]
        except (KeyError, TypeError):
            raise BadInput(
                f"Callables: function {which} must return one of the labels,"
                f" got {short_repr(label)}."
            ) from None


def check_advice(x: Row, labels: int) -> None:
    """Raise the sentence if a row is not advice: one label number for each hypothesis."""
    if not isinstance(x, Dense) or not is_advice(x.values.reshape(1, -1), labels):
        raise BadInput(
            "Agent: a row of advice must be an array of label numbers, from 0 to"
            f" {labels - 1}, one for each hypothesis; hypotheses=... makes it from other rows."
        )
