"""The learning-curve figure: error against rounds, both logarithmic, with a band over seeds."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from onebit.experiment.summary import by_learner, curves
from onebit.experiment.theory import bound_curve
from onebit.experiment.trial import Result
from onebit.params import BadInput, Real
from onebit.recipe import Recipe

#: Okabe and Ito's colours, which most colour-blind readers can tell apart.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
#: Curves start here: the first few rounds say nothing.
FIRST = 10
STYLES = ("-", "--", "-.", ":")


def draw(results: Sequence[Result], directory: Path, bounds: Sequence[str] = ()) -> list[Path]:
    """Draw the learning curves of all learners, and bounds; return the files written."""
    groups = {Recipe.parse(name).brief: group for name, group in by_learner(results).items()}
    return draw_curves(groups, directory / "curves", results[0].stream, bounds)


def draw_curves(
    groups: Mapping[str, Sequence[Result]], path: Path, title: str, bounds: Sequence[str] = ()
) -> list[Path]:
    """Draw the learning curves of groups of results over seeds, by name, and bounds."""
    figure, axes = blank()
    for number, (name, group) in enumerate(groups.items()):
        rounds, errors = curves(group)
        first = bisect_left(rounds, FIRST) if rounds[-1] > FIRST else 0
        # on a log axis, a seed without a mistake stands at half a mistake
        rounds, errors = rounds[first:], np.maximum(errors, 0.5 / np.array(rounds))[:, first:]
        _band(axes, rounds, errors, number, name, alpha=0.15 if len(groups) < 5 else 0.06)
    for number, text in enumerate(bounds):
        style = STYLES[::-1][number % len(STYLES)]
        axes.plot(rounds, bound_curve(text, rounds), style, color="0.4", label=f"bound {text}")
    axes.set(xscale="log", xlabel="rounds", ylabel="error rate so far")
    _log_errors(axes)
    seeds = len(next(iter(groups.values())))
    shown = f"mean, median (dotted) and range over {seeds} seeds" if seeds > 1 else "one seed"
    axes.set_title(f"{title}: {shown}", loc="left")
    axes.legend(frameon=False, loc="lower left", fontsize="small")
    return save(figure, path)


def draw_sweep(
    name: str, points: Sequence[str], grid: Sequence[Sequence[Result]], directory: Path
) -> list[Path]:
    """Draw the final error against a parameter; words stand side by side, numbers on a log axis."""
    figure, axes = blank()
    errors = np.array([[result.error for result in results] for results in grid]).T
    try:
        values = [Real("(0, inf)").read(point) for point in points]
        axes.set_xscale("log")
    except ValueError:
        values = list(range(len(points)))
        axes.set_xticks(values, points)
    order = np.argsort(values)
    _band(axes, np.array(values)[order], errors[:, order], 0, None, "o")
    if (errors > 0).all():
        _log_errors(axes)
    first = grid[0][0]
    axes.set(xlabel=name, ylabel=f"error rate after {first.rounds:,} rounds")
    shown = f"mean, median (dotted) and range over {len(grid[0])} seeds"
    axes.set_title(f"{first.learner.partition(':')[0]} on {first.stream}: {shown}", loc="left")
    return save(figure, directory / "sweep")


def draw_grids(
    grids: Mapping[str, Mapping[str, Sequence[float]]],
    levels: Mapping[str, float],
    path: Path,
    title: str,
) -> list[Path]:
    """Draw errors over the grids of several learners, and the level of those without a grid."""
    figure, axes = blank()
    for number, (name, grid) in enumerate(grids.items()):
        values = np.array([Real("(0, inf)").read(point) for point in grid])
        order = np.argsort(values)
        errors = np.array(list(grid.values())).T[:, order]
        _band(axes, values[order], errors, number, name, "o", 0.1)
    for number, (name, level) in enumerate(levels.items()):
        style = STYLES[number % len(STYLES)]
        axes.axhline(level, ls=style, color="0.45", lw=1.2, label=name)
    axes.set(xscale="log", xlabel="exploration rate", ylabel="final error rate")
    _log_errors(axes)
    axes.set_title(f"{title}: mean, median (dotted) and range", loc="left")
    axes.legend(frameon=False, fontsize="small")
    return save(figure, path)


def _band(
    axes: Any,
    x: Any,
    errors: Any,
    number: int,
    label: str | None,
    mark: str = "",
    alpha: float = 0.15,
) -> None:
    """Draw the mean over seeds (rows) as a line, their median dotted, their range as a band."""
    colour = COLOURS[number % len(COLOURS)]
    style = STYLES[number // len(COLOURS) % len(STYLES)]
    axes.plot(x, errors.mean(axis=0), mark + style, color=colour, lw=1.8, ms=4, label=label)
    if len(errors) > 2:
        axes.plot(x, np.median(errors, axis=0), ":", color=colour, lw=1.2)
    if len(errors) > 1:
        low, high = errors.min(axis=0), errors.max(axis=0)
        axes.fill_between(x, low, high, color=colour, alpha=alpha, lw=0)


def _log_errors(axes: Any) -> None:
    """Put errors on a log axis whose ticks are plain numbers."""
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter("{x:g}")
    low, high = axes.get_ylim()
    axes.yaxis.set_minor_formatter("{x:g}" if high < 12 * low else "")


def blank() -> tuple[Any, Any]:
    """Return an empty figure and its axes, in the style of the house."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise BadInput(
            "onebit: figures need matplotlib, install it with: pip install 'onebit[plots]'."
        ) from None
    figure = Figure(figsize=(7.5, 5), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.grid(alpha=0.25, which="major")
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def save(figure: Any, path: Path) -> list[Path]:
    """Write a figure as PNG and SVG, the same bytes each time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    files = [path.with_suffix(ending) for ending in (".png", ".svg")]
    for file in files:
        figure.savefig(file, dpi=150, metadata={"Date": None} if file.suffix == ".svg" else None)
    return files
