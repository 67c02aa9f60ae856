"""The state of an agent as a function of its events: no clock, no random source, the same bits."""

from __future__ import annotations

import hashlib
import math
import struct
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Any

import msgspec
import numpy as np

from onebit.agent.labels import label_from_json
from onebit.agent.logged import LoggedAgent
from onebit.errors import BadInput, DamagedLog
from onebit.kernel.rows import DenseRows, Rows, SparseRows
from onebit.store import bodies
from onebit.store.base import Store
from onebit.store.event import Event, Fields, Kind, make_event, unpack_row
from onebit.store.outcomes import bit_of, bits_between, decision_of, read_body
from onebit.store.recent import Recent

#: Fewer learned events than this are applied one by one.
_FEW = 16
#: Learned events that wait at most, to be applied in one compiled call.
_MANY = 4096
_DECISION, _FEEDBACK, _EXPIRED = int(Kind.DECISION), int(Kind.FEEDBACK), int(Kind.EXPIRED)
_SETTING, _DIGEST = int(Kind.SETTING), int(Kind.DIGEST)
_form = itemgetter(slice(1))  # of a packed row
_LENGTH = struct.Struct("<I")
_hashing = ThreadPoolExecutor(1, "onebit-digest")


class Counts(msgspec.Struct):
    """How many events of an agent there were; `learned` are the bits that changed its state."""

    decisions: int = 0
    right: int = 0
    wrong: int = 0
    expired: int = 0
    learned: int = 0

    @property
    def open(self) -> int:
        """The decisions that wait for their bit."""
        return self.decisions - self.right - self.wrong - self.expired


class _Saved(msgspec.Struct, frozen=True):
    """The part of a snapshot that is not the agent's."""

    name: str
    seq: int
    created: bodies.Created
    round: int
    counts: Counts
    window: float | None
    then: str
    paused_at: int | None
    closed: int = 0


def make_agent(created: bodies.Created) -> LoggedAgent:
    """Return the agent that a `created` event begins."""
    labels = [label_from_json(label) for label in created.labels]
    return LoggedAgent(created.learner, labels, features=created.features, seed=created.seed)


_key = lru_cache(1024)(bytes.fromhex)


def draw_number(secret: str, id: bytes) -> int:
    """Return what a decision's random numbers depend on: callers know its id, not the secret."""
    found = hashlib.blake2b(id, digest_size=8, key=_key(secret)).digest()
    return int.from_bytes(found, "little") >> 1


