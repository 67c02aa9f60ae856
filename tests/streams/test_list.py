"""The list and the pages of streams on the command line."""

import pytest
from click.testing import CliRunner

from onebit import streams
from onebit.cli.commands import cli
from onebit.naming.params import declared_params


def shown(*words):
    result = CliRunner().invoke(cli, ["streams", *words])
    assert result.exit_code == 0, result.output
    return result.output


def test_the_list_has_rows_labels_features_source_and_licence():
    lines = shown().splitlines()
    for name in streams.names():
        traits = streams.traits(streams.find(name))
        (at,) = (n for n, line in enumerate(lines) if line.split(" ")[0] == name)
        rows = f"{traits.rows:,}" if traits.rows else "endless"
        assert f"{rows} x {traits.features:,}" in lines[at]
        assert f"{traits.labels} labels" in lines[at]
        assert lines[at + 1].strip() == f"{traits.source}; licence: {traits.licence}"


@pytest.mark.parametrize("name", [*streams.names(), *streams.transform_names()])
def test_every_stream_and_transform_has_a_page(name):
    page = shown(name)
    assert page.startswith(f"# {name}\n\n")
    kind = (streams.find_transform if name in streams.transform_names() else streams.find)(name)
    for param in declared_params(kind):
        assert f"| `{param.name}` | {param.default} |" in page
    if name in ("car", "nursery", "dna", "connect4", "reuters4"):
        assert "huffled by the" in page
        assert "`order=file`" in page
