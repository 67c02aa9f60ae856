"""The command line. Thin: it reads options, calls the library, and prints.

Heavy modules are imported inside the commands that need them, so that `--help`
and the lists answer at once.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from onebit.params import BadInput, Param, Real, Remark, Whole, check

if TYPE_CHECKING:
    from onebit.experiment.store import Store
    from onebit.experiment.trial import Result, Trial

_ROUNDS = Param("rounds", Whole(1), None, "")
_SEED = Param("seed", Whole(0), 0, "")
_SEEDS = Param("seeds", Whole(1), 1, "")
_RIGHT = Param("right", Real("[-1e100, 1e100]"), 0.0, "")
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


def _pool_options(command: Any) -> Any:
    """Add the options that say where many trials run."""
    for option in (
        click.option("--dask", metavar="ADDRESS", help="Run the trials on a Dask cluster."),
        click.option("--processes", is_flag=True, help="Run the trials in processes, not threads."),
        click.option("--workers", metavar="W", callback=_number(_WORKERS),
                     help="How many trials run at once.  [default: one a core]"),
        click.option("--seeds", metavar="N", default="1", show_default=True,
                     callback=_number(_SEEDS), help="Use N seeds, from --seed on."),
    ):  # fmt: skip
        command = option(command)
    return command


def _file_options(command: Any) -> Any:
    """Add the options that say how a file is to be read."""
    for option in (
        click.option("--skip-bad", is_flag=True,
                     help="Count malformed lines of a file and go on."),
        click.option("--label-column", metavar="COLUMN",
                     help="The column of a file that holds the label: its name or number."),
        click.option("--labels", metavar="A,B,...",
                     help="The labels of a file, in this order.  [default: found in a first pass]"),
        click.option("--format", "format", metavar="FORMAT",
                     help="How a file is written.  [default: by its ending; see docs/files.md]"),
    ):  # fmt: skip
        command = option(command)
    return command


def _file_spec(
    stream: str, format: str | None, labels: str | None, label_column: str | None, skip_bad: bool
) -> str:
    """Return the spec of a stream with the options for files put in."""
    options = {
        "format": format,
        "labels": None if labels is None else tuple(part.strip() for part in labels.split(",")),
        "label": label_column,
        "bad": "skip" if skip_bad else None,
    }
    if all(value is None for value in options.values()):
        return stream
    from onebit.streams import is_file

    if not is_file(stream):
        raise BadInput(
            "onebit: --format, --labels, --label-column and --skip-bad are for files,"
            f" got the stream {stream}."
        )
    from onebit.streams.files.file import with_options

    return with_options(stream, options)


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


@cli.command("streams")
@click.argument("name", required=False)
def streams_command(name: str | None) -> None:
    """List the streams and transforms, or show the page of one."""
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


@cli.command("formats")
@click.argument("name", required=False)
def formats_command(name: str | None) -> None:
    """List the formats of files, or show the page of one."""
    from onebit import pages
    from onebit.streams import formats

    if name is not None:
        click.echo(pages.format_page(name), nl=False)
        return
    for each in formats.names():
        kind = formats.find(each)
        endings = " ".join(formats.facts(kind).endings)
        click.echo(f"{each:<10} {endings:<34} {pages.first_line(kind)}")


@cli.command("play")
@click.argument("stream")
@click.argument("learner")
@_options
@_file_options
def play_command(
    stream: str, learner: str, transforms: tuple[str, ...], rounds: int | None, seed: int,
    as_json: bool, out: Path | None, **file: Any,
) -> None:  # fmt: skip
    """Play STREAM with LEARNER and count its mistakes."""
    from onebit.experiment.trial import Trial

    stream = _file_spec(stream, **file)
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
@_file_options
@_pool_options
@click.option("--bound", "bound", multiple=True, metavar="BOUND",
              help="Draw NAME:key=value,... of `onebit bound` too; repeatable.")  # fmt: skip
def compare_command(
    stream: str, learners: tuple[str, ...], transforms: tuple[str, ...], rounds: int | None,
    seed: int, seeds: int, bound: tuple[str, ...], workers: int | None, processes: bool,
    dask: str | None, as_json: bool, out: Path | None, **file: Any,
) -> None:  # fmt: skip
    """Play STREAM with several learners, over seeds, and set them side by side."""
    from onebit.experiment.theory import bound_curve
    from onebit.experiment.trial import Trial

    for each in bound:
        bound_curve(each, [1])  # a bad one is told before the work, not after
    stream = _file_spec(stream, **file)
    trials = dict.fromkeys(
        Trial.parse(stream, learner, each, rounds, transforms)
        for learner in learners
        for each in range(seed, seed + seeds)
    )
    results = _run(list(trials), workers, as_json, processes, dask)
    if not as_json:
        from onebit.experiment.table import comparison

        click.echo(comparison(results))
    _finish(results, out, as_json, bound)


@cli.command("sweep")
@click.argument("stream")
@click.argument("learner")
@click.option("--over", required=True, metavar="GRID",
              help="Its values: gamma=2^-14..2^-1, n=1..5 or delta=0.01,0.03.")  # fmt: skip
@_options
@_pool_options
def sweep_command(
    stream: str, learner: str, over: str, transforms: tuple[str, ...], rounds: int | None,
    seed: int, seeds: int, workers: int | None, processes: bool, dask: str | None, as_json: bool,
    out: Path | None,
) -> None:  # fmt: skip
    """Play STREAM with LEARNER over a grid of one parameter, and tell which value is best."""
    from onebit.experiment.store import Store
    from onebit.experiment.sweep import parse_grid
    from onebit.experiment.trial import Trial

    name, points = parse_grid(over)
    glue = "," if ":" in learner else ":"
    grid = {
        point: [
            Trial.parse(stream, f"{learner}{glue}{name}={point}", each, rounds, transforms)
            for each in range(seed, seed + seeds)
        ]
        for point in points
    }
    trials = [trial for row in grid.values() for trial in row]
    store = None if out is None else Store(out)
    results = _run(trials, workers, as_json, processes, dask, store)
    if len(results) == len(trials) and not any(result.interrupted for result in results):
        table = {point: results[n * seeds : (n + 1) * seeds] for n, point in enumerate(points)}
        if not as_json:
            from onebit.experiment.table import sweep_table

            click.echo(sweep_table(name, table))
        if out is not None:
            from onebit.experiment.figure import draw_sweep

            for file in draw_sweep(name, points, list(table.values()), out):
                click.echo(f"wrote {file}", err=True)
    _finish(results, out, as_json)


@cli.command("reproduce")
@click.argument("names", nargs=-1, metavar="[EXPERIMENT]...")
@click.option("--list", "only_list", is_flag=True, help="List the experiments and stop.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("out"), show_default=True,
              metavar="DIR", help="Where results, figures and the report go.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a number.")
@click.option("--workers", metavar="W", callback=_number(_WORKERS),
              help="How many trials run at once.  [default: one a core]")  # fmt: skip
@click.option("--processes", is_flag=True, help="Run the trials in processes, not threads.")
@click.option("--dask", metavar="ADDRESS", help="Run the trials on a Dask cluster.")
def reproduce_command(
    names: tuple[str, ...], only_list: bool, out: Path, as_json: bool, workers: int | None,
    processes: bool, dask: str | None,
) -> None:  # fmt: skip
    """Run the papers' experiments afresh and set our numbers beside theirs."""
    from onebit.experiment import page, reproduce
    from onebit.experiment.store import Store

    chosen = reproduce.select(names)
    if only_list:
        for _, experiment in chosen:
            click.echo(f"{experiment.name:<20} {experiment.title}")
        return
    missing = {e.name: reproduce.missing_data(e) for _, e in chosen}
    trials = {
        trial: None
        for _, e in chosen
        if not missing[e.name]
        for cell in e.cells
        for group in reproduce.trials_of(e, cell).values()
        for trial in group
    }
    results = _run(list(trials), workers, False, processes, dask, Store(out))
    found = dict(zip(trials, results, strict=False))
    if len(results) < len(trials) or any(result.interrupted for result in results):
        raise KeyboardInterrupt
    reports = [reproduce.judge(p, e, found, out, missing[e.name]) for p, e in chosen]
    reproduce.write_csv(reports, out / "results.csv")
    for report in reports:
        for cell in report.cells:
            click.echo(reproduce.as_json(report, cell) if as_json else page.line(report, cell))
        if report.missing and not as_json:
            click.echo(f"{report.experiment.name}: not run: {report.missing}")
    for file in [*page.write_page(reports, out), out / "results.csv"]:
        click.echo(f"wrote {file}", err=True)


