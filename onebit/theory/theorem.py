"""Theorems as functions that check their arguments, and the registry of their names."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, get_args, get_type_hints

from onebit.errors import BadParameter, UnknownName
from onebit.naming.params import Param, check_params, short_repr
from onebit.naming.suggesting import did_you_mean

__all__ = ["Theorem", "bound", "find", "order", "theorems"]

Function = Callable[..., Any]

_DOCSTRING = """{text}

Source: {source}.

Parameters
----------
{parameters}

Returns
-------
{returns}

Raises
------
BadInput
    If an argument is missing or not allowed, or if the value is not finite.
"""


class Theorem(NamedTuple):
    """A theorem as a function of declared arguments.

    Attributes
    ----------
    function : callable
        Computes the value from checked arguments.
    source : str
        The paper and the number of the theorem.
    about : str
        What it is about: "mistakes", "regret", "a squared norm" or "orders".
    is_bound : bool
        Whether the value is an upper bound; otherwise it holds up to a constant.
    """

    function: Function
    source: str
    about: str
    is_bound: bool

    @property
    def name(self) -> str:
        """The name on the command line."""
        return self.function.__name__.replace("_", "-")

    @property
    def params(self) -> tuple[Param, ...]:
        """The declared arguments."""
        hints = get_type_hints(self.function, include_extras=True)
        return tuple(
            Param(name, rule, argument.default, text)
            for name, argument in inspect.signature(self.function).parameters.items()
            for _, rule, text in [get_args(hints[name])]
        )

    def check(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return a value for every argument, given or default.

        Parameters
        ----------
        given : mapping
            Arguments by name; values may be text.

        Returns
        -------
        dict
            All arguments.

        Raises
        ------
        BadInput
            If an argument is missing, unknown or not allowed.
        """
        needed = [p.name for p in self.params if p.default is inspect.Parameter.empty]
        missing = [name for name in needed if name not in given]
        if missing and not set(given) - {p.name for p in self.params}:
            raise BadParameter(f"{self.name}: it needs {', '.join(missing)}.")
        return check_params(self.name, self.params, given)

    def value(self, given: Mapping[str, Any]) -> Any:
        """Evaluate the theorem.

        Parameters
        ----------
        given : mapping
            Arguments by name; values may be text.

        Returns
        -------
        float or NamedTuple
            The bound, or several orders by name.

        Raises
        ------
        BadInput
            If an argument is missing or not allowed, or if the value is not finite.
        """
        try:
            value = self.function(**self.check(given))
        except ArithmeticError:
            value = math.nan
        if not all(map(math.isfinite, value if isinstance(value, tuple) else (value,))):
            raise BadParameter(f"{self.name}: its value for these arguments is out of reach.")
        return value

    def numpydoc(self) -> str:
        """Return a docstring with the declared arguments.

        Returns
        -------
        str
            The docstring, with sections as in numpydoc.
        """
        parameters = []
        for p in self.params:
            optional = p.default is not inspect.Parameter.empty
            kind = f"{p.rule}, default {p.default}" if optional else str(p.rule)
            parameters.append(f"{p.name} : {kind}\n    {p.help[0].upper()}{p.help[1:]}.")
        result = get_type_hints(self.function)["return"]
        what = f"An upper bound on {self.about}." if self.is_bound else "Values up to a constant."
        return _DOCSTRING.format(
            text=inspect.getdoc(self.function),
            source=self.source,
            parameters="\n".join(parameters),
            returns=f"{result.__name__}\n    {what}",
        )


#: All theorems by name.
theorems: dict[str, Theorem] = {}


def find(name: str) -> Theorem:
    """Return a theorem by its name.

    Parameters
    ----------
    name : str
        A name of `onebit bound`, such as "banditron".

    Returns
    -------
    Theorem
        The theorem.

    Raises
    ------
    BadInput
        If there is none of that name.
    """
    if name not in theorems:
        near = did_you_mean(name, theorems)
        raise UnknownName(
            f"onebit: no bound is called {short_repr(name)!r}{near}; see `onebit bound`."
        )
    return theorems[name]


def _declare(source: str, about: str, is_bound: bool) -> Callable[[Function], Function]:
    def declare(function: Function) -> Function:
        theorem = Theorem(function, source, about, is_bound)
        theorems[theorem.name] = theorem

        def checked(**given: Any) -> Any:
            return theorem.value(given)

        checked.__name__ = checked.__qualname__ = function.__name__
        checked.__module__, checked.__doc__ = function.__module__, theorem.numpydoc()
        return checked

    return declare


def bound(source: str, about: str = "mistakes") -> Callable[[Function], Function]:
    """Declare a function that returns an upper bound; a decorator.

    Parameters
    ----------
    source : str
        The paper and the number of the theorem.
    about : str, default "mistakes"
        What is bounded.

    Returns
    -------
    callable
        A decorator that returns a function of keyword arguments, which are checked.
    """
    return _declare(source, about, True)


def order(source: str) -> Callable[[Function], Function]:
    """Declare a function that returns values up to a constant; a decorator.

    Parameters
    ----------
    source : str
        The paper and the number of the theorem.

    Returns
    -------
    callable
        A decorator that returns a function of keyword arguments, which are checked.
    """
    return _declare(source, "orders", False)
