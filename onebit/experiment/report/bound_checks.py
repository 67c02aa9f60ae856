"""Promises: what theorems say, beside what runs did that have to keep them."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from onebit.experiment.papers import Promise
from onebit.experiment.report.summary import summarise
from onebit.experiment.report.table import Fact, Facts
from onebit.experiment.run.bound_fit import least
from onebit.experiment.run.store import Store
from onebit.experiment.run.trial import Result, Trial
from onebit.naming.spec import Spec
from onebit.theory import bounds

_HEADER = ("theorem", "run", "runs", "rounds", "about", "bound", "seen", "kept")
_BRIEF = ("theorem", "stream", "about", "bound", "seen", "kept")


class Kept(NamedTuple):
    """The value of a bound, what was seen, and whether the bound says anything at all."""

    bound: float
    seen: float
    vacuous: bool

    @property
    def holds(self) -> bool:
        """Whether what was seen is within the bound."""
        return self.seen <= self.bound


def trials_of_promise(promise: Promise) -> list[Trial]:
    """Return the runs of a promise."""
    trial = Trial.parse(promise.stream, promise.learner, 0, promise.rounds, promise.transforms)
    return trial.over_seeds(range(promise.seeds))


def weigh(promise: Promise, runs: Mapping[Trial, Result], store: Store) -> Kept:
    """Set the value of a bound beside what was seen in its runs."""
    spec = Spec.parse(promise.bound)
    values = [value(spec, trial, result, store) for trial, result in runs.items()]
    results = list(runs.values())
    if promise.seen == "mistakes":  # of every single run: tell the one that is nearest to it
        pairs = zip(values, (float(r.mistakes) for r in results), strict=True)
        bound, seen = min(pairs, key=lambda pair: pair[0] - pair[1])
    else:
        bound, seen = statistics.fmean(values), _seen(promise.seen, spec, results)
    return Kept(bound, seen, bound >= min(result.rounds for result in results))


def promise_table(
    promises: Sequence[Promise], results: Mapping[Trial, Result], store: Store
) -> Facts:
    """Return the table of promises of which all runs were done."""
    rows, brief = [], []
    for promise in promises:
        runs = {trial: results[trial] for trial in trials_of_promise(promise) if trial in results}
        if len(runs) == promise.seeds:
            kept = weigh(promise, runs, store)
            rows.append(_row(promise, kept, next(iter(runs.values())).rounds))
            brief.append(_brief(promise, kept))
    return Facts(_HEADER, rows, Facts(_BRIEF, brief))


def _row(promise: Promise, kept: Kept, rounds: int) -> list[Fact]:
    word = "yes" if kept.holds else "no"
    if kept.vacuous:
        word += ", but it says nothing: not below the number of rounds"
    run = f"{promise.learner} on {' with '.join([promise.stream, *promise.transforms])}"
    source = bounds.find(Spec.parse(promise.bound).name).source
    note = f"; {promise.note}" if promise.note else ""
    return [
        f"{promise.bound} ({source}{note})", run, promise.seeds, rounds, promise.seen,
        kept.bound, kept.seen, word,
    ]  # fmt: skip


def _brief(promise: Promise, kept: Kept) -> list[Fact]:
    """Return a row for a terminal: the theorem and the stream without their parameters."""
    names = [Spec.parse(text).name for text in (promise.bound, promise.stream)]
    word = "yes" if kept.holds else "no"
    return [
        *names,
        promise.seen,
        kept.bound,
        kept.seen,
        f"{word}, vacuous" if kept.vacuous else word,
    ]


def needs_fit(spec: Spec) -> bool:
    """Say whether a bound speaks of weights that are to be fitted to the stream."""
    takes = {param.name for param in bounds.find(spec.name).params}
    return {"loss", "complexity"} <= takes


def value(spec: Spec, trial: Trial, result: Result, store: Store) -> float:
    """Return the value of a bound for a run: from the spec, the learner, the stream and a fit."""
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
        return least(theorem, given, store.measured(trial))[0]
    return float(theorem.value(given))


def _seen(about: str, spec: Spec, results: Sequence[Result]) -> float:
    """Return what was seen over all runs of what a theorem is about."""
    if about == "regret":  # it may be exceeded in a share delta of the runs
        allowed = math.floor(float(spec.params.get("delta", 0.0)) * len(results))
        return float(sorted(result.regret for result in results)[-1 - allowed])
    summary = summarise(results)
    return {
        "mean mistakes": statistics.fmean(result.mistakes for result in results),
        "mean regret": summary.expected_regret,
        "pseudo-regret": summary.pseudo_regret,
    }[about]
