"""Bounds that need a comparator: fitting one to a stream, and the bound's value for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from onebit.errors import BadInput
from onebit.experiment.run.playing import rounds_to_play
from onebit.experiment.run.trial import Result, Trial
from onebit.kernel.block import Block, Single
from onebit.kernel.rows import SparseRows, as_sparse
from onebit.naming.spec import Spec
from onebit.theory import bounds
from onebit.theory.comparator import Measure, fit, measure

#: Rows that the comparator is fitted on; its loss is then measured on all rounds.
FITTED_ROWS = 20_000


class FittedBound(NamedTuple):
    """The value of a bound for a fitted comparator, and the mistakes of a run."""

    bound: float
    mistakes: int
    loss: float
    complexity: float
    least_margin: float
    vacuous: bool


def fit_comparator(trial: Trial) -> Measure:
    """Return the measures of weights fitted to a trial's stream, over all its rounds."""
    stream = trial.open_stream()
    rounds = rounds_to_play(trial, stream)
    rows, truths = _gather(_first(stream.blocks(), min(rounds, FITTED_ROWS)))
    weights = fit(rows, truths, stream.features, len(stream.labels))
    return measure(_first(stream.blocks(), rounds), weights)


def evaluate_fitted_bound(
    name: str, params: dict[str, Any], trial: Trial, result: Result, found: Measure
) -> FittedBound:
    """Return a bound's value for the comparator, and the mistakes of a run.

    Raises
    ------
    BadInput
        If `params` has what the fit finds, or the bound needs no comparator.

    """
    theorem = bounds.find(name)
    found_by_fit = {"labels", "rounds", "loss", "complexity"} & set(params)
    if found_by_fit:
        raise BadInput(
            f"onebit: --fit finds {' and '.join(sorted(found_by_fit))} itself; leave it out."
        )
    known = {
        **trial.learner.params,
        "labels": result.labels,
        "rounds": result.rounds,
    }
    takes = {param.name for param in theorem.params}
    if not {"loss", "complexity"} <= takes:
        raise BadInput(f"onebit: --fit is for bounds with loss and complexity, {name} has none.")
    given = {k: v for k, v in known.items() if k in takes} | params
    value, (loss, complexity) = smallest_bound(theorem, given, found)
    return FittedBound(
        value, result.mistakes, loss, complexity, found.least_margin, value >= result.rounds
    )


def smallest_bound(
    theorem: bounds.Theorem, given: Mapping[str, Any], found: Measure
) -> tuple[float, tuple[float, float]]:
    """Return the smallest value that a comparator gives, and its loss and complexity."""
    return min(
        (theorem.value({**given, "loss": loss, "complexity": complexity}), (loss, complexity))
        for loss, complexity in found.pairs
    )


def bound_curve(text: str, rounds: list[int]) -> list[float]:
    """Return a bound, given as a spec, as an error rate at each of several numbers of rounds."""
    spec = Spec.parse(text)
    theorem = bounds.find(spec.name)
    if not theorem.is_bound or theorem.about != "mistakes":
        why = f"is about {theorem.about}" if theorem.is_bound else "holds up to a constant"
        raise BadInput(f"onebit: {spec.name} {why}, it cannot be drawn as a bound on mistakes.")
    varies = any(param.name == "rounds" for param in theorem.params)
    values = (
        theorem.value({**spec.params, **({"rounds": n} if varies else {})}) / n for n in rounds
    )
    return [min(1.0, value) for value in values]


def _first(blocks: Iterator[Block], rounds: int) -> Iterator[Block]:
    """Yield blocks of so many rounds in all."""
    for block in blocks:
        if block.rounds >= rounds:
            yield block.head(rounds)
            return
        rounds -= block.rounds
        yield block


def _gather(blocks: Iterator[Block]) -> tuple[SparseRows, Any]:
    """Return all rows of blocks as one matrix, and their labels."""
    starts, indices, values, labels, end = [np.zeros(1, np.int64)], [], [], [], 0
    for block in blocks:
        if not isinstance(block.truths, Single):
            raise BadInput("onebit: a comparator needs one right label for every round.")
        rows = as_sparse(block.rows)
        starts.append(rows.starts[1:] + end)
        end += int(rows.starts[-1])
        indices.append(rows.indices)
        values.append(rows.values)
        labels.append(block.truths.labels)
    rows = SparseRows(np.concatenate(starts), np.concatenate(indices), np.concatenate(values))
    return rows, np.concatenate(labels)
