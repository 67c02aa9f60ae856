"""Each law of the contract detects a learner that violates it."""

import os

import numpy as np
import pytest
from contract.broken import BROKEN, NeverLearns
from contract.tuples import BothSaved, OneSaved

from onebit import checks
from onebit.agent.agent import Agent
from onebit.checks.contract import demand_same
from onebit.kernel.round import Bit

LAWS = {law.__name__: law for law in checks.LAWS}

#: Laws about compiled code; the others are faster to test in plain Python.
COMPILED = {"python_and_compiled_agree", "memory_is_constant"}


def test_there_is_a_learner_for_every_law():
    assert set(BROKEN) == set(LAWS)


@pytest.mark.parametrize("name", LAWS)
def test_a_violation_is_detected(name, monkeypatch):
    if name not in COMPILED:
        monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    elif "NUMBA_DISABLE_JIT" in os.environ:
        pytest.skip("this law compares with compiled code, which is disabled")
    if name == "the_wrong_feedback_is_refused":
        monkeypatch.setattr(Agent, "_feedback", lambda self, correct, truth: Bit(True))
    with pytest.raises(checks.Broken) as broken:
        LAWS[name](BROKEN[name])
    assert str(broken.value)


def test_a_plain_tuple_of_states_must_be_saved_as_a_whole(monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    law = LAWS["saved_and_uninterrupted_agree"]
    law(BothSaved)
    with pytest.raises(checks.Broken, match="from a snapshot"):
        law(OneSaved)


def test_players_with_other_arrays_are_not_the_same():
    """Also where one has none; those of a learner without state are."""
    one, none = [np.zeros(1)], []
    demand_same(none, none, "they differ")
    demand_same(one, [np.zeros(1)], "they differ")
    for first, second in ((none, one), (one, none), (one, [np.ones(1)]), (one, [*one, *one])):
        with pytest.raises(checks.Broken, match="they differ"):
            demand_same(first, second, "they differ")


def test_error_must_fall_from_advice_too(monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    with pytest.raises(checks.Broken, match="its error on an easy stream stays at"):
        LAWS["error_falls"](NeverLearns)


@pytest.mark.parametrize("name", sorted(set(LAWS) - COMPILED))
def test_it_keeps_the_laws_on_completeness_and_parameters(name, monkeypatch):
    """The learner for one law keeps those on completeness and parameters."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    for other in ("it_is_complete", "bad_parameters_are_refused"):
        if other != name and name != "it_is_complete":
            LAWS[other](BROKEN[name])
