"""A learner from another package works everywhere: contract, commands, snapshots, entry points."""

import json
import os
import subprocess
import sys
from pathlib import Path

import allocating
import numpy as np
import pytest
from click.testing import CliRunner
from copycat import Copycat

from onebit import Agent, BadInput, checks
from onebit.cli.commands import cli
from onebit.kernel.block import noiseless_block
from onebit.kernel.rows import DenseRows

HERE = Path(__file__).parent


def onebit(*args, path=HERE):
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(path), str(HERE)])}
    return subprocess.run(
        [sys.executable, "-m", "onebit.cli", *args], capture_output=True, text=True, env=env
    )


def called(*args):
    """Run a command in this process, where what it needs may be compiled already."""
    return CliRunner().invoke(cli, args)


@pytest.mark.xdist_group("copycat")  # on one worker: it is compiled in each process anew
@pytest.mark.parametrize("law", checks.laws_for(Copycat), ids=lambda law: law.__name__)
def test_it_passes_the_contract(law):
    law(Copycat)


@pytest.mark.xdist_group("copycat")
def test_it_works_in_every_command_by_its_path():
    page = called("learners", "copycat.Copycat")
    assert "| `forget` | 0.5 |" in page.stdout
    played = called("play", "synsep", "copycat.Copycat:forget=0.25", "--rounds", "500", "--json")
    assert json.loads(played.stdout)["learner"] == (
        "copycat.Copycat:forget=0.25,gamma=0.05,explorer=epsilon,ties=random"
    )
    compared = called("compare", "synsep", "copycat.Copycat", "uniform", "--rounds", "500")
    assert "copycat.Copycat" in compared.stdout
    checked = called("check", "copycat.Copycat")
    assert checked.exit_code == 0
    assert "BROKEN" not in checked.stdout
    refused = onebit("play", "synsep", "copycat.Copycat:forget=2")
    assert refused.stderr == "Copycat: forget must be a number in [0, 1], got 2.\n"


def test_it_can_be_one_of_the_experts_of_auto():
    agent = Agent("auto:experts=estimator.Hits", range(3), features=4, seed=1)
    rows, truths = np.ones((200, 4)), np.full(200, 2, np.int32)
    block = noiseless_block(DenseRows(rows), truths)
    assert agent.play(block)[-50:].mean() < 0.2
    assert agent.diagnostics()["experts"] == ["estimator.Hits"]
    again = Agent.from_bytes(agent.to_bytes())
    assert (agent.play(block) == again.play(block)).all()
    assert agent.to_bytes() == again.to_bytes()
    for path in ("nosuch.module.Hits", "no-such.Hits"):
        with pytest.raises(BadInput, match=path):
            Agent("auto", range(3), features=4, experts=("softmax", path))


def test_a_stream_works_by_its_path_too():
    played = onebit(
        "play", "constant.Constant:label=1", "perceptron", "--with", "take:n=50", "--json"
    )
    result = json.loads(played.stdout)
    assert (result["stream"], result["rounds"]) == ("constant.Constant:label=1", 50)
    compared = onebit("compare", "constant.Constant", "perceptron", "--seeds", "2", "--processes")
    assert (compared.returncode, compared.stderr.count("Traceback")) == (0, 0)
    refused = onebit("play", "constant.Constant", "perceptron", "--labels", "a,b")
    assert "are for files, got the stream constant.Constant." in refused.stderr
    refused = onebit("play", "constant.Constant:label=2", "perceptron")
    assert refused.stderr == "Constant: label must be a whole number from 0 to 1, got 2.\n"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("nosuch.Thing", "stream nosuch.Thing cannot be imported: No module named 'nosuch'."),
        ("constant.Thing", "stream constant.Thing cannot be imported: module 'constant' has no"),
        (
            "copycat.Copycat",
            "copycat.Copycat is not a stream; decorate its class with @stream(...)",
        ),
    ],
)
def test_a_path_that_is_no_file_and_no_stream_says_both(name, why):
    for options in ([], ["--format", "csv"]):
        refused = onebit("play", name, "perceptron", *options)
        assert (refused.returncode, refused.stdout) == (2, "")
        assert refused.stderr.startswith(f"onebit: there is no file {name}, and {why}")


@pytest.fixture
def install(tmp_path):
    """Put down as much of an installed package as Python needs to see an entry point."""

    def put(package, entry_points):
        info = tmp_path / f"{package}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(entry_points)
        return tmp_path

    return put


@pytest.fixture
def installed(install):
    return install("copycat", "[onebit.learners]\ncopycat = copycat:Copycat\n")


