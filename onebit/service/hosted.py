"""One agent that is served: decisions and bits, each once, in the order of the log."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import msgspec

from onebit.agent.labels import label_from_json, labels_to_json
from onebit.errors import Conflict, Gone, UnknownChoice
from onebit.naming.ids import draw_id
from onebit.service.sequencer import Sequencer, Then
from onebit.service.types import (
    AgentChange,
    AgentState,
    Decision,
    DecisionRequest,
    Feedback,
    FeedbackRequest,
    Prediction,
    Story,
    read_id,
    read_x,
)
from onebit.store import bodies
from onebit.store.event import Draft, Event, Kind, pack_row
from onebit.store.fold import Fold, draw_number

#: Events of a pause that are looked through at a time when learning is resumed.
_RESUMED = 1000
_DECISION, _FEEDBACK = int(Kind.DECISION), int(Kind.FEEDBACK)


def now() -> int:
    """Return the time in microseconds since 1970."""
    return time.time_ns() // 1000


class Hosted:
    """A fold, and what of its agent is not in the log yet.

    `deciding` and `hearing` are decisions and bits whose commit is pending; the bit is None
    where a window has ended.
    """

    def __init__(self, fold: Fold, sequencer: Sequencer, clock: Any = now) -> None:
        self.fold, self.sequencer, self.clock = fold, sequencer, clock
        self.name = fold.name
        self.deciding: dict[bytes, tuple[Draft, asyncio.Future[None]]] = {}
        self.hearing: dict[bytes, tuple[bool | None, asyncio.Future[None]]] = {}
        self.changing = asyncio.Lock()
        self._labels_of: tuple[Any, ...] = ()
        self._labels: list[Any] = []

    def labels(self) -> list[Any]:
        """Return all labels as JSON has them, by number."""
        names = self.fold.agent.labels
        if names is not self._labels_of:
            self._labels_of, self._labels = names, labels_to_json("onebit serve", names)
        return self._labels

    def settled(self, draft: Draft | Event) -> None:
        """Take note that an event is in the log now, or was dropped."""
        if draft.decision is not None:
            waiting = self.deciding if draft.kind == _DECISION else self.hearing
            waiting.pop(draft.decision, None)

    def propose(self, request: DecisionRequest, id: bytes) -> tuple[Draft, Decision]:
        """Decide a row with the state as it is; return the event to log, and its answer.

        Raises
        ------
        BadInput
            If the row or the labels cannot be used.
        """
        fold, agent = self.fold, self.fold.agent
        row = agent.row_of_json(bytes(request.x))
        if row is None:
            row = agent.row_of(read_x(request.x))
        among = request.among
        asked = None if among is None else [label_from_json(label) for label in among]
        number, (greedy, label, prob, marginal), allowed = agent.decide_row(
            row, asked, draw_number(fold.created.secret, id)
        )
        body = bodies.Decided(
            x=request.x, round=number, greedy=greedy, label=label, prob=prob, marginal=marginal,
            version=self.sequencer.head.seq, asked=asked is not None,
            among=None if allowed is None else allowed.tolist(),
        )  # fmt: skip
        packed = pack_row(row)
        draft = Draft(self.name, _DECISION, id, self.clock(), bodies.encode(body), packed)
        labels = self.labels()
        return draft, Decision(id.hex(), labels[label], labels[greedy], prob, marginal, number)

    def begin_decision(self, request: DecisionRequest) -> tuple[Draft, Decision] | None:
        """Decide a row at once; None if its id was used before, and the answer is known.

        Raises
        ------
        BadInput
            If it cannot be decided; `Unavailable` if there is no room for its event.
        """
        self.sequencer.check_room()
        if request.id is None:
            return self.propose(request, draw_id(self.clock()))
        id = read_id(request.id)
        if id in self.deciding or self.fold.recent.find(self.name, id) is not None:
            return None
        if self.fold.log.decision(self.name, id):
            return None
        self._check_archive(id)
        return self.propose(request, id)

    def log_decision(self, draft: Draft, then: Then | None = None) -> asyncio.Future[None]:
        """Log a decision that has begun; see `Sequencer.add`."""
        done = self.sequencer.add([draft], then)
        self.deciding[draft.decision or b""] = draft, done
        return done

    async def decide(self, request: DecisionRequest) -> Decision:
        """Play a label for a row; the decision is in the log when this returns."""
        begun = self.begin_decision(request)
        if begun is None:
            return await self._known(request, read_id(request.id or ""))
        draft, answer = begun
        await self.log_decision(draft)
        return answer

    async def _known(self, request: DecisionRequest, id: bytes) -> Decision:
        """Return the answer that this id has got before."""
        waiting = self.deciding.get(id)
        made: Draft | Event | None = waiting[0] if waiting else self.fold.recent.find(self.name, id)
        if waiting:
            await waiting[1]
        if made is None:
            made = self._logged(id)[0]
        body, labels = bodies.read_decided(made.body), self.labels()
        same = body.x == request.x or read_x(body.x) == read_x(request.x)
        if not same or not self._same_labels(body, request.among):
            raise Conflict(
                f"onebit serve: decision {id.hex()} was made for another row or other labels."
            )
        return Decision(
            id.hex(), labels[body.label], labels[body.greedy], body.prob, body.marginal,
            body.round, replayed=True,
        )  # fmt: skip

    def _same_labels(self, body: bodies.Decided, among: list[Any] | None) -> bool:
        """Return whether a decision was asked for among these labels."""
        if among is None or not body.asked:
            return among is None and not body.asked
        numbers = self.fold.agent.label_numbers(map(label_from_json, among))
        if body.among is not None:
            return numbers == body.among
        later = (  # it was among all labels that there were
            event.kind == Kind.LABEL_ADDED and event.seq > body.version
            for event in self.fold.log.setup(self.name)
        )
        return numbers == list(range(len(self.labels()) - sum(later)))

    def _check_archive(self, id: bytes) -> None:
        if self.fold.log.is_archived(self.name, id):
            raise Gone(f"onebit serve: decision {id.hex()} was archived.")

    def _logged(self, id: bytes) -> list[Event]:
        """Return a decision and its outcome, if it has one, from the log."""
        found = self.fold.log.decision(self.name, id)
        if not found:
            self._check_archive(id)
            raise UnknownChoice(f"onebit serve: agent {self.name} has no decision {id.hex()}.")
        return found

    def begin_bit(self, request: FeedbackRequest) -> Draft | None:
        """Return the event of a bit; None if its decision, or a bit of it, is logged or pending.

        Raises
        ------
        BadInput
            If there is no such decision, or it takes no bit any more.
        """
        id = read_id(request.id)
        if id in self.hearing or id in self.deciding:
            return None
        made = self.fold.recent.find(self.name, id)
        if made is None:
            found = self._logged(id)
            if len(found) == 2:
                return None
            made = found[0]
        now, window = self.clock(), self.fold.window
        if window is not None and now >= made.time + int(window * 1e6):
            raise self._expired(id)
        return Draft(self.name, _FEEDBACK, id, now, bodies.HEARD[request.correct])

    def log_bit(
        self, draft: Draft, correct: bool, then: Then | None = None
    ) -> asyncio.Future[None]:
        """Log a bit that has begun; see `Sequencer.add`."""
        done = self.sequencer.add([draft], then)
        self.hearing[draft.decision or b""] = correct, done
        return done

    def learned(self) -> Feedback:
        """Return the answer to a bit that is in the log."""
        if self.fold.paused_at is not None:
            return Feedback("logged")
        return Feedback("learned", self.fold.agent.complaint())

    async def hear(self, request: FeedbackRequest) -> Feedback:
        """Log the bit of a decision and learn it, once."""
        id = read_id(request.id)
        if id in self.deciding:
            await self.deciding[id][1]
        draft = self.begin_bit(request)
        if draft is None:
            return await self._heard(id, request.correct)
        await self.log_bit(draft, request.correct)
        return self.learned()

    async def _heard(self, id: bytes, correct: bool) -> Feedback:
        """Return the answer to a bit of a decision that has its outcome."""
        first: bool | None
        if id in self.hearing:
            first, done = self.hearing[id]
            await done
        else:
            ended = self._logged(id)[1]
            first = bodies.read_heard(ended.body).correct if ended.kind == Kind.FEEDBACK else None
        if first is None:
            raise self._expired(id)
        return self._again(id, first, correct)

    def _again(self, id: bytes, first: bool, second: bool) -> Feedback:
        if first != second:
            word = "right" if first else "wrong"
            raise Conflict(f"onebit serve: decision {id.hex()} was {word} before, and stays so.")
        return Feedback("duplicate")

    def _expired(self, id: bytes) -> Gone:
        return Gone(f"onebit serve: the window of decision {id.hex()} has ended.")

    def predict(self, x: msgspec.Raw) -> Prediction:
        """Return the best label for a row, and all others; nothing is logged."""
        agent, row = self.fold.agent, read_x(x)
        probabilities = agent.probabilities(row)
        ranking = agent.rank(row)
        return Prediction(
            label=labels_to_json("", [agent.predict(row)])[0],
            ranking=labels_to_json("", ranking),
            probabilities=[probabilities[label] for label in ranking],
        )

    async def change(
        self, request: AgentChange, check: Callable[[bodies.Created, int], None]
    ) -> None:
        """Add, retire or restore labels, pause or resume, or change the window.

        `check` raises an error if the agent would be too large with so many labels.
        """
        async with self.changing:
            add, retire, restore = (
                [label_from_json(label) for label in labels]
                for labels in (request.add, request.retire, request.restore)
            )
            labels_to_json("onebit serve", add)
            self.fold.agent.check_changes(add, retire, restore)
            if add:
                count = len(self.fold.agent.labels) + len(add)
                await asyncio.to_thread(check, self.fold.created, count)
            if request.paused is False:
                await self._shorten_pause()
            drafts = [
                self._draft(kind, bodies.LabelChange(label))
                for kind, labels in (
                    (Kind.LABEL_ADDED, request.add),
                    (Kind.LABEL_RETIRED, request.retire),
                    (Kind.LABEL_RESTORED, request.restore),
                )
                for label in labels
            ]
            setting = bodies.Setting(request.paused, request.window, request.then)
            if setting != bodies.Setting():
                drafts.append(self._draft(Kind.SETTING, setting))
            if drafts:
                await self.sequencer.add(drafts)

    async def _shorten_pause(self) -> None:
        """Learn the bits of a long pause a few at a time; other calls are answered between."""
        fold = self.fold
        while fold.paused_at is not None and self.sequencer.head.seq - fold.paused_at > _RESUMED:
            step = bodies.Setting(learn_through=fold.paused_at + _RESUMED)
            await self.sequencer.add([self._draft(Kind.SETTING, step)])

    def _draft(self, kind: Kind, body: Any) -> Draft:
        return Draft(self.name, kind, None, self.clock(), bodies.encode(body))

    async def expire(self, events: list[Event]) -> None:
        """Close decisions whose window has ended."""
        body = bodies.encode(bodies.Expired(self.fold.then == "wrong"))
        drafts = [
            Draft(self.name, Kind.EXPIRED, event.decision, self.clock(), body)
            for event in events
            if event.decision not in self.hearing
        ]
        if drafts:
            done = self.sequencer.add(drafts)
            for draft in drafts:
                self.hearing[draft.decision or b""] = None, done
            await done

    def state(self) -> AgentState:
        """Return the agent as it is now."""
        fold, agent = self.fold, self.fold.agent
        counts = fold.counts
        return AgentState(
            name=self.name, learner=fold.created.learner, labels=self.labels(),
            active_labels=labels_to_json("", agent.active_labels), features=fold.created.features,
            seed=fold.created.seed, window=fold.window, then=fold.then,  # type: ignore[arg-type]
            paused=fold.paused_at is not None, round=fold.round, decisions=counts.decisions,
            open=counts.open, right=counts.right, wrong=counts.wrong, expired=counts.expired,
            learned=counts.learned, seq=fold.seq, bytes=agent.nbytes, complaint=agent.complaint(),
        )  # fmt: skip

    def story(self, id: bytes) -> Story:
        """Return one decision with its outcome.

        Raises
        ------
        UnknownChoice, Gone
            If it is not there, or not any more.
        """
        found = self._logged(id)
        return story_of(found, self.labels(), self.fold.paused_at)


def story_of(found: list[Event], labels: list[Any], paused_at: int | None) -> Story:
    """Return a decision and its outcome as callers see them."""
    made, body = found[0], bodies.read_decided(found[0].body)
    status: Any = "open"
    correct = None
    ended = found[1] if len(found) == 2 else None
    if ended is not None and ended.kind == Kind.FEEDBACK:
        correct = bodies.read_heard(ended.body).correct
        status = "logged" if paused_at is not None and ended.seq > paused_at else "learned"
    elif ended is not None:
        status = "wrong" if bodies.read_expired(ended.body).wrong else "expired"
    return Story(
        id=(made.decision or b"").hex(), agent=made.agent, seq=made.seq, time=made.time / 1e6,
        x=body.x, label=labels[body.label], greedy=labels[body.greedy], prob=body.prob,
        marginal=body.marginal, round=body.round, version=body.version, status=status,
        among=None if body.among is None else [labels[k] for k in body.among], correct=correct,
        closed=None if ended is None else ended.time / 1e6,
        closed_seq=None if ended is None else ended.seq,
    )  # fmt: skip
