"""Several learners as one: a chain of experts, and what a combination asks of each.

A chain holds a learner, and the rest of the chain; verbs go down the chain, so that each learner's
code is compiled for its own type.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from onebit.kernel.round import Bit, Played, learn, score
from onebit.kernel.rows import Floats, Row, Starts
from onebit.kernel.verbs import implements, verb


class End(NamedTuple):
    """The end of a chain."""

    none: int = 0


class Expert(NamedTuple):
    """A learner, how often it replays rounds after each, and the rest of the chain.

    Attributes
    ----------
    learner : NamedTuple
        The state of a learner that estimates being right.
    draws : float
        How many remembered rounds it learns from after each round.
    early_draws : float
        The same, for the first rounds.
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
    """Return the logit of the estimate of an expert that knows nothing; by default of 1 / labels."""


@implements(first_logit, object)
def _(learner: Any, labels: int) -> float:
    return -math.log(max(labels - 1.0, 0.5))


@verb
def effort(learner: Any, x: Row) -> Any:
    """Return how many rows of weights the row scored last has; by default its entries."""


@implements(effort, object)
def _(learner: Any, x: Row) -> int:
    return x.values.shape[0]


@verb
def score_each(experts: Any, x: Row, estimates: Floats, i: int) -> None:
    """Score a row by all experts that are awake, from number i on; nan stands for sleep."""


@implements(score_each, End)
def _(experts: End, x: Row, estimates: Floats, i: int) -> None:
    pass


@implements(score_each, Expert)
def _(experts: Expert, x: Row, estimates: Floats, i: int) -> None:
    if awake(experts.learner, x):
        score(experts.learner, x, estimates[i])
    else:
        estimates[i, 0] = math.nan
    score_each(experts.rest, x, estimates, i + 1)


@verb
def first_logits(experts: Any, labels: int, out: Floats, i: int) -> None:
    """Set the first logit of each expert, from number i on."""


@implements(first_logits, End)
def _(experts: End, labels: int, out: Floats, i: int) -> None:
    pass


@implements(first_logits, Expert)
def _(experts: Expert, labels: int, out: Floats, i: int) -> None:
    out[i] = first_logit(experts.learner, labels)
    first_logits(experts.rest, labels, out, i + 1)


@verb
def learn_each(
    experts: Any, x: Row, estimates: Floats, played: Played, feedback: Bit, i: int
) -> None:
    """Let every expert that was awake learn from the round that was scored last."""


@implements(learn_each, End)
def _(experts: End, x: Row, estimates: Floats, played: Played, feedback: Bit, i: int) -> None:
    pass


@implements(learn_each, Expert)
def _(experts: Expert, x: Row, estimates: Floats, played: Played, feedback: Bit, i: int) -> None:
    if not math.isnan(estimates[i, 0]):
        learn(experts.learner, x, estimates[i], played, feedback)
    learn_each(experts.rest, x, estimates, played, feedback, i + 1)


@verb
def plan_replay(experts: Any, x: Row, t: float, cost: float, u: float, out: Starts, i: int) -> None:
    """Set how many remembered rounds each expert learns from after this one.

    `cost` is how many rows of weights may be visited; u rounds fractions at random.
    """


@implements(plan_replay, End)
def _(experts: End, x: Row, t: float, cost: float, u: float, out: Starts, i: int) -> None:
    pass


@implements(plan_replay, Expert)
def _(experts: Expert, x: Row, t: float, cost: float, u: float, out: Starts, i: int) -> None:
    early = min(experts.early_draws, 4000.0 / t)
    most = max(1.0, cost / max(effort(experts.learner, x), 1))
    out[i] = int(min(max(experts.draws, early), most) + u)
    plan_replay(experts.rest, x, t, cost, u, out, i + 1)


@verb
def replay_each(
    experts: Any, x: Row, work: Floats, played: Played, feedback: Bit, n: int, draws: Starts, i: int
) -> None:
    """Let every expert whose number of draws is above n learn from a remembered round."""


@implements(replay_each, End)
def _(
    experts: End, x: Row, work: Floats, played: Played, feedback: Bit, n: int, draws: Starts, i: int
) -> None:
    pass


@implements(replay_each, Expert)
def _(
    experts: Expert,
    x: Row,
    work: Floats,
    played: Played,
    feedback: Bit,
    n: int,
    draws: Starts,
    i: int,
) -> None:
    if n < draws[i] and awake(experts.learner, x):
        score(experts.learner, x, work)
        learn(experts.learner, x, work, played, feedback)
    replay_each(experts.rest, x, work, played, feedback, n, draws, i + 1)
