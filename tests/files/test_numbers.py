"""Numbers are read with the same bits as Python's float(), compiled and not."""

import struct

import mmh3
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from onebit.kernel.rng import uniform
from onebit.kernel.verbs import entry
from onebit.streams.reading.hashing import murmur3
from onebit.streams.reading.numbers import (
    DEFERRED,
    NO_NUMBER,
    PARSED,
    read_number,
    times_power_of_ten,
)


@entry
def read(text):
    return read_number(text, 0)


@entry
def hash_of(text, stop):
    return murmur3(text, 0, stop)


def as_bytes(text):
    return np.frombuffer(text.encode() + b"\n", np.uint8)


def agree(text):
    for call in (read, read.body):
        end, value, kind = call(as_bytes(text))
        assert end == len(text)
        assert kind in (PARSED, DEFERRED)
        if kind == PARSED:
            assert struct.pack("d", value) == struct.pack("d", float(text))
    return kind


@settings(max_examples=300, deadline=None)
@given(st.floats(allow_nan=False, allow_infinity=False))
@example(0.1)
@example(-0.0)
@example(5e-324)
@example(1.7976931348623157e308)
@example(9007199254740993.0)
def test_any_float_is_read_as_python_reads_it(value):
    agree(repr(value))


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 10**25), st.integers(-400, 400), st.sampled_from(["", "+", "-"]))
@example(9007199254740993, 0, "")  # half way between two floats
@example(10**18 - 1, -80, "")
@example(1, 80, "-")
def test_any_digits_and_power_are_read_as_python_reads_them(digits, power, sign):
    agree(f"{sign}{digits}e{power}")
    agree(f"{sign}0.{digits:030}")
    agree(f"{sign}{digits}.")


def test_few_numbers_are_hard():
    # those that are exact are hard if they have 16 digits or more, such as 12345678901234.5
    numbers = [uniform(1, n) * 10.0 ** (n % 33 - 20) for n in range(2000)]
    assert [agree(repr(number)) for number in numbers].count(DEFERRED) <= 2


@pytest.mark.parametrize("text", ["", "x", ".", "-", "e5", "1e", "1e+", "nan", "inf", "--1"])
def test_what_is_no_number_is_none(text):
    assert read(as_bytes(text))[2] == NO_NUMBER


def test_ties_between_two_floats_are_left_to_python():
    # 2**53 + 1 needs 54 bits: its product with 10**0 ends exactly in the middle
    assert times_power_of_ten(2**53 + 1, 0)[1] == DEFERRED
    assert times_power_of_ten(2**53 + 2, 0) == (float(2**53 + 2), PARSED)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=40))
def test_names_are_hashed_as_mmh3_does(name):
    text = np.frombuffer(name + b"\n", np.uint8)
    assert hash_of(text, len(name)) == mmh3.hash(name, signed=False)
