"""The Agent: a learner that a user holds in the hand, one decision at a time."""

from __future__ import annotations

import operator
import secrets
import warnings
from collections.abc import Hashable, Iterable, Sequence
from os import PathLike
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from onebit import learners
from onebit.agent import snapshot
from onebit.agent.adviser import Adviser, check_advice
from onebit.agent.recipe import Recipe
from onebit.errors import BadInput, Remark
from onebit.hypotheses import is_advice
from onebit.kernel import engine
from onebit.kernel.block import Block, Multi, Single
from onebit.kernel.features import read_row, width_of
from onebit.kernel.round import Bit, Feedback, Label, Played, empty_feedback, shown_labels
from onebit.kernel.rows import DenseRows, Floats, Ints, Row
from onebit.kernel.state import Column, Sizes
from onebit.naming.params import Param as _Param
from onebit.naming.params import Whole, check_params, short_repr

_RIGHT, _WRONG = Bit(True), Bit(False)
_SETTINGS = (
    _Param("seed", Whole(0), 0, "decides every draw"),
    _Param("open", Whole(1), 10_000, "how many decisions may wait for their feedback"),
)


class Choice(NamedTuple):
    """A decision: who made it in which round, the best label, the one played, and its prob.

    It is small, immutable and json-safe (if the labels are), so it can be
    handed out and come back later with the feedback.
    """

    agent: str
    round: int
    greedy: Any
    label: Any
    prob: float


class Offer(NamedTuple):
    """Labels to choose from, best first, and the decision behind them.

    Small, immutable and json-safe (if the labels are), like its `choice`.
    """

    choice: Choice
    shown: tuple[Any, ...]