class Fold:
    """An agent, and what its events up to `seq` have made of it.

    `at_digest` is called when so many events were learned that a digest is due; by default it
    is computed at once, to be compared with that in the log.
    """

    def __init__(
        self, name: str, created: bodies.Created, agent: LoggedAgent, log: Store, recent: Recent
    ) -> None:
        self.name, self.created, self.agent = name, created, agent
        self.log, self.recent = log, recent
        self.seq, self.counts = 0, Counts()
        self._round = 0
        self._last: Fields | None = None  # the last decision, if its round was not read yet
        self.window, self.then = created.window, created.then
        self.paused_at: int | None = None
        self.at_digest: Callable[[Fold], None] = Fold.keep_digest
        self.compared = 0  # digests
        self.covers = 0  # its snapshot has all of its events up to here
        self.closed = 0  # its decisions up to here have their outcome
        self._digests: dict[int, Future[bytes]] = {}
        # Bits that wait to be applied: rows, what was played (four numbers each), and the bits.
        self._rows: list[bytes] = []
        self._played: list[float] = []
        self._heard: list[bool] = []

    @classmethod
    def begin(cls, event: Event, log: Store, recent: Recent) -> Fold:
        """Return the fold of a `created` event."""
        created = read_body(bodies.read_created, event)
        fold = cls(event.agent, created, make_agent(created), log, recent)
        fold.seq = event.seq
        return fold

    @property
    def round(self) -> int:
        """The round of the last decision."""
        if self._last is not None:
            self._round = read_body(bodies.read_played, make_event(self._last)).round
            self._last = None
        return self._round

    def apply(self, event: Event) -> None:
        """Take in the next event of this agent; what it learned is complete after `flush`.

        Raises
        ------
        DamagedLog
            If the event cannot follow those before it, or a digest differs.
        """
        self.apply_all((event,))

    def apply_all(self, events: Iterable[Fields]) -> None:
        """Take in the next events of this agent; see `apply`."""
        counts, remember, known = self.counts, self.recent.add, bodies.BITS.get
        for event in events:
            self.seq, _, kind, _, _, body, _, _ = event
            if kind == _DECISION:
                counts.decisions += 1
                self._last = event
                remember(event)
            elif kind == _FEEDBACK:
                bit = known(body)
                correct = bool(bit_of(make_event(event))) if bit is None else bit
                if correct:
                    counts.right += 1
                else:
                    counts.wrong += 1
                self._hear(event, correct)
            elif kind == _EXPIRED:
                counts.expired += 1
                self._hear(event, bit_of(make_event(event)))
            elif kind == _SETTING:
                self._set(make_event(event))
            elif kind == _DIGEST:
                self._compare(make_event(event))
            else:
                self._change_labels(make_event(event))

    def _hear(self, event: Fields, bit: bool | None) -> None:
        """Learn the bit of a decision, if it has one, now or, while learning is paused, later."""
        made = self.recent.take(self.name, event[3] or b"")
        if bit is not None and self.paused_at is None:
            self._learn(made or decision_of(make_event(event), self.log, self.recent), bit)

    def _learn(self, made: Fields, correct: bool) -> None:
        """Learn the bit of a decision."""
        _, _, _, _, _, body, row, _ = made
        try:
            played = bodies.read_played(body)
        except msgspec.MsgspecError:
            played = read_body(bodies.read_played, make_event(made))
        self._rows.append(row or b"")
        self._played += played.greedy, played.label, played.prob, played.marginal
        self._heard.append(correct)
        self.counts.learned += 1
        due = self.counts.learned % self.created.digest_every == 0
        if due or len(self._heard) >= _MANY:
            self.flush()
        if due:
            self.at_digest(self)

    def flush(self) -> None:
        """Apply the bits that wait."""
        rows, played, heard = self._rows, self._played, self._heard
        if not heard:
            return
        self._rows, self._played, self._heard = [], [], []
        if len(heard) < _FEW:
            fours = zip(*[iter(played)] * 4, strict=True)
            for row, (greedy, label, prob, marginal), correct in zip(
                rows, fours, heard, strict=True
            ):
                decision = int(greedy), int(label), prob, marginal
                self.agent.teach_row(unpack_row(row), decision, correct)
            return
        decisions, bits = np.array(played, np.float64).reshape(-1, 4), np.array(heard, np.int64)
        at = 0
        for form, some in groupby(rows, key=_form):
            packed = list(some)
            end = at + len(packed)
            self.agent.teach_rows(_stacked(form, packed), decisions[at:end], bits[at:end])
            at = end

    def _set(self, event: Event) -> None:
        change = read_body(bodies.read_setting, event)
        if change.window is not msgspec.UNSET:
            self.window = change.window
        if change.then is not None:
            self.then = change.then
        after, through = self.paused_at, change.ends_pause_at(event.seq)
        self.paused_at = change.pause(after, event.seq)
        if after is None:
            return
        for made, correct in bits_between(after, through, self.name, self.log, self.recent):
            self._learn(made, correct)

    def _change_labels(self, event: Event) -> None:
        self.flush()
        changes: dict[int, Callable[[Any], None]] = {
            Kind.LABEL_ADDED: self.agent.add_label,
            Kind.LABEL_RETIRED: self.agent.retire,
            Kind.LABEL_RESTORED: self.agent.restore,
        }
        agent, live = self.agent, self.agent.round
        agent.round = self.round  # what adding a label does depends on the rounds in the log
        try:
            changes[event.kind](label_from_json(read_body(bodies.read_label, event).label))
        except (KeyError, BadInput) as error:
            raise DamagedLog(f"onebit: event {event.seq} cannot be applied: {error}") from None
        finally:
            agent.round = max(live, self.round)

    def keep_digest(self) -> None:
        """Compute the digest that the log should have, from a copy in another thread."""
        for last in list(self._digests.values())[-1:]:
            last.result()  # one copy at a time
        self._digests[self.counts.learned] = _hashing.submit(self.agent.digest_of_now())

    def _compare(self, event: Event) -> None:
        said = read_body(bodies.read_digest, event)
        ours = self._digests.pop(said.learned, None)
        found = None if ours is None else ours.result().hex()
        if found is not None and found != said.digest:
            raise DamagedLog(
                f"onebit: the state of agent {self.name} after {said.learned} learned events has"
                f" the digest {found}, the log has {said.digest} (event {event.seq})."
            )
        self.compared += found is not None

    def header(self) -> bytes:
        """Return the part of a snapshot that is not the agent's."""
        saved = _Saved(
            self.name, self.seq, self.created, self.round, self.counts, self.window, self.then,
            self.paused_at, self.closed,
        )  # fmt: skip
        return msgspec.json.encode(saved)

    @classmethod
    def from_snapshot(cls, content: bytes, log: Store, recent: Recent) -> Fold:
        """Return the fold that `snapshot_content` was made of."""
        try:
            (length,) = _LENGTH.unpack_from(content)
            saved = msgspec.json.decode(content[4 : 4 + length], type=_Saved)
            agent = LoggedAgent.from_bytes(content[4 + length :], memory=math.inf)
        except (struct.error, msgspec.MsgspecError) as error:
            raise DamagedLog(f"onebit: a snapshot cannot be read: {error}.") from None
        agent.round = saved.round
        fold = cls(saved.name, saved.created, agent, log, recent)
        fold.seq, fold._round, fold.counts = saved.seq, saved.round, saved.counts
        fold.window, fold.then, fold.paused_at = saved.window, saved.then, saved.paused_at
        fold.closed = saved.closed
        return fold


def snapshot_content(header: bytes, agent: bytes) -> bytes:
    """Return a snapshot: a fold's `header` and its agent's bytes."""
    return _LENGTH.pack(len(header)) + header + agent


def _stacked(form: bytes, packed: Sequence[bytes]) -> Rows:
    """Return many packed rows of one form as rows for a kernel."""
    if form == b"d":
        values = np.frombuffer(b"".join([each[1:] for each in packed]), "<f8").astype(np.float64)
        return DenseRows(values.reshape(len(packed), -1))
    sizes = np.array([len(each) for each in packed], np.int64)
    starts = np.zeros(len(packed) + 1, np.int64)
    np.cumsum(sizes // 12, out=starts[1:])
    both = list(zip(packed, ((sizes + 2) // 3).tolist(), strict=True))  # where the indices end
    indices = np.frombuffer(b"".join([each[1:end] for each, end in both]), "<i4")
    values = np.frombuffer(b"".join([each[end:] for each, end in both]), "<f8")
    return SparseRows(starts, indices.astype(np.int32), values.astype(np.float64))
