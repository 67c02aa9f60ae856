"""Running many trials at once, anywhere, and stopping all of them cleanly.

A pool is anything with the interface of `concurrent.futures.Executor`. In
threads (kernels let other threads run) the trials tell how far they are and can
be stopped after a block; in processes or on other machines they are told when
they end. The main thread looks on, so that it can draw progress and hear Ctrl-C.
"""

from __future__ import annotations

import concurrent.futures as futures
import math
import os
import threading
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import NamedTuple

from onebit.experiment.run.estimate import Pace
from onebit.experiment.run.store import Store
from onebit.experiment.run.trial import Result, Trial, run
from onebit.streams.reading.stdin import interrupted


class Progress:
    """How far all trials are: written by the workers, read by the main thread."""

    def __init__(self, trials: Sequence[Trial], known: Iterable[Result] = ()) -> None:
        self.trials = trials
        self.pace = Pace(trials)
        for result in known:
            self.pace.note(result)
        self.stop = threading.Event()
        self.rounds: dict[Trial, int] = {}
        self.done: dict[Trial, tuple[int, int]] = {}
        self.ended = 0

    def begin(self, trial: Trial, rounds: int) -> None:
        """Hear from a worker that a trial compiles and will play so many rounds."""
        self.rounds[trial] = rounds

    def go_on(self, trial: Trial, rounds: int, mistakes: int) -> bool:
        """Hear from a worker how far a trial is; say whether to go on."""
        self.done[trial] = rounds, mistakes
        return not self.stop.is_set()

    def end(self, trial: Trial, result: Result) -> None:
        """Note that a trial has ended."""
        self.done[trial] = result.rounds, result.mistakes
        self.pace.note(result)
        self.ended += 1


class Alone:
    """A watch for trials that run where nobody looks on."""

    def begin(self, trial: Trial, rounds: int) -> None:
        """Hear nothing of it."""

    def go_on(self, trial: Trial, rounds: int, mistakes: int) -> bool:
        """Always go on."""
        return True


class Outcome(NamedTuple):
    """The results in the order of the trials, and what went wrong, if anything."""

    results: list[Result]
    failures: list[tuple[Trial, BaseException]]


def run_all(
    trials: Sequence[Trial],
    pool: futures.Executor,
    show: Callable[[Progress], None],
    store: Store | None = None,
) -> Outcome:
    """Run the trials that are not in the store, keep them there, and return all.

    `show` is called some times a second. A trial that fails stops no other: those that
    shared its stream are run again alone. After
    Ctrl-C the results hold what was done so far: trials under way are marked as
    interrupted, and those that never began are left out.
    """
    known = {trial: found for trial in trials if store and (found := store.find(trial))}
    progress = Progress([trial for trial in trials if trial not in known], known.values())
    interrupted.clear()
    watch = progress if isinstance(pool, futures.ThreadPoolExecutor) else Alone()
    jobs = {pool.submit(run, scene, watch): scene for scene in scenes(progress.trials)}
    waiting, failures = set(jobs), []
    try:
        while waiting:
            done, waiting = futures.wait(waiting, timeout=0.1)
            for job in done:
                error = job.exception()
                if error is not None and len(jobs[job]) > 1:  # find out which of them it was
                    again = {pool.submit(run, [trial], watch): [trial] for trial in jobs[job]}
                    jobs |= again
                    waiting |= set(again)
                    continue
                if error is not None:
                    failures.append((jobs[job][0], error))
                    continue
                for trial, result in zip(jobs[job], job.result(), strict=True):
                    known[trial] = result
                    if store:  # before it is told: what was reported done is never lost
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


def scenes(trials: Sequence[Trial], cores: int = os.cpu_count() or 1) -> list[list[Trial]]:
    """Group trials that share a stream, in groups small enough to keep every core busy."""
    most = math.ceil(len(trials) / (4 * cores))
    groups: dict[Hashable, list[Trial]] = {}
    for trial in trials:
        groups.setdefault(trial.stream_key, []).append(trial)
    return [group[at : at + most] for group in groups.values() for at in range(0, len(group), most)]
