"""Lines of JSON and of text."""

import mmh3
import pytest
from files.reading import read, refusal

from onebit.kernel.features import HASHED_WIDTH


@pytest.mark.parametrize(
    "line", ["[]", "{", '{"x": {}}', '{"x": 3, "y": 1}', '{"x": {"a": []}, "y": 1}',
             '{"x": {"a": NaN}, "y": 1}', '{"x": {}, "y": null}', '{"x": {}, "y": []}']
)  # fmt: skip
def test_a_malformed_line_of_json_is_one_sentence(put, line):
    path = put("a.jsonl", f'{{"x": {{"a": 1}}, "y": 1}}\n{line}\n{{"x": {{"b": "c"}}, "y": true}}')
    assert "line 2 must " in refusal(path)
    assert read(f"{path}:bad=skip")[2] == ["1", "true"]


def test_text_columns(put):
    path = put("a.tsv", "7\tearn\tMoney money\n8\tcocoa\tBeans\n")
    _stream, rows, labels = read(f"{path}:format=text,label=2")
    assert labels == ["earn", "cocoa"]
    assert rows[0][mmh3.hash("money", signed=False) % HASHED_WIDTH] == 1
    assert "must have 3 fields" in refusal(put("b.txt", "a\tb\tc\nx\ty\n"))
    assert "must have 2 fields" in refusal(put("c.txt", "a\nb\n"))
