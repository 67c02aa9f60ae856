"""The commands that list named things, or show the page of one."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import click

from onebit.cli.output import echo
from onebit.errors import BadInput

Importable = Callable[[Callable[[BadInput], object]], Iterable[tuple[str, type]]]


def _print_error(error: BadInput) -> None:
    """Print why an entry point of another package cannot be listed."""
    echo(str(error), err=True)


def _show(
    name: str | None,
    page: Callable[[str], str],
    importable: Importable,
    line: Callable[[str, type], str],
) -> None:
    """Print the page of one thing, or a line for each of all."""
    if name is not None:
        echo(page(name), nl=False)
        return
    for each, kind in importable(_print_error):
        echo(line(each, kind))


def _name_and_summary(name: str, kind: type) -> str:
    from onebit.cli import reference

    return f"{name:<20} {reference.first_line(kind)}"


@click.command("learners")
@click.argument("name", required=False)
def learners_command(name: str | None) -> None:
    """List the learners by what they hear, or show the page of one."""
    from onebit import learners
    from onebit.cli import reference
    from onebit.kernel.round import Bit

    if name is not None:
        echo(reference.learner_page(name), nl=False)
        return
    one_bit = f"Hear one bit, right or wrong (start here: {learners.DEFAULT})"
    groups: dict[str, list[str]] = {
        one_bit: [],
        "Told the label (baselines)": [],
        "Finite classes of hypotheses: read advice, for --with advise": [],
    }
    advice, told = list(groups)[2], list(groups)[1]
    for each, kind in learners.importable(_print_error):
        traits = learners.traits(kind)
        bit = traits.hears is Bit
        group = advice if traits.row == "advice" else one_bit if bit else told
        heard = ("" if bit else " (told the label)") if group == advice else ""
        line = f"  {each:<20} {reference.first_line(kind)}{heard}"
        groups[group].insert(0 if each == learners.DEFAULT else len(groups[group]), line)
    echo("\n\n".join("\n".join([title, *lines]) for title, lines in groups.items()))


@click.command("explorers")
@click.argument("name", required=False)
def explorers_command(name: str | None) -> None:
    """List the explorers, or show the page of one."""
    from onebit import explorers
    from onebit.cli import reference

    _show(name, reference.explorer_page, explorers.importable, _name_and_summary)


@click.command("hypotheses")
@click.argument("name", required=False)
def hypotheses_command(name: str | None) -> None:
    """List the classes of hypotheses, or show the page of one."""
    from onebit.cli import reference
    from onebit.theory import hypotheses

    _show(name, reference.hypotheses_page, hypotheses.importable, _name_and_summary)


@click.command("streams")
@click.argument("name", required=False)
def streams_command(name: str | None) -> None:
    """List the streams and transforms, or show the page of one."""
    from onebit import streams
    from onebit.cli import reference

    def line(each: str, kind: type) -> str:
        traits = streams.traits(kind)
        rows = f"{traits.rows:,}" if traits.rows else "endless"
        size = f"{rows:>9} x {traits.features:<7,} {traits.labels} labels"
        source = f"{traits.source}; licence: {traits.licence}"
        return f"{each:<16} {size}  {reference.first_line(kind)}\n{'':<18} {source}"

    _show(name, reference.stream_page, streams.importable, line)
    if name is None:
        echo("\nTransforms, for --with:")
        for each, kind in streams.importable_transforms(_print_error):
            echo(f"{each:<16} {reference.first_line(kind)}")


@click.command("formats")
@click.argument("name", required=False)
def formats_command(name: str | None) -> None:
    """List the formats of files, or show the page of one."""
    from onebit.cli import reference
    from onebit.streams import formats

    def line(each: str, kind: type) -> str:
        endings = " ".join(formats.traits(kind).endings)
        return f"{each:<10} {endings:<34} {reference.first_line(kind)}"

    _show(name, reference.format_page, formats.importable, line)
