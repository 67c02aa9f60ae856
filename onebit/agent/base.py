"""What all of an agent's methods share: its parts, reading rows and feedback, and its lock."""

from __future__ import annotations

import itertools
import operator
import secrets
import threading
import warnings
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from onebit import learners
from onebit.agent.adviser import Adviser, check_advice
from onebit.agent.core import Core
from onebit.agent.labels import MOST_LABELS, Labels, Numbers
from onebit.agent.open_decisions import Open, OpenDecisions
from onebit.agent.recipe import Recipe
from onebit.errors import BadInput, BadLabel, BadParameter, BadRow, Remark, WrongFeedback
from onebit.kernel.engine import Decision, Player
from onebit.kernel.features import (
    WIDEST,
    check_values,
    is_named,
    kinds_of,
    read_row,
    usual_row,
    width_of,
)
from onebit.kernel.round import Bit, Feedback, Label, LabelSet
from onebit.kernel.rows import Floats, Row
from onebit.kernel.sizes import MOST_COLUMNS, Column, Sizes, check_columns
from onebit.naming.params import Param, Whole, check_params, short_repr
from onebit.streams.tables.encoder import Counts, Encoder
from onebit.streams.tables.records import as_record, field_of

_RIGHT, _WRONG = Bit(True), Bit(False)
_SETTINGS = (
    Param("seed", Whole(0), 0, "decides every draw"),
    Param("open", Whole(1, 10**12), 10_000, "how many decisions may wait for their feedback"),
)
_FEATURES = Param("features", Whole(1, WIDEST), 1, "the width of a row")
#: Columns by which `unseen` counts.
_MOST_COUNTED = 1000
_DRAW = Param("draw", Whole(0, 2**63 - 1), 0, "what random draws are made from")


class Look(NamedTuple):
    """The best label, the probabilities and the scores of a row."""

    labels: Labels
    best: int
    probs: Floats
    scores: Floats


