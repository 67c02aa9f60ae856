"""Lines of Vowpal Wabbit: every case has the answer that docs/files.md gives."""

import mmh3
import numpy as np
import pytest
from files.reading import play, read, refusal

from onebit import Agent
from onebit.kernel.features import HASHED_WIDTH
from onebit.streams.opening import open_stream


def test_vw_lines(put):
    path = put(
        "a.vw",
        "cat 1 'tag|n a:2 b |m:0.5 a:4 a\n\tdog 2.5 0.1 'x | plain:3\r\n\ncat 1.0 tag| z:0\ndog |n",
    )
    _stream, rows, labels = read(path)

    def at(name):
        return mmh3.hash(name, signed=False) % HASHED_WIDTH

    assert labels == ["cat", "dog", "cat", "dog"]
    assert rows[0][[at("n^a"), at("n^b"), at("m^a")]].tolist() == [2, 1, 2.5]
    assert rows[1][at("plain")] == 3
    assert [np.count_nonzero(row) for row in rows] == [3, 1, 0, 0]


def test_a_row_of_vw_is_the_row_that_an_agent_makes_of_the_same_names(put):
    stream = open_stream(put("a.vw", "1 | a:2 b\n2 | c\n"), 0)
    block = next(stream.blocks())
    agent = Agent("banditron", labels=[1, 2])
    row, _ = agent._read({"a": 2, "b": 1})
    assert row.indices.tolist() == block.rows.indices[:2].tolist()
    assert row.values.tolist() == block.rows.values[:2].tolist()


def test_weights_of_namespaces_are_numbers_of_any_length(put):
    scale, value = "9007199254740993", "12345678901234567890.5"  # float() must read them
    path = put("a.vw", f"1 |n:{scale} a:0.5 b:{value} c |m:1e-200 d:1e250 |o d\n2 | a\n")
    block = next(open_stream(path, 0).blocks())
    row = dict(zip(block.rows.indices[:5].tolist(), block.rows.values[:5].tolist(), strict=True))
    wanted = {"n^a": float(scale) * 0.5, "n^b": float(scale) * float(value), "n^c": float(scale),
              "m^d": 1e-200 * 1e250, "o^d": 1.0}  # fmt: skip
    assert row == {mmh3.hash(k, signed=False) % HASHED_WIDTH: v for k, v in wanted.items()}


@pytest.mark.parametrize(
    ("line", "must"),
    [
        ("1| a", "a tag"),
        ("| a", "start with a label"),
        ("'tag | a", "start with a label"),
        ("1 2 3 4 | a", "at most a weight"),
        ("1 x | a", "at most a weight"),
        ("1 'a 'b 'c 'd | a", "at most a weight"),
        ("1 2\1 | a", "at most a weight"),
        ("1 a", "have a bar"),
        ("1 | a:x", "features"),
        ("1 | :1", "features"),
        ("1 | a:1:2", "features"),
        ("1 |n:x a", "features"),
        ("1:0:0.5 | a", "onebit learn"),
        ("1 | a\0b", "features"),
        (f"1 |n:1e60 a:{10.0**60!r}", "finite"),
        ("1 |n:1e79 a:1e300", "finite"),
    ],
)
def test_a_malformed_line_of_vw_is_one_sentence(put, line, must):
    path = put("a.vw", f"1 | a\n2 | b\n{line}\n1 | c\n")
    sentence = refusal(path)
    assert "line 3 must " in sentence
    assert must in sentence
    assert read(f"{path}:bad=skip")[2] == [1, 2, 1]


def test_weights_that_are_not_used_are_told(put, capsys):
    play(put("a.vw", "1 2.0 | a\n2 1 | b\n1 3 | b\n"))
    assert "2 importance weights other than 1 were not used" in capsys.readouterr().err
