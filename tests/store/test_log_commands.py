"""`onebit log`: verify, export, replay, show and backup, on a store that is in use or not."""

import json
import sqlite3

import pytest
from click.testing import CliRunner
from log_writer import Writer

from onebit import Agent
from onebit.cli.commands import cli
from onebit.errors import BadInput
from onebit.store import bodies
from onebit.store.directory import STORE, open_for_reading, open_for_writing
from onebit.store.event import Kind
from onebit.store.exporting import Exporter
from onebit.store.fold import snapshot_content
from onebit.store.recovery import read_chained
from onebit.store.replaying import replay
from onebit.store.verifying import verify

#: On one worker, which makes the fixtures of this file once.
pytestmark = pytest.mark.xdist_group("the log of commands")


def run(*arguments, code=0):
    """Run a command; return what it prints, or its error in one line."""
    found = CliRunner().invoke(cli, ["log", *map(str, arguments)])
    if code:
        assert isinstance(found.exception, BadInput), found.output
        return f"{found.exception}\n"
    assert found.exception is None, found.exception
    return found.stdout


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """A store that stays open for writing while the commands run."""
    directory = tmp_path_factory.mktemp("log")
    with open_for_writing(directory) as opened:
        writer = Writer(opened, seed=4)
        writer.some(400)
        yield directory, writer


def test_verify(store):
    directory, writer = store
    found = json.loads(run("verify", directory, "--json"))
    assert found["decisions"] == writer.fold.counts.decisions
    assert found["learned"] == writer.fold.counts.learned
    assert found["compared"] == found["learned"] // 50
    assert found["digests"] == {"shop": writer.fold.agent.digest().hex()}
    assert "all equal" in run("verify", directory)


def doctored(directory, tmp_path, change):
    """A copy of a store with events changed and the chain made to fit again."""
    from onebit.store.event import Event, link

    reader = open_for_reading(directory)
    events = reader.read(0, 10_000)
    reader.close()
    copy = open_for_writing(tmp_path)
    with copy as opened:
        chain = bytes(16)
        for event in change(events):
            chain = link(chain, *event[:7])
            opened._db.execute(
                "INSERT INTO event VALUES (?,?,?,?,?,?,?,?)", Event(*event[:-1], chain)
            )
    return tmp_path


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("prob", "its state makes"), ("label", "its state makes"), ("x", "its row is not the one"),
     ("bit", "is not sound"), ("version", "is not sound"), ("digest", "has the digest")],
)  # fmt: skip
def test_a_log_that_was_forged_with_a_fitting_chain_is_noticed(store, tmp_path, name, sentence):
    import msgspec

    def forge(events):
        forged = list(events)
        kind = {"bit": Kind.FEEDBACK, "digest": Kind.DIGEST}.get(name, Kind.DECISION)
        at = [n for n, event in enumerate(events) if event.kind == kind][1 if kind == 8 else 20]
        body = json.loads(events[at].body)
        change = {
            "prob": lambda: body.update(prob=body["prob"] * 0.5),
            "label": lambda: body.update(label=(body["label"] + 1) % 3),
            "x": lambda: body.update(x={"other": 1}),
            "bit": lambda: body.update(correct=not body["correct"]),
            "version": lambda: body.update(version=0),
            "digest": lambda: body.update(digest="00" * 16),
        }
        change[name]()
        forged[at] = events[at]._replace(body=msgspec.json.encode(body))
        return forged

    said = run("verify", doctored(store[0], tmp_path / "forged", forge), code=2)
    assert sentence in said
    assert said.count("\n") == 1


def test_export_as_lines_that_onebit_learn_reads(store, tmp_path):
    directory, writer = store
    run("export", directory, "-o", tmp_path / "log.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    held = 0 if writer.fold.paused_at is None else len(
        [e for e in writer.store.read(writer.fold.paused_at, 1000) if e.kind == Kind.FEEDBACK]
    )  # fmt: skip
    assert len(lines) >= writer.fold.counts.learned - held
    assert sum(line["correct"] for line in lines) == writer.fold.counts.right
    assert all(set(line) >= {"x", "label", "prob", "correct"} for line in lines)
    from onebit.experiment.run.replay import learn_from_log

    assert learn_from_log(str(tmp_path / "log.jsonl"), "banditron")[1].used == len(lines)
    everything = run("export", directory, "--all").splitlines()
    assert len(everything) == writer.store.head().seq
    assert "secret" not in "".join(everything)


