"""Figures of errors: over rounds (learning curves) and over a parameter, with a band over seeds."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from onebit.experiment.report.canvas import COLOURS, new_figure, save_figure, without_math
from onebit.experiment.report.summary import by_learner, curves, recipe_of, stream_name
from onebit.experiment.run.bound_fit import bound_curve
from onebit.experiment.run.trial import Result
from onebit.naming.params import Real

#: The first round that is drawn; before it, curves are noise.
FIRST = 10
#: The height of the marker of a published number, as a share of the axes.
_MARKER_HEIGHT = 0.03
#: Points of a grid that are written below the axis.
_MOST_TICKS = 8
STYLES = ("-", "--", "-.", ":")


class Curve(NamedTuple):
    """Errors at rounds."""

    rounds: Sequence[int]
    errors: Sequence[float]


def draw_comparison(
    results: Sequence[Result], directory: Path, bounds: Sequence[str] = ()
) -> list[Path]:
    """Draw the learning curves of all learners, and bounds; return the files written."""
    groups = {recipe_of(name).brief: group for name, group in by_learner(results).items()}
    rounds = curves(results)[0]
    lines = {text: Curve(rounds, bound_curve(text, rounds)) for text in bounds}
    return draw_curves(groups, directory / "curves", stream_name(results[0].stream), lines)


def draw_curves(
    groups: Mapping[str, Sequence[Result]],
    path: Path,
    title: str,
    bounds: Mapping[str, Curve] = {},
    published: Mapping[str, float] = {},
) -> list[Path]:
    """Draw the learning curves of groups of results over seeds, by name.

    A curve may have a bound, drawn where it is below 1, and a published final error.
    """
    figure, axes = new_figure()
    for number, (name, group) in enumerate(groups.items()):
        rounds, errors = curves(group)
        first = bisect_left(rounds, FIRST) if rounds[-1] > FIRST else 0
        # on a log axis, no mistake is drawn as half a mistake
        rounds, errors = rounds[first:], np.maximum(errors, 0.5 / np.array(rounds))[:, first:]
        _band(axes, rounds, errors.T, number, name, alpha=0.15 if len(groups) < 5 else 0.06)
    names = list(groups)
    for number, (name, curve) in enumerate(bounds.items()):
        colour = _colour(names.index(name)) if name in names else "0.5"
        most = 1.0 if name in names else 2.0  # a bound that a user asks for is drawn also at 1
        points = [
            (n, error) for n, error in zip(*curve, strict=True) if n >= FIRST and error < most
        ]
        if points:
            style = (0, (6 + 2 * number, 2, 1, 2))
            axes.plot(*zip(*points, strict=True), ls=style, lw=1, color=colour,
                      label=f"bound for {name}" if name in names else f"bound {name}")  # fmt: skip
    axes.set(xscale="log", xlabel="rounds", ylabel="error rate so far")
    axes.xaxis.set_major_formatter(_plain)
    _log_errors(axes)
    _mark_published(axes, {names.index(name): level for name, level in published.items()})
    _title(axes, title, {len(group) for group in groups.values()})
    _legend(figure, axes)
    return save_figure(figure, path)


def draw_sweep(
    name: str, points: Sequence[str], grid: Sequence[Sequence[Result]], directory: Path
) -> list[Path]:
    """Draw the final error over a parameter: numbers on a log axis, words as categories."""
    figure, axes = new_figure()
    errors = [np.array([result.error for result in results]) for results in grid]
    try:
        values = [Real("(0, inf)").read(point) for point in points]
        axes.set_xscale("log")
        axes.minorticks_off()
    except ValueError:
        values = list(range(len(points)))
    order = np.argsort(values)
    named = order[:: -(-len(order) // _MOST_TICKS)]
    axes.set_xticks([values[n] for n in named], [without_math(points[n]) for n in named])
    _band(axes, np.array(values)[order], [errors[n] for n in order], 0, None, "o")
    if all((each > 0).all() for each in errors):
        _log_errors(axes)
    first = grid[0][0]
    axes.set(xlabel=without_math(name), ylabel=f"error rate after {first.rounds:,} rounds")
    _title(
        axes, f"{first.learner.partition(':')[0]} on {stream_name(first.stream)}", {len(grid[0])}
    )
    return save_figure(figure, directory / "sweep")


def draw_grids(
    grids: Mapping[str, Mapping[str, Sequence[float]]],
    path: Path,
    title: str,
    axis_label: str,
    published: Mapping[str, float] = {},
) -> list[Path]:
    """Draw the errors of several learners over their grids.

    One without a grid, whose only value is "", is a level line across all values.
    """
    figure, axes = new_figure()
    every = [_value(text) for grid in grids.values() for text in grid if text]
    seeds = set()
    for number, (name, grid) in enumerate(grids.items()):
        seeds |= {len(errors) for errors in grid.values()}
        if list(grid) == [""]:
            ends = np.array([min(every), max(every)])
            _band(axes, ends, [np.array(grid[""])] * 2, number, name, "", 0.06)
            continue
        order = sorted(grid, key=_value)
        values = np.array([_value(text) for text in order])
        _band(axes, values, [np.array(grid[text]) for text in order], number, name, "o", 0.1)
    axes.set(xscale="log", xlabel=axis_label, ylabel="final error rate")
    axes.xaxis.set_major_formatter(_plain)
    _log_errors(axes)
    _mark_published(axes, {list(grids).index(name): level for name, level in published.items()})
    _title(axes, title, seeds)
    _legend(figure, axes)
    return save_figure(figure, path)


def _value(text: str) -> float:
    return Real("(0, inf)").read(text)


def _title(axes: Any, title: str, seeds: Collection[int]) -> None:
    """Write the title, and below it what the lines and bands are."""
    many = " to ".join(str(n) for n in sorted({min(seeds), max(seeds)}))
    shown = f"mean, median (dotted) and range over {many} seeds" if max(seeds) > 2 else (
        "mean and range over 2 seeds" if max(seeds) == 2 else "one seed")  # fmt: skip
    axes.set_title(f"{without_math(title)}\n", loc="left", fontsize=11)
    axes.text(0, 1.02, shown, transform=axes.transAxes, fontsize=9, alpha=0.75)


def _legend(figure: Any, axes: Any) -> None:
    """Put the legend below the axes and make the figure higher by its lines."""
    handles, labels = axes.get_legend_handles_labels()
    columns = 2 if len(labels) > 3 and max(map(len, labels)) < 42 else 1
    figure.legend(handles, labels, frameon=False, fontsize=9, ncols=columns,
                  loc="outside lower left")  # fmt: skip
    figure.set_figheight(4.4 + 0.19 * -(-len(labels) // columns))


def _mark_published(axes: Any, levels: Mapping[int, float]) -> None:
    """Mark published numbers right of the axes, in the colours of their lines.

    Markers that would hide each other stand side by side.
    """
    places: list[tuple[float, int]] = []
    for number, level in sorted(levels.items(), key=lambda item: item[1]):
        height = axes.transAxes.inverted().transform(axes.transData.transform((1.0, level)))[1]
        near = {column for other, column in places if abs(other - height) < _MARKER_HEIGHT}
        column = next(n for n in range(len(levels)) if n not in near)
        places.append((height, column))
        axes.plot([1.0 + 0.025 * column], [level], marker="<", ms=7, color=_colour(number),
                  clip_on=False, transform=axes.get_yaxis_transform(), ls="none")  # fmt: skip
    if levels:
        axes.plot([], [], "<", color="0.5", ms=7, label="the paper's number")


def _colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]


def _band(
    axes: Any,
    x: Any,
    errors: Sequence[Any],
    number: int,
    label: str | None,
    mark: str = "",
    alpha: float = 0.15,
) -> None:
    """Draw the mean over seeds as a line, their median dotted, their range as a band.

    `errors` has an array over seeds for each x.
    """
    colour = _colour(number)
    style = STYLES[number // len(COLOURS) % len(STYLES)]
    means = [each.mean() for each in errors]
    axes.plot(x, means, mark + style, color=colour, lw=1.8, ms=4, label=label)
    if len(errors[0]) > 2:
        axes.plot(x, [np.median(each) for each in errors], ":", color=colour, lw=1.2)
    if len(errors[0]) > 1:
        low, high = ([end(each) for each in errors] for end in (np.min, np.max))
        axes.fill_between(x, low, high, color=colour, alpha=alpha, lw=0)


def _log_errors(axes: Any) -> None:
    """Put errors on a log axis whose ticks are plain numbers."""
    from matplotlib.ticker import LogLocator

    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(_plain)
    low, high = axes.get_ylim()
    decades = math.floor(math.log10(high)) - math.ceil(math.log10(low)) + 1  # ticks with numbers
    near = high < 15 * low or decades < 2
    if near:
        axes.yaxis.set_minor_locator(LogLocator(subs=(2, 3, 5) if high > 3 * low else "auto"))
    axes.yaxis.set_minor_formatter(_plain if near else "")


def _plain(value: float, place: int) -> str:
    """Return a number of a tick without an exponent."""
    return f"{value:,.0f}" if value >= 1 else np.format_float_positional(value, 6, trim="-")
