"""Specs of learners, streams, transforms, bounds and grids: refused in a sentence, or read back."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from onebit import explorers, learners, streams
from onebit.agent.recipe import Recipe, parameters
from onebit.experiment.run.sweep import parse_grid
from onebit.kernel.sizes import Sizes
from onebit.naming.params import declared_params
from onebit.naming.spec import Spec
from onebit.streams.opening import open_stream, resolve, resolve_transform
from onebit.theory import bounds, hypotheses
from torture.mutations import NUMBERS, TOKENS, mutate
from torture.shrinking import without_parts

ENDS = ("1", "5", "2^-3", "2^9", "1e3", "-2", "9" * 30, "2^-" + "9" * 20, "")
KINDS = ("learner", "stream", "transform", "bound", "grid", "spec")


class Target:
    """A case is what the text is to be, and the text."""

    def make(self, random: Random) -> Any:
        """Return a spec with values that are right, wrong or far out, mutated now and then."""
        kind = random.choice(KINDS)
        if kind == "grid":
            ends = random.choices(ENDS, k=3)
            text = f"gamma={random.choice(('..', ',')).join(ends[: random.choice((1, 2, 2, 3))])}"
        else:
            name, takes = self._name(kind, random)
            keys = random.sample(takes, min(len(takes), random.randrange(4)))
            pairs = [f"{key}={self._value(random)}" for key in keys]
            text = f"{name}:{','.join(pairs)}" if pairs else name
        if random.random() < 0.25:
            text = mutate(text.encode(errors="surrogateescape"), random, 2).decode(
                errors="surrogateescape"
            )
        return kind, text

    def _name(self, kind: str, random: Random) -> tuple[str, list[str]]:
        """Return a name, and the parameters that it takes."""
        if kind == "stream":
            name = random.choice([n for n in streams.names() if n != "reuters4"])
            return name, [p.name for p in declared_params(streams.find(name))]
        if kind == "transform":
            name = random.choice(streams.transform_names())
            more = ["class", "n", "steps", "low"] if name == "advise" else []
            return name, [p.name for p in declared_params(streams.find_transform(name))] + more
        if kind == "bound":
            name = random.choice([*bounds.theorems])
            return name, [p.name for p in bounds.find(name).params]
        name = random.choice(learners.names())
        return name, [p.name for p in parameters(learners.find(name))] + ["nonsense"]

    def _value(self, random: Random) -> str:
        words = [*explorers.names(), *hypotheses.names(), "auto", "first", "naive-bayes", "2^-4"]
        if random.random() < 0.3:
            return random.choice(words)
        if random.random() < 0.2:
            return random.choice(TOKENS[:60]).decode(errors="surrogateescape")
        try:
            return str(random.choice(NUMBERS))
        except ValueError:  # too many digits for str()
            return "9" * 5000

    def run(self, case: Any) -> None:
        """Read the text as what it is to be; what was read must read back as the same."""
        kind, text = case
        spec = Spec.parse(text)
        again = Spec.parse(str(spec))
        assert (again.name, again.params) == (spec.name, spec.params), "it reads back as another"
        if kind == "learner":
            recipe = Recipe.parse(text)
            assert Recipe.parse(str(recipe.spec)).params == recipe.params
            recipe.player(Sizes(3, 3), 0)
        elif kind == "stream":
            source = resolve(text)
            assert str(resolve(source.spec).spec) == str(source.spec)
            source.source.open(0)
        elif kind == "transform":
            resolve_transform(text)
            next(open_stream("car", 0, [text]).blocks(), None)
        elif kind == "bound":
            bounds.find(spec.name).value(dict(spec.params))
        elif kind == "grid":
            assert len(parse_grid(text)[1]) <= 1000

    def smaller(self, case: Any) -> Iterator[Any]:
        """Yield the case with a shorter text."""
        kind, text = case
        for less in without_parts(text):
            yield kind, less
