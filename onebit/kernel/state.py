"""State: what a learner or an explorer remembers, in arrays declared beside their fields.

    weights: Annotated[Floats, Axes("features", "labels")]

The declaration gives the first state, its size in bytes, what a snapshot holds, which values a
snapshot may hold, and how the state grows with a new label. Fields that are parameters (see
`onebit.naming.params`) are numbers. A field may also hold another state (a NamedTuple) or a plain
tuple of states, as a booster holds its weak learners: `walk` finds every array, and `begin` refuses
an array that is not declared.

A class whose first state is more than zeros has a classmethod `begin(sizes, seed, params)`, which
may call `initial_state`. It gets all parameters of its recipe, so that a learner can read those of
its explorer. Three more methods are optional:

- `derive()` computes the arrays declared DERIVED, after a snapshot was read or a label was added;
- `is_sound()` returns whether the remembered arrays of a snapshot are consistent;
- `grown(old)` is called on the larger state after a label was added and the old values were copied
  into it; it corrects the first values of the new label.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeVar, get_type_hints

import numpy as np

from onebit.errors import BadParameter, TooLarge
from onebit.kernel import memory
from onebit.kernel.sizes import Sizes
from onebit.naming.params import (
    OneOf,
    declared_params,
    field_annotations,
    interval_ends,
    short_repr,
)

__all__ = [
    "CONSTANT", "COUNTS", "DERIVED", "REMEMBERED", "SCRATCH", "Axes",     "begin", "initial_state",
]  # fmt: skip

T = TypeVar("T")
Array = np.ndarray[Any, np.dtype[Any]]

#: The roles of an array. REMEMBERED ones are saved. The others are not, and no snapshot can set
#: them: SCRATCH is overwritten before it is read, CONSTANT ones are set by `begin`, DERIVED ones
#: are computed by `derive` from what is remembered.
REMEMBERED, SCRATCH, CONSTANT, DERIVED = "remembered", "scratch", "constant", "derived"


#: Bytes of a line of the cache, and of an array that is large.
_LINE, _LARGE = 64, 2**16
#: The interval of counts of rounds, for `Axes(within=COUNTS)`: more than can be played, and so few
#: that the numbers of their draws fit into 64 bits.
COUNTS = "[0, 1e13]"


class Axes:
    """The declaration of an array: its axes, type, first value, role and valid values.

    Parameters
    ----------
    *axes : str or int
        One for each dimension: "features", "labels", a parameter's name, or a length. "labels*n"
        is one axis on which each label has n adjacent places; "lanes" are labels, and places
        without meaning up to a multiple of eight.
    first : float, default 0
        The value that every element starts with.
    dtype : str, default "float64"
        The type of the elements, or the name of a parameter that holds it.
    role : str, default REMEMBERED
        REMEMBERED, SCRATCH, CONSTANT or DERIVED.
    within : str
        The interval of valid values in a snapshot, such as "[0, 1]"; any finite number by default.
    optional : bool, default False
        Whether a snapshot may leave it out; the learner then goes on with first values in it.

    Examples
    --------
    >>> Axes("features", "labels").array(Sizes(features=3, labels=2), {}).shape
    (3, 2)
    """

    def __init__(
        self,
        *axes: str | int,
        first: float = 0.0,
        dtype: str = "float64",
        role: str = REMEMBERED,
        within: str = "(-inf, inf)",
        optional: bool = False,
    ) -> None:
        self.axes, self.first, self.dtype, self.role = axes, first, dtype, role
        self.within, self.optional = within, optional

    @property
    def lazy(self) -> bool:
        """Whether it takes memory only for features that were learned: it is zeros at first."""
        over_features = self.axes[:1] == ("features",) and self.axes.count("features") == 1
        return over_features and not self.first and self.role in (REMEMBERED, SCRATCH)

    def shape(self, sizes: Sizes, params: Mapping[str, Any]) -> tuple[int, ...]:
        """Return the shape of the array.

        Parameters
        ----------
        sizes : Sizes
            The numbers of features and labels.
        params : mapping
            Parameters by name.

        Returns
        -------
        tuple of int
            The length of each axis.
        """
        lengths = {"features": sizes.features, "labels": sizes.labels, "lanes": lanes(sizes.labels)}
        lengths |= params
        return tuple(
            a if isinstance(a, int) else math.prod(lengths[part] for part in a.split("*"))
            for a in self.axes
        )

    def array(self, sizes: Sizes, params: Mapping[str, Any]) -> Array:
        """Return a new array of first values.

        Parameters
        ----------
        sizes : Sizes
            The numbers of features and labels.
        params : mapping
            Parameters by name.

        Returns
        -------
        ndarray
            The array.

        Raises
        ------
        TooLarge
            If it does not fit into memory.
        """
        dtype = np.dtype(params.get(self.dtype, self.dtype))
        shape = self.shape(sizes, params)
        size = math.prod(shape) * dtype.itemsize
        if not self.lazy:
            memory.spend(shape, size)
        too_large = memory.take(shape, size)
        try:
            if not too_large:
                return np.full(shape, self.first, dtype) if self.first else _zeros(shape, dtype)
        except (MemoryError, ValueError, OverflowError):
            too_large = memory.describe(shape, size)
        raise TooLarge(f"onebit: a learner's numbers must fit into memory, got {too_large}.")

    def allows(self, array: Array) -> bool:
        """Return whether all values are finite and within the declared interval.

        Parameters
        ----------
        array : ndarray
            An array of this declaration.

        Returns
        -------
        bool
            True if all values are valid.
        """
        if array.dtype == np.bool_ or not array.size:
            return True
        lowest, highest = array.min(), array.max()  # nan if any is nan
        low, above, high, below = interval_ends(self.within)
        if not (np.isfinite(lowest) and np.isfinite(highest)):
            return False
        enough = lowest >= low if above else lowest > low
        return bool(enough and (highest <= high if below else highest < high))


def _zeros(shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """Return zeros, whose pages use no memory until they are written.

    Large arrays begin with a line of the cache, so that no short row of theirs takes two lines.
    """
    size = math.prod(shape) * dtype.itemsize
    if size < _LARGE:
        return np.zeros(shape, dtype)
    raw = np.zeros(size + _LINE, np.uint8)
    skip = -raw.ctypes.data % _LINE
    return raw[skip : skip + size].view(dtype).reshape(shape)


def lanes(labels: int) -> int:
    """Return the next multiple of eight, which is the length of an axis of lanes."""
    return -(-labels // 8) * 8


def declared_arrays(kind: type) -> dict[str, Axes]:
    """Return the fields of a NamedTuple that are declared as arrays."""
    return {
        name: notes[0]
        for name, notes in field_annotations(kind).items()
        if notes and isinstance(notes[0], Axes)
    }


def remembered_axes(kind: type) -> dict[str, Axes]:
    """Return the remembered arrays that a class declares, and those of the states inside it.

    A state is inside if a field is annotated with its class, or if a parameter names it.
    """
    own = declared_arrays(kind)
    found = {name: axes for name, axes in own.items() if axes.role == REMEMBERED}
    inside = [
        (p.name, each) for p in declared_params(kind) for each in named_kinds(p.rule, p.default)
    ]
    inside += [(n, t) for n, t in get_type_hints(kind).items() if hasattr(t, "_fields")]
    for field, each in inside:
        found |= {f"{field}.{name}": axes for name, axes in remembered_axes(each).items()}
    return found


def named_kinds(rule: Any, value: Any) -> list[type]:
    """Return the classes of states that the value of a parameter names.

    A rule of such a parameter has a method `kind` that returns the class, or `kinds` for several.
    """
    if hasattr(rule, "kinds"):
        return list(rule.kinds(value))
    return [rule.kind(value)] if hasattr(rule, "kind") else []


def begin(kind: type[T], sizes: Sizes, seed: int, params: Mapping[str, Any]) -> T:
    """Return the first state of a learner, an explorer or a bank.

    Parameters
    ----------
    kind : type
        Its class; a classmethod `begin` of it makes the state, else `initial_state`.
    sizes : Sizes
        The numbers of features and labels, and the columns.
    seed : int
        The seed of random first values.
    params : mapping
        The value of every parameter, by name.

    Returns
    -------
    NamedTuple
        The state.

    Raises
    ------
    BadParameter
        If the state holds an array that is not declared.
    """
    own = getattr(kind, "begin", None)
    try:
        state = (
            initial_state(kind, sizes, params) if own is None else own(sizes, seed, dict(params))
        )
    except ArithmeticError as error:  # of a number such as 1e308, which is allowed by itself
        given = ", ".join(f"{name}={value}" for name, value in params.items())
        raise BadParameter(
            f"{kind.__name__}: its parameters must be numbers that can be computed with, got"
            f" {given} ({error})."
        ) from None
    for _ in walk(state):
        pass
    return state


def initial_state(kind: type[T], sizes: Sizes, params: Mapping[str, Any], **inside: Any) -> T:
    """Return a state with all arrays at their first values, and the parameters set.

    Kernels do not compare strings: a parameter with the rule `OneOf` becomes the position of its
    word.

    Parameters
    ----------
    kind : type
        The class of the state.
    sizes : Sizes
        The numbers of features and labels.
    params : mapping
        The value of every parameter, by name.
    **inside : NamedTuple
        The states that it holds.

    Returns
    -------
    NamedTuple
        The state.

    Raises
    ------
    BadParameter
        If a whole number does not fit into 64 bits.
    """
    made = {name: axes.array(sizes, params) for name, axes in declared_arrays(kind).items()}
    numbers = {
        p.name: p.rule.number(params[p.name]) if isinstance(p.rule, OneOf) else params[p.name]
        for p in declared_params(kind)
    }
    for name, number in numbers.items():
        if isinstance(number, int) and not -(2**63) <= number < 2**63:
            raise BadParameter(
                f"{kind.__name__}: {name} must be below 2^63, as compiled code needs, got"
                f" {short_repr(number)}."
            )
    return kind(**made, **numbers, **inside)


class Held(NamedTuple):
    """An array of a state: where it is, its declaration, and itself."""

    path: str
    axes: Axes
    array: Array


def walk(state: Any, path: str = "") -> Iterator[Held]:
    """Yield every array of a state, through NamedTuples and plain tuples.

    Raises
    ------
    BadInput
        If the state holds an array that is not declared, or something that a kernel could
        change and a snapshot would not hold, such as a list.
    """
    fields = getattr(state, "_fields", None) or range(len(state))
    axes = declared_arrays(type(state)) if hasattr(state, "_fields") else {}
    for name, value in zip(fields, state, strict=True):
        where = f"{path}.{name}" if path else str(name)
        if isinstance(value, tuple):
            yield from walk(value, where)
        elif isinstance(value, np.ndarray) and name in axes:
            yield Held(where, axes[name], value)
        elif not isinstance(value, (int, float, np.number, np.bool_)) or name in axes:
            raise BadParameter(
                f"{type(state).__name__}: every array of a state must be declared with Axes, and"
                f" all else be numbers, got {type(value).__name__} in {where}."
            )


def nested(state: Any) -> Iterator[Any]:
    """Yield the NamedTuples of a state, those inside before the one that holds them."""
    for value in state:
        if isinstance(value, tuple):
            yield from nested(value)
    if hasattr(state, "_fields"):
        yield state


def remembered(state: Any, optional: bool = True) -> dict[str, Held]:
    """Return the arrays that a snapshot holds, by where they are; with or without optional ones."""
    return {
        held.path: held
        for held in walk(state)
        if held.axes.role == REMEMBERED and (optional or not held.axes.optional)
    }


def learned_arrays(state: Any) -> dict[str, Array]:
    """Return the arrays that learning changes, remembered or derived, by where they are."""
    return {h.path: h.array for h in walk(state) if h.axes.role in (REMEMBERED, DERIVED)}


def derive(state: Any) -> None:
    """Fill the derived arrays of a state and of those inside it."""
    for each in nested(state):
        if hasattr(each, "derive"):
            each.derive()


def is_sound(state: Any) -> bool:
    """Return whether all remembered values are in range and can belong together."""
    fits = all(held.axes.allows(held.array) for held in remembered(state).values())
    return fits and all(each.is_sound() for each in nested(state) if hasattr(each, "is_sound"))


def size_in_bytes(state: Any) -> int:
    """Return how many bytes the arrays of a state take."""
    return sum(held.array.nbytes for held in walk(state))
