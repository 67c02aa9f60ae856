"""Exactly once: any sequence of decisions, bits, retries, conflicts, ends of windows, pauses and
restarts, against a plain model of what callers may rely on."""

import asyncio
import tempfile
from pathlib import Path

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from pace import PLAIN

from onebit.errors import Conflict, Gone, UnknownChoice
from onebit.service.service import Service
from onebit.service.settings import Settings
from onebit.service.types import AgentChange, AgentRequest, DecisionRequest, FeedbackRequest
from onebit.store.directory import open_for_writing
from onebit.store.recent import Recent
from onebit.store.recovery import recover
from onebit.store.verifying import verify

WINDOW = 100.0
ROWS = [{"a": 1}, {"b": 2.5, "c": "d"}, {"a": 1, "b": -1}]
SETTINGS = Settings(digest_events=7, snapshot_events=10**9, snapshot_seconds=1e9, recent=4000)


class Model:
    """One decision as a caller knows it."""

    def __init__(self, row, answer, time):
        self.row, self.answer, self.time, self.bit = row, answer, time, None


class Machine(RuleBasedStateMachine):
    """A service without HTTP, whose clock the test turns."""

    @initialize(then=st.sampled_from(["ignore", "wrong"]))
    def begin(self, then):
        self.folder = tempfile.TemporaryDirectory()
        self.runner = asyncio.Runner()
        self.now, self.made, self.count, self.paused = 10**12, {}, 0, False
        self.then = then
        self.open()
        request = AgentRequest("banditron", ["x", "y", "z"], 256, 3, WINDOW, then)
        self.run(self.service.create("shop", request))

    def open(self):
        self.context = open_for_writing(Path(self.folder.name))
        self.store = self.context.__enter__()
        self.service = Service(self.store, Path(self.folder.name), SETTINGS, clock=lambda: self.now)
        self.run(self.service.start())

    def run(self, awaitable):
        async def in_time():
            return await asyncio.wait_for(awaitable, 300)  # the first one compiles

        return self.runner.run(in_time())

    @property
    def shop(self):
        return self.service.agents["shop"]

    def decide(self, id, row):
        raw = msgspec.Raw(msgspec.json.encode(ROWS[row]))
        return self.run(self.shop.decide(DecisionRequest(raw, id)))

    @rule(row=st.integers(0, 2))
    def decides(self, row):
        self.count += 1
        id = f"{self.count:032x}"
        answer = self.decide(id, row)
        assert not answer.replayed
        self.made[id] = Model(row, answer, self.now)

    @rule(which=st.integers(0, 10**6), row=st.integers(0, 2))
    def decides_again(self, which, row):
        if not self.made:
            return
        id = list(self.made)[which % len(self.made)]
        known = self.made[id]
        if row == known.row:
            again = self.decide(id, row)
            assert again.replayed
            assert msgspec.structs.replace(again, replayed=False) == known.answer
        else:
            with pytest.raises(Conflict):
                self.decide(id, row)

    @rule(which=st.integers(0, 10**6), correct=st.booleans())
    def hears(self, which, correct):
        if not self.made:
            return
        id = list(self.made)[which % len(self.made)]
        known, shop = self.made[id], self.shop
        request = FeedbackRequest(id, correct)
        if known.bit is None and self.now >= known.time + WINDOW * 1e6:
            with pytest.raises(Gone):
                self.run(shop.hear(request))
        elif known.bit is None:
            status = self.run(shop.hear(request)).status
            assert status == ("logged" if self.paused else "learned")
            known.bit = correct
        elif known.bit == correct:
            assert self.run(shop.hear(request)).status == "duplicate"
        else:
            with pytest.raises(Conflict):
                self.run(shop.hear(request))

    @rule(correct=st.booleans())
    def hears_of_what_was_never_decided(self, correct):
        with pytest.raises(UnknownChoice):
            self.run(self.shop.hear(FeedbackRequest("f" * 32, correct)))

    @rule(bits=st.lists(st.booleans(), min_size=2, max_size=4), row=st.integers(0, 2))
    def hears_many_times_at_once(self, bits, row):
        """One of them is learned, the same bits are duplicates, the others are conflicts."""
        self.count += 1
        id = f"{self.count:032x}"
        self.made[id] = Model(row, self.decide(id, row), self.now)
        shop = self.shop

        async def all_at_once():
            asked = [shop.hear(FeedbackRequest(id, bit)) for bit in bits]
            return await asyncio.gather(*asked, return_exceptions=True)

        found = self.run(all_at_once())
        assert found[0].status in ("learned", "logged")
        for bit, each in zip(bits[1:], found[1:], strict=True):
            if bit == bits[0]:
                assert each.status == "duplicate"
            else:
                assert isinstance(each, Conflict)
        self.made[id].bit = bits[0]

    @rule(seconds=st.sampled_from([1.0, 40.0, 99.0, 150.0]))
    def time_passes(self, seconds):
        self.now += int(seconds * 1e6)
        self.run(self.service._expire())

    @rule()
    def pauses_or_resumes(self):
        self.paused = not self.paused
        self.run(self.shop.change(AgentChange(paused=self.paused), lambda *_: None))

    @rule()
    def retires_or_restores(self):
        active = "y" in self.shop.fold.agent.active_labels
        change = AgentChange(retire=["y"]) if active else AgentChange(restore=["y"])
        self.run(self.shop.change(change, lambda *_: None))

    @rule()
    def snapshots(self):
        self.run(self.service._snapshot(at_end=True))
        self.run(self.service.sequencer.drain())

    @rule(gently=st.booleans())
    def restarts(self, gently):
        before = self.shop.fold.agent.digest()
        if gently:
            self.run(self.service.stop())
        else:  # as if killed: nothing is written any more
            self.run(self.abandon())
        self.context.__exit__(None, None, None)
        self.open()
        assert self.shop.fold.agent.digest() == before

    async def abandon(self):
        for task in self.service._tasks:
            task.cancel()
        await asyncio.gather(*self.service._tasks, return_exceptions=True)
        self.service.sequencer.stop()

    @invariant()
    def counts_are_those_of_the_model(self):
        if not hasattr(self, "service"):
            return
        counts = self.shop.fold.counts
        bits = [each.bit for each in self.made.values()]
        assert counts.decisions == len(bits)
        assert (counts.right, counts.wrong) == (bits.count(True), bits.count(False))

    def teardown(self):
        if not hasattr(self, "service"):
            return
        self.run(self.service.stop())
        whole = verify(self.store)
        assert whole.decisions == len(self.made)
        start = recover(self.store, Recent())
        assert whole.digests == {"shop": start["shop"].agent.digest().hex()}
        self.context.__exit__(None, None, None)
        self.runner.close()
        self.folder.cleanup()


TestExactlyOnce = Machine.TestCase
TestExactlyOnce.settings = settings(
    max_examples=4 if PLAIN else 15, stateful_step_count=30, deadline=None
)