class AgentBase:
    """The parts of an agent. Whatever reads or changes them holds `_lock`."""

    def __init__(
        self,
        learner: str | type | Recipe = learners.DEFAULT,
        labels: Iterable[Hashable] = (),
        *,
        features: int | None = None,
        columns: Sequence[Column] = (),
        scale: bool = False,
        encoder: Encoder | None = None,
        hypotheses: Any = None,
        seed: int = 0,
        open: int = 10_000,
        **params: Any,
    ) -> None:
        self.recipe = Recipe.parse(learner, **params)
        self._labels = Labels(labels)
        settings = check_params("Agent", _SETTINGS, {"seed": seed, "open": open})
        self.seed: int = settings["seed"]
        self.round = 0
        self.id = secrets.token_hex(8)
        if encoder is not None:
            features, columns = _checked_encoder(encoder, features, columns)
            scale = encoder.scale
        self._encoder = encoder
        self._counts: Counts = Counter()
        self._columns = _checked_columns(columns)
        self._begun = 0  # the number of labels at the first round, if some were added since
        self._replay_since = 0  # the round of a snapshot that left out what is replayed
        self._scale = checked_flag("scale", scale)
        self._open = OpenDecisions(settings["open"])
        self._lock = threading.Lock()
        self._warned = False
        traits = learners.traits(self.recipe.kind)
        self._who = self.recipe.kind.__name__
        self._hears, self._reads_advice = traits.hears, traits.row == "advice"
        self._hears_sets = traits.sets
        #: Whether rows are read as they are: no table or hypothesis stands before them.
        self._reads_rows = encoder is None and hypotheses is None and not self._reads_advice
        self._adviser: Adviser | None = None
        self._named: bool | None = None  # whether features have names; the first row decides
        self._core: Core | None = None  # made for the width of the first row
        self._preview: Core | None = None  # to score rows before the first decision
        if features is not None:
            features = checked_width(features)
        if encoder is not None and self._reads_advice:
            raise BadParameter(
                f"{self._who}: it reads advice, and an encoder makes features of records; leave the"
                " encoder out, or take a learner that reads features."
            )
        if hypotheses is not None:
            features = self._use_hypotheses(hypotheses, features)
        if features is None:
            self._check_columns(WIDEST)
        else:
            self._core = self._core_for(features)

    @property
    def _player(self) -> Player:
        """The player of an agent whose width is known."""
        assert self._core is not None
        return self._core.player

    def _use_hypotheses(self, hypotheses: Any, features: int | None) -> int | None:
        """Let hypotheses make the rows; return how many there are, if that is known yet."""
        if not self._reads_advice:
            raise BadParameter(
                f"{self._who}: it reads {learners.traits(self.recipe.kind).row},"
                " not advice; leave hypotheses out."
            )
        self._adviser = Adviser(hypotheses, self._labels.numbers, features)
        return self._adviser.size

    def _core_for(self, features: int) -> Core:
        """Return a core for rows of a width; that of an earlier preview if it fits."""
        preview = self._preview
        if preview is not None and preview.sizes[:2] == (features, len(self._labels)):
            return preview
        self._check_columns(features)
        sizes = Sizes(features, len(self._labels), self._columns, self._scale, self._begun)
        return Core(self.recipe, sizes, self.seed)

    def _check_columns(self, features: int) -> None:
        """Raise BadParameter if columns are not those of rows of at most so many features."""
        check_columns("Agent", self._columns, WIDEST if self._reads_advice else features)

    def _read(self, x: Any) -> tuple[Row, Core]:
        """Return the row of a user's x, and a core for its width; does not set the agent's.

        It runs without the lock, for reading a row may call anything of the user's.
        """
        core = self._core
        if core is not None:
            if self._reads_rows and self._named is not None:  # nearly always
                row = usual_row(x, core.sizes.features, self._named)
                if row is not None:
                    return row, core
            return self._as_row(x, core.sizes.features), core
        self._check_kinds(kinds_of([x]))
        raw = 0
        if self._adviser is not None:
            advice, raw = self._adviser.advice(x)
            x = advice.values
        width = width_of(x)
        row = read_row(x, width)
        if self._reads_advice and self._adviser is None:
            check_advice(row, len(self._labels))
        return row, self._first_core(width, raw)

    def _first_core(self, width: int, raw: int = 0) -> Core:
        """Return a core for the width of the first row; fixes nothing."""
        with self._lock:
            if self._preview is not None and self._preview.raw_width != raw:
                self._preview = None  # it is of rows that another thread may be deciding
            self._preview = core = self._core_for(width)
            core.raw_width = raw
        return core

    def _as_row(self, x: Any, width: int) -> Row:
        """Return the row of a user's x for an agent of this width."""
        if self._encoder is not None and (record := as_record(x)) is not None:
            return self._record_row(self._encoder, record)
        if is_named(x) is not self._named:
            self._check_kinds(kinds_of([x]))
        if self._adviser is not None:
            x = self._adviser.advice(x)[0].values
        row = read_row(x, width)
        if self._reads_advice and self._adviser is None:
            check_advice(row, len(self._labels))
        return row

    def _check_kinds(self, found: set[bool]) -> None:
        """Raise BadRow if rows have names for their features and others, or those before, not."""
        if self._encoder is not None or (self._adviser and self._adviser.reads_anything):
            return
        if len(found | {self._named} - {None}) > 1:
            if self._named is None:
                raise BadRow("Agent: rows must all be dicts of names or all have none, got both.")
            was, got = "a dict of names", "a row without names"
            if not self._named:
                was, got = "numbers without names", was
            raise BadRow(f"Agent: a row must be {was}, as those before it, got {got}.")

    def _record_row(self, encoder: Encoder, record: Mapping[Any, Any]) -> Row:
        """Return the row of a record of a table, and count what the table did not have."""
        counts: Counts = Counter()
        row = encoder.row(record, counts, field_of)
        if row is None:
            raise BadRow(f"Agent: a record's numbers must be finite, got {short_repr(record)}.")
        check_values(row.values)
        if counts:
            self._add_counts(counts)
        return row

    def _add_counts(self, counts: Counts) -> None:
        """Count what records had that the table did not; the names of columns may be anyone's."""
        with self._lock:
            for (what, column), count in counts.items():
                known = (what, column) in self._counts or len(self._counts) < _MOST_COUNTED
                self._counts[what, column if known else "..."] += count

    def _current(self, core: Core, named: bool | None = None) -> Core:
        """Return the core to use for rows that were read for one; the lock is held."""
        if named is not None:
            self._check_kinds({named})  # the first row of another thread may have come before
        current = self._core
        if current is None:
            return (
                core
                if core.sizes.labels == len(self._labels)
                else self._core_for(core.sizes.features)
            )
        if current is not core:  # another thread's row came first, or labels have changed
            widths = [each.raw_width or each.sizes.features for each in (current, core)]
            if widths[0] != widths[1]:
                raise BadRow(f"Agent: a row must have {widths[0]} features, got {widths[1]}.")
        return current

    def _keep(self, core: Core) -> None:
        """Fix the width of rows, once a first one was decided; the lock is held."""
        if self._core is None:
            if self._adviser is not None and self._adviser.width is None:
                self._adviser.width = core.raw_width or None
            self._core, self._preview = core, None

    def _allowed(self, core: Core, among: Any) -> Numbers | None:
        """Return the numbers of the labels that may be played, None if all may."""
        allowed = self._labels.subset(among)
        if allowed is not None:
            self._check_among(core, len(allowed))
        return allowed

    def _check_among(self, core: Core, count: int) -> None:
        """Raise BadInput if the explorer cannot choose among so many labels."""
        explorer = core.player.explorer
        why = getattr(explorer, "among_error", lambda count: None)(count)
        if why is not None:
            raise BadInput(f"{type(explorer).__name__}: {why}, got {count}.")

    def _look(self, x: Any) -> Look:
        """Return best label, probabilities and scores of a row; changes nothing."""
        row, core = self._read(x)
        with self._lock:
            core = self._current(core)
            return self._look_at(core, row)

    def _look_at(self, core: Core, row: Row) -> Look:
        """Return best label, probabilities and scores by a core; the lock is held."""
        labels = self._labels
        allowed = None if labels.active is None else self._allowed(core, None)
        best, probs = core.look(row, self.round + 1, allowed)
        if core.refusal is not None and (why := core.refusal()) is not None:
            raise BadRow(f"{self._who}: {why}")
        return Look(labels, best, probs.copy(), core.player.scores.copy())

    def _check_decision(self, core: Core, decision: Decision) -> None:
        """Raise BadInput if the learner cannot play the row just scored."""
        if core.refusal is not None and (why := core.refusal()) is not None:
            raise BadRow(f"{self._who}: {why}")
        if not 0.0 < decision[2] <= 1.0:
            raise BadRow(
                f"{self._who}: a row must give scores that are finite numbers, got others; its"
                " values or the learner's weights are too large."
            )

    def _feedback(self, correct: Any, truth: Any) -> Feedback:
        """Return the feedback that the learner hears."""
        if self._hears is Bit:
            if truth is not None:
                raise WrongFeedback(
                    f"{self._who}: it hears one bit, give correct=True or False, got a truth."
                )
            if correct is True:
                return _RIGHT
            if correct is False:
                return _WRONG
            if not isinstance(correct, np.bool_):
                raise WrongFeedback(
                    f"{self._who}: correct must be True or False, got {short_repr(correct)}."
                )
            return _RIGHT if correct else _WRONG
        if correct is not None:
            raise WrongFeedback(
                f"{self._who}: it hears the true label, give truth=label, got a bit."
            )
        numbers = self._labels.numbers
        try:
            is_label = isinstance(truth, frozenset) and truth in numbers
            if isinstance(truth, set | frozenset | list) and self._hears_sets and not is_label:
                right = sorted({numbers[label] for label in truth})
                return LabelSet(np.array(right, np.int32), 0, len(numbers))
            return Label(numbers[truth])
        except (KeyError, TypeError):
            or_set = ", or a set of them" if self._hears_sets else ""
            raise WrongFeedback(
                f"{self._who}: truth must be one of the labels"
                f" {short_repr(list(self._labels.names))}{or_set}, got {short_repr(truth)}."
            ) from None

    def _teach(self, found: Open, feedback: Feedback) -> None:
        """Learn from a decision that was open."""
        assert self._core is not None
        self._core.teach(found.row, found.decision, feedback)

    def _after_learning(self) -> str | None:
        """Raise the learner's complaint; return its remark, if it was not returned before."""
        core = self._core
        if core is None or (core.complaint is None and core.remark is None):
            return None
        if core.complaint is not None and (sentence := core.complaint()) is not None:
            raise BadInput(f"{self._who}: {sentence}")
        if core.remark is None or self._warned or (sentence := core.remark()) is None:
            return None
        self._warned = True
        return f"{self._who}: {sentence}"

    def _warn(self, remark: str | None) -> None:
        """Warn of a learner's remark; without the lock, since a filter may call the agent."""
        if remark is not None:
            warnings.warn(remark, Remark, stacklevel=3)


