"""Tests of Ctrl-C leave no trace in other tests of the process."""

import pytest

from onebit.streams.reading import stdin


@pytest.fixture(autouse=True)
def clear_interrupt():
    """Clear the flag that Ctrl-C sets; a program clears it when it runs trials again."""
    yield
    stdin.interrupted.clear()
