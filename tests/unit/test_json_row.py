"""Rows that compiled code reads from JSON: those that the usual way reads, to the last bit."""

import json
import random

import msgspec
import pace
import pytest

from onebit.kernel.features import read_row
from onebit.streams.reading.json_row import read_json_row

NUMBERS = ["-0", "-0.0", "0", "1e5", "1E-5", "1e400", "-1e99", "1e100", "123456789012345678",
           "0.000000000000000000000123", "-12.50e+3", "1e30", "12345678901234567890"]  # fmt: skip
OTHERS = ['"word"', "true", "null", "[1]", "{}", '"a:b"', '{"a":1}']
NAMES = ["ä", "\\n", "\\u0041", 'a\\"b', "x\x7f", "", "feature_1"]


def number(chance):
    return chance.choice([
        lambda: repr(chance.random()),
        lambda: f"{chance.gauss(0, 10):.3f}",
        lambda: str(chance.randint(-(10 ** chance.randint(0, 20)), 10 ** chance.randint(0, 20))),
        lambda: repr(chance.gauss(0, 1) * 10.0 ** chance.randint(-300, 300)),
        lambda: chance.choice(NUMBERS),
        lambda: chance.choice(OTHERS) if chance.random() < 0.3 else "1",
    ])()  # fmt: skip


def name(chance):
    if chance.random() < 0.1:
        return chance.choice(NAMES)
    if chance.random() < 0.6:
        return f"f{chance.randint(0, 50)}"
    return "".join(chance.choice("abc :,{}[]'/.-") for _ in range(chance.randint(0, 9)))


def text(chance):
    space = lambda: chance.choice(["", "", "", " ", "\n ", "\t"])  # noqa: E731
    each = [f'{space()}"{name(chance)}"{space()}:{space()}{number(chance)}{space()}'
            for _ in range(chance.randint(0, 6))]  # fmt: skip
    found = "{" + ",".join(each) + "}"
    if chance.random() < 0.1:
        at = chance.randrange(len(found))
        changed = chance.choice('",:{}[]0123456789.eE+-\\x ')
        found = found[:at] + changed + found[at + chance.randint(0, 1) :]
    return found.encode()


def test_rows_have_the_same_bits():
    chance, read = random.Random(1), 0
    for _ in range(pace.some(30_000, 1500)):
        content = text(chance)
        try:
            x = msgspec.json.decode(content, type=dict[str, float | str | bool])
        except (msgspec.DecodeError, UnicodeDecodeError):
            try:  # sound JSON of other values is left alone
                msgspec.json.decode(content)
            except (msgspec.DecodeError, UnicodeDecodeError):
                continue
            assert read_json_row(content, 1000) is None
            continue
        width = chance.choice([64, 1000, 2**18])
        found = read_json_row(content, width)
        if found is not None:
            want = read_row(x, width)
            assert [each.tobytes() for each in found] == [each.tobytes() for each in want], content
            assert [each.dtype for each in found] == [each.dtype for each in want]
            read += 1
    assert read > pace.some(30_000, 1500) / 10


@pytest.mark.parametrize("names", [20, 256])
def test_usual_rows_are_read(names):
    x = {f"feature {n}": n / 7 for n in range(names)}
    for content in (json.dumps(x), json.dumps(x, indent=1), json.dumps(x, separators=(",", ":"))):
        found, want = read_json_row(content.encode(), 2**18), read_row(x, 2**18)
        assert [each.tobytes() for each in found] == [each.tobytes() for each in want]


@pytest.mark.parametrize("content", [
    b"{}", b"[1.0]", b"[]", b'{"a":"b"}', b'{"a":true}', b'{"a":1,"a":2}', b'{"a":1e101}',
    b'{"\xc3\xa4":1}', b'{"a', b'{"a:1', b'{"a":', b'{"a}', b'{"a":}', b'{":}', b"{ : }",
    json.dumps({f"f{n}": 1 for n in range(300)}).encode(),
])  # fmt: skip
def test_all_else_is_left_to_others(content):
    assert read_json_row(content, 2**18) is None
    assert read_json_row(b'{"a":1}', 63) is None
