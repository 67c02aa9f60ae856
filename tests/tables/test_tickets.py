"""The same tickets in any file or frame give the same mistakes, and few of them."""

import dataclasses
import json
from typing import NamedTuple

import numpy as np
import pytest
from pace import some
from tables.tickets import NAMES, as_csv, as_json, tickets

from onebit import Agent, BadInput
from onebit.experiment.run.playing import play_trials
from onebit.experiment.run.trial import Trial
from onebit.streams.opening import open_stream

RECORDS = tickets(some(5000, 300))
#: How many rows are played one at a time.
FEW = some(400, 100)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("tickets")


def write(folder, name, content, encoding="utf-8"):
    path = folder / name
    path.write_text(content, encoding=encoding)
    return str(path)


def missed(path, learner="cova"):
    """Which rounds a learner gets wrong."""
    stream = open_stream(path, 0)
    agent = Agent(learner, stream.labels, encoder=stream.encoder)
    return np.concatenate([agent.play(block) for block in stream.blocks()])


@pytest.fixture(scope="module")
def expected(folder):
    return missed(write(folder, "tickets.csv", as_csv(RECORDS)))


@pytest.mark.compiled
def test_below_fifteen_percent_are_wrong(folder, expected):
    assert expected.mean() < 0.15
    result = play_trials([Trial.parse(str(folder / "tickets.csv"), "cova")])[0]
    assert result.mistakes == expected.sum()


@pytest.mark.compiled
@pytest.mark.xdist_group("auto")
def test_the_default_learner_gets_less_than_a_tenth_wrong(folder):
    assert missed(write(folder, "default.csv", as_csv(RECORDS)), "auto").mean() < 0.1


WAYS = {
    "semicolons.csv": (as_csv(RECORDS, ";", ","), "utf-8"),
    "missing.csv": (as_csv(RECORDS, gap="NA"), "utf-8"),
    "dashes.csv": (as_csv(RECORDS, "|", gap="-"), "utf-8"),
    "wide.csv": (as_csv(RECORDS, ";", ",", gap="?"), "utf-16"),
    "tabs.tsv": (as_csv(RECORDS, "\t"), "utf-8"),
    "flat.jsonl": (as_json(RECORDS), "utf-8"),
}


@pytest.mark.compiled
@pytest.mark.parametrize("name", WAYS)
def test_the_same_mistakes_however_a_file_is_written(folder, expected, name):
    assert np.array_equal(missed(write(folder, name, *WAYS[name])), expected)


def test_the_same_mistakes_in_parquet_and_frames(folder, expected):
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    frame = pandas.DataFrame(RECORDS)
    frame.to_parquet(folder / "tickets.parquet")
    frames = [
        frame, polars.DataFrame(RECORDS), pandas.read_csv(folder / "tickets.csv"), RECORDS,
        polars.read_csv(folder / "tickets.csv"), polars.DataFrame(RECORDS).to_arrow(),
    ]  # fmt: skip
    assert np.array_equal(missed(str(folder / "tickets.parquet")), expected)
    for each in frames:
        agent = Agent.from_table(each, label="queue", learner="cova")
        assert np.array_equal(agent.play_table(each), expected)
        assert agent.unseen == {}


@dataclasses.dataclass
class Ticket:
    ticket: int
    created: object
    product: str
    premium: bool
    spent: float | None
    age: int | None
    visits: int
    subject: str


def test_records_in_production_give_the_choices_of_the_stream(folder, expected):
    pandas = pytest.importorskip("pandas")
    stream = open_stream(str(folder / "tickets.csv"), 0)
    agent = Agent("cova", stream.labels, encoder=stream.encoder)
    agent.play(next(stream.blocks()).head(FEW))
    agent = Agent.from_bytes(agent.to_bytes())
    frame = pandas.DataFrame(RECORDS)
    found = []
    for n, record in enumerate(RECORDS[FEW : 2 * FEW], FEW):
        without = {name: record[name] for name in NAMES if name != "queue"}
        x = [without, record, Ticket(**without), frame.iloc[n], frame.drop(columns="queue").iloc[n]]
        choice = agent.decide(x[n % 5])
        assert agent.predict(without) == agent.predict_many([x[n % 5]])[0]
        found.append(choice.label != record["queue"])
        agent.learn(choice, correct=choice.label == record["queue"])
    assert found == expected[FEW : 2 * FEW].tolist()
    assert agent.unseen == {}
    assert agent.predict_many(frame[:50]) == [agent.predict(record) for record in RECORDS[:50]]


def test_what_the_table_did_not_have_is_handled_and_counted():
    agent = Agent.from_table(RECORDS, label="queue", learner="cova")
    record = {**RECORDS[0], "product": "toaster", "mood": "bad", "visits": None, "age": "old"}
    del record["premium"]
    for _ in range(2):
        agent.predict(record)
    assert agent.unseen == {
        "absent column": {"premium": 2},
        "gap": {"premium": 2, "visits": 2},
        "new value": {"product": 2},
        "no number": {"age": 2},
        "unknown column": {"mood": 2},
    }
    one = agent.unseen
    agent.predict_many([record, record])
    assert agent.unseen == {w: {c: 2 * n for c, n in each.items()} for w, each in one.items()}
    with pytest.raises(BadInput, match="a record's numbers must be finite"):
        agent.decide({**RECORDS[0], "visits": float("inf")})


def test_columns_that_anyone_names_take_no_more_memory_than_a_thousand():
    agent = Agent.from_table(RECORDS, label="queue", learner="cova")
    for n in range(3):
        agent.predict({**RECORDS[0], **{f"{'x' * 10_000}{n}_{m}": 1 for m in range(700)}})
        agent.predict({**RECORDS[0], **{f"{n}_{m}": 1 for m in range(700)}})
    unknown = agent.unseen["unknown column"]
    assert sum(unknown.values()) == 4200
    assert len(unknown) <= 1001
    assert max(map(len, unknown)) <= 60


