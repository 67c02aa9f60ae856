"""The core of an agent whose width is known: its state, and calls of the compiled loops.

It checks nothing and locks nothing: the agent has done so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from onebit import learners
from onebit.agent.labels import Numbers
from onebit.agent.recipe import Recipe
from onebit.kernel import engine
from onebit.kernel.block import Block
from onebit.kernel.engine import Decision, Delayed, Flags, Player
from onebit.kernel.exploration import shown_labels
from onebit.kernel.growing import grow
from onebit.kernel.round import Feedback, LabelSet, Played, empty_feedback, unwrapped
from onebit.kernel.rows import DenseRows, Floats, Ints, Row, Rows, ZeroSkippingRows, row
from onebit.kernel.sizes import Sizes
from onebit.kernel.state import nested

#: Dense rows of so many features mostly have many zeros, which loops then skip. Where there are
#: none, a round takes a little longer.
WIDE = 256


class _Compiled(dict[type, Any]):
    """The machine code of a loop for each type of row, compiled when it is first needed."""

    def __init__(self, entry: Any, player: Player, *rest: Any) -> None:
        self.entry, self.player, self.rest = entry, player, rest

    def __missing__(self, kind: type) -> Any:
        indices, values = np.empty(0, np.int32), np.empty(0)
        row = kind(indices, values) if len(kind._fields) == 2 else kind(values)  # type: ignore[attr-defined]
        self[kind] = self.entry.exact(self.player, row, *self.rest)
        return self[kind]


class Core:
    """A player for rows of one width, and the machine code that runs it."""

    def __init__(self, recipe: Recipe, sizes: Sizes, seed: int, player: Player | None = None):
        self.recipe, self.sizes, self.seed = recipe, sizes, seed
        self.raw_width = 0  # of the rows that hypotheses read, if they make the rows
        self.player = player or recipe.player(sizes, seed)
        player, numbers = self.player, np.empty(0, np.int64)
        nothing = empty_feedback(type(player.feedback))
        self._decide = _Compiled(engine.decide, player, 0, 0)
        self._decide_among = _Compiled(engine.decide_among, player, 0, 0, numbers)
        self._teach = _Compiled(engine.teach, player, 0, 0, 1.0, nothing)
        self._look = _Compiled(engine.probabilities, player, 0)
        self._look_among = _Compiled(engine.probabilities_among, player, 0, numbers)
        self._reads_features = learners.traits(recipe.kind).row == "features"
        #: Space for a row without its zeros; the agent's lock guards it like all other scratch.
        self._space: tuple[Ints, Floats] | None = None
        #: The learner that scores labels, of whose scaling others need not know.
        self.learner = learner = unwrapped(player.learner)
        #: The learner's error for the row just scored, and its error and warning after learning.
        self.refusal = _reporter(learner, "refusal")
        self.complaint = _reporter(learner, "complaint")
        self.remark = getattr(learner, "remark", None)

    def decide(self, row: Row, number: int, draw: int, among: Numbers | None) -> Decision:
        """Play a label for a row."""
        if among is None:
            return self._decide[type(row)](self.player, row, number, draw)  # type: ignore[no-any-return]
        return self._decide_among[type(row)](self.player, row, number, draw, among)  # type: ignore[no-any-return]

    def decide_many(self, rows: Rows, first: int, among: Numbers | None) -> Floats:
        """Play a label for each row; one decision a row."""
        decisions = np.empty((self.count(rows), 4))
        if among is None:
            engine.decide_many(self.player, self._loop_rows(rows), first, decisions)
        else:
            engine.decide_many_among(self.player, self._loop_rows(rows), first, among, decisions)
        return decisions

    def teach(self, row: Row, decision: Decision, feedback: Feedback) -> None:
        """Learn from a decision."""
        greedy, label, prob, _ = decision
        if type(feedback) is LabelSet:  # the machine code below is for one label alone
            engine.teach(self.player, row, greedy, label, prob, feedback)
        else:
            self._teach[type(row)](self.player, row, greedy, label, prob, feedback)

    def teach_many(self, rows: Rows, decisions: Floats, heard: Numbers) -> None:
        """Learn from decisions one after another; `heard` has bits, or true label numbers."""
        engine.teach_many(self.player, self._loop_rows(rows), decisions, heard)

    def play(self, block: Block, first: int, missed: Flags) -> None:
        """Play and learn a block of rounds, numbered from `first` on."""
        engine.play(self.player, self._loop_block(block), first, missed)

    def play_delayed(self, block: Block, first: int, delayed: Delayed) -> None:
        """Play the new rounds of a block, numbered from `first` on; learn when feedback arrives."""
        engine.play_delayed(self.player, self._loop_block(block), first, delayed)

    def replay(self, block: Block, first: int, labels: Ints, probs: Floats) -> None:
        """Learn from a block of rounds that another agent played."""
        engine.replay(self.player, self._loop_block(block), first, labels, probs)

    def _loop_rows(self, rows: Rows) -> Any:
        """Return rows as a compiled loop takes them: it skips the zeros of wide dense rows.

        The bits are the same. Rows of advice are taken as they are: there 0 is a label number.
        """
        width = self.sizes.features
        if not isinstance(rows, DenseRows) or not self._reads_features or width < WIDE:
            return rows
        if self._space is None:
            self._space = np.empty(width, np.int32), np.empty(width)
        return ZeroSkippingRows(rows.values, *self._space)

    def _loop_block(self, block: Block) -> Block:
        """Return a block as a compiled loop takes it."""
        return block._replace(rows=self._loop_rows(block.rows))

    def look(self, row: Row, number: int, among: Numbers | None) -> tuple[int, Floats]:
        """Return the best label, and the probability of every label that may be played."""
        if among is None:
            best = self._look[type(row)](self.player, row, number)
            return best, self.player.work[1]
        best = self._look_among[type(row)](self.player, row, number, among)
        return best, self.player.work[1, : len(among)]

    def look_many(self, rows: Rows, number: int, with_probs: bool) -> tuple[Numbers, Floats]:
        """Return the best label of each row, and if asked for the probabilities of all labels."""
        count = self.count(rows)
        best = np.empty(count, np.int64)
        probs = np.empty((count if with_probs else 0, self.sizes.labels))
        engine.probabilities_many(self.player, self._loop_rows(rows), number, best, probs)
        return best, probs

    def shown(self, decision: Decision, among: Numbers | None) -> Numbers:
        """Return the labels that the explorer shows for the row just decided, best first."""
        greedy, label, prob, _ = decision
        scores = self.player.scores
        if among is not None:
            scores = scores[among]
            greedy, label = np.searchsorted(among, [greedy, label]).tolist()
        shown = np.empty(len(scores), np.int64)
        count = shown_labels(self.player.explorer, scores, Played(greedy, label, prob), shown)
        return shown[:count] if among is None else among[shown[:count]]

    def grown(self, sizes: Sizes) -> Core:
        """Return a core for more labels or features that has learned what this one has."""
        larger = self.recipe.player(sizes, self.seed, self.player)
        grow(self.player.learner, larger.learner, self.sizes, sizes)
        grow(self.player.explorer, larger.explorer, self.sizes, sizes)
        return Core(self.recipe, sizes, self.seed, larger)

    def each(self, rows: Rows) -> Iterator[Row]:
        """Yield rows one after another."""
        for i in range(self.count(rows)):
            yield row(rows, i)

    @staticmethod
    def count(rows: Rows) -> int:
        """Return how many rows there are."""
        return len(rows.values) if len(rows) == 1 else len(rows[0]) - 1


def _reporter(state: Any, name: str) -> Callable[[], str | None] | None:
    """Return a function that collects an error or warning of a state and those inside it.

    It returns the first sentence of their methods `name`, those inside first, or None; it is
    itself None if no state has such a method.
    """
    methods = [getattr(each, name) for each in nested(state) if hasattr(each, name)]

    def report() -> str | None:
        said = (method() for method in methods)
        return next((sentence for sentence in said if sentence is not None), None)

    return report if methods else None
