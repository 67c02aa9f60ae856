"""Many rows at a time: the same bits as one after another, in one call of compiled code."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from onebit.agent.choice import Choice, Choices
from onebit.agent.core import Core
from onebit.agent.labels import Labels, Numbers
from onebit.agent.table_rows import TableRows
from onebit.errors import BadRow, TooLarge, UnknownChoice, UsedChoice, WrongFeedback
from onebit.kernel.features import kinds_of
from onebit.kernel.memory import memory_in_bytes
from onebit.kernel.round import Bit, LabelSet, feedback_from
from onebit.kernel.rows import DenseRows, Floats, Rows
from onebit.kernel.validation import each_row, listed_rows, read_rows, stack_rows, width_of_rows
from onebit.naming.params import short_repr
from onebit.streams.tables.records import as_record, frame_columns, is_frame


class ManyRows(TableRows):
    """The methods of an agent for many rows."""

    def decide_many(self, x: Any) -> Choices:
        """Play a label for each of many rows: the same as `decide` for one after another.

        Parameters
        ----------
        x : array, CSR matrix or list
            A 2-D array, a CSR matrix or a list of rows.

        Returns
        -------
        Choices
            A sequence of choices, held as arrays.

        Raises
        ------
        BadInput
            If a row cannot be used, or there are more rows than decisions may be open.

        Examples
        --------
        >>> from onebit import Agent
        >>> agent = Agent("banditron", labels=["tea", "coffee"], seed=1)
        >>> choices = agent.decide_many([[1.0, 0.0], [0.0, 1.0]])
        >>> agent.learn_many(choices, [label == "tea" for label in choices.labels])
        """
        rows, core, named = self._read_many(x)
        count = Core.count(rows)
        with self._lock:
            core = self._current(core, named)
            if count > self._open.most:
                raise BadRow(
                    f"Agent: at most open={self._open.most} decisions may wait for their feedback,"
                    f" got {count} rows."
                )
            first = self.round + 1
            allowed = None if self._labels.active is None else self._allowed(core, None)
            decisions = core.decide_many(rows, first, allowed)
            probs = decisions[:, 2]
            if core.refusal is not None or not ((probs > 0.0) & (probs <= 1.0)).all():
                for i, each in enumerate(core.each(rows)):  # which row is it?
                    self._check_decision(core, core.decide(each, first + i, first + i, allowed))
            self._keep(core)
            if self._named is None:
                self._named = named
            self.round += count
            # over bytes, which the owner of the choices cannot make writeable
            decisions = np.ndarray(decisions.shape, np.float64, decisions.tobytes())
            secret = self._open.add_batch(first, rows, decisions, allowed)
            names = self._labels.names
        return Choices(self.id, first, names, decisions, secret)

    def learn_many(
        self, choices: Sequence[Choice], correct: Any = None, *, truth: Any = None
    ) -> None:
        """Learn from many choices, one after another; from none if one of them is not open.

        Parameters
        ----------
        choices : sequence of Choice
            What `decide_many` returned, or any sequence of choices.
        correct : sequence of bool, optional
            A bit for each choice.
        truth : sequence, optional
            The true label of each, for learners with full information.

        Raises
        ------
        UnknownChoice
            If a choice is not an open one of this agent; `UsedChoice` if it was learned from.
        WrongFeedback
            If the learner hears the other kind, or there are more or fewer than choices.
        """
        if not isinstance(choices, Choices):  # read before the lock is held
            _check_ordered("choices", choices)
            try:
                choices = list(itertools.islice(choices, self._open.most + 1))
            except TypeError:
                raise WrongFeedback(
                    f"Agent: learn_many takes a list of choices, got {short_repr(choices)}."
                ) from None
            if len(choices) > self._open.most:
                raise UnknownChoice(
                    f"Agent: at most open={self._open.most} choices can be open, got more."
                )
        count = len(choices)
        heard = self._heard(count, correct, truth)
        with self._lock:
            batch = None
            if isinstance(choices, Choices) and choices.agent == self.id:
                batch = self._open.batch(choices.first, choices._decisions, choices._secret)
            if batch is not None:
                assert self._core is not None
                self._open.close_batch(batch)
                self._core.teach_many(batch.rows, batch.decisions, heard)
            else:
                self._learn_each(choices, heard)
            remark = self._after_learning()
        self._warn(remark)

    def predict_many(self, x: Any) -> list[Any]:
        """Return the best label for each of many rows; changes nothing.

        Parameters
        ----------
        x : array, CSR matrix or list
            A 2-D array, a CSR matrix or a list of rows.

        Returns
        -------
        list
            As `predict` for each row.

        Raises
        ------
        BadRow
            If a row cannot be used.
        """
        labels, best, _ = self._look_many(x, with_probs=False)
        return [labels.names[k] for k in best.tolist()]

    def probabilities_many(self, x: Any) -> Floats:
        """Return the probabilities of `decide` for each of many rows; changes nothing.

        Parameters
        ----------
        x : array, CSR matrix or list
            A 2-D array, a CSR matrix or a list of rows.

        Returns
        -------
        ndarray
            The marginals: one row for each row, one column for each label, retired ones too.

        Raises
        ------
        BadRow
            If a row cannot be used.
        """
        return self._look_many(x, with_probs=True)[2]

    def _read_many(self, x: Any) -> tuple[Rows, Core, bool | None]:
        """Return rows, a core for their width, and whether features have names."""
        core, frame = self._core, self._encoder is not None and is_frame(x)
        x = x if frame else listed_rows(x)
        kinds = kinds_of(x)
        self._check_kinds(kinds)
        named = next(iter(kinds), None)
        if core is not None and self._encoder is not None and (frame or _are_records(x)):
            return self._encoded(*frame_columns("Agent", x)), core, named
        if not self._reads_advice:
            core = core or self._first_core(width_of_rows(x))
            return read_rows(x, core.sizes.features), core, named
        every = each_row(x, self._adviser is not None and self._adviser.reads_anything)
        if not every and core is not None:
            return DenseRows(np.empty((0, core.sizes.features))), core, named
        if not every:
            raise BadRow("Agent: the width of rows is not known yet, give at least one row.")
        first, core = self._read(every[0])
        rows = [first, *(self._as_row(each, core.sizes.features) for each in every[1:])]
        return stack_rows(rows), core, named

    def _look_many(self, x: Any, with_probs: bool) -> tuple[Labels, Numbers, Floats]:
        """Return the best label of each row, and if asked for the probabilities of all labels."""
        rows, core, _ = self._read_many(x)
        with self._lock:
            core, labels, count = self._current(core), self._labels, Core.count(rows)
            if with_probs and 8 * count * len(labels) > memory_in_bytes():
                raise TooLarge(
                    f"Agent: the probabilities of {count:,} rows and {len(labels):,} labels must"
                    " fit into memory; give fewer rows at a time."
                )
            if labels.active is None and core.refusal is None:
                return labels, *core.look_many(rows, self.round + 1, with_probs)
            best = np.empty(count, np.int64)
            probs = np.zeros((count if with_probs else 0, len(labels)))
            for i, each in enumerate(core.each(rows)):
                found = self._look_at(core, each)
                best[i] = found.best
                if with_probs:
                    active = slice(None) if labels.active is None else labels.active
                    probs[i, active] = found.probs
            return labels, best, probs

    def _heard(self, count: int, correct: Any, truth: Any) -> Numbers:
        """Return the feedback of many choices as numbers: the bit, or the true label."""
        given = correct if self._hears is Bit else truth
        other = truth if self._hears is Bit else correct
        if other is not None or given is None:
            self._feedback(correct, truth)
        _check_ordered("feedback", given)
        bits = type(given) is np.ndarray and given.dtype == np.bool_ and given.ndim == 1
        if bits and self._hears is Bit and len(given) == count:
            return given.astype(np.int64)  # type: ignore[no-any-return]
        try:
            each = list(itertools.islice(given, count + 1))
        except TypeError:
            each = []
        if len(each) != count:
            raise WrongFeedback(
                f"{self._who}: there must be one feedback for each of {count} choices, got"
                f" {short_repr(given)}."
            )
        if self._hears is Bit and {*map(type, each)} <= {bool}:
            return np.array(each, np.int64)
        if self._hears is Bit:
            return np.array([self._feedback(bit, None).correct for bit in each], np.int64)  # type: ignore[union-attr]
        heard = [self._feedback(None, label) for label in each]
        if any(isinstance(feedback, LabelSet) for feedback in heard):
            raise WrongFeedback(
                f"{self._who}: learn_many takes one true label for each choice, got a set; learn"
                " takes sets."
            )
        return np.array([feedback.truth for feedback in heard], np.int64)  # type: ignore[union-attr]

    def _learn_each(self, choices: Sequence[Choice], heard: Numbers) -> None:
        """Learn from choices one after another; the lock is held."""
        found = [self._open.find(choice, self.id, self._labels.names) for choice in choices]
        if len({choice.round for choice in choices}) < len(found):
            raise UsedChoice("Agent: each choice can be learned from once, got one twice.")
        for choice, each, number in zip(choices, found, heard.tolist(), strict=True):
            assert self._core is not None
            self._open.close(choice.round)
            self._teach(each, feedback_from(self._core.player.feedback, number))


def _check_ordered(what: str, given: Any) -> None:
    """Raise WrongFeedback for a set: choices and feedback belong together by their order."""
    if isinstance(given, set | frozenset):
        raise WrongFeedback(
            f"Agent: learn_many takes {what} in order, such as a list, got {short_repr(given)}."
        )


def _are_records(rows: Any) -> bool:
    """Return whether rows are a list with records in it."""
    return isinstance(rows, list) and any(as_record(each) is not None for each in rows)
