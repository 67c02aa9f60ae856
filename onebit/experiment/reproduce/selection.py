"""Which experiments to run: by their names or their papers' names, or on a user's file."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from pathlib import Path

from onebit.errors import BadInput
from onebit.experiment.papers import Experiment, Paper, papers
from onebit.naming.params import short_repr
from onebit.naming.suggesting import did_you_mean
from onebit.streams.opening import resolve

Selected = list[tuple[Paper, Experiment]]


def select(names: Sequence[str]) -> Selected:
    """Return the experiments of these names, or of papers of these names.

    If none is given, all but those of papers that run only by name.

    Raises
    ------
    BadInput
        If no experiment or paper has one of the names.

    """
    found = papers()
    always = {e.name: (p, e) for p in found.values() if not p.only_by_name for e in p.experiments}
    every = {e.name: (paper, e) for paper in found.values() for e in paper.experiments}
    by_paper = {n: [(paper, e) for e in paper.experiments] for n, paper in found.items()}
    chosen: dict[str, tuple[Paper, Experiment]] = {} if names else always
    for name in names:
        if name not in every and name not in by_paper:
            near = did_you_mean(name, [*every, *by_paper])
            raise BadInput(
                f"onebit: no experiment is called {short_repr(name)!r}{near};"
                " see `onebit reproduce --list`."
            )
        for pair in by_paper.get(name, []) if name in by_paper else [every[name]]:
            chosen[pair[1].name] = pair
    return list(chosen.values())


def list_papers(names: Sequence[str]) -> dict[str, tuple[Paper, list[Experiment]]]:
    """Return papers by name with their experiments of these names, or with all of them."""
    found = papers()
    chosen = {experiment.name for _, experiment in select(names or tuple(found))}
    listed = {n: [e for e in paper.experiments if e.name in chosen] for n, paper in found.items()}
    return {name: (found[name], experiments) for name, experiments in listed.items() if experiments}


def download_data(selected: Selected, say: Callable[[str], None]) -> None:
    """Download the data of the experiments that is not here, if its streams know how."""
    cells = [cell for _, experiment in selected for cell in experiment.cells]
    for stream in dict.fromkeys(cell.stream for cell in cells):
        _, source = resolve(stream)
        if hasattr(source, "download"):
            source.download(say)


def replace_stream(selected: Selected, stream: str, file: str) -> Selected:
    """Return the experiments with a user's file, shuffled, played instead of a stream.

    Nothing is judged: the published numbers are of other data, and count as not run.
    """
    return [
        (paper, _on_file(e, stream, file) if any(c.stream == stream for c in e.cells) else e)
        for paper, e in selected
    ]


def _on_file(experiment: Experiment, stream: str, file: str) -> Experiment:
    cells = (
        cell._replace(stream=file, transforms=("shuffle",), published=None)
        for cell in experiment.cells
    )
    name = Path(file).name
    return experiment._replace(
        title=f"{experiment.title}, on {name}",
        not_played=f"`{name}` was played instead, in shuffled orders; nothing is judged.",
        stand_ins=tuple(cells),
        stand_in_seeds=experiment.seeds,
        options=f" --{stream} {shlex.quote(file)}",
    )
