"""The decisions of an agent that wait for their feedback, and their tokens."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import repeat
from typing import Any, NamedTuple

from onebit.agent.choice import TOKEN, Choice
from onebit.agent.labels import Numbers
from onebit.errors import UnknownChoice, UsedChoice
from onebit.kernel.engine import Decision
from onebit.kernel.rows import Floats, Row, Rows, row
from onebit.naming.params import short_repr

#: Tokens drawn from the operating system at a time: one call for each choice would cost .9 us.
_DRAWN = 512


#: How often this process was forked from another, which drew tokens ahead of their use.
_forks = [0]


def _count_fork() -> None:
    _forks[0] += 1


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_count_fork)


class Open(NamedTuple):
    """A decision that waits for its feedback.

    `among` are the labels that could be played, None if all could; `shown` are those that an
    offer showed, None if there was no offer.
    """

    row: Row
    decision: Decision
    among: Numbers | None
    token: str
    shown: Numbers | None = None


class Batch(NamedTuple):
    """Decisions that were made together, for rows that lie in the same arrays."""

    first: int
    rows: Rows
    decisions: Floats
    among: Numbers | None
    tokens: str

    def at(self, number: int) -> Open:
        """Return the decision of a round."""
        i = number - self.first
        greedy, label, prob, marginal = self.decisions[i].tolist()
        token = self.tokens[i * TOKEN : (i + 1) * TOKEN]
        decision = int(greedy), int(label), prob, marginal
        return Open(row(self.rows, i), decision, self.among, token)


class OpenDecisions:
    """Open decisions by round; beyond `most` of them the oldest is forgotten."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.forgotten = 0  # the newest round that was forgotten
        self._open: dict[int, Open | Batch] = {}
        self._tokens, self._at, self._forks = "", 0, _forks[0]

    def __len__(self) -> int:
        return len(self._open)

    def token(self) -> str:
        """Return an unguessable token that was never used."""
        if self._at >= len(self._tokens) or self._forks != _forks[0]:
            self._tokens, self._at = os.urandom(TOKEN // 2 * _DRAWN).hex(), 0
            self._forks = _forks[0]
        at = self._at
        self._at = at + TOKEN
        return self._tokens[at : at + TOKEN]

    def add(self, number: int, decision: Open) -> None:
        """Let a decision wait for its feedback."""
        self._open[number] = decision
        if len(self._open) > self.most:
            self._forget()

    def add_batch(self, first: int, rows: Rows, decisions: Floats, among: Numbers | None) -> str:
        """Let many decisions wait for their feedback; return their tokens, one after another."""
        count = len(decisions)
        tokens = os.urandom(TOKEN // 2 * count).hex()
        batch = Batch(first, rows, decisions, among, tokens)
        self._open.update(zip(range(first, first + count), repeat(batch), strict=False))
        while len(self._open) > self.most:
            self._forget()
        return tokens

    def _forget(self) -> None:
        self.forgotten = next(iter(self._open))
        del self._open[self.forgotten]

    def find(self, choice: Any, agent: str, names: tuple[Any, ...]) -> Open:
        """Return the open decision that a choice is of.

        Raises
        ------
        UnknownChoice
            If the choice is not one of this agent's, was altered, or is not open.
        """
        if not isinstance(choice, Choice):
            raise UnknownChoice(
                f"Agent: learn takes a Choice that decide returned, got {short_repr(choice)}."
            )
        if not isinstance(choice.agent, str) or choice.agent != agent:
            raise UnknownChoice(
                f"Agent: this choice was made by agent {short_repr(choice.agent)}, this is {agent}."
            )
        number = choice.round
        found = self._open.get(number) if isinstance(number, int) else None
        if found is None:
            if isinstance(number, int) and self.forgotten < number:
                raise UsedChoice(
                    f"Agent: the choice of round {short_repr(number)} is not open: it was learned"
                    " from already, or made by another copy of this agent."
                )
            raise UnknownChoice(
                f"Agent: the choice of round {short_repr(number)} is not open: it was learned from"
                f" already, or forgotten as the oldest of {self.most}."
            )
        if isinstance(found, Batch):
            found = found.at(number)
        if not isinstance(choice.token, str) or choice.token != found.token:
            raise UnknownChoice(
                f"Agent: the choice of round {number} was made by another copy of this agent."
            )
        greedy, label, prob, marginal = found.decision
        try:
            same = choice[2:6] == (names[greedy], names[label], prob, marginal)
        except (ValueError, OverflowError):  # an array, or a number beyond any float
            same = False
        if not same:
            raise UnknownChoice(f"Agent: the choice of round {number} was altered on its way.")
        return found

    def batch(self, first: int, decisions: Floats, tokens: str) -> Batch | None:
        """Return decisions that were made together, if all of them are open and unaltered."""
        found = self._open.get(first)
        if not isinstance(found, Batch) or found.first != first:
            return None
        if found.tokens is not tokens or found.decisions is not decisions:
            return None
        rounds = range(first, first + len(found.decisions))
        return found if all(self._open.get(n) is found for n in rounds) else None

    def close(self, number: int) -> None:
        """Forget a decision that was learned from."""
        del self._open[number]

    def close_batch(self, batch: Batch) -> None:
        """Forget decisions that were learned from together."""
        for number in range(batch.first, batch.first + len(batch.decisions)):
            del self._open[number]

    def decisions(self) -> list[Open]:
        """Return every open decision, oldest first."""
        return [decision for _, decision in self.items()]

    def items(self) -> Iterator[tuple[int, Open]]:
        """Yield every open decision with its round, oldest first."""
        for number, found in self._open.items():
            yield number, found.at(number) if isinstance(found, Batch) else found
