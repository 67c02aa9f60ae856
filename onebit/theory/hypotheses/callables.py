"""Callables: Python functions that return a label."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple

from onebit.theory.hypotheses import hypothesis_class

__all__ = ["Callables"]


@hypothesis_class(by_name=False)
class Callables(NamedTuple):
    """Python functions that return a label.

    They are called once for each decision, in Python, which makes this the slowest class.

    Reference: none.

    Parameters
    ----------
    functions : sequence of callables
        Each takes a row, as it is passed to the agent, and returns one of the agent's labels.

    Examples
    --------
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
        """Return the label of each function.

        Parameters
        ----------
        x : object
            A row, as it is passed to the agent.

        Returns
        -------
        list
            One label from each function.
        """
        return [function(x) for function in self.functions]