def test_export_as_a_table(store, tmp_path):
    pq = pytest.importorskip("pyarrow.parquet")
    run("export", store[0], "-o", tmp_path / "log.parquet")
    table = pq.read_table(tmp_path / "log.parquet")
    assert set(table.column_names) >= {"x", "label", "prob", "marginal", "correct", "time"}
    assert sum(table["correct"].to_pylist()) == store[1].fold.counts.right
    assert "must end in .jsonl or .parquet" in run("export", store[0], "-o", "x.csv", code=2)


def test_show(store):
    directory, writer = store
    feedback = next(e for e in writer.store.read(0, 1000) if e.kind == Kind.FEEDBACK)
    found = json.loads(run("show", directory, feedback.decision.hex()))
    assert found["correct"] == bodies.read_heard(feedback.body).correct
    assert found["closed_seq"] == feedback.seq
    assert "is not in the log" in run("show", directory, "0" * 32, code=2)
    assert "32 hexadecimal" in run("show", directory, "zz", code=2)


def test_replay_of_the_same_learner_has_its_labels_and_of_another_its_state(store, tmp_path):
    directory, writer = store
    said = run("replay", directory, "--learner", "margin-bandit", "--save", tmp_path / "a.npz")
    assert "bits learned" in said
    agent = Agent.load(tmp_path / "a.npz")
    assert agent.labels == writer.fold.agent.labels
    assert agent.decide({"f1": 1.0}).label in agent.labels
    wrong = run("replay", directory, "--learner", "perceptron", "--save", "x", code=2)
    assert "it hears the true label" in wrong


def test_replay_is_what_an_agent_learns_from_the_same_rounds(store):
    """Where all labels are played, replay is `Agent.replay` of the exported rounds."""
    from memory_store import MemoryStore

    log = MemoryStore()
    writer = Writer(log, seed=9)
    for _ in range(60):
        writer.decide()
        writer.hear()
    found = replay(log, "shop", "exp3", seed=5).agent
    import numpy as np

    from onebit.kernel.block import noiseless_block
    from onebit.kernel.validation import read_rows

    lines = list(Exporter(log).rounds())
    names = writer.fold.agent.labels
    block = noiseless_block(
        read_rows([json.loads(bytes(line.x)) for line in lines], 256), np.zeros(60, np.int32)
    )
    agent = Agent("exp3", names, features=256, seed=5)
    agent.replay(
        block,
        np.array([names.index(line.label) for line in lines], np.int32),
        np.array([line.prob for line in lines]),
        np.array([line.correct for line in lines]),
    )
    row = {"f1": 1.0}
    assert agent.probabilities(row) == found.probabilities(row)


def test_backup_and_restore(store, tmp_path):
    directory, writer = store
    run("backup", directory, tmp_path / "copy.sqlite")
    assert "is there already" in run("backup", directory, tmp_path / "copy.sqlite", code=2)
    (tmp_path / "restored").mkdir()
    (tmp_path / "copy.sqlite").rename(tmp_path / "restored" / STORE)
    found = json.loads(run("verify", tmp_path / "restored", "--json"))
    assert found["digests"] == {"shop": writer.fold.agent.digest().hex()}


def test_what_is_no_store(tmp_path):
    assert f"has no {STORE}" in run("verify", tmp_path, code=2)
    with sqlite3.connect(tmp_path / STORE) as db:
        db.execute("CREATE TABLE x (y)")
    assert "not a store of onebit" in run("verify", tmp_path, code=2)


def test_versions_that_fall_are_noticed(store):
    reader = open_for_reading(store[0])
    assert verify(reader).events == reader.head().seq
    reader.close()


