"""Learning from a log of past decisions, with their labels, probabilities and feedback."""

from __future__ import annotations

from typing import NamedTuple

from onebit import learners
from onebit.agent.agent import Agent
from onebit.agent.recipe import Recipe
from onebit.errors import BadInput
from onebit.kernel.round import Bit
from onebit.naming.spec import Spec
from onebit.streams.log import Log


class ReplayResult(NamedTuple):
    """How many rows of a log were used: the fields of a line of `--json`.

    `unused` counts the other rows by the reason.
    """

    log: str
    learner: str
    seed: int
    rows: int
    used: int
    unused: dict[str, int]
    labels: int
    features: int


def learn_from_log(
    log: str | Spec, learner: str, seed: int = 0, right: float = 0.0
) -> tuple[Agent, ReplayResult]:
    """Return an agent that has learned from a log, and how many rows it could use.

    The greedy label of a round is that of the agent at that time; the label, its probability
    and the bit are those of the log.

    Raises
    ------
    BadInput
        If no row can be used.

    """
    recipe = Recipe.parse(learner)
    opened = Log(log, learners.traits(recipe.kind).hears is Bit, right)
    agent = Agent(recipe, opened.labels, features=opened.features, seed=seed)
    for block, labels, probs, correct in opened.rounds():
        agent.replay(block, labels, probs, correct)
    unused = dict(opened.unused.most_common())
    if not opened.used:
        reasons = ", ".join(f"{count:,} with {why}" for why, count in unused.items())
        raise BadInput(f"onebit: {log} must have rows to learn from, got none ({reasons}).")
    rows = opened.used + sum(unused.values())
    done = ReplayResult(
        str(log), str(recipe.spec), seed, rows, opened.used, unused,
        len(opened.labels), opened.features,
    )  # fmt: skip
    return agent, done
