"""Overload, fuzzed requests, memory, and true probabilities, each in a short form."""

import asyncio
import collections
import itertools

import msgspec
import numpy as np
import pytest
from load import check_schema, fuzz, overload
from running import Server

from onebit.service.service import Service
from onebit.service.settings import Settings
from onebit.service.types import AgentRequest, DecisionRequest
from onebit.store.directory import open_for_writing


@pytest.mark.compiled
def test_overload_gives_answers_or_503_and_ends(tmp_path):
    report = asyncio.run(overload(tmp_path, seconds=2.0, connections=60, waiting=6))
    assert set(report.statuses) == {200, 503}
    assert report.statuses[200] > 50
    assert report.after == 200  # and then it is as before
    assert report.counted == report.statuses[200]


@pytest.mark.compiled
def test_fuzzed_requests_are_refused_with_a_sentence(tmp_path):
    with Server(tmp_path) as server:
        report = asyncio.run(fuzz(server.url, 300, seed=1))
        code, printed, _ = server.stop()
    assert (code, printed) == (0, "onebit serve: ready\n")  # no traceback
    assert sum(report.values()) == 300
    assert set(report) <= {200, 400, 404, 405, 409, 410, 413, 415, 422}
    assert report[200] > 10
    assert min(report[400], report[404]) > 5


@pytest.mark.compiled
def test_requests_made_from_the_openapi_document(tmp_path):
    found = check_schema(tmp_path, 2)
    if found is None:
        pytest.skip("there is no schemathesis")
    assert found[0] == 0, found[1]


async def served(tmp_path, store, **settings):
    service = Service(store, tmp_path, Settings(**settings))
    await service.start()
    request = AgentRequest("banditron:gamma=0.4", ["a", "b", "c", "d"], 256, window=3600.0)
    return service, await service.create("shop", request)


@pytest.mark.compiled
def test_probabilities_are_true(tmp_path):
    """Labels of 100,000 decisions, by chi-square against the probabilities that are logged."""

    async def main(store):
        service, hosted = await served(tmp_path, store)
        request = DecisionRequest(msgspec.Raw(b'{"a": 1}'))
        agent = hosted.fold.agent
        row = agent.row_of({"a": 1})
        for label in (0, 0, 0, 2):  # some labels are better than others
            agent.teach_row(row, (label, label, 0.5, 0.5), True)
        chance = np.random.default_rng(0)
        labels, probs = collections.Counter(), {}
        for _ in range(100_000):
            _, made = hosted.propose(request, chance.bytes(16))
            labels[made.label] += 1
            probs[made.label] = made.marginal
        await service.stop()
        return labels, probs

    with open_for_writing(tmp_path) as store:
        labels, probs = asyncio.run(main(store))
    assert sum(probs.values()) == pytest.approx(1.0)
    square = sum((labels[k] - 1e5 * p) ** 2 / (1e5 * p) for k, p in probs.items())
    assert square < 16.27  # the 0.999 quantile, 3 degrees of freedom


def test_bits_that_come_before_the_decision_is_on_the_disk(tmp_path):
    """A caller who draws the id may send the bit at once, and twice: it is learned once."""
    from onebit.service.types import FeedbackRequest

    async def main(store):
        service, hosted = await served(tmp_path, store)
        id = "0" * 32
        request = DecisionRequest(msgspec.Raw(b'{"a": 1}'), id)
        calls = [hosted.decide(request), hosted.decide(request)]
        calls += [hosted.hear(FeedbackRequest(id, True)) for _ in range(3)]
        first, again, *heard = await asyncio.gather(*calls)
        assert (first.replayed, again.replayed) == (False, True)
        assert [each.status for each in heard] == ["learned", "duplicate", "duplicate"]
        await service.stop()

    with open_for_writing(tmp_path) as store:
        asyncio.run(main(store))


def test_memory_of_open_decisions_is_bounded(tmp_path):
    """Beyond `recent` bytes the rows of open decisions are in the store alone, and still heard."""
    from onebit.service.types import FeedbackRequest

    async def main(store):
        service, hosted = await served(tmp_path, store, recent=100_000)
        request = DecisionRequest(msgspec.Raw(b'{"a": 1, "b": "c"}'))
        ids = []
        for _ in range(4):
            made = await asyncio.gather(*(hosted.decide(request) for _ in range(250)))
            ids += [each.id for each in made]
        assert service.recent.size <= 100_000
        assert len(service.recent) < 200
        heard = [await hosted.hear(FeedbackRequest(id, True)) for id in (ids[0], ids[-1])]
        assert [each.status for each in heard] == ["learned"] * 2
        await service.stop()

    with open_for_writing(tmp_path) as store:
        asyncio.run(main(store))


