"""`onebit bound`: the theorems, evaluated by themselves or for a run."""

from __future__ import annotations

import json
from typing import Any

import click

from onebit.cli.options import stream_options
from onebit.cli.output import echo
from onebit.cli.running import run_or_raise
from onebit.errors import BadInput


@click.command("bound")
@click.argument("name", required=False)
@click.argument("values", nargs=-1, metavar="[KEY=VALUE]...")
@click.option("--stream", metavar="STREAM", help="A stream to evaluate the bound on; needs --fit.")
@click.option("--fit", is_flag=True,
              help="Fit a comparator to the stream, play the learner, and print both.")  # fmt: skip
@stream_options
def bound_command(
    name: str | None, values: tuple[str, ...], stream: str | None, fit: bool,
    transforms: tuple[str, ...], rounds: int | None, seed: int, as_json: bool,
) -> None:  # fmt: skip
    """Evaluate the bound of a theorem, or list them all."""
    from onebit.naming.spec import Spec
    from onebit.theory import bounds

    if name is None:
        _list_theorems(as_json)
        return
    theorem = bounds.find(name)
    for each in values:
        if "=" not in each:
            raise BadInput(f"onebit: bound takes a NAME and then KEY=VALUE, got {each}.")
    params = dict(Spec.parse(f"{name}:{','.join(values)}").params) if values else {}
    if (stream is None) == fit:
        raise BadInput("onebit: --stream and --fit go together.")
    if stream is not None:
        shown = _evaluate_on_stream(name, params, stream, transforms, rounds, seed)
    else:
        value = theorem.value(params)
        shown = {"value": value} if isinstance(value, float) else value._asdict()
    if as_json:
        echo(json.dumps({"theorem": name, "source": theorem.source,
                               "up_to_a_constant": not theorem.is_bound, **shown}))  # fmt: skip
        return
    echo(f"{(theorem.function.__doc__ or '').splitlines()[0]}")
    echo(f"{theorem.source}{'' if theorem.is_bound else ', up to a constant'}")
    for key, value in shown.items():
        echo(f"{key:>16}  {value:,.6g}" if isinstance(value, float) else f"{key:>16}  {value}")


def _list_theorems(as_json: bool) -> None:
    """Print what each theorem says and takes: two lines, or a JSON object."""
    from onebit.theory import bounds

    for name, theorem in bounds.theorems.items():
        says = (theorem.function.__doc__ or "").splitlines()[0]
        takes = [param.name for param in theorem.params]
        if as_json:
            shown = {"theorem": name, "source": theorem.source, "says": says, "takes": takes}
            echo(json.dumps({**shown, "up_to_a_constant": not theorem.is_bound}))
            continue
        echo(f"{name:<22} {says}{'' if theorem.is_bound else ' (up to a constant)'}")
        echo(f"{'':<22} {' '.join(f'{each}=' for each in takes)}  [{theorem.source}]")


def _evaluate_on_stream(
    name: str, params: dict[str, str], stream: str, transforms: tuple[str, ...],
    rounds: int | None, seed: int,
) -> dict[str, Any]:  # fmt: skip
    """Play the learner with the bound's name on a stream, and fit a comparator to the stream."""
    from onebit import learners
    from onebit.agent.recipe import parameters
    from onebit.experiment.run.bound_fit import evaluate_fitted_bound, fit_comparator
    from onebit.experiment.run.trial import Trial

    own = {p.name for p in parameters(learners.find(name))}
    given = ",".join(f"{k}={v}" for k, v in params.items() if k in own)
    trial = Trial.parse(stream, f"{name}:{given}" if given else name, seed, rounds, transforms)
    results = run_or_raise([trial])
    if not results or results[0].interrupted:
        raise KeyboardInterrupt
    fitted = evaluate_fitted_bound(name, params, trial, results[0], fit_comparator(trial))
    return fitted._asdict()
