"""The state is a function of the log: whatever was stopped, snapshotted, archived or batched."""

import pytest
from log_writer import Writer
from memory_store import MemoryStore
from pace import some

from onebit.errors import DamagedLog
from onebit.store import bodies
from onebit.store.event import Kind
from onebit.store.fold import Fold, snapshot_content
from onebit.store.recent import Recent
from onebit.store.recovery import recover
from onebit.store.replaying import replay
from onebit.store.sqlite import SqliteStore
from onebit.store.verifying import verify


def recovered(store, recent=None):
    return recover(store, recent or Recent())


def take_snapshot(store, fold):
    content = snapshot_content(fold.header(), fold.agent.to_bytes())
    for _ in store.write_snapshot(fold.name, fold.seq, content):
        pass


def same(fold, writer):
    assert fold.agent.digest() == writer.fold.agent.digest()
    assert fold.header() == writer.fold.header()


@pytest.mark.parametrize(
    "learner",
    ["banditron:gamma=0.2", "exp3", "winnow-bandit", "label-ranking:r=1", "copycat.Copycat"],
)
def test_folding_in_one_go_gives_the_bits_of_one_event_after_another(learner):
    import msgspec
    from log_writer import CREATED

    store = MemoryStore()
    writer = Writer(store, created=msgspec.structs.replace(CREATED, learner=learner))
    writer.some(some(600, 100))
    fold = recovered(store)["shop"]
    same(fold, writer)
    assert fold.compared >= some(2, 0)


def test_rows_beyond_memory_are_read_from_the_store(tmp_path):
    store = SqliteStore(tmp_path / "s.sqlite")
    writer = Writer(store)
    writer.some(300)
    same(recovered(store, Recent(most=2000))["shop"], writer)
    store.close()


def test_every_prefix_and_every_snapshot_lead_to_the_same_state():
    whole = MemoryStore()
    writer = Writer(whole, seed=5)
    writer.some(some(250, 60))
    events = whole.read(0, 10_000)
    for stop in range(1, len(events), 7):
        store = MemoryStore()
        store._events = events[:stop]
        before = recovered(store)["shop"]
        take_snapshot(store, before)
        store._events = events  # the rest arrives, the snapshot is there
        same(recovered(store)["shop"], writer)


def test_a_label_that_is_added_keeps_what_was_learned_in_every_copy():
    """Adding a label depends on the rounds in the log, not on those of the agent at hand."""
    store = MemoryStore()
    writer = Writer(store)
    for _ in range(20):
        writer.decide()
        writer.hear(correct=True)
    writer.add(Kind.LABEL_ADDED, body=bodies.LabelChange("d"))
    fold = recovered(store)["shop"]
    same(fold, writer)
    twin = fold.agent.twin()
    assert twin.fits(fold.agent)
    twin.copy_from(fold.agent, fold.round)
    assert twin.digest() == fold.agent.digest()
    assert len(twin.to_bytes()) == len(fold.agent.to_bytes())
    take_snapshot(store, fold)
    again = recovered(store)["shop"]
    assert again.agent.digest() == fold.agent.digest()
    assert again.agent.fits(fold.agent)


