"""Every item of the texts is somewhere, and something shows it."""

import os
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner
from seed_text import KINDS, Item, read_texts

from onebit.cli.commands import cli
from onebit.experiment.reproduce.selection import select
from onebit.experiment.run.trial import Trial

ROOT = Path(__file__).parents[2]
TEXTS = read_texts()
ITEMS = [item for text in TEXTS for item in text.items]


def check_place(item):
    """Fail unless the file of an item exists, and names the theorem that it has."""
    assert item.kind in KINDS
    assert (ROOT / item.place).is_file()
    stated = re.match(r"(Theorem|Lemma|Corollary|Claim) (\d+(?:\.\d+)?)", item.name)
    if stated:
        word, number = stated.groups()
        named = rf"(?i)\b{word}s?( \d+(,| and| to))* {re.escape(number)}\b"
        assert re.search(named, (ROOT / item.place).read_text())


def test_every_item_has_a_kind_and_a_file():
    assert len(ITEMS) > 110
    for item in ITEMS:
        check_place(item)


def test_no_text_has_an_item_twice():
    for text in TEXTS:
        names = [item.name for item in text.items]
        assert len(set(names)) == len(names)


def check_shown(shown):
    """Fail unless a test exists, or a command runs."""
    if shown.startswith("tests/"):
        file, _, function = shown.partition("::")
        assert re.search(rf"^def {function}\(", (ROOT / file).read_text(), re.MULTILINE)
        return
    program, command, *words = shlex.split(shown)
    assert program == "onebit"
    if command == "reproduce":
        assert len(select(words)) == len(words)
    elif command == "play":
        Trial.parse(words[0], words[1])
    else:
        assert CliRunner().invoke(cli, [command, *words]).exit_code == 0


@pytest.mark.parametrize("shown", sorted({item.shown for item in ITEMS}))
def test_what_shows_an_item_exists(shown):
    check_shown(shown)


@pytest.mark.parametrize(
    "shown",
    [
        "", "tests/unit/test_bounds.py", "tests/unit/test_bounds.py::test_nothing",
        "tests/unit/test_nothing.py::test_values_by_hand", "onebit reproduce nothing",
        "onebit play nothing banditron", "onebit play synsep nothing", "onebit nothing",
        "onebit bound nothing", "other bound perceptron loss=0 complexity=81",
    ],
)  # fmt: skip
def test_what_does_not_exist_shows_nothing(shown):
    with pytest.raises((AssertionError, OSError, ValueError)):
        check_shown(shown)


@pytest.mark.parametrize(
    ("kind", "name", "place"),
    [
        ("story", "Theorem 1: mistakes", "onebit/theory/bounds.py"),
        ("theorem", "Theorem 1: mistakes", "onebit/theory/nothing.py"),
        ("theorem", "Lemma 3: weak learners", "onebit/learners/banditboost.py"),
    ],
)
def test_an_item_at_the_wrong_place_is_found(kind, name, place):
    with pytest.raises(AssertionError):
        check_place(Item(kind, name, place, ""))


def numbers_of(text, word):
    """The numbers of a kind of item that a text's list has, from names like `Lemma 4: ...`."""
    named = re.compile(rf"^{word} (\d+(?:\.\d+)?)\b")
    found = (named.match(item.name) for item in text.items)
    return {match[1] for match in found if match}


def test_no_numbered_item_is_missing():
    for text in TEXTS:
        for word, numbers in text.numbered.items():
            assert numbers_of(text, word) == {str(n) for n in numbers}, (text.reference, word)


#: How numbered items look in the texts; equations are numbers at the end of a formula.
PATTERNS = {
    word: rf"\b{word} (\d+(?:\.\d+)?)\b"
    for word in ("Theorem", "Lemma", "Corollary", "Claim", "Assumption", "Definition", "Table")
}
PATTERNS |= {
    "Algorithm": r"^(?:\*\*)?Algorithm (\d)",
    "Figure": r"\bFig(?:ure|\.) (\d)",
    "Equation": r"\((\d)\)(?:\$\$|$| *\\?quad)|quad \((\d)\)",
}


def test_the_texts_themselves_have_no_other_numbered_item():
    folder = os.environ.get("ONEBIT_SEEDS")
    files = sorted(Path(folder).glob("00[0-4]_*.txt")) if folder else []
    if len(files) != len(TEXTS):
        pytest.skip("no texts to compare with: ONEBIT_SEEDS names no folder that holds them")
    for file, text in zip(files, TEXTS, strict=True):
        body = file.read_text().partition("\nReferences")[0]
        for word, pattern in PATTERNS.items():
            groups = re.findall(pattern, body, re.MULTILINE)
            found = {"".join(each) if isinstance(each, tuple) else each for each in groups}
            elsewhere = {"Lemma 5"} if "Servedio" in body else set()  # of another paper
            found = {n for n in found if f"{word} {n}" not in elsewhere}
            missing = found - numbers_of(text, word)
            assert not missing, (text.reference, word, missing)
