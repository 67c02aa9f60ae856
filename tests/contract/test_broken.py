"""Each law is broken on purpose by one learner, and notices."""

import os

import pytest
from contract.broken import BROKEN, DeafToAdvice

from onebit import checks
from onebit.agent.agent import Agent
from onebit.kernel.round import Bit

LAWS = {law.__name__: law for law in checks.LAWS}

#: These laws speak of compiled code; the others are quicker to break in plain Python.
COMPILED = {"python_and_compiled_agree", "memory_is_constant"}


def test_there_is_one_for_every_law():
    assert set(BROKEN) == set(LAWS)


@pytest.mark.parametrize("name", LAWS)
def test_breaking_a_law_is_noticed(name, monkeypatch):
    if name not in COMPILED:
        monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    elif "NUMBA_DISABLE_JIT" in os.environ:
        pytest.skip("this law compares with compiled code, which is switched off")
    if name == "the_wrong_feedback_is_refused":
        monkeypatch.setattr(Agent, "_feedback", lambda self, correct, truth: Bit(True))
    with pytest.raises(checks.Broken) as broken:
        LAWS[name](BROKEN[name])
    assert str(broken.value)


def test_error_must_fall_from_advice_too(monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    with pytest.raises(checks.Broken, match="its error on an easy stream stays at"):
        LAWS["error_falls"](DeafToAdvice)


@pytest.mark.parametrize("name", sorted(set(LAWS) - COMPILED))
def test_it_breaks_that_law_alone_where_it_can(name, monkeypatch):
    """The learner for a law keeps the laws on documents and parameters, so it is a fair example."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    for other in ("it_is_complete", "bad_parameters_are_refused"):
        if other != name and name != "it_is_complete":
            LAWS[other](BROKEN[name])
