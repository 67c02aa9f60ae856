"""What tests of `onebit reproduce` share."""

import csv

from click.testing import CliRunner

from onebit.cli.commands import cli


def command(*args):
    return CliRunner().invoke(cli, ["reproduce", *map(str, args)])


def rows(directory):
    """Return results.csv without the time taken."""
    with open(directory / "results.csv", newline="") as file:
        return [{k: v for k, v in row.items() if k != "seconds"} for row in csv.DictReader(file)]
