"""Parameters: declared once beside the field they set, and checked in one place.

    gamma: Annotated[float, Real("(0, 1)"), "share of rounds that explore"] = 0.05

gives the check, the error message, the help text and the table in the documentation.
"""

from __future__ import annotations

import functools
import math
import numbers
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, NamedTuple, Protocol, get_args, get_origin, get_type_hints

from onebit.errors import BadParameter
from onebit.naming.suggesting import did_you_mean

__all__ = ["Auto", "OneOf", "Param", "Real", "Rule", "Whole", "check_params", "declared_params",
           "short_repr"]  # fmt: skip


class Rule(Protocol):
    """What a parameter allows; `str(rule)` describes it, to follow "must be" in a message."""

    def read(self, value: Any) -> Any:
        """Return the value of a parameter.

        Parameters
        ----------
        value : object
            A string, or the value itself.

        Returns
        -------
        object
            The value that is set.

        Raises
        ------
        ValueError
            If it is not allowed; TypeError and OverflowError mean the same.
        """

    def __str__(self) -> str:
        """Return what is allowed."""


def interval_ends(interval: str) -> tuple[float, bool, float, bool]:
    """Return the ends of an interval such as "(0, 1]", each with whether it is included."""
    low, high = (float(end) for end in interval[1:-1].split(","))
    return low, interval[0] == "[", high, interval[-1] == "]"


class Real(NamedTuple):
    """A number in an interval.

    Attributes
    ----------
    interval : str
        As in mathematics: "(0, 1]" has 1 in it, and 0 not.

    Examples
    --------
    >>> Real("(0, 1]").read("0.5")
    0.5
    """

    interval: str

    def read(self, value: Any) -> float:
        """Return a number in the interval.

        Parameters
        ----------
        value : object
            A number, or its text; "2^-6" is a power.

        Returns
        -------
        float
            The number.

        Raises
        ------
        ValueError
            If it is not a finite number, or not in the interval.
        """
        number = _number(value)
        low, with_low, high, with_high = interval_ends(self.interval)
        above = number >= low if with_low else number > low
        below = number <= high if with_high else number < high
        if not (above and below):
            raise ValueError
        return number

    def __str__(self) -> str:
        return f"a number in {self.interval}"


class Whole(NamedTuple):
    """A whole number.

    Attributes
    ----------
    least : int
        The smallest that is allowed.
    most : float
        The largest that is allowed.

    Examples
    --------
    >>> Whole(1).read("1e6")
    1000000
    """

    least: int
    most: float = math.inf

    def read(self, value: Any) -> int:
        """Return a whole number.

        Parameters
        ----------
        value : object
            A number, or its text.

        Returns
        -------
        int
            The number, exact also beyond 2**53 if it is given as int or by its digits.

        Raises
        ------
        ValueError
            If it is not a whole number, or out of range.
        """
        number = _number(value)
        if number != int(number):
            raise ValueError
        whole = int(value) if _is_digits(value) else int(number)
        if not self.least <= whole <= self.most:
            raise ValueError
        return whole

    def __str__(self) -> str:
        if self.most < math.inf:
            return f"a whole number from {self.least} to {self.most}"
        return f"a whole number, at least {self.least}"


class OneOf(NamedTuple):
    """One of a few words.

    Attributes
    ----------
    words : tuple of str
        The words. In a state, the parameter is the position of its word.

    Examples
    --------
    >>> str(OneOf(("random", "first")))
    'one of random, first'
    """

    words: tuple[str, ...]

    def read(self, value: Any) -> str:
        """Return the word.

        Parameters
        ----------
        value : object
            The word.

        Returns
        -------
        str
            The same word.

        Raises
        ------
        ValueError
            If it is not one of the words.
        """
        if value not in self.words:
            raise ValueError
        return str(value)

    def number(self, word: Any) -> Any:
        """Return the position of a word.

        Parameters
        ----------
        word : object
            One of the words, or a position.

        Returns
        -------
        int
            The position; what is not a string is returned unchanged.
        """
        return self.words.index(word) if isinstance(word, str) else word

    def __str__(self) -> str:
        return f"one of {', '.join(self.words)}"


