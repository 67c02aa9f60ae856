"""The digests that name compiled code and kept trials cover every file that could change them."""

import re
from pathlib import Path

import grimp
import pytest

import onebit
from onebit.experiment.report.drawn_once import FIGURE_SOURCES
from onebit.experiment.run.address import RESULT_SOURCES
from onebit.kernel import cache

PACKAGE = Path(onebit.__file__).parent
#: Modules found by name at run time, which no import statement shows.
NAMED = (
    "onebit.learners", "onebit.explorers", "onebit.theory.hypotheses", "onebit.streams.datasets",
    "onebit.streams.formats", "onebit.streams.transforms",
)  # fmt: skip


@pytest.fixture(scope="module")
def graph():
    return grimp.build_graph("onebit")


def covered(folders):
    """Return the modules whose source files a digest reads."""
    files = [PACKAGE / folder for folder in folders]
    files = [file for path in files for file in ([path] if path.is_file() else path.rglob("*.py"))]
    parts = [file.relative_to(PACKAGE.parent).with_suffix("").parts for file in files]
    return {".".join(part for part in each if part != "__init__") for each in parts}


def holds_kernels(module):
    path = PACKAGE.parent.joinpath(*module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return re.search(r"^@(entry|kernel|implements\(|verb)", file.read_text(), re.MULTILINE)


def uses(graph, modules):
    """Return the modules, what they import, and what that imports; the package itself aside."""
    found = {upstream for module in modules for upstream in graph.find_upstream_modules(module)}
    return {module for module in {*found, *modules} if module != "onebit"}


def test_compiled_code_depends_on_nothing_outside_its_digest(graph):
    kernels = [module for module in graph.modules if holds_kernels(module)]
    assert len(kernels) > 50
    assert uses(graph, kernels) <= covered(cache.COMPILED)


def test_a_kept_trial_depends_on_nothing_outside_its_digest(graph):
    named = [m for m in graph.modules if m.startswith(NAMED)]
    needed = uses(graph, ["onebit.experiment.run.playing", "onebit.experiment.run.store", *named])
    assert {"onebit.naming.params", "onebit.streams.transforms.flip"} <= needed
    assert needed <= covered(RESULT_SOURCES)


def test_a_figure_depends_on_nothing_outside_its_digest(graph):
    needed = uses(graph, ["onebit.experiment.reproduce.figures"])
    assert {"onebit.experiment.report.canvas", "onebit.naming.params"} <= needed
    assert needed <= covered(FIGURE_SOURCES)


def test_folders_of_a_digest_are_there():
    for folder in (*cache.COMPILED, *RESULT_SOURCES, *FIGURE_SOURCES):
        assert (PACKAGE / folder).exists(), folder


def test_another_library_is_another_digest(monkeypatch):
    before = cache.source_digest.__wrapped__(("errors.py",))
    monkeypatch.setattr(cache, "environment", lambda: ("another numpy",))
    assert cache.source_digest.__wrapped__(("errors.py",)) != before


@pytest.mark.parametrize("name", ["numpy", "numba", "llvmlite", "mmh3"])
def test_the_environment_names_every_library_that_computes(name):
    assert any(re.match(rf"{name} \d", line) for line in cache.environment())
