"""What every back end does, the same for all: the list in memory is the oracle."""

import hashlib

import pytest
from memory_store import MemoryStore

from onebit.store.base import Fenced
from onebit.store.event import EMPTY, Draft, Head, Kind
from onebit.store.sqlite import SqliteStore


@pytest.fixture(params=["memory", "sqlite"])
def store(request, tmp_path):
    made = MemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "s.sqlite")
    yield made
    made.close()


def draft(kind=Kind.SETTING, id=None, agent="shop", time=7, body=b"{}", row=None):
    return Draft(agent, kind, id, time, body, row)


def ident(n):
    return hashlib.md5(str(n).encode()).digest()


def test_an_empty_store(store):
    assert store.head() == store.base == EMPTY
    assert store.read(0, 10) == [] == store.created()
    assert store.snapshot_seqs() == {}


def test_events_come_back_as_they_were_in_order_and_chained(store):
    drafts = [draft(Kind.DECISION, ident(n), row=b"d" + bytes(8), time=n) for n in range(100)]
    events = store.append(drafts, store.head())
    assert [event.seq for event in events] == list(range(1, 101))
    assert store.read(0, 1000) == events
    assert store.read(10, 5) == events[10:15]
    assert store.read(90, 50, through=95) == events[90:95]
    assert store.head() == Head(100, events[-1].chain)
    assert len({event.chain for event in events}) == 100


def test_the_chain_depends_on_every_field(store):
    one = draft(Kind.DECISION, ident(1), row=b"x")
    other = [
        one._replace(agent="show"), one._replace(kind=Kind.FEEDBACK), one._replace(time=8),
        one._replace(decision=ident(2)), one._replace(body=b"[]"), one._replace(row=b"y"),
        one._replace(row=None), one._replace(decision=None),
    ]  # fmt: skip
    from onebit.store.event import link

    links = {link(bytes(16), 1, *each) for each in [one, *other]}
    links |= {link(b"1" * 16, 1, *one), link(bytes(16), 2, *one)}
    assert len(links) == 11
    assert store.append([one], EMPTY)[0].chain == link(bytes(16), 1, *one)


def test_another_head_is_fenced_and_nothing_is_written(store):
    store.append([draft()], EMPTY)
    for wrong in (EMPTY, Head(2, bytes(16)), Head(1, bytes(16))):
        with pytest.raises(Fenced):
            store.append([draft()], wrong)
    assert store.head().seq == 1


@pytest.mark.parametrize(
    "twice",
    [
        [draft(Kind.CREATED)] * 2,
        [draft(Kind.DECISION, ident(1))] * 2,
        [draft(Kind.FEEDBACK, ident(1))] * 2,
        [draft(Kind.FEEDBACK, ident(1)), draft(Kind.EXPIRED, ident(1))],
    ],
)
def test_the_store_itself_refuses_what_may_be_there_once(store, twice):
    with pytest.raises(Fenced):
        store.append(twice, EMPTY)
    assert store.head() == EMPTY
    store.append(twice[:1], EMPTY)
    with pytest.raises(Fenced):
        store.append([draft(), twice[1]], store.head())
    assert store.head().seq == 1
    other = [each._replace(agent="other") for each in twice[:1]]
    assert store.append(other, store.head())[0].seq == 2  # another agent's is its own


def test_decisions_by_id(store):
    store.append([draft(Kind.DECISION, ident(1)), draft(Kind.DECISION, ident(2))], EMPTY)
    store.append([draft(Kind.FEEDBACK, ident(2))], store.head())
    assert [e.seq for e in store.decision("shop", ident(1))] == [1]
    assert [e.seq for e in store.decision("shop", ident(2))] == [2, 3]
    assert store.decision("other", ident(1)) == [] == store.decision("shop", ident(3))


def test_events_about_no_decision(store):
    kinds = [Kind.CREATED, Kind.DECISION, Kind.LABEL_ADDED, Kind.FEEDBACK, Kind.DIGEST]
    store.append([draft(kind, ident(1)) for kind in kinds], EMPTY)
    store.append([draft(Kind.CREATED, agent="other")], store.head())
    assert [event.seq for event in store.setup("shop")] == [1, 3, 5]
    assert [event.seq for event in store.created()] == [1, 6]


