"""The Agent: a learner, an explorer, a seed and a round number, one decision at a time."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np

from onebit import learners
from onebit.agent.base import AgentBase, checked_draw
from onebit.agent.choice import Choice, Offer
from onebit.agent.many import ManyRows
from onebit.agent.open_decisions import Open
from onebit.agent.saving import Saving
from onebit.agent.stream_play import StreamPlay
from onebit.errors import BadLabel, UnknownChoice
from onebit.kernel.rows import Row
from onebit.naming.params import Param, Whole, check_params, short_repr


class Agent(ManyRows, StreamPlay, Saving, AgentBase):
    """A learner that decides one row at a time and learns from one bit each.

    Any number of threads may use one agent: the outcome is that of some serial order of their
    calls. Deciding takes a round number and leaves a decision open; only feedback changes what
    is learned; looking (`predict`, `probabilities`, `rank`) changes nothing.

    Parameters
    ----------
    learner
        A name or spec (see `onebit learners`) or a learner's class.
    labels
        Any different hashables, at least two.
    features
        The width of a row; by default that of the first one (2**18 for rows of named features).
    columns
        Which features are the values of one category, for learners that use it.
    hypotheses
        A class of hypotheses that turns rows into advice, for learners that read advice;
        `features` is then the width of the rows that the hypotheses read, and the agent's is
        their number.
    seed
        Decides every draw.
    open
        How many decisions may wait for feedback before the oldest is forgotten.
    **params
        The learner's and the explorer's parameters.

    Raises
    ------
    BadInput
        If anything of this cannot be used; the subclass and its `code` say what.

    Examples
    --------
    >>> agent = Agent("banditron", labels=["sports", "politics"], gamma=0.05, seed=7)
    >>> choice = agent.decide({"goal": 1, "team": 2})
    >>> agent.learn(choice, correct=True)
    """

    def __repr__(self) -> str:
        names = ", ".join(map(repr, self.labels[:5])) + (", ..." if len(self._labels) > 5 else "")
        return (
            f"Agent({str(self.recipe.spec)!r}, labels=[{names}], features={self.features},"
            f" seed={self.seed}, round={self.round}, open={len(self._open)})"
        )

    @property
    def labels(self) -> tuple[Any, ...]:
        """All labels in the order in which they came, retired ones too."""
        return self._labels.names

    @property
    def active_labels(self) -> tuple[Any, ...]:
        """The labels that may be played."""
        return tuple(n for k, n in enumerate(self.labels) if k not in self._labels.retired)

    @property
    def features(self) -> int | None:
        """The width of a row; None before the first one."""
        return None if self._core is None else self._core.sizes.features

    @property
    def open(self) -> int:
        """How many decisions may wait for their feedback."""
        return self._open.most

    def decide(
        self, x: Any, *, among: Iterable[Hashable] | None = None, draw: int | None = None
    ) -> Choice:
        """Play a label for a row: takes the next round number and waits for feedback.

        Parameters
        ----------
        x
            A dict of features, a 1-D array or a CSR row.
        among
            The labels that may be played; all that are not retired by default.
        draw
            The number that random draws are made from; the round number by default. An agent in
            the same state gives the same draw for the same number.

        Returns
        -------
        Choice
            What was played, and how likely it was.

        Raises
        ------
        BadInput
            If the row, a label or the draw number cannot be used.
        """
        row = self._read(x)
        with self._lock:
            return self._decide(row, among, draw)[0]

    def learn(
        self, choice: Choice, *, correct: bool | None = None, truth: Hashable | None = None
    ) -> None:
        """Learn from a choice of this agent, once.

        Parameters
        ----------
        choice
            What `decide` returned, or `Choice.from_json` of it.
        correct
            The bit: whether the label played was right.
        truth
            The true label, for learners with full information.

        Raises
        ------
        UnknownChoice
            If the choice is not an open one of this agent; `UsedChoice` if it was learned from.
        WrongFeedback
            If the learner hears the other kind of feedback.
        """
        feedback = self._feedback(correct, truth)
        with self._lock:
            found = self._open.find(choice, self.id, self._labels.names)
            self._open.close(choice.round)
            self._teach(found, feedback)
            remark = self._after_learning()
        if remark is not None:
            self._warn(remark)

    def offer(self, x: Any) -> Offer:
        """Decide, and return all labels that the explorer shows the user, best first.

        With explorer=swap these are r labels, of which the played one may be an
        exploration; with any other it is the played label alone.

        Parameters
        ----------
        x
            A row, as for `decide`.

        Returns
        -------
        Offer
            The labels to show, and the choice behind them.
        """
        if None in self._labels.numbers:
            raise BadLabel("Agent: offer needs labels without None, which is to pick none of them.")
        row = self._read(x)
        with self._lock:
            choice, made = self._decide(row, None, None)
            assert self._core is not None
            shown = self._core.shown(made.decision, made.among)
            self._open.add(choice.round, made._replace(shown=shown))
        return Offer(choice, tuple(self.labels[k] for k in shown.tolist()))

    def pick(self, offer: Offer, label: Hashable | None) -> None:
        """Learn which of the labels offered the user picked.

        Parameters
        ----------
        offer
            What `offer` returned.
        label
            The label picked, None for none of them.

        Raises
        ------
        UnknownChoice
            If the offer is not an open one of this agent, or was altered.
        BadLabel
            If the label was not shown.
        """
        try:
            choice, shown = Choice(*offer[0]), tuple(offer[1])
        except (TypeError, IndexError, KeyError):
            raise UnknownChoice(
                f"Agent: pick takes an Offer that offer returned, got {short_repr(offer)}."
            ) from None
        with self._lock:
            made = self._open.find(choice, self.id, self.labels)
        offered = () if made.shown is None else made.shown.tolist()
        if shown != tuple(self.labels[k] for k in offered):
            raise UnknownChoice(f"Agent: the offer of round {choice.round} was altered on its way.")
        if label is not None and not (isinstance(label, Hashable) and label in shown):
            raise BadLabel(
                f"Agent: the label picked must be one of those shown, {short_repr(list(shown))},"
                f" or None, got {short_repr(label)}."
            )
        self.learn(choice, correct=label is not None and label == choice.label)

    def predict(self, x: Any) -> Any:
        """Return the best label for a row; changes nothing.

        Parameters
        ----------
        x
            A row, as for `decide`.

        Returns
        -------
        object
            The label with the best score, the first of equals.
        """
        return self.labels[self._look(x)[0]]

    def probabilities(self, x: Any) -> dict[Any, float]:
        """Return how likely `decide` would play each label; changes nothing.

        Parameters
        ----------
        x
            A row, as for `decide`.

        Returns
        -------
        dict
            The probability of each label that may be played, over all that is drawn, ties
            included.
        """
        _, probs, _ = self._look(x)
        return dict(zip(self.active_labels, probs.tolist(), strict=True))

    def rank(self, x: Any, k: int | None = None) -> list[Any]:
        """Return the best labels for a row, best first; changes nothing.

        Parameters
        ----------
        x
            A row, as for `decide`.
        k
            How many; all by default.

        Returns
        -------
        list
            Labels by descending score, equals in their order.
        """
        rule = Param("k", Whole(1), len(self._labels), "")
        k = check_params("Agent.rank", [rule], {} if k is None else {"k": k})["k"]
        _, _, scores = self._look(x)
        order = np.argsort(-scores, kind="stable").tolist()
        ranked = [number for number in order if number not in self._labels.retired]
        return [self.labels[number] for number in ranked[:k]]

    def add_label(self, label: Hashable) -> None:
        """Add a label, which the learner knows nothing of yet; the others keep their scores.

        Parameters
        ----------
        label
            The new label.

        Raises
        ------
        BadLabel
            If it is there already, or the learner cannot grow.
        """
        with self._lock:
            larger = self._labels.with_label(label)
            self._check_growth()
            self._core = None if self._core is None else self._core.grown(len(larger))
            self._labels, self._preview = larger, None

    def retire(self, label: Hashable) -> None:
        """Play a label no more until `restore`; what was learned of it stays.

        Parameters
        ----------
        label
            A label that is not retired, nor the last one.
        """
        self._set_labels(lambda labels: labels.without(label))

    def restore(self, label: Hashable) -> None:
        """Play a retired label again.

        Parameters
        ----------
        label
            A retired label.
        """
        self._set_labels(lambda labels: labels.with_restored(label))

    def diagnostics(self) -> dict[str, Any]:
        """Return what the learner reports of its inner state, for those that do; changes nothing.

        Returns
        -------
        dict
            Numbers by name; empty for most learners.
        """
        with self._lock:
            learner: Any = None if self._core is None else self._core.player.learner
            return learner.diagnostics() if hasattr(learner, "diagnostics") else {}

    def _check_growth(self) -> None:
        """Raise BadLabel if the learner cannot take another label."""
        traits = learners.traits(self.recipe.kind)
        if traits.labels is not None:
            raise BadLabel(f"{self._who}: it takes {traits.labels} labels, and no more.")
        if not traits.grows or self._adviser is not None:
            raise BadLabel(
                f"{self._who}: its class of hypotheses is made for {len(self._labels)} labels, and"
                " cannot take another one."
            )

    def _set_labels(self, change: Any) -> None:
        with self._lock:
            self._labels = change(self._labels)

    def _decide(
        self, row: Row, among: Iterable[Hashable] | None, draw: int | None
    ) -> tuple[Choice, Open]:
        """Decide a row and leave the decision open; the lock is held."""
        core = self._core
        assert core is not None
        number = self.round + 1
        everything = among is None and self._labels.active is None
        allowed = None if everything else self._allowed(among)
        at = number if draw is None else checked_draw(draw)
        decision = core.decide(row, number, at, allowed)
        if core.refusal is not None or not 0.0 < decision[2] <= 1.0:
            self._check_decision(core, decision)
        made = Open(row, decision, allowed, self._open.token())
        self._open.add(number, made)
        self.round = number
        names = self._labels.names
        greedy, label, prob, marginal = decision
        choice = Choice(self.id, number, names[greedy], names[label], prob, marginal, made.token)
        return choice, made