@cli.command("bound")
@click.argument("name", required=False)
@click.argument("values", nargs=-1, metavar="[KEY=VALUE]...")
@click.option(
    "--stream", metavar="STREAM", help="A stream to confront the bound with; needs --fit."
)
@click.option("--fit", is_flag=True,
              help="Fit a comparator to the stream, play the learner, and print both.")  # fmt: skip
@_options
def bound_command(
    name: str | None, values: tuple[str, ...], stream: str | None, fit: bool,
    transforms: tuple[str, ...], rounds: int | None, seed: int, as_json: bool, out: Path | None,
) -> None:  # fmt: skip
    """Evaluate a theorem, or list them all: `onebit bound banditron labels=9 ...`."""
    from onebit import bounds
    from onebit.spec import Spec

    if name is None:
        for each, theorem in bounds.theorems.items():
            kind = "" if theorem.is_bound else " (up to a constant)"
            takes = " ".join(f"{p.name}=" for p in theorem.params)
            click.echo(f"{each:<22} {(theorem.function.__doc__ or '').splitlines()[0]}{kind}")
            click.echo(f"{'':<22} {takes}  [{theorem.source}]")
        return
    theorem = bounds.find(name)
    params = dict(Spec.parse(f"{name}:{','.join(values)}").params) if values else {}
    if (stream is None) == fit:
        raise BadInput("onebit: --stream and --fit go together.")
    if stream is not None:
        facts = _confront(name, params, stream, transforms, rounds, seed)
    else:
        value = theorem.function(**theorem.read(params))
        facts = {"value": value} if isinstance(value, float) else value._asdict()
    if as_json:
        click.echo(json.dumps({"theorem": name, "source": theorem.source,
                               "up_to_a_constant": not theorem.is_bound, **facts}))  # fmt: skip
        return
    click.echo(f"{name}: {theorem.source}{'' if theorem.is_bound else ', up to a constant'}")
    for key, value in facts.items():
        click.echo(
            f"{key:>16}  {value:,.6g}" if isinstance(value, float) else f"{key:>16}  {value}"
        )