def test_columns_that_are_numbered_are_found_in_single_records_too():
    rows = [[float(n), "rg"[n % 2], "ab"[n % 2]] for n in range(40)]
    agent = Agent.from_table([dict(enumerate(row)) for row in rows], "2", "cova")
    agent.predict(dict(enumerate(rows[0][:2])))
    assert agent.unseen == {}


def test_dates_of_numpy_are_dates():
    days = np.array("2024-01-01", "M8[ns]") + np.arange(40) * np.timedelta64(1, "D")
    agent = Agent.from_table({"day": days, "kind": [*"ab"] * 20}, "kind", "cova")
    assert [code.kind for code in agent._encoder.codes] == ["date", "label"]
    agent.predict({"day": days[3]})
    agent.predict({"day": np.datetime64("NaT", "ns")})
    assert agent.unseen == {"gap": {"day": 1}}


def test_names_and_labels_of_too_many_digits_are_one_sentence():
    table, long = {10: [1, 2], "k": ["a", "b"]}, 10**5000
    agent = Agent.from_table(table, "k", "banditron", labels=["a", long])
    for call in (
        lambda: Agent.from_table({long: [1, 2], "k": ["a", "b"]}, "k"),
        lambda: agent.decide({long: 1.0}),
        lambda: agent.decide({"10": long}),
        lambda: agent.play_table(table),
        lambda: agent.decide(dataclasses.make_dataclass("Record", ["age"])),
        lambda: agent.decide(NamedTuple("Record", [("age", int)])),
    ):
        with pytest.raises(BadInput, match=r"^Agent: a (column|value|row) [^\n]*\.$"):
            call()


def test_tables_that_cannot_be_used():
    for table in (3, [], [1, 2], {"a": [1], "b": [1, 2]}, {}, {"a": 3}):
        with pytest.raises(BadInput, match=r"Agent.from_table: a table must"):
            Agent.from_table(table, label="a")
    with pytest.raises(BadInput, match="label must be one of the columns"):
        Agent.from_table(RECORDS, label=np.array(["a", "k"]))
    with pytest.raises(BadInput, match="it makes the encoder of the table"):
        Agent.from_table(RECORDS, label="queue", encoder=None)
    with pytest.raises(BadInput, match="label must be one of the columns"):
        Agent.from_table(RECORDS, label="quene")
    with pytest.raises(BadInput, match="kinds must map columns of the table to one of number"):
        Agent.from_table(RECORDS, label="queue", kinds={"age": "integer"})
    with pytest.raises(BadInput, match="kinds must be a dict"):
        Agent.from_table(RECORDS, label="queue", kinds=["age"])
    with pytest.raises(BadInput, match=f"column ticket has {len(RECORDS):,} labels"):
        Agent.from_table(RECORDS, label="ticket")
    with pytest.raises(BadInput, match="must be made for a table"):
        Agent("cova", ["a", "b"], features=2).play_table(RECORDS)
    with pytest.raises(BadInput, match="encoder must be one of a table"):
        Agent("cova", ["a", "b"], encoder={"features": 3})
    gap = [{**RECORDS[0], "queue": None}, *RECORDS[1:]]
    with pytest.raises(BadInput, match="every row must have a label in column queue"):
        Agent.from_table(gap, label="queue")


def test_labels_that_are_one_in_a_table_are_refused():
    """A table has texts: 1 and "1" would both be found for a 1, and one of them never."""
    table = {"size": [1, 2, 9, 8], "kind": [1, 1, 2, 2]}
    agent = Agent.from_table(table, "kind", "cova", labels=[1, "1", 2])
    with pytest.raises(BadInput, match=r"labels must differ as text.* got \[1, '1'\]\.") as error:
        agent.play_table(table)
    assert error.value.code == "bad_label"
    assert Agent.from_table(table, "kind", "cova", labels=["1", 2]).play_table(table).shape == (4,)


def doctored(agent, change):
    """A snapshot whose encoder was changed."""
    import io
    import zipfile

    old = zipfile.ZipFile(io.BytesIO(agent.to_bytes()))
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "onebit.json":
                header = json.loads(content)
                change(header["encoder"])
                content = json.dumps(header).encode()
            new.writestr(name, content)
    return made.getvalue()


CHANGES = [
    lambda e: e.update(features=7), lambda e: e.update(scale=1), lambda e: e.update(columns=3),
    lambda e: e["columns"][4].update(first=10**9), lambda e: e["columns"][4].update(first=-1),
    lambda e: e["columns"][4].update(fill="x"), lambda e: e["columns"][4].update(fill=1e200),
    lambda e: e["columns"][4].update(kind="eval"), lambda e: e["columns"][2].update(values=["a"]),
    lambda e: e["columns"][1].update(parts=["year"]), lambda e: e["columns"][1].update(span=0.0),
    lambda e: e["columns"][4].update(code="import os"), lambda e: e["columns"][4].update(first=0),
    lambda e: e["columns"].append(e["columns"][0]), lambda e: e.update(scale=False),
]  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_doctored_encoders_are_refused(change):
    agent = Agent.from_table(RECORDS[:200], label="queue", learner="cova")
    assert Agent.from_bytes(doctored(agent, lambda e: None)).labels == agent.labels
    with pytest.raises(BadInput) as error:
        Agent.from_bytes(doctored(agent, change))
    assert error.value.code == "damaged_snapshot"
