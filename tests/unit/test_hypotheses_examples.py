"""The examples in the docstrings of the classes of hypotheses run."""

import doctest
import importlib

import pytest

from onebit.hypotheses import find, names


@pytest.mark.parametrize("name", names())
def test_example(name):
    module = importlib.import_module(find(name).__module__)
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0
