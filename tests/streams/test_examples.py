"""The examples in the docstrings of public modules say what happens."""

import doctest
import importlib

import pytest

MODULES = [
    "onebit.naming.spec",
    "onebit.streams",
    "onebit.streams.formats",
    "onebit.streams.opening",
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_are_right(name):
    module = importlib.import_module(name)
    result = doctest.testmod(module)
    assert result.attempted
    assert not result.failed
    assert set(module.__all__) <= set(dir(module))