def test_what_is_logged_in_a_pause_is_shown_so(tmp_path):
    with open_for_writing(tmp_path) as opened:
        writer = Writer(opened)
        ids = [writer.decide() for _ in range(2)]
        writer.add(Kind.SETTING, body=bodies.Setting(paused=True))
        for _ in ids:
            writer.hear(True)
        writer.add(Kind.SETTING, body=bodies.Setting(learn_through=writer.fold.seq - 1))
        said = {json.loads(run("show", tmp_path, id.hex()))["status"] for id in ids}
        assert said == {"learned", "logged"}
        writer.add(Kind.SETTING, body=bodies.Setting(paused=False))
        assert json.loads(run("show", tmp_path, ids[0].hex()))["status"] == "learned"


def test_rows_that_were_sent_on_many_lines_are_exported_on_one(tmp_path):
    with open_for_writing(tmp_path) as opened:
        writer, x = Writer(opened), {"f1": 1, "a b": "c"}
        text = json.dumps(x, indent=2).replace("\n", "\r\n").encode()
        writer.decide(x, text=text)
        writer.hear(True)
        assert opened.read(1, 1)[0].body.count(b"\n") == 3
        for found in (run("export", tmp_path), run("export", tmp_path, "--all")):
            lines = [json.loads(line) for line in found.splitlines()]
            assert [line["x"] for line in lines if "x" in line] == [x] * (
                len(lines) - len(lines) // 3
            )


def test_a_label_that_is_added_during_an_export(tmp_path):
    with open_for_writing(tmp_path) as opened:
        writer = Writer(opened)
        writer.some(100)
        lines = Exporter(opened).every_event()
        first = [next(lines) for _ in range(3)]
        writer.add(Kind.LABEL_ADDED, body=bodies.LabelChange("new"))
        writer.decide(among=["new"])
        assert writer.fold.seq > len(first) + len(list(lines)) >= 100


def test_events_that_are_archived_during_an_export_or_a_check(tmp_path, monkeypatch):
    """They are neither left out in silence nor called missing."""
    monkeypatch.setattr("onebit.store.exporting._PAGE", 10)
    monkeypatch.setattr("onebit.store.recovery._PAGE", 10)
    with open_for_writing(tmp_path) as opened:
        writer = Writer(opened)
        for _ in range(50):
            writer.decide()
            writer.hear()
        content = snapshot_content(writer.fold.header(), writer.fold.agent.to_bytes())
        list(opened.write_snapshot("shop", writer.fold.seq, content))
        lines = Exporter(opened).rounds()
        events = read_chained(opened, opened.base, opened.head())
        assert (next(lines).seq, next(events).seq) == (3, 1)
        list(opened.archive(40))
        for some in (lines, events):
            with pytest.raises(BadInput, match="event 11 was archived meanwhile"):
                list(some)
        assert next(Exporter(opened).rounds()).seq == 41


def test_every_event_as_a_table_and_a_table_of_none(store, tmp_path):
    pq = pytest.importorskip("pyarrow.parquet")
    directory, writer = store
    run("export", directory, "--all", "-o", tmp_path / "all.parquet")
    events = pq.read_table(tmp_path / "all.parquet").to_pylist()
    assert len(events) == writer.store.head().seq
    found = [json.loads(event["event"]) for event in events]
    assert found == [json.loads(line) for line in run("export", directory, "--all").splitlines()]
    with open_for_writing(tmp_path / "new") as opened:
        Writer(opened)
        run("export", tmp_path / "new", "-o", tmp_path / "none.parquet")
    assert pq.read_table(tmp_path / "none.parquet").num_rows == 0


def test_a_backup_that_cannot_be_written(store, tmp_path):
    said = run("backup", store[0], tmp_path / "none" / "copy.sqlite", code=2)
    assert "copy.sqlite cannot be written: " in said


def test_replay_by_a_learner_that_cannot_take_what_is_logged(tmp_path):
    with open_for_writing(tmp_path) as opened:
        writer = Writer(opened)
        writer.decide({"f1": 2.0}, among=["a", "b"])
        writer.hear(True)
        for learner, sentence in (
            ("exp4", "a row of advice must be an array of label numbers"),
            ("label-ranking:r=2", "must have more than that to choose among, got 2"),
        ):
            options = ("--learner", learner, "--save", tmp_path / "a.npz")
            assert sentence in run("replay", tmp_path, *options, code=2)
        assert not (tmp_path / "a.npz").exists()
