"""The lists: what has a name, or the page of one thing."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import click

from onebit.errors import BadInput

Ready = Callable[[Callable[[BadInput], object]], Iterable[tuple[str, type]]]


def _tell(broken: BadInput) -> None:
    """Say on stderr what is wrong with another package's entry; the list goes on without it."""
    click.echo(str(broken), err=True)


def _show(
    name: str | None, page: Callable[[str], str], ready: Ready, line: Callable[[str, type], str]
) -> None:
    """Print the page of one thing, or a line for each."""
    if name is not None:
        click.echo(page(name), nl=False)
        return
    for each, kind in ready(_tell):
        click.echo(line(each, kind))


@click.command("learners")
@click.argument("name", required=False)
def learners_command(name: str | None) -> None:
    """List the learners, or show the page of one."""
    from onebit import learners
    from onebit.cli import reference as pages

    def line(each: str, kind: type) -> str:
        ear = learners.traits(kind).hears.__name__.lower()
        return f"{each:<20} hears {ear:<6} {pages.first_line(kind)}"

    _show(name, pages.learner_page, learners.importable, line)


@click.command("explorers")
@click.argument("name", required=False)
def explorers_command(name: str | None) -> None:
    """List the explorers, or show the page of one."""
    from onebit import explorers
    from onebit.cli import reference as pages

    def line(each: str, kind: type) -> str:
        return f"{each:<20} {pages.first_line(kind)}"

    _show(name, pages.explorer_page, explorers.importable, line)


@click.command("hypotheses")
@click.argument("name", required=False)
def hypotheses_command(name: str | None) -> None:
    """List the classes of hypotheses that give advice, or show the page of one."""
    from onebit import hypotheses
    from onebit.cli import reference as pages

    def line(each: str, kind: type) -> str:
        return f"{each:<20} {pages.first_line(kind)}"

    _show(name, pages.hypotheses_page, hypotheses.importable, line)


@click.command("streams")
@click.argument("name", required=False)
def streams_command(name: str | None) -> None:
    """List the streams and transforms, or show the page of one."""
    from onebit import streams
    from onebit.cli import reference as pages

    def line(each: str, kind: type) -> str:
        facts = streams.traits(kind)
        rows = f"{facts.rows:,}" if facts.rows else "endless"
        size = f"{rows:>9} x {facts.features:<7,} {facts.labels} labels"
        source = f"{facts.source}; licence: {facts.licence}"
        return f"{each:<16} {size}  {pages.first_line(kind)}\n{'':<16} {source}"

    _show(name, pages.stream_page, streams.importable, line)
    if name is None:
        click.echo("\nTransforms, for --with:")
        for each, kind in streams.importable_transforms(_tell):
            click.echo(f"{each:<16} {pages.first_line(kind)}")


@click.command("formats")
@click.argument("name", required=False)
def formats_command(name: str | None) -> None:
    """List the formats of files, or show the page of one."""
    from onebit.cli import reference as pages
    from onebit.streams import formats

    def line(each: str, kind: type) -> str:
        endings = " ".join(formats.traits(kind).endings)
        return f"{each:<10} {endings:<34} {pages.first_line(kind)}"

    _show(name, pages.format_page, formats.importable, line)
