"""The decisions of an agent that wait for their feedback, and their tokens."""

from __future__ import annotations

import functools
import os
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from onebit.agent.choice import TOKEN, Choice, token_of
from onebit.agent.labels import Numbers
from onebit.errors import UnknownChoice, UsedChoice
from onebit.kernel.engine import Decision
from onebit.kernel.rearranging import take_rows
from onebit.kernel.rows import Floats, Row, Rows, row
from onebit.naming.params import short_repr

#: Tokens drawn from the operating system at a time: one call for each choice would cost .9 us.
_DRAWN = 512
#: Tokens drawn ahead of their use. A process that is forked from this one draws its own.
_tokens: list[str] = []

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_tokens.clear)


def new_token() -> str:
    """Return an unguessable token that was never used; for any thread."""
    try:
        return _tokens.pop()
    except IndexError:
        token, *others = os.urandom(TOKEN // 2 * _DRAWN).hex(" ", TOKEN // 2).split(" ")
        _tokens.extend(others)
        return token


class Open(NamedTuple):
    """A decision that waits for its feedback.

    `among` are the labels that could be played, None if all could; `shown` are those that an
    offer showed, None if there was no offer. `choice` is what `decide` returned, None if it was
    made elsewhere: in another process, or together with others.
    """

    row: Row
    decision: Decision
    among: Numbers | None
    token: str
    shown: Numbers | None = None
    choice: Choice | None = None


#: Where fewer than one of so many rows of a batch are open, the others are dropped: a copy of those
#: that are open takes less memory, and is rare enough to cost little time.
_SPARE = 8
#: Makes an open decision of its fields; calling the class takes twice as long.
new_open: Callable[[tuple[Any, ...]], Open] = functools.partial(tuple.__new__, Open)


class Batch(NamedTuple):
    """Decisions that were made together, for rows that lie in the same arrays.

    `numbers` are the rounds of these rows, ascending; `first` is that of the first decision, and
    `secret` what their tokens are made from. `closed` are the rounds of those that are no longer
    open; `rest` yields those that were not forgotten as the oldest yet, closed ones too.
    """

    first: int
    numbers: Sequence[int]
    rows: Rows
    decisions: Floats
    among: Numbers | None
    secret: bytes
    closed: set[int]
    rest: Iterator[int]

    def __len__(self) -> int:
        return len(self.numbers) - len(self.closed)

    def place(self, number: int) -> int:
        """Return where the row of a round is; -1 if there is none."""
        if type(self.numbers) is range:
            return number - self.first if number in self.numbers else -1
        i = bisect_left(self.numbers, number)
        return i if i < len(self.numbers) and self.numbers[i] == number else -1

    def at(self, number: int) -> Open:
        """Return the decision of a round."""
        i = self.place(number)
        greedy, label, prob, marginal = self.decisions[i].tolist()
        decision = int(greedy), int(label), prob, marginal
        token = token_of(self.secret, number - self.first)
        return Open(row(self.rows, i), decision, self.among, token)

    def without_closed(self) -> Batch:
        """Return the decisions that are open, in arrays that hold no other rows."""
        kept = [i for i, number in enumerate(self.numbers) if number not in self.closed]
        numbers, places = [self.numbers[i] for i in kept], np.array(kept, np.int64)
        rows, decisions = take_rows(self.rows, places), self.decisions[places]
        return Batch(
            self.first, numbers, rows, decisions, self.among, self.secret, set(), iter(numbers)
        )


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

    def __len__(self) -> int:
        return len(self._single) + self._in_batches

    def add(self, number: int, decision: Open) -> None:
        """Let a decision wait for its feedback."""
        self._single[number] = decision
        if len(self._single) + self._in_batches > self.most:
            self._forget_oldest()

    def add_batch(self, first: int, rows: Rows, decisions: Floats, among: Numbers | None) -> bytes:
        """Let many decisions wait for their feedback; return what their tokens are made from."""
        secret = os.urandom(16)
        if len(decisions):
            rounds = range(first, first + len(decisions))
            self._batches.append(
                Batch(first, rounds, rows, decisions, among, secret, set(), iter(rounds))
            )
            self._in_batches += len(decisions)
        self._forget_oldest()
        return secret

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
                left = (number for number in reversed(batch.numbers) if number not in batch.closed)
                self.forgotten = next(left)
                self.close_batch(batch)
            else:
                left = (number for number in batch.rest if number not in batch.closed)
                for number in [next(left) for _ in range(excess)]:
                    self.forgotten = number
                    self.close(number)

    def _open_batch(self, number: int) -> Batch | None:
        """Return the batch in which the decision of a round is open."""
        at = self._place(number)
        batch = self._batches[at] if at >= 0 else None
        if batch is None or number in batch.closed or batch.place(number) < 0:
            return None
        return batch

    def _place(self, number: int) -> int:
        """Return the place of the last batch that does not begin after a round; -1 for none."""
        return bisect_right(self._batches, number, key=lambda batch: batch.first) - 1

    def take(self, choice: Any, agent: str, names: tuple[Any, ...]) -> Open:
        """Return the open decision that a choice is of, and forget it; see `find`."""
        if type(choice) is Choice and type(number := choice[1]) is int:
            made = self._single.get(number)
            if made is not None and made.choice is choice:  # the same tuple: nothing was altered
                del self._single[number]
                return made
        found = self.find(choice, agent, names)
        if self._single.pop(choice.round, None) is None:
            self.close(choice.round)
        return found

    def find(self, choice: Any, agent: str, names: tuple[Any, ...]) -> Open:
        """Return the open decision that a choice is of.

        Raises
        ------
        UnknownChoice
            If the choice is not one of this agent's, was changed, or is not open.
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
        except (TypeError, ValueError, OverflowError):  # NA, an array, a number beyond any float
            same = False
        if not same:
            raise UnknownChoice(
                f"Agent: the choice of round {number} was changed after decide returned it."
            )
        return found

    def find_offer(
        self, choice: Choice, shown: tuple[Any, ...], agent: str, names: tuple[Any, ...]
    ) -> tuple[list[int], int]:
        """Return the numbers of the labels that an offer showed, and of the one that was played.

        Raises
        ------
        UnknownChoice
            If the choice is not open, or no offer, or other labels were shown.
        """
        made = self.find(choice, agent, names)
        if made.shown is None:
            raise UnknownChoice(
                f"Agent: the choice of round {choice.round} is of decide, not of offer, and pick"
                " takes an offer; learn takes such a choice."
            )
        offered = made.shown.tolist()
        try:
            same = shown == tuple(names[k] for k in offered)
        except (TypeError, ValueError):  # such as an array, which is neither equal nor not
            same = False
        if not same:
            raise UnknownChoice(
                f"Agent: the offer of round {choice.round} was changed after offer returned it."
            )
        return offered, made.decision[1]

    def batch(self, first: int, decisions: Floats, secret: bytes) -> Batch | None:
        """Return decisions that were made together, if all of them are open and unaltered."""
        found = self._open_batch(first)
        if found is None or found.closed or found.first != first:
            return None
        return found if found.secret is secret and found.decisions is decisions else None

    def close(self, number: int) -> None:
        """Forget an open decision."""
        if self._single.pop(number, None) is not None:
            return
        at = self._place(number)
        batch = self._batches[at]
        batch.closed.add(number)
        self._in_batches -= 1
        if not len(batch):
            del self._batches[at]
        elif _SPARE * len(batch) <= len(batch.numbers):
            self._batches[at] = batch.without_closed()

    def close_batch(self, batch: Batch) -> None:
        """Forget all decisions of a batch that are still open."""
        del self._batches[self._place(batch.first)]
        self._in_batches -= len(batch)

    def decisions(self) -> list[Open]:
        """Return every open decision, oldest first."""
        return [decision for _, decision in self.items()]

    def items(self) -> Iterator[tuple[int, Open]]:
        """Yield every open decision with its round, oldest first."""
        found = dict(self._single)
        for batch in self._batches:
            found |= {n: batch.at(n) for n in batch.numbers if n not in batch.closed}
        yield from sorted(found.items(), key=lambda item: item[0])
