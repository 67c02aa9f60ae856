"""Fields in compiled code: numbers and dates are those that Python reads, to the last bit."""

import datetime
import random

import numpy as np
import pytest
from files.test_compiled_tables import check
from pace import some

from onebit.kernel.verbs import entry
from onebit.streams.reading.eight_bytes import key_of
from onebit.streams.reading.field_numbers import read_field_number
from onebit.streams.tables.fields import read_number


@entry
def read_all(text, spans, mark, values, found):
    for n in range(values.shape[0]):
        values[n], found[n] = read_field_number(text, spans[n], spans[n + 1] - 1, mark)


@entry
def keys_of(text, spans, out):
    for n in range(out.shape[0]):
        out[n] = key_of(text, spans[n], spans[n + 1] - 1)


def numbers(draw):
    """Texts that are numbers, or nearly."""
    for _ in range(some(20_000, 1500)):
        digits = "".join(draw.choices("0123456789", k=draw.randrange(0, 20)))
        at = draw.randrange(len(digits) + 1)
        text = draw.choice(["", "", "-", "+"]) + digits[:at] + draw.choice(["", ".", ".", ","])
        text += digits[at:] + draw.choice(["", "", "", "", "e5", " ", "-", "x"])
        if draw.random() < 0.2:
            text = text[: draw.randrange(8)] + draw.choice("./:-,\x1e\x7f@\u00b0") + text[8:]
        yield text


@pytest.mark.parametrize(("mark", "style"), [(".", "plain"), (",", "comma")])
def test_numbers_of_fields(mark, style):
    fields = list(numbers(random.Random(mark)))
    data = "".join(f"{field};" for field in fields).encode()
    lengths = [len(field.encode()) + 1 for field in fields]
    spans = np.cumsum([0, *lengths]).astype(np.int64)
    values, found = np.empty(len(fields)), np.empty(len(fields), np.bool_)
    read_all(np.frombuffer(data, np.uint8), spans, ord(mark), values, found)
    sure = 0
    for field, value, is_sure in zip(fields, values.tolist(), found.tolist(), strict=True):
        if is_sure:
            want = read_number(field, style)
            assert np.float64(want).tobytes() == np.float64(value).tobytes(), field
            sure += 1
    assert sure > len(fields) / 10


def test_short_texts_have_keys_of_their_own():
    draw = random.Random(1)
    texts = ["".join(draw.choices("abc é\u20ac", k=draw.randrange(12))) for _ in range(3000)]
    data = "".join(f"{text}\n" for text in texts).encode()
    spans = np.cumsum([0, *(len(text.encode()) + 1 for text in texts)]).astype(np.int64)
    keys = np.empty(len(texts), np.int64)
    keys_of(np.frombuffer(data, np.uint8), spans, keys)
    of_text = {}
    for text, key in zip(texts, keys.tolist(), strict=True):
        assert of_text.setdefault(text, key) == key  # wherever it is
        size = len(text.encode())
        assert (key >= 0) == (size <= 8 and (not text or text[-1].isascii()))
    short = {(len(text), key): text for text, key in of_text.items() if key >= 0}
    assert len(short) == sum(key >= 0 for key in of_text.values())


@pytest.mark.parametrize("time", ["", " %H:%M", "T%H:%M:%S", " %H:%M:%S"])
def test_dates_are_those_of_python(put, capsys, time):
    draw = random.Random(time)
    start, days = datetime.datetime(1600, 1, 1), 365 * 900
    dates = [
        start + datetime.timedelta(days=draw.randrange(days), seconds=draw.randrange(86400))
        for _ in range(some(600, 150))
    ]
    dates += [datetime.datetime(2000, 2, 29), datetime.datetime(1900, 2, 28), start]
    lines = [date.strftime("%Y-%m-%d" + time) for date in dates]
    lines += ["", "NA", *lines[:5]]
    for more in ("", "?"):
        if more:  # behind the sample, where anything may come
            lines = lines * (1 + 2000 // len(lines)) + [
                "2023-02-29", "1900-02-29", "2024-13-01", "2024-00-10", "2024-01-00", "2024-04-31",
                "0000-01-01", "2024-01-01 24:00:00", "2024-01-01 10:60:00", "2024-01-01 10:10:61",
                "2024-01-01x10:10:10", "2024-01-01 10:10:10.5", "2024-01-01 10:10+02:00",
                "20240101", "2024-1-1", " 2024-01-01 ", "2024/01/01", "2024-01-01 10",
                "202a-01-01", "word",
            ]  # fmt: skip
        text = "".join(f"{line},{n % 7},{'pq'[n % 2]}\n" for n, line in enumerate(lines))
        check(put("a.csv", "d,n,y\n" + text) + ":header=yes,delimiter=comma", capsys)