def test_agents_do_not_touch_each_other():
    store = MemoryStore()
    writers = [Writer(store, name, seed=n) for n, name in enumerate(("one", "two", "three"))]
    for n in range(some(300, 60)):
        writers[n % 3].some(1)
        if n % 50 == 0:
            take_snapshot(store, writers[n // 50 % 3].fold)
    folds = recovered(store)
    for writer in writers:
        same(folds[writer.name], writer)


def test_what_comes_while_paused_is_learned_at_the_end_of_the_pause():
    store, plain = MemoryStore(), MemoryStore()
    paused, other = Writer(store, seed=2), Writer(plain, seed=2)
    for writer in (paused, other):
        for _ in range(30):
            writer.decide()
    paused.add(Kind.SETTING, body=bodies.Setting(paused=True))
    before = paused.fold.agent.digest()
    for writer in (paused, other):
        for _ in range(20):
            writer.hear()
    assert paused.fold.agent.digest() == before
    begun = paused.fold.paused_at
    for through in (begun + 7, begun + 3, begun + 12):  # some of them, none, and some more
        paused.add(Kind.SETTING, body=bodies.Setting(learn_through=through))
        assert paused.fold.paused_at == max(through, begun + 7)
        same(recovered(store)["shop"], paused)
    assert paused.fold.counts.learned == 12
    assert paused.fold.agent.digest() != before
    paused.add(Kind.SETTING, body=bodies.Setting(paused=False))
    assert paused.fold.agent.digest() == other.fold.agent.digest() != before
    same(recovered(store)["shop"], paused)
    replayed = [replay(each, "shop", "banditron:gamma=0.2").agent for each in (store, plain)]
    assert replayed[0].digest() == replayed[1].digest()


def test_a_damaged_snapshot_falls_back_to_the_one_before_then_to_the_log(tmp_path):
    store = SqliteStore(tmp_path / "s.sqlite")
    writer = Writer(store)
    for _ in range(2):
        writer.some(100)
        take_snapshot(store, writer.fold)
    writer.some(50)
    for number in (1, 2):
        store._db.execute(
            "UPDATE content SET bytes = zeroblob(9) WHERE sha256 IN"
            " (SELECT content FROM snapshot ORDER BY seq DESC LIMIT ?)", (number,)
        )  # fmt: skip
        same(recovered(store)["shop"], writer)
    store.close()


def test_a_snapshot_of_another_state_is_noticed_by_its_digests():
    store = MemoryStore()
    writer = Writer(store)
    writer.some(300)
    agent = writer.fold.agent
    events = store.read(0, 10_000)
    cut = MemoryStore()
    cut._events = events[:200]
    early = recovered(cut)["shop"]
    early.agent.copy_from(early.agent.twin(), early.round)  # has learned nothing
    take_snapshot(store, early)
    fold = recovered(store)["shop"]
    assert fold.agent.digest() == agent.digest()
    assert fold.compared


@pytest.mark.parametrize("place", [3, 40, 99])
@pytest.mark.parametrize("field", ["body", "row", "time", "decision", "agent", "gone"])
def test_a_changed_or_missing_event_is_noticed(tmp_path, place, field):
    store = SqliteStore(tmp_path / "s.sqlite")
    writer = Writer(store)
    for _ in range(100):
        writer.decide()
    if field == "gone":
        store._db.execute("DELETE FROM event WHERE seq = ?", (place,))
    else:
        new = {"time": "time + 1", "agent": "'show'", "decision": "zeroblob(16)"}
        value = new.get(field, f"CAST({field} || 'x' AS BLOB)")
        store._db.execute(f"UPDATE event SET {field} = {value} WHERE seq = ?", (place,))
    with pytest.raises(DamagedLog, match=f"event {place} is missing"):
        recovered(store)
    store.close()


def test_an_archived_log_goes_on_from_its_base(tmp_path):
    store = SqliteStore(tmp_path / "s.sqlite")
    writer = Writer(store)
    writer.some(200)
    writer.fold.flush()
    while writer.open:
        writer.hear()
    take_snapshot(store, writer.fold)
    for _ in store.archive(writer.fold.seq - 20):
        pass
    writer.some(100)
    same(recovered(store)["shop"], writer)
    store.close()


def test_feedback_for_a_decision_that_is_not_there_is_damage():
    store = MemoryStore()
    Writer(store).append(Kind.FEEDBACK, bytes(16), bodies.Heard(True))
    with pytest.raises(DamagedLog, match="event 2 is about a decision that is not there"):
        recovered(store)


def test_a_fold_begins_with_its_created_event():
    store = MemoryStore()
    writer = Writer(store)
    fold = Fold.begin(store.read(0, 1)[0], store, Recent())
    assert (fold.seq, fold.agent.labels) == (1, ("a", "b", "c"))
    assert fold.agent.digest() == writer.fold.agent.digest()


@pytest.mark.parametrize("kind", [MemoryStore, SqliteStore])
def test_a_snapshot_before_the_base_is_not_one_to_begin_from(tmp_path, kind):
    """What came after it is archived: the state would lack it."""
    store = kind() if kind is MemoryStore else kind(tmp_path / "s.sqlite")
    writer = Writer(store)
    for _ in range(2):
        writer.some(200)
        while writer.open:
            writer.hear()
        if writer.fold.paused_at is not None:
            writer.add(Kind.SETTING, body=bodies.Setting(paused=False))
        take_snapshot(store, writer.fold)
    for _ in store.archive(writer.fold.seq):
        pass
    assert verify(store).digests == {"shop": writer.fold.agent.digest().hex()}
    writer.some(50)
    writer.fold.flush()
    assert verify(store).digests == {"shop": writer.fold.agent.digest().hex()}
    if kind is SqliteStore:
        store._db.execute("UPDATE content SET bytes = zeroblob(9)")
        with pytest.raises(DamagedLog, match="no snapshot of agent shop is sound"):
            recovered(store)
    store.close()
