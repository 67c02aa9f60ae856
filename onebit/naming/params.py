"""Parameters: declared once beside the field they set, and checked in one place.

    gamma: Annotated[float, Real("(0, 1)"), "share of rounds that explore"] = 0.05

gives the check, the error sentence, the help text and the docs table.
"""

from __future__ import annotations

import difflib
import functools
import math
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, NamedTuple, Protocol, get_args, get_origin, get_type_hints

from onebit.errors import BadParameter


class Rule(Protocol):
    """What a parameter allows: `read` returns the value or raises ValueError."""

    def read(self, value: Any) -> Any:
        """Return the value of a string or an object."""

    def __str__(self) -> str:
        """Say what is allowed, to stand behind 'must be'."""


def interval_ends(interval: str) -> tuple[float, bool, float, bool]:
    """Return the ends of an interval such as "(0, 1]", each with whether it is included."""
    low, high = (float(end) for end in interval[1:-1].split(","))
    return low, interval[0] == "[", high, interval[-1] == "]"


class Real(NamedTuple):
    """A number in an interval, written as in mathematics: Real("(0, 1]")."""

    interval: str

    def read(self, value: Any) -> float:
        """Return a number in the interval."""
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
    """A whole number, at least `least` and at most `most`, if that is given."""

    least: int
    most: float = math.inf

    def read(self, value: Any) -> int:
        """Return a whole number, exact also beyond 2**53."""
        number = _number(value)
        if number != int(number) or not self.least <= number <= self.most:
            raise ValueError
        return int(value) if _is_digits(value) else int(number)

    def __str__(self) -> str:
        if self.most < math.inf:
            return f"a whole number from {self.least} to {self.most}"
        return f"a whole number, at least {self.least}"


class OneOf(NamedTuple):
    """One of a few words."""

    words: tuple[str, ...]

    def read(self, value: Any) -> str:
        """Return the word."""
        if value not in self.words:
            raise ValueError
        return str(value)

    def number(self, word: Any) -> Any:
        """Return a word's place among the words; a value that is settled already stays."""
        return self.words.index(word) if isinstance(word, str) else word

    def __str__(self) -> str:
        return f"one of {', '.join(self.words)}"


class Auto(NamedTuple):
    """What another rule allows, or the word "auto": a value that is found out later."""

    rule: Rule

    def read(self, value: Any) -> Any:
        """Return "auto", or what the rule reads."""
        return value if isinstance(value, str) and value == "auto" else self.rule.read(value)

    def __str__(self) -> str:
        return f"auto or {self.rule}"


class Param(NamedTuple):
    """A declared parameter."""

    name: str
    rule: Rule
    default: Any
    help: str


def declared_params(kind: type) -> tuple[Param, ...]:
    """Return the parameters that a NamedTuple declares among its fields."""
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
    """Return a value for every parameter, given or default, or raise the one sentence."""
    known = {param.name: param for param in params}
    for name in given:
        if name not in known:
            takes = f"it takes {', '.join(known)}" if known else "it takes none"
            raise BadParameter(
                f"{who}: no parameter is called {name!r}{did_you_mean(name, known)}; {takes}."
            )
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


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return ' (did you mean ...?)' if a known name is near, else nothing."""
    found = difflib.get_close_matches(name.lower(), list(known), n=1, cutoff=0.5)
    return f" (did you mean {found[0]}?)" if found else ""


def short_repr(value: Any) -> str:
    """Return a value as it should stand in a sentence: short, strings quoted if empty."""
    text = value if isinstance(value, str) and value.strip() == value != "" else repr(value)
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
    """Say whether int() reads the value exactly, where float() may round it."""
    return isinstance(value, int) or (isinstance(value, str) and value.strip("+- ").isdecimal())
