"""Printing: what comes from users is shown, never obeyed by their terminal."""

from __future__ import annotations

import click

from onebit.errors import CONTROLS, printable


def echo(text: object = "", err: bool = False, nl: bool = True) -> None:
    """Print a text on stdout, or on stderr, with its control characters escaped."""
    click.echo(printable(str(text)), err=err, nl=nl)


def counted(number: int, noun: str) -> str:
    """Return a number of things: 1 mistake, 2,000 mistakes."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def echo_json(content: bytes) -> None:
    """Print JSON on stdout; its control characters are escaped as JSON does."""
    text = CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", content.decode())
    click.echo(text)
