"""The public API is documented in full, exists, and is all that the documentation imports."""

import ast
import doctest
import importlib
import inspect
import re
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from api_page import anchor
from public_api import MODULES, Entity, docstring, entities, problems

ROOT = Path(__file__).parents[2]
#: Pages that are written by hand.
WRITTEN = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *(page for page in sorted((ROOT / "docs").glob("*.md")) if page.name != "api.md"),
]


def imported(code):
    """Return the modules and names that Python code imports from onebit."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "onebit":
            yield from ((node.module, alias.name) for alias in node.names)
        if isinstance(node, ast.Import):
            yield from ((a.name, None) for a in node.names if a.name.split(".")[0] == "onebit")


def not_public(code):
    """Return the imports of code that are not public: a module, or a name of its `__all__`."""
    return [
        (module, name)
        for module, name in imported(code)
        if f"{module}.{name}" not in MODULES
        and (module not in MODULES or name not in (None, *importlib.import_module(module).__all__))
    ]


def python_blocks(page):
    return re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)


@pytest.mark.parametrize("module", MODULES)
def test_everything_public_is_documented_in_full(module):
    assert [problem for entity in entities(module) for problem in problems(entity)] == []


@pytest.mark.parametrize("module", MODULES)
def test_what_a_module_lists_exists(module):
    names = importlib.import_module(module).__all__
    assert [name for name in names if not hasattr(importlib.import_module(module), name)] == []
    assert len(set(names)) == len(names) > 0


@pytest.mark.parametrize("module", MODULES)
def test_examples_run(module):
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(verbose=False)
    for entity in entities(module):
        owner = inspect.getmodule(
            getattr(importlib.import_module(module), entity.name.split(".")[0])
        )
        names = {**vars(owner or sys.modules[module]), **vars(sys.modules[module])}
        example = parser.get_doctest(docstring(entity), names, entity.full_name, None, 0)
        report = []
        assert runner.run(example, out=report.append).failed == 0, "".join(report)


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: page.name)
def test_the_documentation_imports_what_is_public_and_nothing_else(page):
    assert [each for code in python_blocks(page) for each in not_public(code)] == []


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: page.name)
def test_names_and_files_in_the_documentation_exist(page):
    text = page.read_text()
    for path in re.findall(r"`onebit((?:\.\w+)+)`", text):
        module, _, name = f"onebit{path}".rpartition(".")
        try:
            importlib.import_module(f"onebit{path}")
        except ImportError:
            assert hasattr(importlib.import_module(module), name), f"onebit{path}"
    for file in re.findall(r"`([\w/]+\.py)`", text):
        if "your" not in file:
            roots = (ROOT, ROOT / "onebit", ROOT / "onebit/streams")
            assert any((root / file).exists() for root in roots), file


def test_functions_are_in_the_files_where_the_design_page_says_so():
    text = (ROOT / "docs/design.md").read_text()
    found = re.findall(r"`([\w.]+)`\s(?:of|in)\s`([\w/]+\.py)`", text)
    assert len(found) > 15
    for name, file in found:
        path = next(
            p for p in (ROOT / "onebit" / file, ROOT / "onebit/streams" / file) if p.exists()
        )
        short = re.escape(name.rpartition(".")[2])
        assert re.search(rf"(?:def|class) {short}\b|^{short}\b|@implements\({short},",
                         path.read_text(), re.MULTILINE), f"{name} in {file}"  # fmt: skip


def test_links_of_the_page_lead_to_its_headings():
    page = (ROOT / "docs/api.md").read_text()
    headings = {anchor(heading) for heading in re.findall(r"^#+ (.+)$", page, re.MULTILINE)}
    links = re.findall(r"\]\(#([^)]+)\)", page)
    assert len(links) == len(MODULES)
    assert set(links) <= headings


def test_the_page_names_everything_public():
    page = (ROOT / "docs/api.md").read_text()
    for module in MODULES:
        for entity in entities(module):
            heading = entity.name if "." in entity.name else entity.full_name
            assert re.search(rf"^#+ {re.escape(heading)}$", page, re.MULTILINE), heading


class Undocumented(NamedTuple):
    """Something.

    Attributes
    ----------
    first : int
        One of two fields.
    """

    first: int
    second: int

    def double(self, by):
        """Return more."""
        if not by:
            raise ValueError("by must not be 0")
        return 2 * by

    def nothing(self) -> None:
        """Do nothing.

        Returns
        -------
        int
            Not true.
        """

    def twice(self, x: int) -> int:
        """Return twice x.

        Parameters
        ----------
        x : int

        Returns
        -------
        int
            2 x.
        """
        return 2 * x


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("", ["documents ['first'], takes ['first', 'second']"]),
        (".double", ["documents [], takes ['by']", "raises, and has no section Raises"]),
        (".nothing", ["returns nothing, and has a section Returns"]),
        (".twice", ["says nothing of x : int"]),
    ],
)
def test_what_is_missing_is_found(name, wrong):
    value = inspect.getattr_static(Undocumented, name[1:]) if name else Undocumented
    found = problems(Entity("test", f"Undocumented{name}", value))
    assert found == [f"test.Undocumented{name}: it {each}" for each in wrong]


@pytest.mark.parametrize(
    "code",
    [
        "from onebit.agent.core import Core",
        "from onebit.kernel.rows import set_zero",
        "import onebit.cli",
    ],
)
def test_imports_of_what_is_not_public_are_found(code):
    assert not_public(code)


def test_public_imports_are_not():
    assert not not_public("from onebit import Agent, learners\nimport onebit.checks\nimport json")
