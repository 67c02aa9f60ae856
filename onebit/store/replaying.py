"""What another learner would have become from the same log."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from onebit import learners
from onebit.agent.labels import label_from_json
from onebit.agent.logged import LoggedAgent
from onebit.agent.recipe import Recipe
from onebit.errors import BadInput
from onebit.kernel.round import Bit
from onebit.store import bodies
from onebit.store.base import Store
from onebit.store.event import OUTCOMES, Event, Kind, unpack_row
from onebit.store.outcomes import bit_of, bits_between, decision_of
from onebit.store.recent import Recent
from onebit.store.recovery import read_chained


class Replayed(NamedTuple):
    """The agent that learned, and from how many bits."""

    agent: LoggedAgent
    learned: int
    right: int


def replay(
    store: Store, name: str, learner: str, seed: int = 0,
    progress: Callable[[int], None] = lambda seq: None,
) -> Replayed:  # fmt: skip
    """Let a learner learn the bits of an agent's log, in their order.

    The greedy label of a round is the learner's own; the label, its probability and the bit are
    those of the log. Labels come and go as they did.

    Raises
    ------
    BadInput
        If the learner hears the true label or cannot take the rows or labels of the log, or the
        log does not begin with the agent.
    """
    recipe = Recipe.parse(learner)
    if learners.traits(recipe.kind).hears is not Bit:
        raise BadInput(f"{recipe.kind.__name__}: it hears the true label, and a log has one bit.")
    agent, learned, right = None, 0, 0
    for event, bit in _learned_in_order(store, name):
        if event.kind == Kind.CREATED:
            created = bodies.read_created(event.body)
            labels = [label_from_json(label) for label in created.labels]
            agent = LoggedAgent(recipe, labels, features=created.features, seed=seed)
        elif agent is None:
            raise BadInput(
                f"onebit: the log of agent {name} was archived from its beginning; replay needs"
                " all of it."
            )
        elif bit is not None:
            _learn(agent, event, bit)
            learned, right = learned + 1, right + bit
            if learned % 10_000 == 0:
                progress(event.seq)
        else:
            _change_label(agent, event)
    if agent is None:
        raise BadInput(f"onebit: the log has no agent {name}.")
    if (complaint := agent.complaint()) is not None:
        raise BadInput(complaint)
    return Replayed(agent, learned, right)


def _learn(agent: LoggedAgent, made: Event, correct: bool) -> None:
    """Learn a bit with the learner's own greedy label."""
    played, row = bodies.read_played(made.body), unpack_row(made.row or b"")
    among = None if played.among is None else np.array(played.among, np.int64)
    agent.round += 1
    greedy = agent.greedy_label(row, among, agent.round)
    agent.teach_row(row, (greedy, played.label, played.prob, played.marginal), correct)


def _change_label(agent: LoggedAgent, event: Event) -> None:
    changes = {
        Kind.LABEL_ADDED: agent.add_label,
        Kind.LABEL_RETIRED: agent.retire,
        Kind.LABEL_RESTORED: agent.restore,
    }
    changes[Kind(event.kind)](label_from_json(bodies.read_label(event.body).label))


def _learned_in_order(store: Store, name: str) -> Iterator[tuple[Event, bool | None]]:
    """Yield what changes an agent's state: decisions with their bits, and events without a bit.

    Bits of a pause come where it ends.
    """
    recent, paused_at = Recent(), None
    for event in read_chained(store, store.base, store.head()):
        if event.agent != name or event.kind == Kind.DIGEST:
            continue
        if event.kind == Kind.DECISION:
            recent.add(event)
        elif event.kind == Kind.SETTING:
            change = bodies.read_setting(event.body)
            if paused_at is not None:
                through = change.ends_pause_at(event.seq)
                yield from bits_between(paused_at, through, name, store, recent)
            paused_at = change.pause(paused_at, event.seq)
        elif event.kind not in OUTCOMES:
            yield event, None
        elif paused_at is None and (bit := bit_of(event)) is not None:
            yield decision_of(event, store, recent), bit
        else:
            recent.take(name, event.decision or b"")
