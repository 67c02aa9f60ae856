"""Laws about a learner in an Agent: decisions, feedback, snapshots, labels."""

from __future__ import annotations

import math
from contextlib import suppress
from typing import Any

import numpy as np

from onebit import learners
from onebit.agent.agent import Agent
from onebit.checks.contract import (
    copied,
    decide_and_learn,
    demand,
    demand_same,
    give_feedback,
    law,
    new_agent,
    player_after,
    refused,
    state_arrays,
)
from onebit.checks.easy_streams import FEATURES, easy_stream
from onebit.errors import BadInput
from onebit.kernel.features import LARGEST
from onebit.kernel.round import Bit
from onebit.kernel.rows import DenseRows
from onebit.kernel.state import DERIVED, nested, walk

#: Draws of one decision, to count how often each label is played.
DRAWS = 600
#: A state is looked at once in so many rounds: those of some learners are large.
SOMETIMES = 10


@law()
def events_and_stream_agree(kind: type) -> None:
    """One event at a time gives the same bits as a block."""
    rows, truths = easy_stream(200, kind)
    agent = new_agent(kind)
    decide_and_learn(agent, rows, truths)
    demand_same(
        agent._player, player_after(kind, rows, truths), "events one at a time and a stream differ"
    )


@law()
def saved_and_uninterrupted_agree(kind: type) -> None:
    """Save, load and go on is the same as never having stopped."""
    rows, truths = easy_stream(120, kind)
    agent = new_agent(kind)
    decide_and_learn(agent, rows, truths[:60])
    waiting = agent.decide(rows.values[60])
    again = Agent.from_bytes(agent.to_bytes())
    for each in (agent, again):
        give_feedback(each, waiting, truths[60])
    played = [
        decide_and_learn(each, DenseRows(rows.values[61:]), truths[61:]) for each in (agent, again)
    ]
    demand(played[0] == played[1], "going on from a snapshot plays other labels")
    demand_same(agent._player, again._player, "going on from a snapshot differs")
    demand(agent.round == again.round, "the round number is lost in a snapshot")


@law()
def deciding_changes_nothing(kind: type) -> None:
    """Deciding takes a round number and opens a decision; predicting changes nothing."""
    rows, truths = easy_stream(80, kind)
    agent, quiet = new_agent(kind), new_agent(kind)
    for n in range(80):
        for x in (rows.values[n], rows.values[0]):
            agent.predict(x), agent.probabilities(x), agent.rank(x)
        choice, other = agent.decide(rows.values[n]), quiet.decide(rows.values[n])
        demand(choice[1:6] == other[1:6], "looking at a row changes later decisions")
        before = copied(agent._player) if n % SOMETIMES == 0 else None
        agent.decide(rows.values[n])
        if before is not None:
            demand_same(agent._player, before, "deciding changes the learner's state")
        quiet.decide(rows.values[n])
        give_feedback(agent, choice, truths[n])
        give_feedback(quiet, other, truths[n])
    demand_same(agent._player, quiet._player, "looking at a row changes the learner's state")


@law()
def probabilities_are_probabilities(kind: type) -> None:
    """They are not negative, sum to 1, and a choice carries the one it was drawn with."""
    rows, truths = easy_stream(150, kind)
    agent = new_agent(kind)
    for n in range(150):
        choice = agent.decide(rows.values[n])
        probs = agent._player.probs
        demand(bool((probs >= 0).all()), "a probability is negative")
        demand(abs(probs.sum() - 1) < 1e-12, f"the probabilities sum to {probs.sum()}")
        demand(choice.prob == probs[choice.label] > 0, "a choice's prob is not its label's")
        give_feedback(agent, choice, truths[n])


@law()
def extremes_stay_finite(kind: type) -> None:
    """Empty rows, tiny and huge values leave finite numbers, or raise BadInput."""
    agent = new_agent(kind)
    for size in (0.0, 1e-300, 1.0, LARGEST / FEATURES):
        rows, truths = easy_stream(60, kind)
        with np.errstate(all="ignore"):
            for n in range(60):
                with suppress(BadInput):
                    give_feedback(agent, agent.decide(rows.values[n] * size), truths[n])
                if n % SOMETIMES == SOMETIMES - 1:
                    finite = all(np.isfinite(array).all() for array in state_arrays(agent._player))
                    demand(finite, f"rows of size {size:g} leave numbers that are not finite")


@law()
def feedback_may_be_late(kind: type) -> None:
    """Feedback may come late, out of order or never; a second one is refused."""
    rows, truths = easy_stream(60, kind)
    prompt, late = new_agent(kind), new_agent(kind)
    choice = prompt.decide(rows.values[0])
    give_feedback(prompt, choice, truths[0])
    waiting = [late.decide(rows.values[n]) for n in range(60)]
    give_feedback(late, waiting[0], truths[0])
    demand_same(prompt._player, late._player, "late feedback teaches something else")
    for n in (40, 3, 59, 17):
        give_feedback(late, waiting[n], truths[n])
    before = copied(late._player)
    with refused("a second feedback for one choice"):
        give_feedback(late, waiting[3], truths[3])
    demand_same(late._player, before, "a refused feedback changes the state")


@law()
def the_wrong_feedback_is_refused(kind: type) -> None:
    """A label for a learner that hears a bit, or the reverse, raises BadInput."""
    agent = new_agent(kind)
    choice = agent.decide(easy_stream(1, kind).rows.values[0])
    with refused("the wrong kind of feedback"):
        if learners.traits(kind).hears is Bit:
            agent.learn(choice, truth=0)
        else:
            agent.learn(choice, correct=True)