class Auto(NamedTuple):
    """What another rule allows, or a word such as "auto": the value is then computed later.

    Attributes
    ----------
    rule : Rule
        The other rule.
    words : tuple of str
        The words.

    Examples
    --------
    >>> Auto(Whole(1)).read("auto"), Auto(Whole(1)).read("3")
    ('auto', 3)
    """

    rule: Rule
    words: tuple[str, ...] = ("auto",)

    def read(self, value: Any) -> Any:
        """Return a word, or what the other rule reads.

        Parameters
        ----------
        value : object
            A word, or a value for the other rule.

        Returns
        -------
        object
            The value.
        """
        return value if isinstance(value, str) and value in self.words else self.rule.read(value)

    def __str__(self) -> str:
        return f"{', '.join(self.words)} or {self.rule}"


class Param(NamedTuple):
    """A declared parameter.

    Attributes
    ----------
    name : str
        Its name.
    rule : Rule
        What it allows.
    default : object
        Its default value.
    help : str
        What it does, in a few words.
    """

    name: str
    rule: Rule
    default: Any
    help: str


def declared_params(kind: type) -> tuple[Param, ...]:
    """Return the parameters that a NamedTuple declares among its fields.

    Parameters
    ----------
    kind : type
        The NamedTuple.

    Returns
    -------
    tuple of Param
        One for each field annotated with `Annotated[type, rule, help]` that has a default.

    Examples
    --------
    >>> class Example(NamedTuple):
    ...     gamma: Annotated[float, Real("(0, 1)"), "share of rounds that explore"] = 0.05
    >>> [param.name for param in declared_params(Example)]
    ['gamma']
    """
    defaults = getattr(kind, "_field_defaults", {})
    return tuple(
        Param(name, notes[0], defaults[name], notes[1])
        for name, notes in field_annotations(kind).items()
        if len(notes) == 2 and name in defaults
    )


@functools.cache
def field_annotations(kind: Any) -> Mapping[str, tuple[Any, ...]]:
    """Return what each field of a NamedTuple is annotated with."""
    hints = get_type_hints(kind, include_extras=True)
    return {
        name: get_args(hint)[1:] for name, hint in hints.items() if get_origin(hint) is Annotated
    }


def check_params(who: str, params: Iterable[Param], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the value of every parameter, given or default.

    Parameters
    ----------
    who : str
        Whose parameters they are, for the error message.
    params : iterable of Param
        The declared parameters.
    given : mapping
        Values by name; they may be text.

    Returns
    -------
    dict
        The values of all parameters, as their rules read them.

    Raises
    ------
    BadParameter
        If a parameter is unknown, or its value is not allowed.

    Examples
    --------
    >>> check_params("Example", [Param("gamma", Real("(0, 1)"), 0.05, "")], {"gamma": "0.1"})
    {'gamma': 0.1}
    """
    known = {param.name: param for param in params}
    for name in given:
        if name not in known:
            takes = f"it takes {', '.join(known) or 'none'}"
            named = f"{short_repr(name)!r}{did_you_mean(name, known)}"
            raise BadParameter(f"{who}: no parameter is called {named}; {takes}.")
    values = {}
    for name, param in known.items():
        value = given.get(name, param.default)
        try:
            values[name] = param.rule.read(value)
        except (ValueError, TypeError, OverflowError):
            raise BadParameter(
                f"{who}: {name} must be {param.rule}, got {short_repr(value)}."
            ) from None
    return values


def short_repr(value: Any) -> str:
    """Return a value as text for an error message.

    Parameters
    ----------
    value : object
        Any value.

    Returns
    -------
    str
        At most 60 characters on one line; a string is quoted only if it is blank at an end.

    Examples
    --------
    >>> short_repr("tea"), short_repr("")
    ('tea', "''")
    """
    try:
        text = value if isinstance(value, str) and value.strip() == value != "" else repr(value)
    except (ValueError, RecursionError):  # a number of too many digits, a list of too many levels
        text = f"a {type(value).__name__} that is too long to show"
    text = " ".join(text.split())
    return text if len(text) <= 60 else text[:57] + "..."


def _number(value: Any) -> float:
    """Read a finite number, also from text, also as a power: 2^-6."""
    if isinstance(value, bool):
        raise ValueError
    if isinstance(value, str) and "^" in value:
        base, power = value.split("^")
        number = math.pow(float(base), float(power))
    else:
        number = float(value)
    if not math.isfinite(number):
        raise ValueError
    return number


def _is_digits(value: Any) -> bool:
    """Return whether int() reads the value exactly, where float() may round it."""
    return isinstance(value, numbers.Integral) or (
        isinstance(value, str) and value.strip("+- ").isdecimal()
    )
