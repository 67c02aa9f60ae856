"""The lists: what has a name, or the page of one thing."""

from __future__ import annotations

import click

from onebit.params import BadInput


def _tell(broken: BadInput) -> None:
    """Say on stderr what is wrong with another package's entry; the list goes on without it."""
    click.echo(str(broken), err=True)


@click.command("learners")
@click.argument("name", required=False)
def learners_command(name: str | None) -> None:
    """List the learners, or show the page of one."""
    from onebit import learners, pages

    if name is not None:
        click.echo(pages.learner_page(name), nl=False)
        return
    for each, kind in learners.ready(_tell):
        ear = learners.facts(kind).hears.__name__.lower()
        click.echo(f"{each:<20} hears {ear:<6} {pages.first_line(kind)}")


@click.command("explorers")
@click.argument("name", required=False)
def explorers_command(name: str | None) -> None:
    """List the explorers, or show the page of one."""
    from onebit import explorers, pages

    if name is not None:
        click.echo(pages.explorer_page(name), nl=False)
        return
    for each, kind in explorers.ready(_tell):
        click.echo(f"{each:<20} {pages.first_line(kind)}")


@click.command("hypotheses")
@click.argument("name", required=False)
def hypotheses_command(name: str | None) -> None:
    """List the classes of hypotheses that give advice, or show the page of one."""
    from onebit import hypotheses, pages

    if name is not None:
        click.echo(pages.hypotheses_page(name), nl=False)
        return
    for each, kind in hypotheses.ready(_tell):
        click.echo(f"{each:<20} {pages.first_line(kind)}")


@click.command("streams")
@click.argument("name", required=False)
def streams_command(name: str | None) -> None:
    """List the streams and transforms, or show the page of one."""
    from onebit import pages, streams

    if name is not None:
        click.echo(pages.stream_page(name), nl=False)
        return
    for each, kind in streams.ready(_tell):
        facts = streams.facts(kind)
        rows = f"{facts.rows:,}" if facts.rows else "endless"
        size = f"{rows:>9} x {facts.features:<7,} {facts.labels} labels"
        click.echo(f"{each:<16} {size}  {pages.first_line(kind)}")
        click.echo(f"{'':<16} {facts.source}; licence: {facts.licence}")
    click.echo("\nTransforms, for --with:")
    for each, kind in streams.ready_transforms(_tell):
        click.echo(f"{each:<16} {pages.first_line(kind)}")


@click.command("formats")
@click.argument("name", required=False)
def formats_command(name: str | None) -> None:
    """List the formats of files, or show the page of one."""
    from onebit import pages
    from onebit.streams import formats

    if name is not None:
        click.echo(pages.format_page(name), nl=False)
        return
    for each, kind in formats.ready(_tell):
        endings = " ".join(formats.facts(kind).endings)
        click.echo(f"{each:<10} {endings:<34} {pages.first_line(kind)}")
