"""docs/files.md names every format, ending and parameter, and no other; its commands exist."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from onebit.cli.commands import cli
from onebit.naming.params import declared_params
from onebit.streams import formats
from onebit.streams.file import common_parameters
from onebit.streams.reading import source
from onebit.streams.tables import survey

PAGE = (Path(__file__).parents[2] / "docs" / "files.md").read_text(encoding="utf-8")


def test_formats_and_endings():
    rows = re.findall(r"^\| `(\w+)` \| ((?:`\.\w+` ?)+) \|", PAGE, re.MULTILINE)
    assert {name for name, _ in rows} == set(formats.names())
    for name, endings in rows:
        assert (
            tuple(re.findall(r"`(\.\w+)`", endings)) == formats.traits(formats.find(name)).endings
        )


@pytest.mark.parametrize("name", formats.names())
def test_parameters(name):
    kind = formats.find(name)
    for param in (*common_parameters(kind), *declared_params(kind)):
        assert re.search(rf"`{param.name}\b", PAGE), param.name
    page = CliRunner().invoke(cli, ["formats", name]).output
    assert all(f"| `{param.name}` |" in page for param in declared_params(kind))


def test_options_and_commands():
    for option in set(re.findall(r"`(--[a-z-]+)", PAGE)) - {"--with"}:
        assert option in str([p.opts for c in cli.commands.values() for p in c.params])
    assert set(re.findall(r"onebit ([a-z]+)", PAGE)) <= set(cli.commands)


def test_limits():
    assert f"{survey.MOST_VALUES:,} values" in PAGE
    assert source.LONGEST_LINE == 2**30


def test_formats_are_listed():
    lines = CliRunner().invoke(cli, ["formats"]).output.splitlines()
    assert [line.split()[0] for line in lines] == formats.names()
