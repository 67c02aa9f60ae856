"""Several learners as one: a chain of experts, and the verbs that a combination calls.

A chain holds a learner and the rest of the chain; verbs go down the chain, so that each learner's
code is compiled for its own type.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from onebit.kernel.round import Bit, Played, learn, score
from onebit.kernel.rows import Floats, Row, Starts
from onebit.kernel.verbs import implements, verb

#: Rounds in which experts replay more, times the number of draws.
EARLY = 4000.0


class End(NamedTuple):
    """The end of a chain."""

    none: int = 0


class Expert(NamedTuple):
    """A learner that estimates being right, and the rest of the chain.

    Attributes
    ----------
    learner : NamedTuple
        Its state.
    draws : float
        How many remembered rounds it learns from after each round.
    early_draws : float
        The same, in early rounds.
    rest : Expert or End
        The other experts.
    """

    learner: Any
    draws: float
    early_draws: float
    rest: Any


@verb
def awake(learner: Any, x: Row) -> Any:
    """Return whether an expert estimates and learns from a row; by default always."""


@implements(awake, object)
def _(learner: Any, x: Row) -> bool:
    return True


@verb
def first_logit(learner: Any, labels: int) -> Any:
    """Return the logit of the first estimate of an expert; by default that of 1 / labels."""


@implements(first_logit, object)
def _(learner: Any, labels: int) -> float:
    return -math.log(max(labels - 1.0, 1.0))


@verb
def effort(learner: Any, x: Row) -> Any:
    """Return how many rows of weights a row has; by default its entries.

    It was scored last, unless the learner is not awake: then it must not depend on another row.
    """


@implements(effort, object)
def _(learner: Any, x: Row) -> int:
    return x.values.shape[0]  # type: ignore[no-any-return]


@verb
def score_each(experts: Any, x: Row, n: int, draws: Starts, estimates: Floats, i: int) -> None:
    """Score a row by the experts from number i on whose number of draws is above n.

    estimates[i, 0] is nan if expert i skips the row, or has no more draws.
    """


@implements(score_each, End)
def _(experts: End, x: Row, n: int, draws: Starts, estimates: Floats, i: int) -> None:
    pass


@implements(score_each, Expert)
def _(experts: Expert, x: Row, n: int, draws: Starts, estimates: Floats, i: int) -> None:
    if n < draws[i] and awake(experts.learner, x):
        score(experts.learner, x, estimates[i])
    else:
        estimates[i, 0] = math.nan
    score_each(experts.rest, x, n, draws, estimates, i + 1)


@verb
def learn_each(
    experts: Any, x: Row, estimates: Floats, played: Played, feedback: Bit, i: int
) -> None:
    """Let every expert that scored the row learn from its round."""


@implements(learn_each, End)
def _(experts: End, x: Row, estimates: Floats, played: Played, feedback: Bit, i: int) -> None:
    pass


@implements(learn_each, Expert)
def _(experts: Expert, x: Row, estimates: Floats, played: Played, feedback: Bit, i: int) -> None:
    if not math.isnan(estimates[i, 0]):
        learn(experts.learner, x, estimates[i], played, feedback)
    learn_each(experts.rest, x, estimates, played, feedback, i + 1)


@verb
def plan_draws(experts: Any, x: Row, t: float, cost: float, u: float, out: Starts, i: int) -> None:
    """Set how many remembered rounds each expert learns from after the one that was scored.

    `cost` is how many rows of weights may be visited; u rounds fractions at random.
    """


@implements(plan_draws, End)
def _(experts: End, x: Row, t: float, cost: float, u: float, out: Starts, i: int) -> None:
    pass


@implements(plan_draws, Expert)
def _(experts: Expert, x: Row, t: float, cost: float, u: float, out: Starts, i: int) -> None:
    draws = max(experts.draws, min(experts.early_draws, EARLY / max(t, 1.0)))
    most = max(1.0, cost / max(effort(experts.learner, x), 1))
    out[i] = int(min(draws, most) + u) if draws > 0.0 else 0
    plan_draws(experts.rest, x, t, cost, u, out, i + 1)


@verb
def forget(learner: Any) -> None:
    """Reset the weights, as after concept drift; by default an expert keeps what it learned."""


@implements(forget, object)
def _(learner: Any) -> None:
    pass


@verb
def forget_each(experts: Any) -> None:
    """Let every expert begin anew."""


@implements(forget_each, End)
def _(experts: End) -> None:
    pass


@implements(forget_each, Expert)
def _(experts: Expert) -> None:
    forget(experts.learner)
    forget_each(experts.rest)


def learners_of(experts: Any) -> list[Any]:
    """Return the learners of a chain."""
    return [experts.learner, *learners_of(experts.rest)] if isinstance(experts, Expert) else []
