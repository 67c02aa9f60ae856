"""Printing: what comes from users is shown, never obeyed by their terminal."""

from __future__ import annotations

import click

from onebit.errors import printable


def echo(text: object = "", err: bool = False, nl: bool = True) -> None:
    """Print a text on stdout, or on stderr, with its control characters escaped."""
    click.echo(printable(str(text)), err=err, nl=nl)
