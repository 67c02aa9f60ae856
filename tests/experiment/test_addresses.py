"""The address of a kept trial covers the source of every class that takes part in it."""

import os
import subprocess
import sys

import pytest

IMPORTS = """
from typing import NamedTuple
from onebit import explorers, learners, streams
from onebit.theory import hypotheses
from onebit.explorers.uniform import Uniform as UniformExplorer
from onebit.theory.hypotheses.stumps import Stumps
from onebit.kernel.round import learn, score
from onebit.kernel.verbs import implements
from onebit.learners.weak import weak
from onebit.learners.weak.stump import Stump
from onebit.streams.datasets.car import Car
from onebit.streams.formats import file_format
from onebit.streams.formats.csv import Csv
from onebit.streams.transforms.bias import Bias
"""
LEARNER = """
@learners.learner()
class Mine(NamedTuple):
    rounds: int = 0

@implements(score, Mine)
def _(learner, x, out):
    pass

@implements(learn, Mine)
def _(learner, x, scores, played, feedback):
    pass
"""
STREAM = "@streams.stream(rows=1728, labels=4, features=21, source='', licence='')"
#: For each kind: its entry point group, its class, and the trial that names it.
PLUGINS = {
    "learner": ("onebit.learners", LEARNER, "car", "mine", ()),
    "explorer": (
        "onebit.explorers",
        "@explorers.explorer\nclass Mine(UniformExplorer): pass",
        "car",
        "banditron:explorer=mine",
        (),
    ),
    "weak learner": (
        "onebit.weak",
        "@weak\nclass Mine(Stump): pass",
        "car",
        "banditboost:weak=mine",
        (),
    ),
    "stream": ("onebit.streams", f"{STREAM}\nclass Mine(Car): pass", "mine", "uniform", ()),
    "file format": (
        "onebit.streams.formats",
        "@file_format('.mine')\nclass Mine(Csv): pass",
        "data.csv:format=mine",
        "uniform",
        (),
    ),
    "transform": (
        "onebit.streams.transforms",
        "@streams.transform\nclass Mine(Bias): pass",
        "car",
        "uniform",
        ("take:n=9", "mine"),
    ),
    "hypotheses": (
        "onebit.hypotheses",
        "@hypotheses.hypothesis_class()\nclass Mine(Stumps): pass",
        "car",
        "exp4",
        ("advise:class=mine",),
    ),
}


#: Prints the addresses of the trial and of weights fitted to its stream, before and after a change.
SCRIPT = """
import sys
from pathlib import Path
from onebit.experiment.run.address import trial_address
from onebit.experiment.run.store import Store
from onebit.experiment.run.trial import Trial

stream, learner, *transforms = sys.argv[1:]
trial = Trial.parse(stream, learner, 0, 9, transforms)
store, file = Store(Path("out")), Path("address_plugin.py")
print(trial_address(trial), store._fit_path(trial).name)
print(trial_address(trial), store._fit_path(trial).name)
file.write_text(file.read_text() + "# changed\\n")
print(trial_address(trial), store._fit_path(trial).name)
"""


@pytest.mark.parametrize("kind", PLUGINS)
def test_another_source_of_a_plug_in_is_another_address(kind, tmp_path):
    group, source, stream, learner, transforms = PLUGINS[kind]
    (tmp_path / "address_plugin.py").write_text(IMPORTS + source + "\n")
    info = tmp_path / "address_plugin-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: address_plugin\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{group}]\nmine = address_plugin:Mine\n")
    (tmp_path / "data.csv").write_text("label,x\na,1\nb,2\n")
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, stream, learner, *transforms],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )
    assert done.returncode == 0, done.stderr
    first, again, changed = (line.split() for line in done.stdout.splitlines())
    assert first == again
    assert first[0] != changed[0]
    decides_rows = kind not in ("learner", "explorer", "weak learner")
    assert (first[1] != changed[1]) == decides_rows