class Agent:
    """A learner, an explorer, a seed and a round number.

    `learner` is a name or spec (see `onebit learners`), a learner's class or a Recipe;
    `labels` are any different hashables; `features` is the width of a row, by
    default that of the first one (2**18 for rows of named features); `columns` says
    which features are the values of one category, for learners that care; `hypotheses`
    turns rows into advice, for learners that read advice (`features` is then the
    width of the rows that the hypotheses read, and the agent's is their number); `seed`
    decides every draw; `open` is how many decisions may wait for feedback before the
    oldest is forgotten. Other keywords are the learner's parameters.

    >>> agent = Agent("banditron", labels=["sports", "politics"], gamma=0.05, seed=7)
    >>> choice = agent.decide({"goal": 1, "team": 2})
    >>> agent.learn(choice, correct=True)
    """

    def __init__(
        self,
        learner: str | type | Recipe,
        labels: Iterable[Hashable],
        *,
        features: int | None = None,
        columns: Sequence[Column] = (),
        hypotheses: Any = None,
        seed: int = 0,
        open: int = 10_000,
        **params: Any,
    ) -> None:
        self.recipe = Recipe.parse(learner, **params)
        if isinstance(labels, str) or not isinstance(labels, Iterable):
            raise BadInput(f"Agent: labels must be a list of labels, got {short_repr(labels)}.")
        self.labels = list(labels)
        settings = check_params("Agent", _SETTINGS, {"seed": seed, "open": open})
        self.seed, self.open = settings["seed"], settings["open"]
        self._columns = _columns(columns)
        self.round = 0
        self.id = secrets.token_hex(8)
        self._warned = False
        try:
            self._numbers = {label: k for k, label in enumerate(self.labels)}
        except TypeError:
            raise BadInput(
                f"Agent: labels must be hashable, got {short_repr(self.labels)}."
            ) from None
        if len(self._numbers) < len(self.labels) or len(self.labels) < 2:
            raise BadInput(
                f"Agent: labels must be at least 2 and all different,"
                f" got {short_repr(self.labels)}."
            )
        self._waiting: dict[int, tuple[Row, Played]] = {}
        facts = learners.traits(self.recipe.kind)
        self._hears, self._reads_advice = facts.hears, facts.row == "advice"
        self._adviser: Adviser | None = None
        self.features: int | None = None
        if features is not None:
            width = check_params(
                "Agent", [_Param("features", Whole(1), 1, "")], {"features": features}
            )
            features = width["features"]
        if hypotheses is not None:
            features = self._take(hypotheses, features)
        if features is not None:
            self._begin(features)

    def decide(self, x: Any) -> Choice:
        """Play a label for a row: takes the next round number and waits for feedback."""
        row = self._read(x)
        number = self.round + 1
        played = self._decide[type(row)](self._player, row, number)
        self.round = number
        self._waiting[number] = (row, played)
        if len(self._waiting) > self.open:
            del self._waiting[next(iter(self._waiting))]
        return self._choice(number, played)

    def learn(
        self, choice: Choice, *, correct: bool | None = None, truth: Hashable | None = None
    ) -> None:
        """Learn from a choice of this agent: `correct` is the bit, `truth` the true label."""
        feedback = self._feedback(correct, truth)
        row, played = self._find(choice)
        del self._waiting[choice.round]
        self._teach[type(row)](self._player, row, played, feedback)
        self._listen()

    def offer(self, x: Any) -> Offer:
        """Decide, and return all labels that the explorer shows the user, best first.

        With explorer=swap these are r labels, of which the played one may be an
        exploration; with any other it is the played label alone.
        """
        if None in self._numbers:
            raise BadInput("Agent: offer needs labels without None, which is to pick none of them.")
        choice = self.decide(x)
        _, played = self._waiting[choice.round]
        shown = np.empty(len(self.labels), np.int64)
        count = shown_labels(self._player.explorer, self._player.scores, played, shown)
        return Offer(choice, tuple(self.labels[k] for k in shown[:count].tolist()))

    def pick(self, offer: Offer, label: Hashable | None) -> None:
        """Learn which of the labels offered the user picked, None for none of them."""
        try:
            choice, shown = Choice(*offer[0]), tuple(offer[1])
        except (TypeError, IndexError, KeyError):
            raise BadInput(
                f"Agent: pick takes an Offer that offer returned, got {short_repr(offer)}."
            ) from None
        if label is not None and not (isinstance(label, Hashable) and label in shown):
            raise BadInput(
                f"Agent: the label picked must be one of those shown, {short_repr(list(shown))},"
                f" or None, got {short_repr(label)}."
            )
        self.learn(choice, correct=label is not None and label == choice.label)

    def predict(self, x: Any) -> Any:
        """Return the best label for a row; changes nothing."""
        return self.labels[self._look(x).greedy]

    def probabilities(self, x: Any) -> dict[Any, float]:
        """Return the probability with which each label would be played; changes nothing."""
        self._look(x)
        return dict(zip(self.labels, self._player.probs.tolist(), strict=True))

    def rank(self, x: Any, k: int | None = None) -> list[Any]:
        """Return the k best labels for a row (all by default), best first; changes nothing."""
        rule = _Param("k", Whole(1), len(self.labels), "")
        k = check_params("Agent.rank", [rule], {} if k is None else {"k": k})["k"]
        self._look(x)
        order = np.argsort(-self._player.scores, kind="stable")
        return [self.labels[number] for number in order[:k]]

    def play(self, block: Block) -> npt.NDArray[np.bool_]:
        """Play a block of a stream, feedback at once; return which rounds were missed."""
        self._check(block)
        missed = np.empty(block.rounds, np.bool_)
        engine.play(self._player, block, self.round + 1, missed)
        self.round += block.rounds
        self._listen()
        return missed

    def play_late(self, block: Block, late: engine.Delayed) -> None:
        """Play the new rounds of a block of a stream; their feedback comes as `late` says."""
        self._check(block)
        engine.play_delayed(self._player, block, self.round + 1, late)
        self.round += block.rounds - late.old
        self._listen()

    def replay(
        self, block: Block, labels: Ints, probs: Floats, correct: npt.NDArray[np.bool_]
    ) -> None:
        """Learn from a block of rounds that another played: labels by number, probs and bits."""
        self._check(block)
        if self._hears is Bit:  # the bit is all that is known: right is the label, or none
            block = block._replace(truths=Single(np.where(correct, labels, -1).astype(np.int32)))
        engine.replay(self._player, block, self.round + 1, labels, probs)
        self.round += block.rounds
        self._listen()

    def diagnostics(self) -> dict[str, Any]:
        """Return what the learner tells of its inner state, for those that do; changes nothing."""
        tells = None if self.features is None else self._player.learner
        return tells.diagnostics() if hasattr(tells, "diagnostics") else {}  # type: ignore[union-attr]

    def save(self, path: str | PathLike[str]) -> None:
        """Write all of the agent to one file, so that `Agent.load` goes on as if never stopped."""
        header = {
            "learner": str(self.recipe.spec),
            "labels": self.labels,
            "features": self.features,
            "columns": self._columns,
            "seed": self.seed,
            "open": self.open,
            "round": self.round,
            "agent": self.id,
        }
        arrays = {}
        if self.features is not None:
            arrays = snapshot.arrays_of(self._player.learner)
            arrays |= snapshot.pack_waiting(self._waiting)
        snapshot.write(path, header, arrays)

    @classmethod
    def load(cls, path: str | PathLike[str], *, hypotheses: Any = None) -> Agent:
        """Read an agent that `save` wrote. Never runs code from the file.

        A class of hypotheses is not in the file: give it again, or rows that are advice.
        """
        header, arrays = snapshot.read(path)
        learners.check_imported(header["learner"])
        agent = cls(
            header["learner"],
            header["labels"],
            features=header["features"],
            columns=[Column(*column) for column in header.get("columns", ())],
            seed=header["seed"],
            open=header["open"],
        )
        agent.round, agent.id = header["round"], header["agent"]
        if agent.features is not None:
            snapshot.fill(path, agent._player.learner, arrays)
            sizes = Sizes(agent.features, len(agent.labels))
            agent._waiting = snapshot.unpack_waiting(path, arrays, sizes)
            if agent._reads_advice:
                for row, _ in agent._waiting.values():
                    check_advice(row, len(agent.labels))
        if hypotheses is not None:
            agent._take(hypotheses, None)
        return agent

    def _begin(self, features: int) -> None:
        """Fix the width of a row and make the first state."""
        sizes = Sizes(features, len(self.labels), self._columns)
        self._player = self.recipe.player(sizes, self.seed)
        calm = self._player.chance._replace(random_ties=False)
        self._calm = self._player._replace(chance=calm)
        self._refusal = getattr(self._player.learner, "refusal", None)
        self._decide = _Exact(engine.decide, self._player, 0)
        self._teach = _Exact(
            engine.teach, self._player, Played(0, 0, 1.0), empty_feedback(self._hears)
        )
        self.features = features

    def _take(self, hypotheses: Any, features: int | None) -> int | None:
        """Let hypotheses make the rows; return how many there are, if that is known yet."""
        if not self._reads_advice:
            raise BadInput(
                f"{self.recipe.kind.__name__}: it reads {learners.traits(self.recipe.kind).row},"
                " not advice; leave hypotheses out."
            )
        self._adviser = Adviser(hypotheses, self._numbers, features)
        return self._adviser.size

    def _check(self, block: Block) -> None:
        """Raise the sentence if a block is not what the learner hears and reads."""
        who, rows = self.recipe.kind.__name__, block.rows
        if self._hears is Label and isinstance(block.truths, Multi):
            raise BadInput(
                f"{who}: it hears the true label, and a round of this stream may have several"
                " or none."
            )
        if not self._reads_advice:
            return
        fits = isinstance(rows, DenseRows) and rows.values.shape[1] == self.features
        if not fits or not is_advice(rows.values, len(self.labels)):
            raise BadInput(
                f"{who}: it reads advice, and these rows are not {self.features} label numbers"
                " each; give --with advise:class=stumps."
            )

    def _listen(self) -> None:
        """Raise a learner's `complaint()` and warn, once, of its `remark()`: sentences, or None."""
        learner, who = self._player.learner, self.recipe.kind.__name__
        complaint, remark = getattr(learner, "complaint", None), getattr(learner, "remark", None)
        if complaint is not None and (sentence := complaint()) is not None:
            raise BadInput(f"{who}: {sentence}")
        if remark is not None and not self._warned and (sentence := remark()) is not None:
            self._warned = True
            warnings.warn(f"{who}: {sentence}", Remark, stacklevel=3)

    def _read(self, x: Any) -> Row:
        if self._adviser is not None:
            x = self._adviser.advice(x).values
        width = width_of(x) if self.features is None else self.features
        row = read_row(x, width)
        if self._reads_advice and self._adviser is None:
            check_advice(row, len(self.labels))
        if self.features is None:
            self._begin(width)
        if self._refusal is not None and (sentence := self._refusal(row)) is not None:
            raise BadInput(f"{self.recipe.kind.__name__}: {sentence}")
        return row

    def _look(self, x: Any) -> Played:
        """Score and weigh a row as the next round would, without drawing lots."""
        width = self.features
        try:
            row = self._read(x)
            return self._decide[type(row)](self._calm, row, self.round + 1)  # type: ignore[no-any-return]
        finally:
            self.features = width  # a look at a first row fixes nothing

    def _choice(self, number: int, played: Played) -> Choice:
        greedy, label = self.labels[played.greedy], self.labels[played.label]
        return Choice(self.id, number, greedy, label, played.prob)

    def _find(self, choice: Choice) -> tuple[Row, Played]:
        """Return the row of an open choice, or raise the sentence that says why not."""
        if not isinstance(choice, Choice):
            raise BadInput(
                f"Agent: learn takes a Choice that decide returned, got {short_repr(choice)}."
            )
        if choice.agent != self.id:
            raise BadInput(
                f"Agent: this choice was made by agent {choice.agent}, this is {self.id}."
            )
        if not isinstance(choice.round, int) or choice.round not in self._waiting:
            raise BadInput(
                f"Agent: the choice of round {choice.round} is not open: it was learned from"
                f" already, or forgotten as the oldest of {self.open}."
            )
        row, played = self._waiting[choice.round]
        labels = self.labels
        try:
            same = choice[2:] == (labels[played.greedy], labels[played.label], played.prob)
        except ValueError:  # an array, of which each number is compared
            same = False
        if not same:
            raise BadInput(f"Agent: the choice of round {choice.round} was altered on its way.")
        return row, played

    def _feedback(self, correct: bool | None, truth: Hashable | None) -> Feedback:
        who = self.recipe.kind.__name__
        if self._hears is Bit:
            if truth is not None:
                raise BadInput(f"{who}: it hears one bit, give correct=True or False, got a truth.")
            if not isinstance(correct, (bool, np.bool_)):
                raise BadInput(f"{who}: correct must be True or False, got {short_repr(correct)}.")
            return _RIGHT if correct else _WRONG
        if correct is not None:
            raise BadInput(f"{who}: it hears the true label, give truth=label, got a bit.")
        try:
            return Label(self._numbers[truth])
        except (KeyError, TypeError):
            raise BadInput(
                f"{who}: truth must be one of the labels {short_repr(self.labels)},"
                f" got {short_repr(truth)}."
            ) from None


class _Exact(dict[type, Any]):
    """Machine code of an entry for each type of row, made when first met."""

    def __init__(self, entry: Any, player: Any, *rest: Any) -> None:
        self.entry, self.player, self.rest = entry, player, rest

    def __missing__(self, kind: type) -> Any:
        integers, values = np.empty(0, np.int32), np.empty(0)
        row = kind(integers, values) if kind.__name__ == "Sparse" else kind(values)
        self[kind] = self.entry.exact(self.player, row, *self.rest)
        return self[kind]


def _columns(given: Any) -> tuple[Column, ...]:
    """Return columns as a snapshot can hold them, or raise the sentence."""
    try:
        return tuple(Column(*map(operator.index, column)) for column in given)
    except TypeError:
        raise BadInput(
            f"Agent: columns must be whole numbers (first, width, values) each,"
            f" got {short_repr(given)}."
        ) from None
