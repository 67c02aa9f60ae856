"""Running many trials in a pool, and stopping all of them cleanly.

A pool is anything with the interface of `concurrent.futures.Executor`. In threads (kernels
release the GIL) trials report their progress and can be stopped after a tenth of a second; in
processes or on other machines they report when they end. The main thread only waits, so that it
can draw progress and receive Ctrl-C, which sets `interrupted` or raises KeyboardInterrupt.
"""

from __future__ import annotations

import concurrent.futures as futures
import math
import os
import threading
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from onebit.errors import MachineFailed
from onebit.experiment.run.estimate import WorkEstimate
from onebit.experiment.run.playing import Keep, play_trials
from onebit.experiment.run.trial import Result, Trial
from onebit.streams.reading.stdin import interrupted

if TYPE_CHECKING:
    from onebit.experiment.run.store import Store

__all__ = ["Outcome", "Progress", "group_by_stream", "run_all"]

_Job = futures.Future[list[Result]]

#: Seconds after Ctrl-C in which trials may hand in what they have done.
PATIENCE = 0.6


class Progress:
    """The progress of all trials: written by the workers, read by the main thread.

    It is the monitor of trials in threads. `rounds` has the rounds of each trial that
    started, `memory` the most bytes of its agent, `done` its rounds and mistakes so far, `seconds`
    the time that these were played in, without compiling and without other trials.
    """

    def __init__(self, trials: Sequence[Trial], known: Iterable[Result] = ()) -> None:
        self.trials = trials
        self.estimate = WorkEstimate(trials)
        for result in known:
            self.estimate.record(result)
        self.stop = threading.Event()
        self.rounds: dict[Trial, int] = {}
        self.memory: dict[Trial, int] = {}
        self.done: dict[Trial, tuple[int, int]] = {}
        self.seconds: dict[Trial, float] = {}
        self.ended = 0

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

    Returns
    -------
    Outcome
        The results and the failures.

    """
    known = {trial: found for trial in trials if store and (found := store.find(trial))}
    progress = Progress([trial for trial in trials if trial not in known], known.values())
    work = _Work(pool, progress, known, store, keep)
    raised = False
    try:
        work.run(show)
    except KeyboardInterrupt:
        raised = True
        interrupted.set()
    finally:
        progress.stop.set()
    if interrupted.is_set():
        work.collect()
    if raised:
        interrupted.clear()
    return Outcome([known[trial] for trial in trials if trial in known], work.failures)


class _Work:
    """The trials that run in a pool, and what came of them."""

    def __init__(
        self,
        pool: futures.Executor,
        progress: Progress,
        known: dict[Trial, Result],
        store: Store | None,
        keep: Keep | None,
    ) -> None:
        self.pool, self.progress, self.known, self.store = pool, progress, known, store
        self.keep = keep
        self.failures: list[tuple[Trial, BaseException]] = []
        self._jobs: dict[_Job, list[Trial]] = {}

    def run(self, show: Callable[[Progress], None]) -> None:
        """Run the trials until all have ended or Ctrl-C was pressed."""
        for group in group_by_stream(self.progress.trials):
            self._submit(group)
        while self._jobs and not interrupted.is_set():
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
                else:
                    self.failures.append((group[0], error))
            show(self.progress)

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
    """Group trials that share a stream, in groups small enough to keep every core busy."""
    most = math.ceil(len(trials) / (4 * cores))
    groups: dict[Hashable, list[Trial]] = {}
    for trial in trials:
        groups.setdefault(trial.stream_key, []).append(trial)
    return [group[at : at + most] for group in groups.values() for at in range(0, len(group), most)]
