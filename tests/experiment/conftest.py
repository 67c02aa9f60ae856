"""Tests of Ctrl-C leave no trace in other tests of the process; tiny papers to reproduce."""

import pytest
from experiment import tiny

from onebit.experiment.reproduce import selection
from onebit.streams.reading import stdin


@pytest.fixture(autouse=True)
def clear_interrupt():
    """Clear the flag that Ctrl-C sets; a program clears it when it runs trials again."""
    yield
    stdin.interrupted.clear()


@pytest.fixture
def tiny_papers(monkeypatch):
    """Replace the papers by two tiny ones."""
    known = {"tiny-paper": tiny.paper(), "long-paper": tiny.long_paper()}
    monkeypatch.setattr(selection, "papers", lambda: known)
