"""Running many trials in a pool, and stopping all of them cleanly.

A pool is anything with the interface of `concurrent.futures.Executor`. In threads (kernels
release the GIL) trials report their progress and can be stopped after a tenth of a second; in
processes or on other machines they report when they end. The main thread only waits, so that it
can draw progress and receive Ctrl-C, which sets `interrupted` or raises KeyboardInterrupt.
"""

from __future__ import annotations

import concurrent.futures as futures
import itertools
import math
import os
import threading
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from onebit.errors import MachineFailed, TooLarge
from onebit.experiment.run.estimate import WorkEstimate
from onebit.experiment.run.playing import Keep, play_trials
from onebit.experiment.run.trial import Result, Trial
from onebit.streams.reading.stdin import interrupted

if TYPE_CHECKING:
    from onebit.experiment.run.store import Store

__all__ = ["Outcome", "Progress", "group_by_stream", "run_all"]

_Job = futures.Future[list[Result]]
#: Returns all trials to run, given the results so far; those that ran may be among them.
More = Callable[[Mapping[Trial, Result]], Iterable[Trial]]

#: Seconds after Ctrl-C in which trials may hand in what they have done.
PATIENCE = 0.6
#: Groups of trials that may be left when further ones are asked for.
FEW_JOBS = 2 * (os.cpu_count() or 1)


class Progress:
    """The progress of all trials: written by the workers, read by the main thread.

    It is the monitor of trials in threads. `rounds` has the rounds of each trial that
    started, `memory` the most bytes of its agent, `done` its rounds and mistakes so far, `seconds`
    the time that these were played in, without compiling and without other trials.
    """

    def __init__(self, trials: Iterable[Trial] = (), known: Iterable[Result] = ()) -> None:
        self.trials: list[Trial] = []
        self.estimate = WorkEstimate()
        self.add(trials, known)
        self.stop = threading.Event()
        self.rounds: dict[Trial, int] = {}
        self.memory: dict[Trial, int] = {}
        self.done: dict[Trial, tuple[int, int]] = {}
        self.seconds: dict[Trial, float] = {}
        self.ended = 0

    def add(self, trials: Iterable[Trial], known: Iterable[Result] = ()) -> None:
        """Add trials that will run, and results of others that tell how long theirs take."""
        new = list(trials)
        self.trials += new
        self.estimate.add(new)
        for result in known:
            self.estimate.record(result)

    def start(self, trial: Trial, rounds: int, state_bytes: int) -> None:
        """Record the number of rounds of a trial that starts, and the most memory of its agent."""
        self.rounds[trial], self.memory[trial] = rounds, state_bytes

    def update(self, trial: Trial, rounds: int, mistakes: int, seconds: float) -> bool:
        """Record the progress of a trial; return whether to continue."""
        self.done[trial], self.seconds[trial] = (rounds, mistakes), seconds
        return not self.stop.is_set()

    def end(self, trial: Trial, result: Result) -> None:
        """Record that a trial has ended."""
        self.done[trial] = result.rounds, result.mistakes
        self.estimate.record(result)
        self.ended += 1


class Outcome(NamedTuple):
    """The results in the order of the trials, and the trials that failed with their errors."""

    results: list[Result]
    failures: list[tuple[Trial, BaseException]]


def run_all(
    trials: Sequence[Trial],
    pool: futures.Executor,
    show: Callable[[Progress], None],
    store: Store | None = None,
    keep: Keep | None = None,
    more: More | None = None,
) -> Outcome:
    """Run the trials that are not in the store, keep them there, and return all results.

    A trial that fails does not stop the others: those that shared its stream are run again
    one by one. After Ctrl-C the results hold what was done so far: unfinished trials are
    marked as interrupted, and those that have not played a round are left out.

    Parameters
    ----------
    trials
        The trials.
    pool
        Where they run, for example from `open_pool`.
    show
        Called with the progress about ten times a second.
    store
        Finished trials, by a directory; None keeps nothing.
    keep
        Called with each trial that was played and its agent; only for a pool of threads.
    more
        Asked for further trials when few are left, with the results so far, until it has none.

    Returns
    -------
    Outcome
        The results, those of further trials last, and the failures.

    """
    progress = Progress()
    work = _Work(pool, progress, store, keep)
    raised = False
    try:
        work.run(trials, show, more)
    except KeyboardInterrupt:
        raised = True
        interrupted.set()
    finally:
        progress.stop.set()
    if interrupted.is_set():
        work.collect()
    if raised:
        interrupted.clear()
    asked = {*trials}
    further = [trial for trial in work.given if trial not in asked]
    every = [trial for trial in (*trials, *further) if trial in work.known]
    return Outcome([work.known[trial] for trial in every], work.failures)