def _confront(
    name: str, params: dict[str, str], stream: str, transforms: tuple[str, ...],
    rounds: int | None, seed: int,
) -> dict[str, Any]:  # fmt: skip
    """Play the learner of a bound's name on a stream, and fit a comparator to it."""
    from onebit import learners
    from onebit.experiment.theory import comparator, confront
    from onebit.experiment.trial import Trial
    from onebit.recipe import parameters

    own = {p.name for p in parameters(learners.find(name))}
    given = ",".join(f"{k}={v}" for k, v in params.items() if k in own)
    trial = Trial.parse(stream, f"{name}:{given}" if given else name, seed, rounds, transforms)
    (result,) = _run([trial])
    return confront(name, params, result, comparator(trial))._asdict()


@cli.command("learn")
@click.argument("log")
@click.argument("learner")
@_file_options
@click.option("--save", type=click.Path(path_type=Path), metavar="AGENT.npz",
              help="Write the agent that learned, for Agent.load.")  # fmt: skip
@click.option("--right", metavar="COST", default="0", show_default=True, callback=_number(_RIGHT),
              help="The cost that means right in a VW log; one more means wrong.")  # fmt: skip
@click.option("--seed", metavar="S", default="0", show_default=True, callback=_number(_SEED),
              help="Decides the learner's chance.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object on stdout.")
