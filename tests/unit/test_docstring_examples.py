"""The examples in the docstrings of public modules and of the classes of hypotheses run."""

import doctest
import importlib

import pytest

from onebit.theory.hypotheses import find, names

PUBLIC = (
    "onebit.learners",
    "onebit.explorers",
    "onebit.learners.weak",
    "onebit.theory.hypotheses",
    "onebit.theory.bounds",
)
MODULES = [*PUBLIC, *(find(name).__module__ for name in names())]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize("name", PUBLIC)
def test_all_that_is_public_exists_and_is_documented(name):
    module = importlib.import_module(name)
    for each in module.__all__:
        thing = getattr(module, each)
        assert not callable(thing) or thing.__doc__
