"""The fuzzer finds planted faults, and shrinks them; its targets run."""

from random import Random

import pytest

from torture import target, watcher
from torture.mutations import mutate
from torture.shrinking import shrink, without_parts


@pytest.mark.long
def test_planted_faults_are_found_and_shrunk(monkeypatch):
    monkeypatch.setattr(watcher, "PATIENCE", 2.0)
    monkeypatch.setattr(watcher, "FIRST_PATIENCE", 20.0)
    monkeypatch.setattr(watcher, "SHRINKING", 3.0)
    worker = watcher.Watcher("tests.torture.planted", 1)
    found = {}
    for finding in watcher.watch([worker], 300.0):
        found[finding.what] = finding.case
        if len(found) == 4:
            break
    assert worker.process.poll() is not None
    kinds = {what.split()[0]: (what, case) for what, case in found.items()}
    assert kinds["KeyError"][1] == "'bug'"
    assert kinds["not"] == ("not one sentence: 'planted: no sentence'", "'two'")
    assert kinds["the"][0] == "the process ended with code -11"
    assert "crash" in kinds["the"][1]
    assert "hang" in kinds["it"][1]


def test_a_case_is_determined_by_its_number():
    for name in ("specs", "readers"):
        one, two = (target.find(name) for _ in range(2))
        for number in range(20):
            assert target.case_of(one, name, number) == target.case_of(two, name, number)


@pytest.mark.parametrize("name", ["specs", "readers", "snapshots"])
def test_some_cases_of_each_target_hold(name, monkeypatch):
    if name == "snapshots":  # of many learners, which take long to compile
        monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    found = target.find(name)
    for number in range(15):
        assert target.attempt(found, target.case_of(found, name, number)) == ""


def test_shrinking_keeps_what_is_needed():
    small = shrink(b"abcXdefYghi", without_parts, lambda each: b"X" in each and b"Y" in each, 5.0)
    assert small == b"XY"
    assert mutate(b"", Random(1)) is not None
