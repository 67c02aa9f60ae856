"""The figure of boosting: advantage and weight of each weak learner, effective voters."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from onebit.experiment.report.canvas import COLOURS, new_figure, save_figure
from onebit.experiment.report.summary import by_learner, recipe_of
from onebit.experiment.run.trial import Result

_PANELS = {
    "advantage": ("advantage", "weak learner"),
    "weight": ("mean weight a round and label", "weak learner"),
    "effective_voters": ("effective number of voters", "label"),
}


def draw(results: Sequence[Result], directory: Path) -> list[Path]:
    """Draw the diagnostics of boosters, as means over seeds; nothing without a booster."""
    boosters = [result for result in results if set(_PANELS) <= set(result.diagnostics)]
    if not boosters:
        return []
    figure, first = new_figure()
    figure.set_size_inches(11, 3.4)
    first.remove()
    panels = dict(zip(_PANELS, figure.subplots(1, len(_PANELS)), strict=True))
    for number, (learner, group) in enumerate(by_learner(boosters).items()):
        for name, axes in panels.items():
            mean = np.mean([result.diagnostics[name] for result in group], axis=0)
            style = "o" if name == "effective_voters" or len(mean) == 1 else "-"
            colour = COLOURS[number % len(COLOURS)]
            label = recipe_of(learner).brief
            axes.plot(range(1, len(mean) + 1), mean, style, color=colour, label=label)
    for name, axes in panels.items():
        title, axis_label = _PANELS[name]
        axes.set(xlabel=axis_label)
        axes.set_title(title, loc="left")
        axes.set_ylim(bottom=min(0.0, axes.get_ylim()[0]))
        axes.grid(alpha=0.25)
        axes.spines[["top", "right"]].set_visible(False)
    panels["advantage"].legend(frameon=False, fontsize="x-small")
    return save_figure(figure, directory / "voters")
