"""Checks of bounds: the value of a theorem, and what was observed in runs."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from onebit.experiment.papers import BoundCheck
from onebit.experiment.report.summary import summarise
from onebit.experiment.report.table import Table, Value
from onebit.experiment.run.bound_fit import smallest_bound
from onebit.experiment.run.store import Store
from onebit.experiment.run.trial import Result, Trial
from onebit.naming.spec import Spec
from onebit.theory import bounds

_HEADER = ("theorem", "run", "runs", "rounds", "about", "bound", "seen", "kept")
_BRIEF_HEADER = ("theorem", "stream", "about", "bound", "seen", "kept")


class CheckedBound(NamedTuple):
    """The value of a bound, what was observed, and whether the bound is vacuous."""

    bound: float
    observed: float
    vacuous: bool

    @property
    def holds(self) -> bool:
        """Whether what was observed is within the bound."""
        return self.observed <= self.bound


def check_bound(check: BoundCheck, runs: Mapping[Trial, Result], store: Store) -> CheckedBound:
    """Return the value of a bound and what was observed in its runs."""
    spec = Spec.parse(check.bound)
    values = [bound_value(spec, trial, result, store) for trial, result in runs.items()]
    results = list(runs.values())
    if check.about == "mistakes":  # holds for every single run: report the closest one
        pairs = zip(values, (float(r.mistakes) for r in results), strict=True)
        bound, observed = min(pairs, key=lambda pair: pair[0] - pair[1])
    else:
        bound, observed = statistics.fmean(values), _observed(check.about, spec, results)
    return CheckedBound(bound, observed, bound >= min(result.rounds for result in results))


def bound_check_table(
    checks: Iterable[tuple[BoundCheck, Sequence[Trial]]],
    results: Mapping[Trial, Result],
    store: Store,
) -> Table:
    """Return the table of the checks of which all runs were done."""
    rows, brief = [], []
    for check, trials in checks:
        runs = {trial: results[trial] for trial in trials if trial in results}
        if len(runs) == check.seeds:
            checked = check_bound(check, runs, store)
            rows.append(_row(check, checked, next(iter(runs.values())).rounds))
            brief.append(_brief_row(check, checked))
    return Table(_HEADER, rows, Table(_BRIEF_HEADER, brief))


def _row(check: BoundCheck, checked: CheckedBound, rounds: int) -> list[Value]:
    word = "yes" if checked.holds else "no"
    if checked.vacuous:
        word += ", but it says nothing: not below the number of rounds"
    run = f"{check.learner} on {' with '.join([check.stream, *check.transforms])}"
    source = bounds.find(Spec.parse(check.bound).name).source
    note = f"; {check.note}" if check.note else ""
    return [
        f"{check.bound} ({source}{note})", run, check.seeds, rounds, check.about,
        checked.bound, checked.observed, word,
    ]  # fmt: skip


def _brief_row(check: BoundCheck, checked: CheckedBound) -> list[Value]:
    """Return a row for a terminal: the theorem and the stream without their parameters."""
    names = [Spec.parse(text).name for text in (check.bound, check.stream)]
    word = "yes" if checked.holds else "no"
    word = f"{word}, vacuous" if checked.vacuous else word
    return [*names, check.about, checked.bound, checked.observed, word]


def needs_fit(spec: Spec) -> bool:
    """Return whether a bound needs a comparator fitted to the stream."""
    takes = {param.name for param in bounds.find(spec.name).params}
    return {"loss", "complexity"} <= takes


def bound_value(spec: Spec, trial: Trial, result: Result, store: Store) -> float:
    """Return the value of a bound for a run.

    Its parameters come from the spec, the learner, the result and a fitted comparator.
    """
    theorem = bounds.find(spec.name)
    takes = {param.name for param in theorem.params}
    known: dict[str, Any] = {
        **trial.learner.params,
        "labels": result.labels,
        "rounds": result.rounds,
        "features": result.features,
        "size": result.features,
    }
    given = {**{name: value for name, value in known.items() if name in takes}, **spec.params}
    if needs_fit(spec):
        return smallest_bound(theorem, given, store.comparator_measure(trial))[0]
    return float(theorem.value(given))


def _observed(about: str, spec: Spec, results: Sequence[Result]) -> float:
    """Return the quantity that a theorem bounds, over all runs."""
    if about == "regret":  # it may be exceeded in a fraction delta of the runs
        allowed = math.floor(float(spec.params.get("delta", 0.0)) * len(results))
        regrets = [result.regret for result in results if result.regret is not None]
        return float(sorted(regrets)[-1 - allowed])
    summary = summarise(results)
    return {
        "mean mistakes": statistics.fmean(result.mistakes for result in results),
        "mean regret": summary.expected_regret,
        "pseudo-regret": summary.pseudo_regret,
    }[about]