def test_decisions_go_on_while_a_long_pause_is_learned(tmp_path, monkeypatch):
    """Its bits are learned in steps, each an event of the log."""
    from onebit.service import hosted as module
    from onebit.service.types import AgentChange, FeedbackRequest
    from onebit.store.event import Kind
    from onebit.store.verifying import verify

    monkeypatch.setattr(module, "_RESUMED", 50)

    async def main(store):
        service, hosted = await served(tmp_path, store)
        request = DecisionRequest(msgspec.Raw(b'{"a": 1, "b": "c"}'))
        await hosted.change(AgentChange(paused=True), service.check_growth)
        made = await asyncio.gather(*(hosted.decide(request) for _ in range(300)))
        await asyncio.gather(*(hosted.hear(FeedbackRequest(each.id, True)) for each in made))
        assert hosted.fold.counts.learned == 0
        resumed = asyncio.create_task(
            hosted.change(AgentChange(paused=False), service.check_growth)
        )
        seen = set()
        while not resumed.done():
            await hosted.decide(request)
            seen.add(hosted.fold.counts.learned)
        await resumed
        assert hosted.fold.counts.learned == 300
        assert len(seen) > 3
        await service.stop()
        digest = hosted.fold.agent.digest().hex()
        assert sum(event.kind == Kind.SETTING for event in store.read(0, 5000)) > 10
        assert verify(store).digests == {"shop": digest}

    with open_for_writing(tmp_path) as store:
        asyncio.run(main(store))


def test_an_end_does_not_wait_for_work_that_can_be_done_later(tmp_path):
    async def main(store):
        service, hosted = await served(tmp_path, store)
        service.sequencer.run_in_background(itertools.repeat(None))
        await hosted.decide(DecisionRequest(msgspec.Raw(b'{"a": 1}')))
        await asyncio.wait_for(service.stop(), 60)
        assert store.snapshot_seqs()["shop"] == [store.head().seq]

    with open_for_writing(tmp_path) as store:
        asyncio.run(main(store))


def test_an_agent_may_not_grow_beyond_its_memory(tmp_path):
    """Such a label could be logged, and then no start could add it."""
    from onebit.errors import BadParameter, TooLarge
    from onebit.service.types import AgentChange

    async def main(store):
        service, hosted = await served(tmp_path, store, cells=15 * 256)
        service._most_bytes = hosted.fold.agent.most_bytes + 5 * 256 * 8
        await hosted.change(AgentChange(add=["e", "f"]), service.check_growth)
        with pytest.raises(TooLarge, match="must take at most"):
            await hosted.change(AgentChange(add=list(range(9))), service.check_growth)
        with pytest.raises(BadParameter, match="labels x features must be at most"):
            await hosted.change(AgentChange(add=list(range(10))), service.check_growth)
        assert len(hosted.fold.agent.labels) == 6
        await service.stop()

    with open_for_writing(tmp_path) as store:
        asyncio.run(main(store))


def test_an_agent_that_is_there_is_served_with_lower_limits(tmp_path):
    from onebit.errors import BadParameter
    from onebit.service.types import AgentChange

    async def main(store, cells):
        service, hosted = await served(tmp_path, store, cells=cells)
        for change in (AgentChange(paused=True), AgentChange(retire=["a"], window=5.0),
                       AgentChange(restore=["a"], window=3600.0, paused=False)):  # fmt: skip
            await hosted.change(change, service.check_growth)
        if cells == 1000:
            other = AgentRequest("banditron", ["a", "b"])
            added = hosted.change(AgentChange(add=["e"]), service.check_growth)
            for call in (added, service.create("other", other)):
                with pytest.raises(BadParameter, match=r"at most 1,000"):
                    await call
        await service.stop()

    for cells in (2000, 1000):
        with open_for_writing(tmp_path) as store:
            asyncio.run(main(store, cells))


@pytest.mark.parametrize("label", [10**4250, [[{"a": 1}]]])
def test_labels_that_cannot_be_written_are_refused_before_they_are_logged(tmp_path, label):
    """An agent with one could neither be listed nor saved."""
    from onebit.errors import BadInput
    from onebit.service.types import AgentChange

    async def main(store):
        service, hosted = await served(tmp_path, store)
        why = "labels must be strings, numbers, None or tuples"
        with pytest.raises(BadInput, match=why):
            await service.create("other", AgentRequest("banditron", ["a", label]))
        with pytest.raises(BadInput, match=why):
            await hosted.change(AgentChange(add=[label]), service.check_growth)
        deep = "a"
        for _ in range(60):
            deep = [deep]
        with pytest.raises(BadInput, match="at most 50 levels"):
            await hosted.change(AgentChange(add=[deep]), service.check_growth)
        assert list(service.agents) == ["shop"]
        await service.stop()

    with open_for_writing(tmp_path) as store:
        asyncio.run(main(store))
