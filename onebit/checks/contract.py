"""Declaring laws, checking a learner against them, and functions that laws share."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from onebit import learners
from onebit.agent.agent import Agent
from onebit.agent.recipe import Recipe
from onebit.checks.easy_streams import small_params, stream_sizes
from onebit.errors import BadInput
from onebit.kernel import engine
from onebit.kernel.block import noiseless_block
from onebit.kernel.round import Bit
from onebit.kernel.rows import DenseRows, Ints, Rows, row
from onebit.kernel.state import Array, learned_arrays

#: A law: a function of a learner's class that raises Broken.
Law = Callable[[type], None]

#: All laws, each with the kinds of learners that it binds.
LAWS: dict[Law, tuple[str, ...]] = {}


class Broken(AssertionError):  # noqa: N818  a law is broken, not the program
    """A learner breaks a law of the contract; the message says how."""


def law(*binds: str) -> Callable[[Law], Law]:
    """Declare a law; a decorator.

    Parameters
    ----------
    *binds : str
        The kinds of learners that it binds, all if none is given: "bit" and "label" are what they
        hear, "features" and "advice" what they read, "rows" those that read anything,
        "estimates" those whose scores estimate the probability of being right, "widens" those to
        which features can be added, "sets" those that hear sets of right labels.

    Returns
    -------
    callable
        A decorator that returns the law unchanged.
    """

    def declare(function: Law) -> Law:
        LAWS[function] = binds
        return function

    return declare


def laws_for(kind: type) -> list[Law]:
    """Return the laws that bind a learner.

    Parameters
    ----------
    kind : type
        The learner's class.

    Returns
    -------
    list of callable
        The laws, in the order in which they were declared.

    Raises
    ------
    BadInput
        If the class was not declared as a learner.

    Examples
    --------
    >>> from onebit.learners import find
    >>> laws_for(find("banditron"))[0].__name__
    'events_and_stream_agree'
    """
    traits = learners.traits(kind)
    kinds = {traits.hears.__name__.lower(), *traits.row.split()}
    if traits.row != "nothing":
        kinds.add("rows")
    if traits.estimates:
        kinds.add("estimates")
    if traits.widens:
        kinds.add("widens")
    if traits.sets:
        kinds.add("sets")
    return [law for law, binds in LAWS.items() if kinds.issuperset(binds)]


def check_learner(kind: type) -> None:
    """Check a learner against every law that binds it.

    Parameters
    ----------
    kind : type
        The learner's class.

    Raises
    ------
    Broken
        By the first law that it breaks.
    """
    for each in laws_for(kind):
        each(kind)


def new_player(kind: type) -> engine.Player:
    """Return a new player for a learner's easy stream."""
    return Recipe.parse(kind, **small_params(kind)).player(stream_sizes(kind), seed=5)


def new_agent(kind: type, labels: int | None = None) -> Agent:
    """Return a new agent for a learner's easy stream."""
    sizes = stream_sizes(kind)
    count = labels or sizes.labels
    return Agent(kind, range(count), features=sizes.features, seed=5, **small_params(kind))


def player_after(kind: type, rows: Rows, truths: Ints) -> engine.Player:
    """Return a player after a block of rounds."""
    player = new_player(kind)
    engine.play(player, noiseless_block(rows, truths), 1, np.empty(len(truths), np.bool_))
    return player


def decide_and_learn(agent: Agent, rows: DenseRows, truths: Ints) -> list[int]:
    """Let an agent decide and learn one row at a time; return the labels played."""
    labels = []
    for n, truth in enumerate(truths):
        choice = agent.decide(row(rows, n).values)
        give_feedback(agent, choice, truth)
        labels.append(choice.label)
    return labels


def give_feedback(agent: Agent, choice: Any, truth: Any) -> None:
    """Give an agent the feedback that it hears."""
    if learners.traits(agent.recipe.kind).hears is Bit:
        agent.learn(choice, correct=bool(choice.label == truth))
    else:
        agent.learn(choice, truth=int(truth))


def state_arrays(player: engine.Player) -> list[Array]:
    """Return every array that a player's learner and explorer remember."""
    states = player.learner, player.explorer
    return [array for state in states for array in learned_arrays(state).values()]


def copied(player: engine.Player) -> list[Array]:
    """Return copies of the arrays that a player remembers."""
    return [array.copy() for array in state_arrays(player)]


def demand_same(one: Any, two: Any, reason: str) -> None:
    """Demand that two players, or copies of their arrays, are equal bit for bit."""
    first, second = (
        [array.tobytes() for array in (each if isinstance(each, list) else state_arrays(each))]
        for each in (one, two)
    )
    demand(first == second, reason)


def demand(holds: bool, reason: str) -> None:
    """Raise Broken with a reason unless something holds."""
    if not holds:
        raise Broken(reason)


@contextmanager
def refused(what: str) -> Iterator[None]:
    """Demand that the body raises BadInput with a message of one sentence."""
    try:
        yield
    except BadInput as error:
        text = str(error)
        demand(text.endswith(".") and "\n" not in text, f"not one sentence: {text}")
    else:
        raise Broken(f"{what} is accepted")


@contextmanager
def allocations() -> Iterator[list[int]]:
    """Count the arrays that compiled code allocates in the body; plain Python is not counted."""
    runtime: Any = importlib.import_module("numba.core.runtime._nrt_python")

    runtime.memsys_enable_stats()
    before, count = runtime.memsys_get_stats_alloc(), [0]
    yield count
    count[0] = runtime.memsys_get_stats_alloc() - before