class _Work:
    """The trials that run in a pool, and what came of them."""

    def __init__(
        self,
        pool: futures.Executor,
        progress: Progress,
        store: Store | None,
        keep: Keep | None,
    ) -> None:
        self.pool, self.progress, self.store = pool, progress, store
        self.keep = keep
        self.known: dict[Trial, Result] = {}
        self.failures: list[tuple[Trial, BaseException]] = []
        #: All trials that were given, in order.
        self.given: dict[Trial, None] = {}
        self._jobs: dict[_Job, list[Trial]] = {}
        #: Trials that did not fit into memory beside others, and those that were run alone then.
        self._large: list[Trial] = []
        self._alone: set[Trial] = set()

    def run(
        self, trials: Sequence[Trial], show: Callable[[Progress], None], more: More | None
    ) -> None:
        """Run the trials until all have ended or Ctrl-C was pressed."""
        self._add(trials)
        asked_at = -1
        while not interrupted.is_set():
            ended = len(self.known) + len(self.failures)
            if more and len(self._jobs) < FEW_JOBS and ended != asked_at:
                asked_at = ended
                self._add(more(self.known))
                continue
            if not self._jobs and self._large:
                self._alone.add(self._large[0])
                self._submit([self._large.pop(0)])
            if not self._jobs:
                break
            for job in futures.wait(self._jobs, 0.1, futures.FIRST_COMPLETED).done:
                group = self._jobs.pop(job)
                error = job.exception()
                if error is None:
                    self._keep(group, job.result())
                elif isinstance(error, futures.BrokenExecutor):
                    raise MachineFailed("onebit: a process that ran trials was killed.")
                elif isinstance(error, KeyboardInterrupt):
                    continue  # stopped before its first round
                elif len(group) > 1:  # find out which trial failed
                    for trial in group:
                        self._submit([trial])
                elif self._may_fit_alone(group[0], error):
                    self._large += group
                else:
                    self.failures.append((group[0], error))
            show(self.progress)

    def _may_fit_alone(self, trial: Trial, error: BaseException) -> bool:
        return isinstance(error, TooLarge) and len(self.given) > 1 and trial not in self._alone

    def _add(self, trials: Iterable[Trial]) -> None:
        """Find trials that were not given before in the store, and submit those that are not."""
        new = [trial for trial in dict.fromkeys(trials) if trial not in self.given]
        self.given.update(dict.fromkeys(new))
        found = {each: kept for each in new if self.store and (kept := self.store.find(each))}
        self.known.update(found)
        missing = [trial for trial in new if trial not in found]
        self.progress.add(missing, found.values())
        for group in group_by_stream(missing):
            self._submit(group)

    def collect(self) -> None:
        """Take what unfinished trials have done; those that do not answer soon are left out."""
        for job in self._jobs:
            job.cancel()
        running = [job for job in self._jobs if not job.cancelled()]
        for job in futures.wait(running, PATIENCE).done:
            if job.exception() is None:
                self._keep(self._jobs.pop(job), job.result())

    def _submit(self, group: list[Trial]) -> None:
        monitor = self.progress if isinstance(self.pool, futures.ThreadPoolExecutor) else None
        self._jobs[self.pool.submit(play_trials, group, monitor, self.keep)] = group

    def _keep(self, group: list[Trial], results: Sequence[Result]) -> None:
        for trial, result in zip(group, results, strict=True):
            if result.rounds or not result.interrupted:
                self.known[trial] = result
            if self.store and not result.interrupted:  # before it is shown as ended
                self.store.keep(trial, result)
            self.progress.end(trial, result)


def group_by_stream(trials: Sequence[Trial], cores: int = os.cpu_count() or 1) -> list[list[Trial]]:
    """Group trials that share a stream, in groups small enough to keep every core busy.

    The first group of a stream compiles what the others use. Such groups stand between others, so
    that one core plays while another compiles.
    """
    most = math.ceil(len(trials) / (4 * cores))
    groups: dict[Hashable, list[Trial]] = {}
    for trial in trials:
        groups.setdefault(trial.stream_key, []).append(trial)
    parts = [g[at : at + most] for g in groups.values() for at in range(0, len(g), most)]
    firsts: dict[Hashable, list[Trial]] = {}
    for part in parts:
        firsts.setdefault(_without_seed(part[0]), part)
    others = [part for part in parts if part is not firsts[_without_seed(part[0])]]
    pairs = itertools.zip_longest(firsts.values(), others)
    return [part for pair in pairs for part in pair if part is not None]


def _without_seed(trial: Trial) -> Hashable:
    """Return what trials have in common that are alike but for their seeds."""
    return trial.stream_spec, trial.rounds, trial.transform_specs
