"""Which experiments to run: by their names or their papers' names, or on a user's file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from onebit.errors import BadInput
from onebit.experiment.papers import Experiment, Paper, papers
from onebit.naming.params import did_you_mean, short_repr

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


def replace_stream(selected: Selected, stream: str, file: str) -> Selected:
    """Return the experiments with a user's file, shuffled, in place of a stream.

    Their cells lose the published numbers, which are of other data.
    """
    return [
        (paper, _on_file(e, file) if any(c.stream == stream for c in e.cells) else e)
        for paper, e in selected
    ]


def _on_file(experiment: Experiment, file: str) -> Experiment:
    cells = (
        cell._replace(
            stream=file,
            transforms=("shuffle",),
            published=None,
            note=f"the paper, on all its data: {100 * cell.published.value:.1f}"
            if cell.published
            else cell.note,
        )
        for cell in experiment.cells
    )
    return experiment._replace(
        title=f"{experiment.title}, on {Path(file).name}",
        text=f"{experiment.text}\n\nPlayed on `{Path(file).name}`, in shuffled orders. These are"
        " not the paper's data, so nothing is judged.",
        cells=tuple(cells),
    )
