"""The command line. Thin: it reads options, calls the library, and prints.

Heavy modules are imported inside the commands that need them, so that `--help`
and the lists answer at once.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from onebit.params import BadInput, Param, Whole, check

if TYPE_CHECKING:
    from onebit.experiment.trial import Result

_ROUNDS = Param("rounds", Whole(1), None, "")
_SEED = Param("seed", Whole(0), 0, "")
_SEEDS = Param("seeds", Whole(1), 1, "")
_WORKERS = Param("workers", Whole(1), os.cpu_count() or 1, "")


def _number(param: Param) -> Any:
    """Return a callback that checks an option with a parameter's rule."""

    def read(context: click.Context, option: click.Parameter, value: str | None) -> int | None:
        if value is None:
            return None
        return check("onebit", [param], {param.name: value})[param.name]  # type: ignore[no-any-return]

    return read


def _options(command: Any) -> Any:
    """Add the options that `play` and `compare` share."""
    for option in (
        click.option("--out", type=click.Path(path_type=Path), metavar="DIR",
                     help="Also write results and figures into DIR."),
        click.option("--json", "as_json", is_flag=True,
                     help="Print one JSON object a line, and nothing else, on stdout."),
        click.option("--seed", metavar="S", default="0", show_default=True, callback=_number(_SEED),
                     help="Decides the stream's draw and order, and the learner's chance."),
        click.option("--rounds", metavar="N", callback=_number(_ROUNDS),
                     help="How many rounds to play.  [default: one pass; 1000000 if endless]"),
        click.option("--with", "transforms", multiple=True, metavar="TRANSFORM",
                     help="Put the stream through NAME[:key=value,...]; repeatable, in order."),
    ):  # fmt: skip
        command = option(command)
    return command


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="onebit")
@click.option("--debug", is_flag=True, help="Show a traceback when something goes wrong.")
def cli(debug: bool) -> None:
    """Learn the right label from one bit of feedback: right or wrong.

    A learner, stream or transform is named by a spec: NAME or NAME:key=value,key=value,
    such as banditron:gamma=0.0156.
    """


@cli.command("learners")
@click.argument("name", required=False)
def learners_command(name: str | None) -> None:
    """List the learners, or show the page of one."""
    from onebit import learners, pages

    if name is not None:
        click.echo(pages.learner_page(name), nl=False)
        return
    for each in learners.names():
        kind = learners.find(each)
        ear = learners.facts(kind).hears.__name__.lower()
        click.echo(f"{each:<20} hears {ear:<6} {pages.first_line(kind)}")


@cli.command("explorers")
@click.argument("name", required=False)
def explorers_command(name: str | None) -> None:
    """List the explorers, or show the page of one."""
    from onebit import explorers, pages

    if name is not None:
        click.echo(pages.explorer_page(name), nl=False)
        return
    for each in explorers.names():
        click.echo(f"{each:<20} {pages.first_line(explorers.find(each))}")


@cli.command("hypotheses")
@click.argument("name", required=False)
def hypotheses_command(name: str | None) -> None:
    """List the classes of hypotheses that give advice, or show the page of one."""
    from onebit import hypotheses, pages

    if name is not None:
        click.echo(pages.hypotheses_page(name), nl=False)
        return
    for each in hypotheses.names():
        click.echo(f"{each:<20} {pages.first_line(hypotheses.find(each))}")


@cli.command("streams")
@click.argument("name", required=False)
def streams_command(name: str | None) -> None:
    """List the streams and transforms, or show the page of one stream."""
    from onebit import pages, streams

    if name is not None:
        click.echo(pages.stream_page(name), nl=False)
        return
    for each in streams.names():
        kind = streams.find(each)
        facts = streams.facts(kind)
        rows = f"{facts.rows:,}" if facts.rows else "endless"
        size = f"{rows:>9} x {facts.features:<7,} {facts.labels} labels"
        click.echo(f"{each:<16} {size}  {pages.first_line(kind)}")
        click.echo(f"{'':<16} {facts.source}; licence: {facts.licence}")
    click.echo("\nTransforms, for --with:")
    for each in streams.transform_names():
        click.echo(f"{each:<16} {pages.first_line(streams.find_transform(each))}")


