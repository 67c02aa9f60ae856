"""Running many trials in a pool, and stopping all of them cleanly.

A pool is anything with the interface of `concurrent.futures.Executor`. In threads (kernels
release the GIL) trials report their progress and can be stopped after a block; in processes
or on other machines they report when they end. The main thread only waits, so that it can
draw progress and receive Ctrl-C.
"""

from __future__ import annotations

import concurrent.futures as futures
import math
import os
import threading
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import NamedTuple

from onebit.experiment.run.estimate import WorkEstimate
from onebit.experiment.run.playing import Keep, play_trials
from onebit.experiment.run.store import Store
from onebit.experiment.run.trial import Result, Trial
from onebit.streams.reading.stdin import interrupted

__all__ = ["Outcome", "Progress", "group_by_stream", "run_all"]


class Progress:
    """The progress of all trials: written by the workers, read by the main thread.

    It is the monitor of trials in threads. `rounds` has the rounds of each trial that
    started, `done` its rounds and mistakes so far.
    """

    def __init__(self, trials: Sequence[Trial], known: Iterable[Result] = ()) -> None:
        self.trials = trials
        self.estimate = WorkEstimate(trials)
        for result in known:
            self.estimate.record(result)
        self.stop = threading.Event()
        self.rounds: dict[Trial, int] = {}
        self.done: dict[Trial, tuple[int, int]] = {}
        self.ended = 0

    def start(self, trial: Trial, rounds: int) -> None:
        """Record the number of rounds of a trial that starts."""
        self.rounds[trial] = rounds

    def update(self, trial: Trial, rounds: int, mistakes: int) -> bool:
        """Record the progress of a trial; return whether to continue."""
        self.done[trial] = rounds, mistakes
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
    marked as interrupted, and those that never started are left out.

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
    interrupted.clear()
    monitor = progress if isinstance(pool, futures.ThreadPoolExecutor) else None
    jobs = {
        pool.submit(play_trials, group, monitor, keep): group
        for group in group_by_stream(progress.trials)
    }
    waiting, failures = set(jobs), []
    try:
        while waiting:
            done, waiting = futures.wait(waiting, timeout=0.1)
            for job in done:
                error = job.exception()
                if error is not None and len(jobs[job]) > 1:  # find out which trial failed
                    again = {pool.submit(play_trials, [t], monitor, keep): [t] for t in jobs[job]}
                    jobs |= again
                    waiting |= set(again)
                    continue
                if error is not None:
                    failures.append((jobs[job][0], error))
                    continue
                for trial, result in zip(jobs[job], job.result(), strict=True):
                    known[trial] = result
                    if store:  # before it is shown as ended: what was shown is never lost
                        store.keep(trial, result)
                    progress.end(trial, result)
            show(progress)
    except KeyboardInterrupt:
        interrupted.set()
        progress.stop.set()
        for job in waiting:
            job.cancel()
        for job in futures.wait([job for job in waiting if not job.cancelled()]).done:
            if job.exception() is None:
                known.update(zip(jobs[job], job.result(), strict=True))
    finally:
        progress.stop.set()
    return Outcome([known[trial] for trial in trials if trial in known], failures)


def group_by_stream(trials: Sequence[Trial], cores: int = os.cpu_count() or 1) -> list[list[Trial]]:
    """Group trials that share a stream, in groups small enough to keep every core busy."""
    most = math.ceil(len(trials) / (4 * cores))
    groups: dict[Hashable, list[Trial]] = {}
    for trial in trials:
        groups.setdefault(trial.stream_key, []).append(trial)
    return [group[at : at + most] for group in groups.values() for at in range(0, len(group), most)]