def checked_width(features: Any) -> int:
    """Return a width of rows, if it is allowed; else raise BadInput."""
    return check_params("Agent", [_FEATURES], {"features": features})["features"]  # type: ignore[no-any-return]


def checked_draw(draw: Any) -> int:
    """Return a draw number, or raise BadParameter."""
    return check_params("Agent.decide", [_DRAW], {"draw": draw})["draw"]  # type: ignore[no-any-return]


def _checked_columns(given: Any) -> tuple[Column, ...]:
    """Return columns as a snapshot can hold them, or raise BadParameter."""
    try:
        some = list(itertools.islice(given, MOST_COLUMNS + 1))
        if len(some) > MOST_COLUMNS:
            raise BadParameter(f"Agent: columns must be at most {MOST_COLUMNS:,}, got more.")
        return tuple(Column(*map(operator.index, itertools.islice(each, 4))) for each in some)
    except TypeError:
        raise BadParameter(
            "Agent: columns must be whole numbers (first, width, values) each,"
            f" got {short_repr(given)}."
        ) from None


def _checked_encoder(encoder: Any, features: Any, columns: Any) -> tuple[int, Sequence[Column]]:
    """Return the width and the columns of the rows that an encoder makes, or raise BadParameter."""
    if not isinstance(encoder, Encoder):
        raise BadParameter(
            f"Agent: encoder must be one of a table, see Agent.from_table,"
            f" got {short_repr(encoder)}."
        )
    same_width = features is None or checked_width(features) == encoder.features
    if not (same_width and _checked_columns(columns) in ((), encoder.columns)):
        raise BadParameter("Agent: features and columns must be those of the encoder, or left out.")
    return encoder.features, encoder.columns


def checked_flag(name: str, given: Any) -> bool:
    """Return True or False, or raise BadParameter for anything else."""
    if not isinstance(given, bool):
        raise BadParameter(f"Agent: {name} must be True or False, got {short_repr(given)}.")
    return given


def as_tuple(among: Any) -> Any:
    """Return labels as a tuple, read before any lock is held; what cannot be iterated, as it is."""
    if isinstance(among, str) or not isinstance(among, Iterable):
        return among
    found = tuple(itertools.islice(among, MOST_LABELS + 1))
    if len(found) > MOST_LABELS:
        raise BadLabel(f"Agent: among must have at most {MOST_LABELS:,} labels, got more.")
    return found
