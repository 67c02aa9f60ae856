"""The figure of a combination of experts: weights, calibration, exploration and error."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from onebit.experiment.report.canvas import COLOURS, new_figure, save_figure, without_math
from onebit.experiment.report.summary import by_learner, recipe_of, stream_name
from onebit.experiment.run.trial import Result

#: What a learner's diagnostics have if it combines experts.
_KEYS = {"rounds", "beliefs", "stack_weights", "calibration", "mistakes", "explorations"}


def draw(results: Sequence[Result], directory: Path) -> list[Path]:
    """Draw the first run of each learner that combines experts; nothing without one."""
    runs = [group[0] for group in by_learner(results).values()]
    runs = [run for run in runs if run.diagnostics.keys() >= _KEYS and run.diagnostics["rounds"]]
    files: list[Path] = []
    for number, run in enumerate(runs, 1):
        recipe = recipe_of(run.learner)
        name = recipe.brief if len(runs) > 1 else recipe.spec.name
        path = directory / ("experts" if number == 1 else f"experts-{number}")
        files += draw_run(run, name, path)
    return files


def draw_run(run: Result, learner: str, path: Path) -> list[Path]:
    """Draw one run in four panels; the title names its learner."""
    found = run.diagnostics
    figure, first = new_figure()
    figure.set_size_inches(9, 6.6)
    first.remove()
    (beliefs, weights), (calibration, shares) = figure.subplots(2, 2)
    names = list(found["beliefs"])
    colours = {name: COLOURS[n % len(COLOURS)] for n, name in enumerate([*names, "bias"])}
    beliefs.stackplot(
        found["rounds"],
        list(found["beliefs"].values()),
        labels=names,
        colors=[colours[name] for name in names],
        alpha=0.75,
        lw=0,
    )
    beliefs.set(ylim=(0, 1), xlim=(found["rounds"][0], found["rounds"][-1]))
    for name, line in found["stack_weights"].items():
        weights.plot(found["rounds"], line, color=colours[name], lw=1.5, label=name)
    _draw_calibration(calibration, found["calibration"])
    _draw_shares(shares, found)
    for axes, title in (
        (beliefs, "weight of each expert, and of the stack"),
        (weights, "what the stack multiplies each expert's log-odds by"),
        (calibration, "how often labels of an estimate were right"),
        (shares, "mistakes and exploration, lately"),
    ):
        axes.set_title(title, loc="left", fontsize=10)
        axes.grid(alpha=0.25)
        axes.spines[["top", "right"]].set_visible(False)
        if axes is not calibration:
            axes.set_xlabel("rounds with feedback")
            axes.xaxis.set_major_formatter(lambda value, place: f"{value:,.0f}")
            axes.xaxis.get_major_locator().set_params(nbins=5)
            if found.get("last_alarm"):
                axes.axvline(found["last_alarm"], color="0.4", ls=":", lw=1.2, label="last alarm")
        low, high = axes.get_ylim()
        if axes in (weights, shares):  # room for the legend
            axes.set_ylim(low, high + 0.25 * (high - low))
        axes.legend(
            frameon=axes is beliefs, fontsize=8, loc="upper left", ncols=2 if axes is weights else 1
        )
    where = " with ".join([stream_name(run.stream), *run.transforms])
    figure.suptitle(
        without_math(f"{learner} on {where}, seed {run.seed}"), x=0.01, ha="left", fontsize=11
    )
    return save_figure(figure, path)


def _draw_calibration(axes: Any, bins: Sequence[dict[str, float]]) -> None:
    """Draw estimates against shares of right labels; larger dots stand for more rounds."""
    rounds = np.array([each["rounds"] for each in bins], float)
    axes.plot([0, 1], [0, 1], color="0.5", lw=1, ls="--", label="exact")
    axes.scatter(
        [each["estimated"] for each in bins],
        [each["right"] for each in bins],
        s=12 + 150 * rounds / rounds.sum(),
        color=COLOURS[0],
        label="estimates within a tenth; area: rounds",
    )
    axes.set(xlabel="estimated probability of being right", ylabel="share that was right")
    axes.set(xlim=(-0.05, 1.05), ylim=(-0.05, 1.05))


def _draw_shares(axes: Any, found: dict[str, Any]) -> None:
    """Draw the shares of mistakes and of exploration between one moment and the next."""
    rounds = np.diff(found["rounds"], prepend=0)
    for number, (name, label) in enumerate(
        {"mistakes": "wrong labels", "explorations": "another label than the best"}.items()
    ):
        share = np.diff(found[name], prepend=0) / rounds
        axes.plot(found["rounds"], share, color=COLOURS[1 - number], lw=1.5, label=label)
    axes.set(ylabel="share of rounds")
    axes.set_ylim(bottom=0)
