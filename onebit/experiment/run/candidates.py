"""Which learners to try on a stream: every one-bit learner that fits, and baselines."""

from __future__ import annotations

import math
from collections.abc import Sequence

from onebit import learners
from onebit.agent.recipe import Recipe
from onebit.experiment.run.trial import Result, Trial
from onebit.kernel.exploration import shown_labels
from onebit.kernel.round import Bit
from onebit.kernel.verbs import has_body

#: What learners are compared with: the most frequent label, random ones, and full information.
BASELINES = ("majority", "uniform", "perceptron")
#: What `play` shows beside the default learner.
OTHERS = ("cova", "softmax", "banditron", "majority")
#: Boosters are tried on rows of at most so many features times labels.
WIDEST_FOR_BOOSTERS = 100_000
#: Rounds after which learners far worse than the best are stopped.
TRIED_ROUNDS = 2000


def one_bit_learners(labels: int, features: int) -> tuple[list[str], list[str]]:
    """Return the learners that hear one bit and take such rows, and those too slow for them.

    Boosters hold many weak learners for every label, and take too long on wide rows.
    """
    found: list[str] = []
    slow: list[str] = []
    for name, kind in learners.importable(lambda error: None):
        traits = learners.traits(kind)
        fits = traits.hears is Bit and traits.row != "advice" and traits.labels in (None, labels)
        recipe = Recipe.parse(name)
        if fits and name not in BASELINES and not has_body(shown_labels, recipe.explorer):
            wide = "weak" in recipe.params and labels * features > WIDEST_FOR_BOOSTERS
            (slow if wide else found).append(name)
    return found, slow


def is_hopeless(result: Result, best: float) -> bool:
    """Return whether a learner errs so much more than the best that it is not played on.

    Its error is half as much again and .05 above, and twice its standard error.
    """
    error = result.error
    spread = 2.0 * math.sqrt(error * (1.0 - error) / max(result.rounds, 1))
    return error - spread > 1.5 * best + 0.05


def split_hopeless(
    trials: Sequence[Trial], results: Sequence[Result]
) -> tuple[list[Trial], list[Result]]:
    """Return the trials to play on, and the results of those that are stopped."""
    ours = [r for t, r in zip(trials, results, strict=True) if _name(t) not in BASELINES]
    best = min((result.error for result in ours), default=1.0)
    going, stopped = [], []
    for trial, result in zip(trials, results, strict=True):
        if _name(trial) not in BASELINES and is_hopeless(result, best):
            stopped.append(result)
        else:
            going.append(trial)
    return going, stopped


def _name(trial: Trial) -> str:
    return learners.name_of(trial.learner.kind)
