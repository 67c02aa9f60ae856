"""The tree is small enough to read: few folders, short files, and rules of who imports whom."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "onebit"
LONGEST = 400


def test_the_package_has_few_folders_and_files_at_its_top():
    of_python = {"__init__.py", "py.typed", "__pycache__"}
    entries = [path.name for path in PACKAGE.iterdir() if path.name not in of_python]
    assert len(entries) <= 14, sorted(entries)


def test_no_file_is_long():
    folders = [PACKAGE, *(ROOT / name for name in ("bench", "docs", "tests", "tools", "torture"))]
    files = [path for folder in folders for path in folder.rglob("*.py")]
    assert len(files) > 500
    lengths = {str(path): len(path.read_text().splitlines()) for path in files}
    assert {path: length for path, length in lengths.items() if length > LONGEST} == {}


def test_every_folder_has_a_contract_of_imports():
    configured = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    named = {"onebit"}  # the first contract is of its folders
    for contract in configured["contracts"]:
        named |= set(contract.get("containers", ()))
    folders = {
        ".".join(path.parent.relative_to(ROOT).parts)
        for path in PACKAGE.rglob("__init__.py")
        if len(list(path.parent.glob("*.py"))) > 1
    }
    assert folders - named == set()
