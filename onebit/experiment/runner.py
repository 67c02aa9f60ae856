"""Running many trials at once, and stopping all of them cleanly.

Trials run in threads: their loops are compiled and let other threads run. The
main thread only looks on, so that it can draw progress and hear Ctrl-C; the
trials under way then end after their block and give what they have.
"""

from __future__ import annotations

import concurrent.futures as futures
import threading
from collections.abc import Callable, Sequence

from onebit.experiment.trial import Result, Trial, run
from onebit.streams.files.live import interrupted


class Progress:
    """How far all trials are: written by the workers, read by the main thread."""

    def __init__(self, trials: Sequence[Trial]) -> None:
        self.trials = trials
        self.stop = threading.Event()
        self.rounds: dict[Trial, int] = {}
        self.done: dict[Trial, tuple[int, int]] = {}

    def begin(self, trial: Trial, rounds: int) -> None:
        """Hear from a worker that a trial compiles and will play so many rounds."""
        self.rounds[trial] = rounds

    def go_on(self, trial: Trial, rounds: int, mistakes: int) -> bool:
        """Hear from a worker how far a trial is; say whether to go on."""
        self.done[trial] = rounds, mistakes
        return not self.stop.is_set()


def run_all(
    trials: Sequence[Trial], workers: int, show: Callable[[Progress], None]
) -> list[Result]:
    """Run the trials and return their results in the same order.

    `show` is called some times a second. After Ctrl-C the results hold what
    was done so far: the trials under way are marked as interrupted, and those
    that never began are left out.
    """
    progress = Progress(trials)
    interrupted.clear()
    pool = futures.ThreadPoolExecutor(workers)
    jobs = [pool.submit(run, trial, progress) for trial in trials]
    try:
        while futures.wait(jobs, timeout=0.1, return_when=futures.FIRST_EXCEPTION).not_done:
            show(progress)
            if any(job.done() and job.exception() for job in jobs):
                break
        show(progress)
    except KeyboardInterrupt:
        interrupted.set()
    finally:
        progress.stop.set()
        pool.shutdown(cancel_futures=True)
    return [job.result() for job in jobs if not job.cancelled()]
