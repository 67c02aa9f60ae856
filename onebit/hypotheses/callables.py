"""Callables: any functions of yours that name a label."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple

from onebit.hypotheses import hypothesis_class


@hypothesis_class(by_name=False)
class Callables(NamedTuple):
    """Python functions: each is given the row as you gave it, and returns one of your labels.

    They are called once for each decision, in Python, so they may look at
    anything and are the slowest of the classes.

    Reference: none; it is whatever you write.

    >>> from onebit import Agent
    >>> rules = Callables([lambda x: "spam" if "free" in x else "ham", lambda x: "ham"])
    >>> agent = Agent("consistent", labels=["spam", "ham"], hypotheses=rules)
    >>> agent.predict({"free": 1})
    'spam'
    """

    functions: Sequence[Callable[[Any], Hashable]]

    @property
    def size(self) -> int:
        """The number of hypotheses."""
        return len(self.functions)

    def ask(self, x: Any) -> list[Hashable]:
        """Return what each function says about x."""
        return [function(x) for function in self.functions]
