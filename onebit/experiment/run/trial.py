"""A trial: one learner on one stream under one seed, and its result."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from onebit.agent.recipe import Recipe
from onebit.naming.spec import Spec
from onebit.streams import Stream
from onebit.streams.opening import (
    Resolved,
    ResolvedTransform,
    open_stream,
    resolve,
    resolve_transform,
)

__all__ = ["Result", "Trial"]


@dataclass(frozen=True, eq=False)
class Trial:
    """What to run, resolved: nothing is parsed again when it runs.

    Trials are equal, and have the same hash, if their full specs, seeds and rounds are
    equal. They can be pickled.

    Parameters
    ----------
    stream
        The full spec of the stream and the stream itself, as `resolve` returns them.
    learner
        The learner with its explorer and all parameters.
    seed
        Seed of the stream, its transforms and the learner.
    rounds
        How many rounds to play; None for all of a finite stream.
    transforms
        The resolved transforms of the stream, in order.

    """

    stream: Resolved
    learner: Recipe
    seed: int = 0
    rounds: int | None = None
    transforms: tuple[ResolvedTransform, ...] = ()

    @classmethod
    def parse(
        cls,
        stream: str | Spec | Resolved,
        learner: str | type | Recipe,
        seed: int = 0,
        rounds: int | None = None,
        transforms: Sequence[str | Spec | ResolvedTransform] = (),
    ) -> Trial:
        """Return a trial; what is given as a spec is resolved, defaults filled in.

        Parameters
        ----------
        stream
            The spec of a stream or a file, or what it resolved to.
        learner
            The spec of a learner, its class, or a recipe.
        seed, rounds
            As in the class.
        transforms
            Specs of transforms, or what they resolved to.

        Returns
        -------
        Trial
            The resolved trial.

        Raises
        ------
        BadInput
            If a spec is malformed, or names or sets what does not exist.

        Examples
        --------
        >>> trial = Trial.parse("car", "banditron", seed=7)
        >>> trial.learner_spec
        'banditron:update=paper,gamma=0.05,explorer=epsilon,ties=random'

        """
        return cls(
            stream if isinstance(stream, Resolved) else resolve(stream),
            Recipe.parse(learner),
            seed,
            rounds,
            tuple(
                t if isinstance(t, ResolvedTransform) else resolve_transform(t) for t in transforms
            ),
        )

    def with_learner(self, learner: str | type | Recipe) -> Trial:
        """Return this trial with another learner."""
        return replace(self, learner=Recipe.parse(learner))

    def over_seeds(self, seeds: Iterable[int]) -> list[Trial]:
        """Return this trial under each of several seeds."""
        trials = [replace(self, seed=seed) for seed in seeds]
        same = ("stream_spec", "learner_spec", "transform_specs")
        texts = {name: getattr(self, name) for name in same}  # written once for all
        for trial in trials:
            vars(trial).update(texts)
        return trials

    def open_stream(self) -> Stream:
        """Open the stream and apply the transforms, in order."""
        return open_stream(self.stream, self.seed, self.transforms)

    @cached_property
    def stream_spec(self) -> str:
        """The full spec of the stream."""
        return str(self.stream[0])

    @cached_property
    def learner_spec(self) -> str:
        """The full spec of the learner."""
        return str(self.learner.spec)

    @cached_property
    def transform_specs(self) -> tuple[str, ...]:
        """The full specs of the transforms."""
        return tuple(str(spec) for spec, _ in self.transforms)

    @cached_property
    def stream_key(self) -> tuple[Hashable, ...]:
        """What determines the rows: trials with the same key can share a stream."""
        return self.stream_spec, self.seed, self.rounds, self.transform_specs

    @cached_property
    def _key(self) -> tuple[Hashable, ...]:
        return self.learner_spec, *self.stream_key

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Trial) and self._key == other._key

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(self._key)


class Result(NamedTuple):
    """The result of a trial as plain data: the fields of a line of `--json`.

    Specs are full, errors are fractions, and times are in seconds. `seconds` includes making
    the rows; `us_per_round` is the time in the kernel. `curve` has pairs of a round and the
    mistakes up to it. `fixed` is what the fixed choices are that `regret` compares with,
    "labels" or "hypotheses"; `fixed_mistakes` are the mistakes of each, if they are few. `regret`
    is None where a round shows several labels, which no fixed label compares with.
    """

    stream: str
    learner: str
    rounds: int
    seed: int
    mistakes: int
    error: float
    seconds: float
    compile_seconds: float
    us_per_round: float
    labels: int
    features: int
    curve: list[tuple[int, int]]
    transforms: list[str]
    interrupted: bool
    diagnostics: dict[str, Any]
    regret: int | None = None
    best_fixed: str = ""
    fixed_mistakes: Sequence[int] = ()
    fixed: str = "labels"
