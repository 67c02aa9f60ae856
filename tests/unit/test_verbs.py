"""Verbs: bodies by type, recorded once, compiled with a cache that cannot mislead."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

import onebit
from onebit.kernel import verbs
from onebit.kernel.round import score
from onebit.learners.banditron import Banditron

PACKAGE = Path(onebit.__file__).parent
PLAY = """
import json, numpy as np
from onebit import Agent
agent = Agent("banditron", labels=range(3), features=2, seed=1)
for n in range(50):
    choice = agent.decide([1.0, n % 3])
    agent.learn(choice, correct=choice.label == n % 3)
print(json.dumps(agent._player.learner.weights.tolist()))
"""


class Thing(NamedTuple):
    n: int


def test_a_body_is_found_by_type_and_a_second_is_refused():
    @verbs.verb
    def act(thing, by): ...

    @verbs.implements(act, Thing)
    def _(thing, by):
        return thing.n + by

    assert act(Thing(3), 4) == 7
    with pytest.raises(TypeError, match="already there"):
        verbs.implements(act, Thing)(lambda thing, by: 0)
    with pytest.raises(TypeError, match="already there"):
        verbs.implements(score, Banditron)(lambda learner, x, out: None)


def test_a_body_must_take_the_arguments_of_its_verb():
    @verbs.verb
    def act(thing, by): ...

    with pytest.raises(TypeError, match=r"must take \(thing, by\), got \(thing\)"):
        verbs.implements(act, Thing)(lambda thing: 0)


def play(package, cache_home):
    env = {**os.environ, "PYTHONPATH": str(package), "XDG_CACHE_HOME": str(cache_home)}
    env["PYTHONDONTWRITEBYTECODE"] = "1"  # Python itself trusts the clock
    env.pop("NUMBA_DISABLE_JIT", None)
    run = subprocess.run(
        [sys.executable, "-P", "-c", PLAY], env=env, capture_output=True, text=True, check=True
    )
    return json.loads(run.stdout), run.stderr


@pytest.mark.compiled
def test_an_edited_learner_is_compiled_anew(tmp_path):
    copy = tmp_path / "site"
    shutil.copytree(PACKAGE, copy / "onebit", ignore=shutil.ignore_patterns("__pycache__"))
    kept = tmp_path / "cache"
    before, _ = play(copy, kept)
    assert list(kept.rglob("*.nbi")), "nothing was cached"
    source = copy / "onebit/learners/banditron.py"
    old = "for_greedy = -1.0\n"
    text = source.read_text()
    assert old in text
    source.write_text(text.replace(old, old.replace("-1.0", "-2.0")))
    after, _ = play(copy, kept)
    assert before != after
    assert len(list((kept / "onebit").iterdir())) == 2


@pytest.mark.compiled
def test_a_cache_that_cannot_be_written_only_costs_time(tmp_path):
    not_a_directory = tmp_path / "file"
    not_a_directory.write_text("")
    weights, stderr = play(PACKAGE.parent, not_a_directory)
    assert weights == play(PACKAGE.parent, tmp_path / "cache")[0]
    assert stderr == ""


@pytest.mark.compiled
def test_a_disk_that_fills_up_only_costs_time():
    calls = []

    def compiles(x):
        calls.append(x)
        if len(calls) == 1:
            write()  # as numba's cache does
        return x + 1

    cache = {"__name__": "numba.core.caching"}
    exec("def write():\n    raise OSError(28, 'No space left on device')", cache)
    write = cache["write"]
    assert verbs._retry_without_cache(compiles, 1) == 2
    assert calls == [1, 1]


def test_an_error_of_the_run_itself_is_not_tried_again():
    calls = []

    def runs(x):
        calls.append(x)
        raise TimeoutError

    with pytest.raises(TimeoutError):
        verbs._retry_without_cache(runs, 1)
    assert calls == [1]
