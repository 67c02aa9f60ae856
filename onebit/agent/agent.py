"""The Agent: a learner, an explorer, a seed and a round number, one decision at a time."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np

from onebit.agent.base import AgentBase, as_tuple, checked_draw
from onebit.agent.choice import Choice, Offer, new_choice
from onebit.agent.core import Core
from onebit.agent.fitting import player_size
from onebit.agent.label_changes import LabelChanges
from onebit.agent.many import ManyRows
from onebit.agent.open_decisions import Open, new_open, new_token
from onebit.agent.saving import Saving
from onebit.agent.table_rows import TableRows
from onebit.errors import BadLabel, UnknownChoice
from onebit.kernel.features import is_named
from onebit.kernel.rows import Row
from onebit.naming.params import Param, Whole, check_params, short_repr


class Agent(LabelChanges, ManyRows, TableRows, Saving, AgentBase):
    """A learner that decides one row at a time and learns from one bit each.

    An agent is thread-safe: concurrent calls have the outcome of some serial order. As with any
    lock, a signal handler must not call it: its thread may be inside a call. Deciding takes
    a round number and leaves a decision open; only feedback changes what is learned; `predict`,
    `probabilities` and `rank` change nothing.

    Parameters
    ----------
    learner : str or type, default "auto"
        A name or spec (see `onebit learners`) or a learner's class.
    labels : iterable
        Any different hashables, at least two, in an order: not a set.
    features : int, optional
        The width of a row; by default that of the first one (2**18 for rows of named features).
    columns : sequence of Column, optional
        Which features form a categorical column, for learners that use it.
    scale : bool, default False
        Whether the numeric ones of `columns` are centred and divided by their deviation, from the
        rows learned so far and the one at hand, for learners that do not scale rows themselves.
    encoder : Encoder, optional
        What turns the records of a table into rows; it gives `features`, `columns` and `scale`.
        `from_table` makes one.
    hypotheses : object, optional
        A class of hypotheses that turns rows into advice, for learners that read advice.
        `features` is then the width of the rows that the hypotheses read; the agent's property
        `features` is the number of hypotheses.
    seed : int, default 0
        Decides every draw.
    open : int, default 10_000
        How many decisions may wait for feedback; beyond that the oldest is forgotten.
    **params
        The parameters of the learner and of its explorer.

    Attributes
    ----------
    round : int
        The number of the latest round.
    seed : int
        The seed.
    id : str
        A random name, which every choice of this agent carries.

    Raises
    ------
    BadInput
        If an argument cannot be used; the subclass and its `code` say why.

    Examples
    --------
    >>> agent = Agent("banditron", labels=["sports", "politics"], gamma=0.05, seed=7)
    >>> choice = agent.decide({"goal": 1, "team": 2})
    >>> agent.learn(choice, correct=True)
    """

    def __repr__(self) -> str:
        first = [repr(n[:60]) if isinstance(n, str) else short_repr(n) for n in self.labels[:5]]
        names = ", ".join(first) + (", ..." if len(self._labels) > 5 else "")
        since = f", replay_since={self._replay_since}" if self._replay_since else ""
        return (
            f"Agent({str(self.recipe.spec)!r}, labels=[{names}], features={self.features},"
            f" seed={self.seed}, round={self.round}, open={len(self._open)}{since})"
        )

    @property
    def features(self) -> int | None:
        """The width of a row; None before the first one."""
        return None if self._core is None else self._core.sizes.features

    @property
    def scales(self) -> bool:
        """Whether numeric columns are scaled for the learner; False before the first row."""
        return self._core is not None and self.recipe.scales(self._core.sizes)

    @property
    def most_bytes(self) -> int:
        """Bytes of memory that learning may take; what was not touched yet takes none."""
        with self._lock:
            if self._core is None:
                return 0
            return player_size(self._core.player)

    @property
    def open(self) -> int:
        """How many decisions may wait for feedback."""
        return self._open.most

    def decide(
        self, x: Any, *, among: Iterable[Hashable] | None = None, draw: int | None = None
    ) -> Choice:
        """Play a label for a row; the decision is open until its feedback comes.

        Parameters
        ----------
        x : mapping, array or CSR row
            A dict of features, a 1-D array or a CSR row. In a dict, names are hashed, integers are
            feature numbers, and a string value is a feature of its own.
        among : iterable, optional
            The labels that may be played; by default all that are not retired.
        draw : int, optional
            The number that random draws depend on, by default the round number. An agent in the
            same state makes the same decision for the same number.

        Returns
        -------
        Choice
            What was played, and its probability.

        Raises
        ------
        BadRow
            If the row cannot be used.
        BadLabel
            If `among` is empty, or has a label that is unknown or retired.
        BadInput
            If the explorer cannot choose among so few labels, or the draw number is not allowed.

        Examples
        --------
        >>> agent = Agent("banditron", labels=["tea", "coffee", "milk"], seed=1)
        >>> agent.decide({"hour": 8, "day": "Monday"}).round
        1
        >>> agent.decide({"hour": 22}, among=["tea", "milk"]).label in ("tea", "milk")
        True
        """
        named = is_named(x) if self._named is None else None  # it may call the user's code
        row, core = self._read(x)
        allowed = None if among is None else as_tuple(among)
        with self._lock:
            if core is not self._core or named is not None:
                core = self._current(core, named)
            choice, _ = self._decide(core, row, allowed, draw)
            if self._named is None:
                self._named = named
            return choice

    def learn(self, choice: Choice, *, correct: bool | None = None, truth: Any = None) -> None:
        """Learn from a choice of this agent, once.

        Parameters
        ----------
        choice : Choice
            What `decide` returned, or `Choice.from_json` of it.
        correct : bool, optional
            The bit: whether the played label was right.
        truth : hashable, set or list, optional
            The true label, for learners with full information, instead of the bit; or the set or
            list of all right labels, which may be empty. A frozenset that is a label is that label.

        Raises
        ------
        UnknownChoice
            If the choice is not an open one of this agent; `UsedChoice` if it was learned from.
        WrongFeedback
            If the learner hears the other kind of feedback.
        BadInput
            If the learner cannot learn from it.

        Warns
        -----
        Remark
            If the learner works, but hardly as intended; once.

        Examples
        --------
        >>> agent = Agent("banditron", labels=["tea", "coffee"], seed=1)
        >>> first, second = agent.decide([1.0, 0.0]), agent.decide([0.0, 1.0])
        >>> agent.learn(second, correct=True)  # in any order
        >>> agent.learn(first, correct=False)
        >>> full = Agent("perceptron", labels=["tea", "coffee", "milk"], seed=1)
        >>> full.learn(full.decide([1.0]), truth={"tea", "milk"})
        """
        feedback = self._feedback(correct, truth)
        with self._lock:
            found = self._open.take(choice, self.id, self._labels.names)
            self._teach(found, feedback)
            remark = self._after_learning()
        if remark is not None:
            self._warn(remark)

    def offer(self, x: Any) -> Offer:
        """Decide, and return all labels that the explorer shows the user, best first.

        With explorer=swap these are r labels, of which the played one may be an exploration; with
        any other explorer it is the played label alone.

        Parameters
        ----------
        x : mapping, array or CSR row
            A row, as for `decide`.

        Returns
        -------
        Offer
            The labels to show, and the choice that chose them.

        Raises
        ------
        BadLabel
            If None is one of the labels: it is what `pick` takes for none of them.
        BadRow
            If the row cannot be used.

        Examples
        --------
        >>> agent = Agent("label-ranking", labels=["a", "b", "c", "d"], r=2, seed=1)
        >>> offer = agent.offer({"user": "ann"})
        >>> len(offer.shown)
        2
        >>> agent.pick(offer, offer.shown[0])
        """
        if None in self._labels.numbers:
            raise BadLabel("Agent: offer needs labels without None, which is to pick none of them.")
        named = is_named(x) if self._named is None else None
        row, core = self._read(x)
        with self._lock:
            core = self._current(core, named)
            choice, made = self._decide(core, row, None, None)
            if self._named is None:
                self._named = named
            shown = core.shown(made.decision, made.among)
            self._open.add(choice.round, made._replace(shown=shown))
        return Offer(choice, tuple(self.labels[k] for k in shown.tolist()))

    def pick(self, offer: Offer, label: Hashable | None) -> None:
        """Learn which of the labels offered the user picked.

        Parameters
        ----------
        offer : Offer
            What `offer` returned.
        label : hashable or None
            The label picked, None for none of them.

        Raises
        ------
        UnknownChoice
            If the offer is not an open one of this agent, or was changed.
        BadLabel
            If the label was not shown.
        """
        labels = self._labels
        try:
            choice = Choice(*itertools.islice(offer[0], len(Choice._fields) + 1))
            shown = tuple(itertools.islice(offer[1], len(labels) + 1))
        except (TypeError, IndexError, KeyError):
            raise UnknownChoice(
                f"Agent: pick takes an Offer that offer returned, got {short_repr(offer)}."
            ) from None
        with self._lock:
            offered, played = self._open.find_offer(choice, shown, self.id, self.labels)
        picked = None if label is None else labels.find(label)
        if picked is not None and picked not in offered:
            raise BadLabel(
                f"Agent: the label picked must be one of those shown, {short_repr(list(shown))},"
                f" or None, got {short_repr(label)}."
            )
        self.learn(choice, correct=picked == played)

    def predict(self, x: Any) -> Any:
        """Return the best label for a row; changes nothing.

        Parameters
        ----------
        x : mapping, array or CSR row
            A row, as for `decide`.

        Returns
        -------
        object
            The label with the best score, the first of equals; never a retired one.

        Raises
        ------
        BadRow
            If the row cannot be used.
        """
        found = self._look(x)
        return found.labels.names[found.best]

    def probabilities(self, x: Any) -> dict[Any, float]:
        """Return the probability with which `decide` would play each label; changes nothing.

        Parameters
        ----------
        x : mapping, array or CSR row
            A row, as for `decide`.

        Returns
        -------
        dict
            The marginal probability of each label that is not retired: over all that is drawn,
            ties included.

        Raises
        ------
        BadRow
            If the row cannot be used.

        Examples
        --------
        >>> Agent("banditron", labels=["tea", "coffee"]).probabilities([1.0])
        {'tea': 0.5, 'coffee': 0.5}
        """
        found = self._look(x)
        return dict(zip(found.labels.active_names, found.probs.tolist(), strict=True))

    def rank(self, x: Any, k: int | None = None) -> list[Any]:
        """Return the best labels for a row, best first; changes nothing.

        Parameters
        ----------
        x : mapping, array or CSR row
            A row, as for `decide`.
        k : int, optional
            How many; all by default.

        Returns
        -------
        list
            Labels that are not retired, by descending score, equal ones in their order.

        Raises
        ------
        BadInput
            If the row or k cannot be used.
        """
        rule = Param("k", Whole(1), len(self._labels), "")
        k = check_params("Agent.rank", [rule], {} if k is None else {"k": k})["k"]
        found = self._look(x)
        order = np.argsort(-found.scores, kind="stable").tolist()
        ranked = [number for number in order if number not in found.labels.retired]
        return [found.labels.names[number] for number in ranked[:k]]

    def diagnostics(self) -> dict[str, Any]:
        """Return numbers about the learner's state, for learners that have some; changes nothing.

        Returns
        -------
        dict
            Numbers by name, such as the votes of boosters; empty for most learners. Features that
            a learner takes for numbers have the names of their columns if the rows are of a table.
        """
        with self._lock:
            learner: Any = None if self._core is None else self._core.learner
            found = learner.diagnostics() if hasattr(learner, "diagnostics") else {}
        if self._encoder is not None and "numbers" in found:
            names = map(self._encoder.column_of, found["numbers"])
            found["number_columns"] = list(dict.fromkeys(names))
        return found

    def _decide(self, core: Core, row: Row, among: Any, draw: int | None) -> tuple[Choice, Open]:
        """Decide a row and leave the decision open; the lock is held."""
        number = self.round + 1
        everything = among is None and self._labels.active is None
        allowed = None if everything else self._allowed(core, among)
        at = number if draw is None else checked_draw(draw)
        decision = core.decide(row, number, at, allowed)
        if core.refusal is not None or not 0.0 < decision[2] <= 1.0:
            self._check_decision(core, decision)
        if self._core is not core:
            self._keep(core)
        names, token = self._labels.names, new_token()
        greedy, label, prob, marginal = decision
        fields = self.id, number, names[greedy], names[label], prob, marginal, token
        choice = new_choice(fields)
        made = new_open((row, decision, allowed, token, None, choice))
        self.round = number
        self._open.add(number, made)
        return choice, made