def test_it_has_a_name_of_its_own_through_an_entry_point(installed):
    listed = onebit("learners", path=installed).stdout
    assert [line for line in listed.splitlines() if line.startswith("  copycat ")]
    played = onebit("play", "synsep", "copycat", "--rounds", "100", "--json", path=installed)
    assert json.loads(played.stdout)["learner"].startswith("copycat:forget=0.5")


#: Entry points that lead nowhere, and what is said of each.
BROKEN = {
    "gone": ("nosuch:Thing", "gone (nosuch.Thing) cannot be imported: No module named 'nosuch'."),
    "empty": ("os:Thing", "empty (os.Thing) cannot be imported: module 'os' has no attribute"),
    "falls": ("falling:Thing", "falls (falling.Thing) cannot be imported: ZeroDivisionError:"),
    "quits": ("quitting:Thing", "quits (quitting.Thing) cannot be imported: SystemExit: 3."),
    "plain": ("os:PathLike", "plain (os.PathLike) is not a "),
    "vague": ("os", "vague (os) cannot be imported: "),
    "odd": ("no module: !", "odd (no module: !) cannot be imported: "),
}


@pytest.fixture
def broken(install, installed):
    """Six rooms with all of these, beside a plug-in that is well."""
    (installed / "falling.py").write_text("1 / 0")
    (installed / "quitting.py").write_text("raise SystemExit(3)")
    points = "".join(f"{name} = {value}\n" for name, (value, _) in BROKEN.items())
    rooms = ("learners", "explorers", "hypotheses", "streams", "streams.transforms",
             "streams.formats")  # fmt: skip
    return install("broken", "".join(f"[onebit.{room}]\n{points}" for room in rooms))


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("learners", ["learner"]),
        ("explorers", ["explorer"]),
        ("hypotheses", ["class of hypotheses"]),
        ("streams", ["stream", "transform"]),
        ("formats", ["format"]),
    ],
)
def test_a_broken_entry_point_is_one_line_and_the_list_goes_on(broken, command, words):
    well, listed = onebit(command), onebit(command, path=broken)
    assert (listed.returncode, well.stderr) == (0, "")
    more = set(listed.stdout.splitlines()) - set(well.stdout.splitlines())
    assert set(well.stdout.splitlines()) <= set(listed.stdout.splitlines())
    assert [line.split()[0] for line in more] == (["copycat"] if command == "learners" else [])
    told = listed.stderr.splitlines()
    assert len(told) == len(words) * len(BROKEN)
    for _, sentence in BROKEN.values():
        for word in words:
            heard = [line for line in told if line.startswith(f"onebit: {word} {sentence}")
                     or line.startswith(f"onebit: {sentence}{word}")]  # fmt: skip
            assert len(heard) == 1


@pytest.mark.parametrize("name", BROKEN)
def test_asking_for_a_broken_one_by_name_says_what_went_wrong(broken, name):
    args = ["play", "synsep", name] if name in ("gone", "plain") else ["learners", name]
    asked = onebit(*args, path=broken)
    assert (asked.returncode, asked.stdout) == (2, "")
    assert BROKEN[name][1] in asked.stderr
    assert asked.stderr.count("\n") == 1


def test_the_rest_works_beside_broken_ones(broken, tmp_path):
    (tmp_path / "a.csv").write_text("x,y\n1,a\n2,b\n")
    played = onebit("play", str(tmp_path / "a.csv"), "copycat", "--json", path=broken)
    assert json.loads(played.stdout)["rounds"] == 2


@pytest.mark.xdist_group("copycat")
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
    kept = {path.name.partition("-")[0] for path in tmp_path.rglob("*.nbi")}
    assert kept <= {"features.norm_is_at_most"}  # which holds nothing of the plug-in


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


def test_bodies_of_other_packages_may_create_arrays():
    explorer = "allocating.AllocatingExplorer"
    agent = Agent(allocating.Allocating, ["a", "b"], features=3, explorer=explorer, seed=1)
    for _ in range(20):
        choice = agent.decide([1.0, 0.0, 0.0])
        agent.learn(choice, correct=choice.label == "b")
    for _ in range(20):
        rows, truths = np.ones((500, 3)), np.ones(500, np.int32)
        agent.play(noiseless_block(DenseRows(rows), truths))
        assert sys.getrefcount(rows) == 2  # no kernel has kept it
    assert agent.predict([1.0, 0.0, 0.0]) == "b"
    assert agent._player.explorer.total[0] == 20 + 3 * 500 * 20
