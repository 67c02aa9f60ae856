"""Every item of the texts is somewhere, and something shows it."""

import os
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner
from seed_items import TEXTS
from seed_text import KINDS

from onebit.cli.commands import cli
from onebit.experiment.reproduce.selection import select
from onebit.experiment.run.trial import Trial

ROOT = Path(__file__).parents[2]
ITEMS = [(text, item) for text in TEXTS for item in text.items]


def test_every_item_has_a_kind_and_a_file():
    assert len(ITEMS) > 110
    for _, item in ITEMS:
        assert item.kind in KINDS, item
        assert (ROOT / item.place).is_file(), item


def test_no_text_has_an_item_twice():
    for text in TEXTS:
        names = [item.name for item in text.items]
        assert len(set(names)) == len(names)


@pytest.mark.parametrize("shown", sorted({item.shown for _, item in ITEMS}))
def test_what_shows_an_item_exists(shown):
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