def learn_command(
    log: str, learner: str, save: Path | None, right: float, seed: int, as_json: bool, **file: Any
) -> None:
    """Let LEARNER learn from a LOG of past decisions: rows, labels played, probs and bits."""
    from onebit.experiment.replay import learn

    agent, done = learn(_file_spec(log, **file), learner, seed, right)
    if save is not None:
        agent.save(save)
        click.echo(f"wrote {save}", err=True)
    if as_json:
        click.echo(json.dumps(done._asdict()))
        return
    click.echo(f"{done.log}  {done.learner}  seed {done.seed}")
    click.echo(f"{done.used:,} of {done.rows:,} rows used")
    for why, count in done.unused.items():
        click.echo(f"{count:>12,} not used: {why}")


@cli.command("pack")
@click.argument("file_", metavar="FILE")
@_file_options
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="OUT.onebit",
              help="Where to write.  [default: beside FILE, with the ending .onebit]")  # fmt: skip
def pack_command(file_: str, output: Path | None, **file: Any) -> None:
    """Write FILE in a binary form that is read at the speed of memory."""
    from onebit import streams
    from onebit.streams.formats.packed import pack

    text = _file_spec(file_, **file)
    spec, source = streams.resolve(text)
    if output is None:
        if not streams.is_file(text) or spec.name == "-":
            raise BadInput("onebit: -o OUT.onebit must say where to write, got nothing.")
        output = source.source.unpacked_path.with_suffix(".onebit")
    rows = pack(streams.open_stream(text, 0), output, str(spec))
    size = output.stat().st_size
    click.echo(f"wrote {output}: {rows:,} rows, {size / 1e6:,.1f} MB", err=True)


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


def _run(
    trials: list[Trial],
    workers: int | None = None,
    as_json: bool = False,
    processes: bool = False,
    dask: str | None = None,
    store: Store | None = None,
) -> list[Result]:
    """Run trials with progress on the terminal; with `as_json`, print their lines."""
    from onebit.experiment.pools import open_pool
    from onebit.experiment.runner import run_all
    from onebit.experiment.screen import Screen

    with open_pool(workers or _WORKERS.default, processes, dask) as pool, Screen() as screen:
        results, failures = run_all(trials, pool, screen.show, store)
    if as_json:
        for result in results:
            click.echo(json.dumps(result._asdict()))
    for trial, error in failures:
        if isinstance(error, BadInput):
            raise error
        click.echo(
            f"onebit: {trial.learner} on {trial.stream}, seed {trial.seed}: {error!r}", err=True
        )
    if failures:
        raise failures[0][1]
    return results


def _finish(
    results: list[Result], out: Path | None, as_json: bool, bounds: tuple[str, ...] = ()
) -> None:
    """Write the files that were asked for; exit 130 if Ctrl-C cut the work short."""
    if out is not None and results:
        from onebit.experiment.report import write

        for file in write(results, out, bounds):
            click.echo(f"wrote {file}", err=True)
    if not results or any(result.interrupted for result in results):
        click.echo("onebit: interrupted; the results are what was done so far.", err=True)
        sys.exit(130)


def _print_curve(result: Result) -> None:
    """Print the error rate at each power of ten."""
    points = [(n, m) for n, m in result.curve if str(n).strip("0") == "1"]
    click.echo("   ".join(f"{n:,}: {m / n:.4g}" for n, m in points))


def _say_remarks_plainly() -> None:
    """Print a learner's remark as its one sentence on stderr, without the place in the code."""
    usual = warnings.formatwarning

    def plain(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        line: str | None = None,
    ) -> str:
        if issubclass(category, Remark):
            return f"{message}\n"
        return usual(message, category, filename, lineno, line)

    warnings.formatwarning = plain


def main() -> NoReturn:
    """Run the command line; anything wrong with the input is one sentence and exit code 2."""
    _say_remarks_plainly()
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
