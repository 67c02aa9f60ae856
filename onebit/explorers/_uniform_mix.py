"""Explorers that play uniformly with some probability, else the greedy label.

Such an explorer is decorated with `mixes_with_uniform`, and says with which probability in its body
of `uniform_share`.
"""

from __future__ import annotations

from typing import Any, TypeVar

from onebit.kernel.exploration import Situation, explore, marginals
from onebit.kernel.rows import Floats
from onebit.kernel.verbs import implements, verb

T = TypeVar("T", bound=type)


@verb
def uniform_share(explorer: Any, situation: Situation) -> Any:
    """Return the probability with which a label is drawn uniformly."""


def mixes_with_uniform(kind: T) -> T:
    """Give an explorer its probabilities by `uniform_share`; a decorator."""
    implements(explore, kind)(_explore)
    implements(marginals, kind)(_marginals)
    return kind


def _explore(explorer: Any, situation: Situation, greedy: int, probs: Floats) -> None:
    share = uniform_share(explorer, situation)
    probs[:] = share / probs.shape[0]
    probs[greedy] += 1.0 - share


def _marginals(
    explorer: Any, situation: Situation, greedy_probs: Floats, work: Floats, out: Floats
) -> None:
    share = uniform_share(explorer, situation)
    for k in range(out.shape[0]):
        out[k] = share / out.shape[0] + (1.0 - share) * greedy_probs[k]
