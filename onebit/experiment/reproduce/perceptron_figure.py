"""The pictures of the Perceptron, drawn from a run in two dimensions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from onebit.agent.agent import Agent
from onebit.experiment.report.canvas import COLOURS, new_figure, save_figure
from onebit.kernel.block import Single
from onebit.kernel.rows import DenseRows, Floats
from onebit.streams.datasets.plane import line_normal
from onebit.streams.opening import open_stream

STREAM, SEED, MARGIN = "plane:margin=0.15", 0, 0.15
#: Rows that are played and shown.
SHOWN = 60


class Run(NamedTuple):
    """Rows, their signs, the weights before and after the last update, and its row's number."""

    rows: Floats
    signs: Floats
    before: Floats
    after: Floats
    wrong: int


def perceptron_run(seed: int = SEED) -> Run:
    """Play the Perceptron and return the weights before and after its last update.

    The weights are those of +1 minus those of -1: a mistake adds the row to one and
    subtracts it from the other.
    """
    block = next(open_stream(STREAM, seed).blocks()).head(SHOWN)
    assert isinstance(block.rows, DenseRows)
    assert isinstance(block.truths, Single)
    rows, signs = block.rows.values, 1.0 - 2.0 * block.truths.labels.astype(np.float64)
    agent = Agent("perceptron", [1, -1], features=2, seed=seed)
    before, after, wrong = np.zeros(2), np.zeros(2), 0
    for n in range(SHOWN):
        choice = agent.decide(rows[n])
        agent.learn(choice, truth=int(signs[n]))
        if choice.label != signs[n]:
            before, after, wrong = after, after + 2.0 * signs[n] * rows[n], n
    return Run(rows, signs, before, after, wrong)


def draw_perceptron(path: Path) -> list[Path]:
    """Draw the half-spaces, one update, and the margin."""
    run = perceptron_run()
    figure, first = new_figure()
    figure.set_size_inches(11, 4.0)
    first.remove()
    left, middle, right = figure.subplots(1, 3)
    for axes, title in zip((left, middle, right), ("half-spaces", "one update", "the margin"),
                           strict=True):  # fmt: skip
        _points(axes, run, faint=axes is middle)
        axes.set_title(title, loc="left")
    _half_spaces(left, run.after)
    _arrow(left, run.after, "black", "weights")
    _update(middle, run)
    _margin(right, run)
    left.legend(frameon=False, fontsize="x-small", loc="lower left")
    return save_figure(figure, path)


def _points(axes: Any, run: Run, faint: bool) -> None:
    """Draw the rows, + and o by label."""
    for sign, mark, colour, label in ((1, "+", COLOURS[0], "+1"), (-1, "o", COLOURS[1], "-1")):
        x, y = run.rows[run.signs == sign].T
        shape = {"facecolors": "none"} if mark == "o" else {}
        edge = {"edgecolors": colour} if mark == "o" else {"color": colour}
        axes.scatter(x, y, s=26, marker=mark, alpha=0.35 if faint else 0.9, label=label,
                     linewidths=1.2, **edge, **shape)  # fmt: skip
    axes.set(xlim=(-1.25, 1.25), ylim=(-1.25, 1.25), aspect="equal", xticks=[], yticks=[])
    for spine in axes.spines.values():
        spine.set_visible(False)


def _half_spaces(axes: Any, weights: Floats) -> None:
    """Colour the sides of the weights' line."""
    grid = np.linspace(-1.25, 1.25, 200)
    x, y = np.meshgrid(grid, grid)
    side = x * weights[0] + y * weights[1]
    axes.contourf(x, y, side, levels=[-np.inf, 0, np.inf], colors=[COLOURS[1], COLOURS[0]],
                  alpha=0.12)  # fmt: skip
    _line(axes, weights, "black", "-")


def _update(axes: Any, run: Run) -> None:
    """Draw the weights before and after, and the row between them."""
    _arrow(axes, run.before, "0.55", "before")
    _line(axes, run.before, "0.55", "--")
    _arrow(axes, run.after, "black", "after")
    _line(axes, run.after, "black", "-")
    x, y = run.rows[run.wrong]
    colour = COLOURS[0] if run.signs[run.wrong] > 0 else COLOURS[1]
    axes.scatter([x], [y], s=130, marker="*", color=colour, zorder=5)
    axes.annotate("the row", (x, y), textcoords="offset points", xytext=(7, -11), fontsize=8)


def _margin(axes: Any, run: Run) -> None:
    """Draw the best line, and the band that no row enters."""
    u = line_normal(SEED)
    _line(axes, u, "black", "-")
    for shift in (MARGIN, -MARGIN):
        _line(axes, u, "black", ":", shift)
    _arrow(axes, u, "black", "best weights")
    across = np.array([-u[1], u[0]]) * 0.9
    axes.annotate("", across + MARGIN * u, across, arrowprops={"arrowstyle": "<->", "lw": 1.2})
    axes.annotate(f"margin {MARGIN:g}", across + MARGIN * u, textcoords="offset points",
                  xytext=(4, 4), fontsize=8)  # fmt: skip


def _line(axes: Any, weights: Floats, colour: str, style: str, shift: float = 0.0) -> None:
    """Draw the line across weights, shifted along them."""
    unit = weights / np.hypot(*weights)
    along = np.array([-unit[1], unit[0]])
    ends = np.array([shift * unit - 2 * along, shift * unit + 2 * along])
    axes.plot(*ends.T, style, color=colour, lw=1.2)


def _arrow(axes: Any, weights: Floats, colour: str, label: str) -> None:
    """Draw the direction of weights, of length 0.8, with a name at its tip."""
    tip = 0.8 * weights / np.hypot(*weights)
    arrow = {"arrowstyle": "->", "color": colour, "lw": 1.8, "shrinkA": 0, "shrinkB": 0}
    axes.annotate("", tip, (0, 0), arrowprops=arrow)
    box = {"boxstyle": "round,pad=.1", "fc": "white", "ec": "none", "alpha": 0.75}
    axes.annotate(label, tip, textcoords="offset points", xytext=(5, 5), color=colour, fontsize=8,
                  bbox=box)  # fmt: skip


PICTURES: dict[str, Callable[[Path], list[Path]]] = {"perceptron": draw_perceptron}