@cli.command("play")
@click.argument("stream")
@click.argument("learner")
@_options
def play_command(
    stream: str, learner: str, transforms: tuple[str, ...], rounds: int | None, seed: int,
    as_json: bool, out: Path | None,
) -> None:  # fmt: skip
    """Play STREAM with LEARNER and count its mistakes."""
    from onebit.experiment.trial import Trial

    results = _run([Trial.parse(stream, learner, seed, rounds, transforms)], 1, as_json)
    if not as_json:
        result = results[0]
        click.echo(f"{result.stream}  {result.learner}  seed {result.seed}")
        click.echo(
            f"{result.rounds:,} rounds, {result.mistakes:,} mistakes, error {result.error:.6g},"
            f" {result.seconds:.2f} s, {result.us_per_round:.3f} us/round in the kernel"
        )
        _print_curve(result)
    _finish(results, out, as_json)


@cli.command("compare")
@click.argument("stream")
@click.argument("learners", nargs=-1, required=True, metavar="LEARNER...")
@_options
@click.option("--seeds", metavar="N", default="1", show_default=True, callback=_number(_SEEDS),
              help="Run each learner under N seeds, from --seed on.")  # fmt: skip
@click.option("--workers", metavar="W", callback=_number(_WORKERS),
              help="How many trials run at once.  [default: one a core]")  # fmt: skip
def compare_command(
    stream: str, learners: tuple[str, ...], transforms: tuple[str, ...], rounds: int | None,
    seed: int, seeds: int, workers: int | None, as_json: bool, out: Path | None,
) -> None:  # fmt: skip
    """Play STREAM with several learners, over seeds, and set them side by side."""
    from onebit.experiment.trial import Trial

    trials = dict.fromkeys(
        Trial.parse(stream, learner, each, rounds, transforms)
        for learner in learners
        for each in range(seed, seed + seeds)
    )
    results = _run(list(trials), workers or _WORKERS.default, as_json)
    if not as_json:
        from onebit.experiment.table import comparison

        click.echo(comparison(results))
    _finish(results, out, as_json)


@cli.command("check")
@click.argument("learner")
def check_command(learner: str) -> None:
    """Hold a LEARNER to the contract that every learner must pass, such as your own."""
    from onebit import checks, learners

    kind = learners.find(learner)
    broken = 0
    for law in checks.laws_for(kind):
        try:
            law(kind)
        except checks.Broken as why:
            broken += 1
            click.echo(f"BROKEN  {law.__name__}: {why}")
        else:
            click.echo(f"holds   {law.__name__}")
    if broken:
        raise BadInput(f"{kind.__name__}: {broken} laws of the contract are broken.")


def _run(trials: list[Any], workers: int, as_json: bool) -> list[Result]:
    """Run trials with progress on the terminal; with `as_json`, print their lines."""
    from onebit.experiment.runner import run_all
    from onebit.experiment.screen import Screen

    with Screen() as screen:
        results = run_all(trials, workers, screen.show)
    if as_json:
        for result in results:
            click.echo(json.dumps(result._asdict()))
    return results


def _finish(results: list[Result], out: Path | None, as_json: bool) -> None:
    """Write the files that were asked for; exit 130 if Ctrl-C cut the work short."""
    if out is not None and results:
        from onebit.experiment.report import write

        for file in write(results, out):
            click.echo(f"wrote {file}", err=True)
    if not results or any(result.interrupted for result in results):
        click.echo("onebit: interrupted; the results are what was done so far.", err=True)
        sys.exit(130)


def _print_curve(result: Result) -> None:
    """Print the error rate at each power of ten."""
    points = [(n, m) for n, m in result.curve if str(n).strip("0") == "1"]
    click.echo("   ".join(f"{n:,}: {m / n:.4g}" for n, m in points))


def main() -> NoReturn:
    """Run the command line; anything wrong with the input is one sentence and exit code 2."""
    try:
        sys.exit(cli.main(standalone_mode=False))
    except (BadInput, click.ClickException) as error:
        if "--debug" in sys.argv:
            raise
        text = error.format_message() if isinstance(error, click.ClickException) else str(error)
        click.echo(f"onebit: {text}" if isinstance(error, click.ClickException) else text, err=True)
        sys.exit(2)
    except (KeyboardInterrupt, click.Abort):
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


if __name__ == "__main__":
    main()