@law()
def many_and_one_agree(kind: type) -> None:
    """Many rows at a time give the same bits as one after another."""
    rows, truths = easy_stream(60, kind)
    one, many = new_agent(kind), new_agent(kind)
    singles = [one.decide(rows.values[n]) for n in range(60)]
    choices = many.decide_many(rows.values)
    demand([c[1:6] for c in singles] == [c[1:6] for c in choices], "many decisions differ")
    for choice, truth in zip(singles, truths, strict=True):
        give_feedback(one, choice, truth)
    if learners.traits(kind).hears is Bit:
        many.learn_many(
            choices, [label == y for label, y in zip(choices.labels, truths, strict=True)]
        )
    else:
        many.learn_many(choices, truth=truths.tolist())
    demand_same(one._player, many._player, "learning from many choices differs")
    best = [one.predict(x) for x in rows.values]
    demand(best == many.predict_many(rows.values), "predicting many rows differs")


@law()
def probabilities_are_true(kind: type) -> None:
    """`probabilities` are those with which `decide` plays, fresh and trained, ties included."""
    rows, truths = easy_stream(40, kind)
    agent = new_agent(kind)
    for at in (0, 39):
        x = rows.values[at]
        counts, expected, variances = np.zeros((3, len(agent.labels)))
        for n in range(DRAWS):
            probs = agent.probabilities(x)  # explorers may depend on the round
            demand(abs(sum(probs.values()) - 1.0) < 1e-9, "the probabilities do not sum to 1")
            choice = agent.decide(x, draw=n)
            true = abs(choice.marginal - probs[choice.label]) < 1e-12
            demand(true, "a choice's marginal is not its label's probability")
            p = np.array(list(probs.values()))
            counts[choice.label] += 1.0
            expected += p
            variances += p * (1.0 - p)
        for label, (count, mean, variance) in enumerate(
            zip(counts, expected, variances, strict=True)
        ):
            near = abs(count - mean) <= 5.0 * math.sqrt(max(variance, 0.0)) + 1e-6
            demand(near, f"label {label} is played {count:.0f} times of {DRAWS}, not {mean:.1f}")
        decide_and_learn(agent, rows, truths)


@law()
def some_labels_can_be_played_alone(kind: type) -> None:
    """`among` limits a decision to some labels, with their true probability; one is enough."""
    rows, truths = easy_stream(40, kind)
    agent = new_agent(kind)
    labels = list(agent.labels)
    for n in range(40):
        among = labels[n % 2 :] if n % 3 else [labels[n % len(labels)]]
        try:
            choice = agent.decide(rows.values[n], among=among)
        except BadInput:  # an explorer may need more labels than these
            continue
        demand(choice.label in among and choice.greedy in among, "a label that was not allowed")
        demand(0.0 < choice.prob <= 1.0, f"a probability of {choice.prob}")
        if len(among) == 1:
            demand(abs(choice.prob - 1.0) < 1e-12, "one label alone is not certain")
        give_feedback(agent, choice, truths[n])
    finite = all(np.isfinite(array).all() for array in state_arrays(agent._player))
    demand(finite, "learning from some labels leaves numbers that are not finite")


@law()
def labels_can_be_added(kind: type) -> None:
    """A label can be added: before round 1 as if begun with it, later without changing scores.

    A learner whose settings depend on the number of labels keeps the order of the scores; one that
    estimates being right, that of estimates which differ by more than a tenth: each part of a
    combination is normalised anew for one more label, and may so weigh more or less in their sum.
    """
    rows, truths = easy_stream(60, kind)
    agent = new_agent(kind)
    count = len(agent.labels)
    try:
        agent.add_label(count)
    except BadInput:
        demand(not learners.traits(kind).grows or learners.traits(kind).labels is not None,
               "it is said to grow, and does not")  # fmt: skip
        return
    demand_same(agent._player, new_agent(kind, count + 1)._player, "a grown first state differs")
    agent = new_agent(kind)
    decide_and_learn(agent, rows, truths)
    old_scores, old_settings = [_scores(agent, x) for x in rows.values], _settings(agent, count)
    agent.add_label(count)
    least = 1.1 if learners.traits(kind).estimates else 1.0
    settled = _settings(agent, count) == old_settings
    for x, before in zip(rows.values, old_scores, strict=True):
        after = _scores(agent, x)[:count]
        same = _same_ratios(before, after) if settled else _same_order(before, after, least)
        demand(same, "adding a label changes the scores of the others")
    decide_and_learn(agent, rows, truths)


def _scores(agent: Agent, x: Any) -> Any:
    agent.predict(x)
    return agent._player.scores.copy()


def _settings(agent: Agent, count: int) -> list[Any]:
    """Return the numbers that a learner was begun with, and what it derives for `count` labels.

    Both may depend on the number of labels: a learning rate, and weights that are computed with it.
    """
    learner = agent._player.learner
    numbers = [
        value
        for state in nested(learner)
        for value in state
        if not isinstance(value, tuple | np.ndarray)
    ]
    derived = [
        held.array.take(range(count), held.axes.axes.index("labels")).tolist()
        for held in walk(learner)
        if held.axes.role == DERIVED and "labels" in held.axes.axes
    ]
    return numbers + derived


def _same_ratios(before: Any, after: Any) -> bool:
    """Return whether scores are the same, or normalised anew: all by one positive factor."""
    at = np.argmax(np.abs(before))
    factor = after[at] / before[at] if before[at] else 1.0
    return bool(factor > 0.0 and np.allclose(after, factor * before, rtol=1e-9, atol=0.0))


def _same_order(before: Any, after: Any, least: float) -> bool:
    """Return whether scores that differed by more than a factor are in the same order.

    Rates that depend on the number of labels are settled anew.
    """
    higher = before[:, None] > least * before
    return bool((after[:, None] >= after)[higher].all())
