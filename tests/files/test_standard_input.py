"""Standard input: what it needs to be told, and its names."""

import io
import sys

from files.reading import play, refusal

from onebit import Agent
from onebit.kernel.features import HASHED_WIDTH
from onebit.streams.opening import open_stream


def stdin(monkeypatch, content):
    monkeypatch.setattr(
        sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(content.encode())))
    )


def test_standard_input_needs_labels(monkeypatch):
    stdin(monkeypatch, "1 1:1\n2 3:1\n")
    assert "give --labels" in refusal("-:format=svmlight")
    result = play("-:format=svmlight,labels=1|2")
    assert (result.rounds, result.features) == (2, HASHED_WIDTH)
    assert "only once" in refusal("-:format=svmlight,labels=1|2")


def test_standard_input_needs_a_format(monkeypatch):
    stdin(monkeypatch, "")
    assert "standard input does not say its format" in refusal("-:labels=1|2")


def test_columns_of_standard_input_are_hashed_as_an_agent_does(monkeypatch, capsys):
    monkeypatch.setattr("onebit.streams.reading.bad_lines._notified", set())
    stdin(monkeypatch, "size,colour,y\n2.5,red,a\n,blue,b\n")
    block = next(open_stream("-:format=csv,labels=a|b", 0).blocks())
    assert capsys.readouterr().err == (
        "standard input is read only once: columns are hashed by their names, and numbers are not"
        " scaled as those of a file are\n"
    )
    agent = Agent("banditron", labels=["a", "b"])
    row, _ = agent._read({"size": 2.5, "colour": "red"})
    assert row.indices.tolist() == block.rows.indices[:2].tolist()
    assert row.values.tolist() == block.rows.values[:2].tolist()
    assert block.rows.starts.tolist() == [0, 2, 3]
