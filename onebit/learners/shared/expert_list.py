"""Which experts `auto` combines: those of a size, or learners by name."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from onebit.kernel.round import Bit
from onebit.kernel.sizes import Sizes
from onebit.kernel.state import begin
from onebit.learners import find, name_of, traits
from onebit.learners.shared.experts import End, Expert, learners_of
from onebit.naming.params import declared_params

#: The words of the parameter `size`.
SIZES = ("light", "standard", "full")
#: Rows of weights that a replayed round may visit, times labels, by size.
COSTS = {"light": 12_000.0, "standard": 24_000.0, "full": 24_000.0}


class Planned(NamedTuple):
    """An expert to be made: its learner's name, how often it replays, and its parameters.

    The rate "wide" is that of rows without numbers: the logarithm of the number of labels, at
    least 3; on rows with numbers it is 1 (see `rate_for`).
    """

    name: str
    draws: float = 1.0
    early_draws: float = 1.0
    params: dict[str, Any] = {}  # noqa: RUF012  never changed


_LINEAR = {"rate": "wide", "floor": 0.1, "dtype": "float32"}
PLANS: dict[str, tuple[Planned, ...]] = {
    "light": (
        Planned("softmax", 4.0, 4.0, _LINEAR),
        Planned("pairs", 2.0, 2.0, {"budget": 4096}),
        Planned("forest", params={"depth": 10}),
    ),
    "standard": (
        Planned("softmax", 8.0, 16.0, _LINEAR),
        Planned("pairs", 2.0, 2.0),
        Planned("forest"),
    ),
    "full": (
        Planned("softmax", 8.0, 16.0, _LINEAR),
        Planned("softmax", 8.0, 16.0, {"rate": 1.0, "floor": 0.1, "dtype": "float32"}),
        Planned("pairs", 2.0, 2.0, {"budget": 16384}),
        Planned("one-vs-all", 0.0, 0.0),
        Planned("mlp", 4.0, 16.0, {"rate": 0.001}),
        Planned("forest", params={"trees": 30, "depth": 14, "rate": 0.04}),
    ),
}


class ExpertNames(NamedTuple):
    """The rule of a parameter that names the learners to combine; its field holds the chain."""

    def read(self, value: Any) -> Any:
        """Return "auto", or the names of learners.

        Parameters
        ----------
        value : object
            "auto", a name, or several names.

        Returns
        -------
        str or tuple of str
            The same.

        Raises
        ------
        BadInput
            If there is no such learner.
        ValueError
            If one does not estimate being right from one bit.
        """
        if isinstance(value, str) and value == "auto":
            return value
        names = (value,) if isinstance(value, str) else tuple(value)
        for name in names:
            declared = traits(find(str(name)))
            if not (declared.estimates and declared.hears is Bit and declared.row == "features"):
                raise ValueError
        if not names or "auto" in names:
            raise ValueError
        return names

    def kinds(self, names: Any) -> list[type]:
        """Return the classes of the learners.

        Parameters
        ----------
        names : str or tuple of str
            What `read` returned.

        Returns
        -------
        list of type
            One class for each name; those of the standard size for "auto".
        """
        return [find(plan.name) for plan in plans("standard", names)]

    def __str__(self) -> str:
        return "auto, or names of learners that estimate being right, with | between them"


def plans(size: str, names: Any) -> tuple[Planned, ...]:
    """Return the experts of a size, or learners by name: as in that size, else as in full."""
    if names == "auto":
        return PLANS[size]
    known = {plan.name: plan for plan in reversed(PLANS[size] + PLANS["full"])}
    return tuple(known.get(name, Planned(name)) for name in names)


def make_experts(planned: tuple[Planned, ...], sizes: Sizes, seed: int) -> Any:
    """Return a chain of new experts."""
    chain: Any = End()
    for plan in reversed(planned):
        kind = find(plan.name)
        params = {p.name: p.default for p in declared_params(kind)} | plan.params
        if params.get("rate") == "wide":
            params["rate"] = max(3.0, math.log(sizes.begun_labels))
        state: Any = begin(kind, sizes, seed, params)
        chain = Expert(state, plan.draws, plan.early_draws, chain)
    return chain


def names_of(experts: Any) -> list[str]:
    """Return a name for each expert of a chain: that of its learner, numbered where it is there."""
    names: list[str] = []
    for each in learners_of(experts):
        name = name_of(type(each))
        before = sum(other.partition(" ")[0] == name for other in names)
        names.append(f"{name} {before + 1}" if before else name)
    return names
