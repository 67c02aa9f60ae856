"""The decisions of an agent that wait for their feedback, and their tokens."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from onebit.agent.choice import TOKEN, Choice
from onebit.agent.labels import Numbers
from onebit.errors import UnknownChoice, UsedChoice
from onebit.kernel.engine import Decision
from onebit.kernel.rows import Floats, Row, Rows, row, take_rows
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
    """Decisions that were made together, for rows that lie in the same arrays.

    `rounds` ascend; `closed` are those of decisions that are no longer open.
    """

    rounds: Numbers
    rows: Rows
    decisions: Floats
    among: Numbers | None
    tokens: str
    closed: set[int]

    @property
    def first(self) -> int:
        """The first round."""
        return int(self.rounds[0])

    def __len__(self) -> int:
        return len(self.decisions) - len(self.closed)

    def open_rounds(self) -> list[int]:
        """Return the rounds of the decisions that are open."""
        return [number for number in self.rounds.tolist() if number not in self.closed]

    def has_open(self, number: int) -> bool:
        """Return whether the decision of a round is one of these, and open."""
        inside = self.first <= number <= int(self.rounds[-1]) and number not in self.closed
        return inside and bool(self.rounds[self._place(number)] == number)

    def at(self, number: int) -> Open:
        """Return the decision of a round."""
        i = self._place(number)
        greedy, label, prob, marginal = self.decisions[i].tolist()
        token = self.tokens[i * TOKEN : (i + 1) * TOKEN]
        decision = int(greedy), int(label), prob, marginal
        return Open(row(self.rows, i), decision, self.among, token)

    def without_closed(self) -> Batch:
        """Return the decisions that are open, in arrays of their own."""
        rounds = np.array(self.open_rounds(), np.int64)
        kept = np.searchsorted(self.rounds, rounds)
        tokens = "".join(self.tokens[i * TOKEN : (i + 1) * TOKEN] for i in kept.tolist())
        rows, decisions = take_rows(self.rows, kept), self.decisions[kept]
        return Batch(rounds, rows, decisions, self.among, tokens, set())

    def _place(self, number: int) -> int:
        if len(self.rounds) == int(self.rounds[-1]) - self.first + 1:
            return number - self.first
        return int(np.searchsorted(self.rounds, number))


class OpenDecisions:
    """Open decisions by round; beyond `most` of them the oldest is forgotten.

    Decisions that were made together are kept, found and closed together where that is possible.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.forgotten = 0  # the newest round that was forgotten
        self._single: dict[int, Open] = {}
        self._batches: list[Batch] = []  # by their rounds
        self._in_batches = 0
        self._tokens, self._at, self._forks = "", 0, _forks[0]

    def __len__(self) -> int:
        return len(self._single) + self._in_batches

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
        self._single[number] = decision
        if len(self._single) + self._in_batches > self.most:
            self._forget_oldest()

    def add_batch(self, first: int, rows: Rows, decisions: Floats, among: Numbers | None) -> str:
        """Let many decisions wait for their feedback; return their tokens, one after another."""
        tokens = os.urandom(TOKEN // 2 * len(decisions)).hex()
        if len(decisions):
            rounds = np.arange(first, first + len(decisions), dtype=np.int64)
            self._batches.append(Batch(rounds, rows, decisions, among, tokens, set()))
            self._in_batches += len(decisions)
        self._forget_oldest()
        return tokens

    def _forget_oldest(self) -> None:
        """Forget the oldest decisions until few enough are left."""
        while (excess := len(self) - self.most) > 0:
            single = next(iter(self._single), None)
            batch = self._batches[0] if self._batches else None
            if batch is None or (single is not None and single < batch.first):
                assert single is not None
                self.forgotten = single
                del self._single[single]
            elif len(batch) <= excess:
                self.forgotten = int(batch.rounds[-1])
                self.close_batch(batch)
            else:
                for number in batch.open_rounds()[:excess]:
                    self.forgotten = number
                    self.close(number)

    def _open_batch(self, number: int) -> Batch | None:
        """Return the batch in which the decision of a round is open."""
        at = bisect_right(self._batches, number, key=lambda batch: batch.first) - 1
        return self._batches[at] if at >= 0 and self._batches[at].has_open(number) else None

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
        found = self._single.get(number) if isinstance(number, int) else None
        if found is None and isinstance(number, int):
            batch = self._open_batch(number)
            found = None if batch is None else batch.at(number)
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
        found = self._open_batch(first)
        if found is None or found.closed or found.first != first:
            return None
        return found if found.tokens is tokens and found.decisions is decisions else None

    def close(self, number: int) -> None:
        """Forget an open decision, and the rows of its batch once most of them are closed."""
        if self._single.pop(number, None) is not None:
            return
        batch = self._open_batch(number)
        assert batch is not None
        batch.closed.add(number)
        self._in_batches -= 1
        if 2 * len(batch) <= len(batch.decisions):
            left = [batch.without_closed()] if len(batch) else []
            at = next(n for n, each in enumerate(self._batches) if each is batch)
            self._batches[at : at + 1] = left

    def close_batch(self, batch: Batch) -> None:
        """Forget all decisions of a batch that are still open."""
        self._batches = [each for each in self._batches if each is not batch]
        self._in_batches -= len(batch)

    def decisions(self) -> list[Open]:
        """Return every open decision, oldest first."""
        return [decision for _, decision in self.items()]

    def items(self) -> Iterator[tuple[int, Open]]:
        """Yield every open decision with its round, oldest first."""
        found = dict(self._single)
        for batch in self._batches:
            found |= {n: batch.at(n) for n in batch.open_rounds()}
        yield from sorted(found.items(), key=lambda item: item[0])
