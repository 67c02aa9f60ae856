"""An agent for the rows of a table: records by name, and whole data frames."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from onebit import learners
from onebit.agent.stream_play import StreamPlay
from onebit.errors import BadLabel, BadParameter, BadRow
from onebit.kernel.block import noiseless_block
from onebit.kernel.rows import SparseRows
from onebit.naming.params import short_repr
from onebit.streams.reading.row_cleanup import normalize_rows
from onebit.streams.tables.building import Wishes, build_encoder
from onebit.streams.tables.encoder import Counts, Encoder, needed_number
from onebit.streams.tables.kinds import ASKED
from onebit.streams.tables.labels import (
    canonical_label,
    check_label_share,
    labels_as_objects,
    sort_texts,
)
from onebit.streams.tables.records import field_of, frame_columns
from onebit.streams.tables.survey import ColumnSurvey


class TableRows(StreamPlay):
    """The methods of an agent for tables."""

    @classmethod
    def from_table(
        cls,
        table: Any,
        label: str,
        learner: Any = learners.DEFAULT,
        *,
        kinds: Mapping[str, str] | None = None,
        scale: bool = True,
        **more: Any,
    ) -> Self:
        """Return an agent for rows like those of a table; it has learned nothing yet.

        What each column is (a number, a category, yes or no, a text, a date, an id) is found out as
        for a file. The agent's methods then take records: a dict, a row of a data frame, a data
        class. `play_table` lets it play the table itself.

        Parameters
        ----------
        table : data frame, mapping or list
            A pandas or polars frame, a pyarrow table, a dict of columns, or a list of records.
        label : str
            The name of the column that holds the labels.
        learner : str or type
            A name or spec (see `onebit learners`) or a learner's class.
        kinds : mapping, optional
            What columns are, by name, where it is not to be found out: "number", "category",
            "yes/no", "text", "date", "day-first", "month-first" or "drop".
        scale : bool, default True
            Whether numbers are scaled for learners that do not scale rows themselves.
        **more
            Other arguments of `Agent`, and the parameters of the learner.

        Returns
        -------
        Agent
            The agent.

        Raises
        ------
        BadInput
            If the table or an argument cannot be used.

        Examples
        --------
        >>> from onebit import Agent
        >>> table = {"size": [1, 2, 9, 8], "colour": [*"rrgg"], "kind": [*"eepp"]}
        >>> agent = Agent.from_table(table, "kind", "cova", seed=1)
        >>> agent.labels
        ('e', 'p')
        >>> choice = agent.decide({"size": 3, "colour": "r"})
        """
        who = "Agent.from_table"
        if "encoder" in more:
            raise BadParameter(f"{who}: it makes the encoder of the table, leave encoder out.")
        names, columns = frame_columns(who, table)
        if not isinstance(label, str) or label not in names:
            raise BadParameter(
                f"{who}: label must be one of the columns {short_repr(names)},"
                f" got {short_repr(label)}."
            )
        _check_kinds(who, names, {} if kinds is None else kinds)
        surveys = [ColumnSurvey() for _ in names]
        for survey, column in zip(surveys, columns, strict=True):
            survey.add(column)
        wishes = Wishes(kinds=kinds or {}, scale=scale)
        place = names.index(label)
        encoder = build_encoder(who, names, place, surveys, wishes)
        found = sort_texts(dict.fromkeys(map(canonical_label, columns[place])))
        if "" in found:
            raise BadRow(f"{who}: every row must have a label in column {label}, got a gap.")
        if "labels" not in more:
            check_label_share(who, found, len(columns[place]), encoder, "label=")
            more["labels"] = labels_as_objects(found)
        return cls(learner, encoder=encoder, **more)

    def play_table(self, table: Any) -> npt.NDArray[np.bool_]:
        """Play the rows of a table in order, with the feedback of each at once.

        Parameters
        ----------
        table : data frame, mapping or list
            As for `from_table`, with the label in the column that the agent was made with.

        Returns
        -------
        ndarray of bool
            Which rounds were mistakes.

        Raises
        ------
        BadInput
            If the agent was not made for a table, or this one has no labels or others.
        """
        encoder, who = self._encoder, "Agent.play_table"
        if encoder is None:
            raise BadRow(f"{who}: the agent must be made for a table, by Agent.from_table.")
        names, columns = frame_columns(who, table)
        if encoder.label not in names:
            raise BadRow(f"{who}: a table must have the label's column {encoder.label!r}.")
        numbers: dict[str, int] = {}
        for label, number in self._labels.numbers.items():
            before = numbers.setdefault(canonical_label(field_of(label)), number)
            if before != number:
                raise BadLabel(
                    f"{who}: labels must differ as text, as those of a table do, got"
                    f" {short_repr([self._labels.names[before], label])}."
                )
        fields = columns[names.index(encoder.label)]
        truths = [numbers.get(canonical_label(field), -1) for field in fields]
        if -1 in truths:
            raise BadRow(
                f"{who}: labels must be among {short_repr(list(self._labels.names))},"
                f" got {short_repr(fields[truths.index(-1)])}."
            )
        rows = self._encoded(names, columns)
        return self.play(noiseless_block(rows, np.array(truths, np.int32)))

    @property
    def unseen(self) -> dict[str, dict[str, int]]:
        """What records had that the table did not: counts by what it was and by column.

        New values of categories, gaps where there were none, unknown and absent columns, and
        fields that are no number or no date. It is not saved; of columns beyond the first thousand
        only the sum is kept, under "...".
        """
        with self._lock:
            counted = dict(self._counts)
        found: dict[str, dict[str, int]] = {}
        for (what, column), count in sorted(counted.items()):
            found.setdefault(what, {})[column] = count
        return found

    def _encoded(self, names: list[str], columns: list[list[str]]) -> SparseRows:
        """Return the rows of a table that is given column by column."""
        encoder = self._encoder
        assert encoder is not None
        rows, counts = encode_columns(encoder, names, columns)
        self._add_counts(counts)
        return rows


def encode_columns(
    encoder: Encoder, names: list[str], columns: list[list[str]]
) -> tuple[SparseRows, Counts]:
    """Return rows of columns in any order, and what was counted; raise BadRow for bad numbers."""
    counts: Counts = Counter()
    rows, malformed = encoder.encode(encoder.reordered(names, columns, counts), counts)
    if malformed:
        row, name, field = malformed[0]
        raise BadRow(f"Agent: row {row + 1} must {needed_number(name)}, got {short_repr(field)}.")
    rows, valid, _ = normalize_rows(rows)
    if not valid.all():
        raise BadRow(f"Agent: row {int(np.argmin(valid)) + 1} has numbers that are too large.")
    return rows, counts


def _check_kinds(who: str, names: list[str], kinds: Any) -> None:
    if not isinstance(kinds, Mapping):
        raise BadParameter(f"{who}: kinds must be a dict, got {short_repr(kinds)}.")
    for name, kind in kinds.items():
        if name not in names or not (isinstance(kind, str) and kind in ASKED):
            raise BadParameter(
                f"{who}: kinds must map columns of the table to one of {', '.join(ASKED)},"
                f" got {short_repr(name)}: {short_repr(kind)}."
            )
