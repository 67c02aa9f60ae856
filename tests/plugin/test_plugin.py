"""A learner from another package works everywhere: contract, commands, snapshots, entry points."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from copycat import Copycat

from onebit import Agent, checks

HERE = Path(__file__).parent


def onebit(*args, path=HERE):
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(path), str(HERE)])}
    return subprocess.run(
        [sys.executable, "-m", "onebit.cli", *args], capture_output=True, text=True, env=env
    )


@pytest.mark.parametrize("law", checks.laws_for(Copycat), ids=lambda law: law.__name__)
def test_it_passes_the_contract(law):
    law(Copycat)


def test_it_works_in_every_command_by_its_path():
    page = onebit("learners", "copycat.Copycat")
    assert "| `forget` | 0.5 |" in page.stdout
    played = onebit("play", "synsep", "copycat.Copycat:forget=0.25", "--rounds", "500", "--json")
    assert json.loads(played.stdout)["learner"] == (
        "copycat.Copycat:forget=0.25,gamma=0.05,explorer=epsilon,ties=random"
    )
    compared = onebit("compare", "synsep", "copycat.Copycat", "uniform", "--rounds", "500")
    assert "copycat.Copycat" in compared.stdout
    checked = onebit("check", "copycat.Copycat")
    assert checked.returncode == 0
    assert "BROKEN" not in checked.stdout
    refused = onebit("play", "synsep", "copycat.Copycat:forget=2")
    assert refused.stderr == "Copycat: forget must be a number in [0, 1], got 2.\n"


@pytest.fixture
def installed(tmp_path):
    """As much of an installed package as Python needs to see an entry point."""
    info = tmp_path / "copycat-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: copycat\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[onebit.learners]\ncopycat = copycat:Copycat\n")
    return tmp_path


def test_it_has_a_name_of_its_own_through_an_entry_point(installed):
    names = [line.split()[0] for line in onebit("learners", path=installed).stdout.splitlines()]
    assert "copycat" in names
    played = onebit("play", "synsep", "copycat", "--rounds", "100", "--json", path=installed)
    assert json.loads(played.stdout)["learner"].startswith("copycat:forget=0.5")


def test_it_is_saved_and_loaded(tmp_path):
    agent = Agent(Copycat, labels=[1, 2, 3], features=2, seed=1)
    agent.learn(agent.decide([1.0, 2.0]), correct=True)
    agent.save(tmp_path / "agent.npz")
    again = Agent.load(tmp_path / "agent.npz")
    assert again._player.learner.habit.tolist() == agent._player.learner.habit.tolist()


def test_it_is_never_cached_on_disk(tmp_path):
    env = {**os.environ, "PYTHONPATH": str(HERE), "XDG_CACHE_HOME": str(tmp_path)}
    code = "import copycat; from onebit import Agent; Agent(copycat.Copycat, [1, 2]).decide([1.0])"
    subprocess.run([sys.executable, "-c", code], env=env, check=True)
    assert list(tmp_path.rglob("*.nbi")) == []


HALF = """
from typing import NamedTuple
from onebit.learners import learner

@learner()
class Half(NamedTuple):
    rounds: int = 0
"""


LOST = "onebit: learner mine.Half cannot be imported: "


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("1 / 0", f"{LOST}ZeroDivisionError: division by zero."),
        ("def", f"{LOST}SyntaxError: invalid syntax"),
        ("import nosuch", f"{LOST}No module named 'nosuch'."),
        ("Half = 5", "onebit: mine.Half is not a learner; decorate its class with @learner(...)."),
        (HALF, "Half: a learner must have bodies for score and learn;"),
    ],
)  # fmt: skip
def test_a_learner_that_is_not_ready_is_one_sentence(source, sentence, tmp_path):
    (tmp_path / "mine.py").write_text(source)
    played = onebit("play", "synsep", "mine.Half", "--rounds", "10", path=tmp_path)
    assert (played.returncode, played.stdout) == (2, "")
    assert played.stderr.startswith(sentence)
    assert played.stderr.count("\n") == 1