def test_unanswered_decisions(store):
    drafts = [draft(Kind.DECISION, ident(n), time=n) for n in range(10)]
    store.append([*drafts, draft(Kind.DECISION, ident(3), "other", time=10)], EMPTY)
    ends = [draft(Kind.FEEDBACK, ident(2), time=11), draft(Kind.EXPIRED, ident(4), time=11)]
    store.append(ends, store.head())
    found = store.unanswered("shop", 0, 7, 100)
    assert [event.time for event in found] == [0, 1, 3, 5, 6]
    assert [event.time for event in store.unanswered("shop", found[1].seq, 7, 2)] == [3, 5]


def test_the_last_event_at_a_time(store):
    assert store.last_at(5) == 0
    store.append([draft(time=time) for time in (1, 1, 4, 4, 4, 9)], EMPTY)
    assert [store.last_at(time) for time in (0, 1, 3, 4, 8, 9, 99)] == [0, 2, 2, 5, 5, 6, 6]
    store.probe()
    assert store.head().seq == 6


def test_two_snapshots_are_kept_and_equal_ones_may_share(store):
    for seq, content in ((5, b"one" * 200_000), (8, b"two"), (9, b"two"), (12, b"two")):
        for _ in store.write_snapshot("shop", seq, content):
            pass
    for _ in store.write_snapshot("other", 12, b"two"):
        pass
    assert store.snapshot_seqs() == {"shop": [12, 9], "other": [12]}
    assert [tuple(each) for each in store.snapshots("shop")] == [
        ("shop", 12, b"two"), ("shop", 9, b"two"),
    ]  # fmt: skip


def test_a_snapshot_that_was_not_finished_does_not_count(store):
    if isinstance(store, MemoryStore):
        pytest.skip("it has no parts")
    steps = store.write_snapshot("shop", 5, b"one" * 200_000)
    next(steps)
    assert store.snapshot_seqs() == {}
    for _ in store.write_snapshot("shop", 6, b"one" * 200_000):
        pass
    assert next(iter(store.snapshots("shop"))).content == b"one" * 200_000


def test_archived_events_leave_and_their_ids_stay(store):
    kinds = (Kind.DECISION, Kind.FEEDBACK)
    events = store.append([draft(kind, ident(n)) for n in range(1250) for kind in kinds], EMPTY)
    for seq in (2100, 2200):
        list(store.write_snapshot("shop", seq, str(seq).encode()))
    for _ in store.archive(2100):
        pass
    assert store.base == Head(2100, events[2099].chain)
    assert store.read(0, 1)[0] == events[2100]
    assert store.is_archived("shop", ident(3))
    assert not store.is_archived("shop", ident(1100))
    assert not store.is_archived("other", ident(3))
    for seq in (2300, 2400, 2500):
        list(store.write_snapshot("shop", seq, str(seq).encode()))
    assert store.snapshot_seqs()["shop"] == [2500, 2400, 2200]  # the base needs the last
    assert store.append([draft()], store.head())[0].seq == 2501


def test_a_decision_stays_until_its_outcome_is_archived(store):
    made = [draft(Kind.DECISION, ident(n)) for n in range(3)]
    ends = [draft(Kind.FEEDBACK, ident(n)) for n in (0, 1)]
    events = store.append([*made, ends[0], draft(), ends[1], draft()], EMPTY)
    list(store.write_snapshot("shop", 7, b"x"))
    list(store.archive(5))
    assert store.base == Head(5, events[4].chain)
    assert [event.seq for event in store.read(0, 10)] == [2, 3, 6, 7]
    assert [event.seq for event in store.decision("shop", ident(1))] == [2, 6]
    list(store.archive(6))
    assert [event.seq for event in store.read(0, 10)] == [3, 7]
    assert [store.is_archived("shop", ident(n)) for n in range(3)] == [True, True, False]


def test_the_head_of_a_store_whose_events_are_all_archived(store):
    events = store.append([draft(), draft()], EMPTY)
    list(store.write_snapshot("shop", 2, b"x"))
    list(store.archive(2))
    assert store.head() == store.base == Head(2, events[1].chain)
    assert store.append([draft()], store.head())[0].seq == 3
