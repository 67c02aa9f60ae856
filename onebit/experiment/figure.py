"""The learning-curve figure: error against rounds, both logarithmic, with a band over seeds."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from onebit.experiment.summary import by_learner, curves
from onebit.experiment.trial import Result
from onebit.params import BadInput
from onebit.recipe import Recipe

#: Okabe and Ito's colours, which most colour-blind readers can tell apart.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
#: Curves start here: the first few rounds say nothing.
FIRST = 10
STYLES = ("-", "--", "-.", ":")


def draw(results: Sequence[Result], directory: Path) -> list[Path]:
    """Draw the learning curves of all learners and return the files written."""
    figure = blank(7.5, 5)
    axes = figure.add_subplot()
    groups = by_learner(results)
    for number, (learner, group) in enumerate(groups.items()):
        rounds, errors = curves(group)
        first = bisect_left(rounds, FIRST) if rounds[-1] > FIRST else 0
        rounds, errors = rounds[first:], errors[:, first:]
        colour = COLOURS[number % len(COLOURS)]
        style = STYLES[number // len(COLOURS) % len(STYLES)]
        mean = errors.mean(axis=0)
        axes.plot(rounds, mean, style, color=colour, lw=1.8, label=Recipe.parse(learner).brief)
        if len(group) > 1:
            # on a log axis, a seed without a mistake stands at half a mistake
            low = np.maximum(errors.min(axis=0), 0.5 / np.array(rounds))
            high = errors.max(axis=0)
            axes.fill_between(rounds, low, high, color=colour, alpha=0.15, lw=0)
    axes.set(xscale="log", yscale="log", xlabel="rounds", ylabel="error rate so far")
    seeds = len(next(iter(groups.values())))
    shown = f"mean and range over {seeds} seeds" if seeds > 1 else f"seed {results[0].seed}"
    axes.set_title(f"{results[0].stream}: {shown}", loc="left")
    axes.grid(alpha=0.25, which="major")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, loc="lower left")
    return save(figure, directory, "curves")


def blank(width: float, height: float) -> Any:
    """Return an empty figure, or raise the sentence that names what is missing."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise BadInput(
            "onebit: figures need matplotlib, install it with: pip install 'onebit[plots]'."
        ) from None
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def save(figure: Any, directory: Path, name: str) -> list[Path]:
    """Write a figure as a picture and as a drawing, and return the files."""
    directory.mkdir(parents=True, exist_ok=True)
    files = [directory / f"{name}.{ending}" for ending in ("png", "svg")]
    for file in files:
        figure.savefig(file, dpi=150, metadata={"Date": None} if file.suffix == ".svg" else None)
    return files
