"""Retention: old events leave the store for an archive; what is open, paused or new stays."""

import asyncio
import gzip
import json

import msgspec
import pytest

from onebit.errors import Gone
from onebit.service import archiving
from onebit.service.service import Service
from onebit.service.settings import Settings
from onebit.service.types import AgentChange, AgentRequest, DecisionRequest, FeedbackRequest
from onebit.store.directory import open_for_writing
from onebit.store.exporting import Exporter
from onebit.store.recent import Recent
from onebit.store.recovery import recover
from onebit.store.verifying import verify

DAY = 86_400 * 10**6


class Clock:
    now = 10**15

    def __call__(self):
        return self.now


async def archive(service):
    """Write a snapshot, then archive what is old."""
    for work in (service._snapshot(at_end=True), service._archive()):
        await work
        await service.sequencer.drain()


async def play(hosted, count):
    """Decide and hear so many rounds; return the ids."""
    ids = []
    for n in range(count):
        row = msgspec.Raw(msgspec.json.encode({"n": n % 5, "k": str(n % 3)}))
        made = await hosted.decide(DecisionRequest(row))
        await hosted.hear(FeedbackRequest(made.id, made.label == "abc"[n % 3]))
        ids.append(made.id)
    return ids


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_old_events_go_to_an_archive_and_the_state_stays(tmp_path, monkeypatch, form):
    monkeypatch.setattr(archiving, "LEAST", 10)
    clock = Clock()
    settings = Settings(keep="90d", archive=form, digest_events=40)

    async def main(store):
        service = Service(store, tmp_path, settings, clock)
        await service.start()
        request = AgentRequest("banditron", ["a", "b", "c"], 256, window=None)
        hosted = await service.create("shop", request)
        old = await play(hosted, 100)
        waits = await hosted.decide(DecisionRequest(msgspec.Raw(b'{"n": 1}')))
        clock.now += 100 * DAY
        await play(hosted, 50)
        await service._archive()
        assert store.base.seq == 0  # there is no snapshot yet
        await archive(service)
        assert store.base.seq == 203  # created, 2 x 100, 2 digests; the open decision stays
        assert await hosted.hear(FeedbackRequest(waits.id, True))
        with pytest.raises(Gone, match="was archived"):
            await hosted.hear(FeedbackRequest(old[3], True))
        with pytest.raises(Gone, match="was archived"):
            await hosted.decide(DecisionRequest(msgspec.Raw(b'{"n": 1}'), old[3]))
        with pytest.raises(Gone, match="was archived"):
            hosted.story(bytes.fromhex(old[3]))
        await hosted.change(AgentChange(paused=True), lambda *_: None)
        clock.now += 100 * DAY
        await play(hosted, 30)
        await archive(service)
        assert store.base.seq == hosted.fold.paused_at - 1  # what was not learned yet stays
        await hosted.change(AgentChange(paused=False), lambda *_: None)
        digest = hosted.fold.agent.digest()
        await service.stop()
        return digest

    with open_for_writing(tmp_path) as store:
        digest = asyncio.run(main(store))
        assert recover(store, Recent())["shop"].agent.digest() == digest
        whole = verify(store)  # from the snapshots that the archive left
        assert whole.digests == {"shop": digest.hex()}
        first = sorted((tmp_path / "archive").iterdir())[0]
    assert first.name.startswith("events-000000000001-000000000203")
    if form == "jsonl":
        lines = [json.loads(line) for line in gzip.decompress(first.read_bytes()).splitlines()]
    else:
        pq = pytest.importorskip("pyarrow.parquet")
        lines = [json.loads(text) for text in pq.read_table(first)["event"].to_pylist()]
    assert [line["seq"] for line in lines] == list(range(1, 204))
    heard = [line for line in lines if line["kind"] == "feedback"]
    assert len(heard) == 100
    assert all(set(line) >= {"x", "label", "prob", "correct"} for line in heard)
    assert "secret" not in json.dumps(lines)


def test_bits_of_decisions_that_are_old_enough_for_the_archive(tmp_path, monkeypatch):
    """They came after the newest snapshot, or are not learned yet: their decisions stay."""
    monkeypatch.setattr(archiving, "LEAST", 10)
    clock, folder = Clock(), tmp_path / "archive"

    async def main(store):
        service = Service(store, tmp_path, Settings(keep="90d"), clock)
        await service.start()
        request = AgentRequest("banditron", ["a", "b", "c"], 256, window=None)
        hosted = await service.create("shop", request)
        row = msgspec.Raw(b'{"n": 1}')
        await play(hosted, 50)
        late, paused = [(await hosted.decide(DecisionRequest(row))).id for _ in range(2)]
        clock.now += 100 * DAY
        await play(hosted, 50)
        await service._snapshot(at_end=True)
        await service.sequencer.drain()
        await hosted.hear(FeedbackRequest(late, True))
        await hosted.change(AgentChange(paused=True), lambda *_: None)
        await hosted.hear(FeedbackRequest(paused, True))
        await service._archive()
        await service.sequencer.drain()
        assert store.base.seq == 103
        digest = recover(store, Recent())["shop"].agent.digest()
        assert digest == hosted.fold.agent.digest()
        await hosted.change(AgentChange(paused=False), lambda *_: None)
        lines = list(Exporter(store, "shop").rounds())
        assert [line.id for line in lines[-2:]] == [late, paused]
        clock.now += 100 * DAY
        await archive(service)
        assert store.base.seq == store.head().seq
        with pytest.raises(Gone, match="was archived"):
            await hosted.hear(FeedbackRequest(late, True))
        await service.stop()

    with open_for_writing(tmp_path) as store:
        asyncio.run(main(store))
    files = [gzip.decompress(path.read_bytes()) for path in sorted(folder.iterdir())]
    lines = [json.loads(line) for line in b"".join(files).splitlines()]
    assert len([line for line in lines if line["kind"] == "feedback" and "x" in line]) == 102
