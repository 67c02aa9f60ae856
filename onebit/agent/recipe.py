"""A recipe: which learner plays with which explorer, and all their parameters.

It is what a learner's spec stands for once every default is filled in. The
explorer's parameters stand beside the learner's, and two more are common to
all: `explorer` and `ties`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from onebit import explorers, learners
from onebit.agent.fitting import fitting_player
from onebit.errors import BadParameter
from onebit.kernel.engine import Player, RandomKeys
from onebit.kernel.exploration import width
from onebit.kernel.rng import key
from onebit.kernel.round import empty_feedback, learn, score
from onebit.kernel.scaling import Scaled, begin_scaling, numeric_features, scaled_sizes
from onebit.kernel.sizes import Sizes
from onebit.kernel.state import begin, named_kinds
from onebit.kernel.verbs import has_body
from onebit.naming.params import OneOf, Param, check_params, declared_params, short_repr
from onebit.naming.spec import Spec

TIES = Param(
    "ties", OneOf(("random", "first")), "random", "which of equally good labels is the best"
)


class Recipe(NamedTuple):
    """A learner's class, an explorer's, and every parameter with its value."""

    kind: type
    explorer: type
    params: dict[str, Any]

    @classmethod
    def parse(cls, learner: str | type | Recipe, **more: Any) -> Recipe:
        """Resolve a spec such as "banditron:gamma=0.1", a learner's class, or a recipe."""
        if isinstance(learner, Recipe):
            kind, given = learner.kind, {**learner.params, **more}
        elif isinstance(learner, str):
            spec = Spec.parse(learner)
            kind, given = learners.find(spec.name), {**spec.params, **more}
        else:
            kind, given = learner, more
        traits = learners.traits(kind)
        _check_verbs(kind)
        name = given.get("explorer", traits.explorer)
        explorer = explorers.find(name if isinstance(name, str) else short_repr(name))
        if hasattr(explorer, "stand_in"):
            given = {**given, "explorer": explorer.stand_in(given)}
            explorer = explorers.find(given["explorer"])
        _check_needs(kind, explorer)
        params = check_params(kind.__name__, parameters(kind, explorer), given)
        return cls(kind, explorer, params)

    @property
    def spec(self) -> Spec:
        """The full spec: it names the same learner, defaults filled in."""
        return Spec(learners.name_of(self.kind), self.params)

    @property
    def kinds(self) -> list[type]:
        """Every class that plays: the learner, the explorer, and what parameters name."""
        named = [(param.rule, self.params[param.name]) for param in declared_params(self.kind)]
        inner = [kind for rule, value in named for kind in named_kinds(rule, value)]
        return [self.kind, self.explorer, *inner]

    @property
    def brief(self) -> str:
        """The spec for tables: only what is not at its usual value."""
        usual = {p.name: p.default for p in parameters(self.kind, self.explorer)}
        params = {k: v for k, v in self.params.items() if k not in usual or usual[k] != v}
        return str(Spec(self.spec.name, params))

    def player(self, sizes: Sizes, seed: int, old: Player | None = None) -> Player:
        """Return a player that has seen nothing yet; raise TooLarge if it does not fit.

        It must fit beside the old one that it will be copied from, if any.
        """
        return fitting_player(self, sizes, seed, old)

    def new_player(self, sizes: Sizes, seed: int) -> Player:
        """Return a player that has seen nothing yet, however large it is."""
        traits = learners.traits(self.kind)
        if traits.labels not in (None, sizes.labels):
            raise BadParameter(
                f"{self.kind.__name__}: it takes {traits.labels} labels, got {sizes.labels}."
            )
        scales = self.scales(sizes)
        scaling = begin_scaling(sizes) if scales else None
        sizes = scaled_sizes(sizes) if scales else sizes
        learner: Any = begin(self.kind, sizes, seed, self.params)
        if scaling is not None:
            learner = Scaled(scaling, learner)
        explorer: Any = begin(self.explorer, sizes, seed, self.params)
        keys = RandomKeys(key(seed, "ties"), key(seed, "labels"), self.params["ties"] == "random")
        scratch = np.zeros(sizes.labels), np.zeros(sizes.labels), np.zeros((4, sizes.labels))
        return Player(learner, explorer, empty_feedback(traits.hears), keys, *scratch)

    @property
    def widens(self) -> bool:
        """Whether features can be added to an agent that has begun."""
        begins = hasattr(self.explorer, "begin")  # its first state may depend on the width
        return learners.traits(self.kind).widens and not begins

    def scales(self, sizes: Sizes) -> bool:
        """Return whether the numeric columns of rows are scaled for this learner."""
        traits = learners.traits(self.kind)
        reads = traits.row in ("features", "few features") and not traits.scales_rows
        return sizes.scale and reads and bool(numeric_features(sizes))


def _check_verbs(kind: type) -> None:
    """Raise BadParameter if a learner lacks one of its verbs."""
    for verb in (score, learn):
        if not (has_body(verb, kind) or has_body(verb, object)):
            word = f"{verb.__name__}, {kind.__name__}"
            raise BadParameter(
                f"{kind.__name__}: a learner must have bodies for score and learn;"
                f" write one under @implements({word})."
            )


def _check_needs(kind: type, explorer: type) -> None:
    """Raise BadParameter if a learner does not offer what an explorer needs."""
    needs = explorers.traits(explorer).needs
    if not offers(kind, needs):
        name = explorers.name_of(explorer)
        raise BadParameter(
            f"{kind.__name__}: the explorer {name} needs {explorers.NEEDS[needs]}, which this"
            f" learner does not offer; `onebit explorers {name}` lists those that do."
        )


def offers(kind: type, needs: str) -> bool:
    """Return whether a learner offers something that explorers need, see `explorers.NEEDS`."""
    if needs == "estimates":
        return learners.traits(kind).estimates
    return needs == "scores" or has_body(width, kind)


def parameters(kind: type, explorer: type | None = None) -> tuple[Param, ...]:
    """Return every parameter of a learner when it plays with an explorer, its default if None."""
    default = learners.traits(kind).explorer
    explorer = explorer or explorers.find(default)
    clash = {p.name for p in declared_params(kind)} & {p.name for p in declared_params(explorer)}
    if clash:
        raise BadParameter(
            f"{kind.__name__}: a learner's parameters must have other names than its explorer's,"
            f" got {', '.join(sorted(clash))} in both."
        )
    words = dict.fromkeys([*explorers.names(), default, explorers.name_of(explorer)])
    choice = Param("explorer", OneOf(tuple(words)), default, "how scores become probabilities")
    return (*declared_params(kind), *declared_params(explorer), choice, TIES)
