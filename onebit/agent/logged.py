"""An agent whose decisions are kept in a log instead of in the agent.

It decides without leaving a decision open, and learns from any row, label and probability that its
caller has kept. Who keeps them must see to it that each is learned from once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import partial
from typing import Any, Self

import numpy as np

from onebit.agent.adviser import check_advice
from onebit.agent.agent import Agent
from onebit.agent.labels import Labels, Numbers
from onebit.kernel.engine import Decision
from onebit.kernel.features import HASHED_WIDTH, read_row
from onebit.kernel.round import Bit
from onebit.kernel.rows import Dense, Floats, Row, Rows, Sparse
from onebit.kernel.state import remembered
from onebit.kernel.validation import stack_rows
from onebit.streams.reading.json_row import read_json_row


class LoggedAgent(Agent):
    """An agent of known width that hears one bit; its log decides what it learns, and when."""

    def row_of(self, x: Any) -> Row:
        """Return the row of a user's x, checked."""
        assert self.features is not None
        return read_row(x, self.features) if self._reads_rows else self._as_row(x, self.features)

    def row_of_json(self, text: bytes) -> Row | None:
        """Return the row of a JSON object of numbers by names, None if it is anything else."""
        assert self.features is not None
        return read_json_row(text, self.features) if self._reads_rows else None

    def decide_row(self, row: Row, among: Any, draw: int) -> tuple[int, Decision, Numbers | None]:
        """Play a label for a row; return the round, the decision and the labels that could be.

        `draw` is the number that random draws depend on, from 0 to 2**63 - 1.
        """
        with self._lock:
            core, number = self._core, self.round + 1
            assert core is not None
            everything = among is None and self._labels.active is None
            allowed = None if everything else self._allowed(core, among)
            decision = core.decide(row, number, draw, allowed)
            if core.refusal is not None or not 0.0 < decision[2] <= 1.0:
                self._check_decision(core, decision)
            self.round = number
        greedy, label, prob, marginal = decision  # numbers of numpy where kernels are plain Python
        return number, (int(greedy), int(label), float(prob), float(marginal)), allowed

    def redecide(self, row: Row, among: Numbers | None, round: int, draw: int) -> Decision:
        """Return the decision that this state makes; changes nothing."""
        with self._lock:
            assert self._core is not None
            return self._core.decide(row, round, draw, among)

    def greedy_label(self, row: Row, among: Numbers | None, round: int) -> int:
        """Return the greedy label for a row and labels of another agent's log; changes nothing.

        Raises
        ------
        BadInput
            If this learner cannot take such a row, or its explorer so few labels.
        """
        with self._lock:
            core = self._core
            assert core is not None
            if self._reads_advice:
                check_advice(row, len(self._labels))
            if among is not None:
                self._check_among(core, len(among))
            decision = core.decide(row, round, round, among)
            self._check_decision(core, decision)
            return decision[0]

    def teach_row(self, row: Row, decision: Decision, correct: bool) -> None:
        """Learn from a logged decision."""
        with self._lock:
            assert self._core is not None
            self._core.teach(row, decision, Bit(correct))

    def teach_rows(self, rows: Rows, decisions: Floats, heard: Numbers) -> None:
        """Learn from logged decisions, one after another, in one compiled call."""
        with self._lock:
            assert self._core is not None
            self._core.teach_many(rows, decisions, heard)

    def complaint(self) -> str | None:
        """Return what the learner has to say against what it has learned, if anything."""
        with self._lock:
            core = self._core
            said = None if core is None or core.complaint is None else core.complaint()
            return None if said is None else f"{self._who}: {said}"

    def active_numbers(self) -> list[int] | None:
        """Return the numbers of the labels that may be played, None if all may."""
        active = self._labels.active
        return None if active is None else active.tolist()

    def label_numbers(self, labels: Any) -> list[int]:
        """Return the numbers of labels, in ascending order."""
        return sorted({self._labels.number(label) for label in labels})

    def check_changes(self, add: Any, retire: Any, restore: Any) -> None:
        """Raise BadLabel unless these labels can be added, retired and restored, in this order."""
        with self._lock:
            labels = self._labels
            for label in add:
                labels = labels.with_label(label)
                self._check_growth()
            for label in retire:
                labels = labels.without(label)
            for label in restore:
                labels = labels.with_restored(label)

    def digest(self) -> bytes:
        """Return a hash of labels and of everything that was learned; the round is not in it."""
        with self._lock:
            return _digest(self._labels, self._arrays())

    def digest_of_now(self) -> Callable[[], bytes]:
        """Return what computes the digest of the state as it is now, for another thread."""
        with self._lock:
            copies = [(name, array.copy()) for name, array in self._arrays()]
            return partial(_digest, self._labels, copies)

    @property
    def nbytes(self) -> int:
        """The size of what was learned."""
        with self._lock:
            return sum(array.nbytes for _, array in self._arrays())

    def fits(self, other: LoggedAgent) -> bool:
        """Return whether `copy_from` can take this other agent's state."""
        same = self._labels.names == other._labels.names and self._begun == other._begun
        return same and self.features == other.features

    def copy_from(self, other: LoggedAgent, round: int) -> None:
        """Take over what another agent of the same recipe and sizes has learned, at a round."""
        with self._lock, other._lock:
            self._labels, self.id, self.round = other._labels, other.id, round
            for (_, mine), (_, its) in zip(self._arrays(), other._arrays(), strict=True):
                np.copyto(mine, its)

    def twin(self) -> Self:
        """Return an agent of the same recipe and sizes that has learned nothing."""
        made = type(self)(
            self.recipe, self.labels, features=self.features, columns=self._columns,
            scale=self._scale, seed=self.seed,
        )  # fmt: skip
        if self._begun and made.features is not None:
            made._begun = self._begun
            made._core = made._core_for(made.features)
        return made

    def warm_up(self) -> None:
        """Compile all that decisions and feedback need, for the forms of rows that may come."""
        features = self.features
        assert features is not None
        read_json_row(b'{"name":1}', HASHED_WIDTH)
        forms: list[Row] = []
        if not self._reads_advice:
            forms.append(Sparse(np.zeros(1, np.int32), np.zeros(1)))
        if self._reads_advice or features != HASHED_WIDTH:
            forms.append(Dense(np.zeros(features)))
        for row in forms:
            core = self.twin()._core
            assert core is not None
            some, decision = np.arange(len(self.labels), dtype=np.int64), (0, 0, 0.5, 0.5)
            for among in (None, some):
                core.decide(row, 1, 0, among)
                core.look(row, 1, among)
            core.teach(row, decision, Bit(False))
            core.teach_many(stack_rows([row]), np.array([decision]), np.zeros(1, np.int64))

    def _arrays(self) -> list[tuple[str, Any]]:
        """Return what is remembered, by name; the lock is held."""
        if self._core is None:
            return []
        player = self._core.player
        parts = (("learner", player.learner), ("explorer", player.explorer))
        return [
            (f"{prefix}.{path}", held.array)
            for prefix, state in parts
            for path, held in sorted(remembered(state).items())
        ]


def _digest(labels: Labels, arrays: list[tuple[str, Any]]) -> bytes:
    """Return a hash of labels and arrays."""
    known = repr((labels.names, sorted(labels.retired))).encode()
    made = hashlib.blake2b(known, digest_size=16)
    for name, array in arrays:
        little = array.astype(array.dtype.newbyteorder("<"), copy=False)
        made.update(f"{name} {little.dtype.str} {little.shape}".encode())
        made.update(np.ascontiguousarray(little).data)
    return made.digest()
