"""Trials: cut into blocks, run side by side, stopped in the middle."""

import numpy as np
import pytest

from onebit import BadInput
from onebit.experiment import runner
from onebit.experiment.runner import run_all
from onebit.experiment.trial import Trial, curve_points


def quiet(progress):
    pass


def trial(**more):
    return Trial.parse("synsep", "banditron", **more)


def test_rounds_that_are_no_multiple_of_a_block():
    (long,), (short,) = (run_all([trial(rounds=n)], 1, quiet) for n in (25_000, 12_345))
    assert (short.rounds, long.rounds) == (12_345, 25_000)
    assert short.curve == long.curve[: len(short.curve)]
    assert [point for point, _ in short.curve] == curve_points(12_345)


def test_transforms_apply_in_order():
    few = trial(transforms=("take:n=30", "repeat:n=3"))
    (result,) = run_all([few], 1, quiet)
    assert (result.rounds, result.transforms) == (90, ["take:n=30", "repeat:n=3"])
    with pytest.raises(BadInput, match="give --with repeat"):
        run_all([few._replace(rounds=91)], 1, quiet)


def test_ctrl_c_keeps_what_was_done():
    """The main thread is interrupted while the first trial plays; the others have not begun."""

    def interrupt(progress):
        if progress.done:
            raise KeyboardInterrupt

    trials = [trial(rounds=10**12, seed=seed) for seed in range(3)]
    found = run_all(trials, 1, interrupt)
    assert len(found) == 1
    assert found[0].interrupted
    assert 0 < found[0].rounds < 10**12
    assert found[0].curve[-1][0] <= found[0].rounds


def test_a_trial_that_fails_stops_the_others_and_says_why(monkeypatch):
    def run(trial, watch):
        if trial.seed == 1:
            raise RuntimeError("the reason")
        return real(trial, watch)

    real = runner.run
    monkeypatch.setattr(runner, "run", run)
    with pytest.raises(RuntimeError, match="the reason"):
        run_all([trial(rounds=10**12), trial(rounds=100, seed=1)], 2, quiet)


def test_memory_does_not_grow_with_the_rounds():
    """Traced allocations of a trial's Python and numpy side, ten times as long."""
    import tracemalloc

    peaks = []
    run_all([trial(rounds=10_000)], 1, quiet)
    for rounds in (50_000, 500_000):
        tracemalloc.start()
        run_all([trial(rounds=rounds)], 1, quiet)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] * 1.1


def test_results_do_not_depend_on_the_workers():
    trials = [trial(rounds=20_000, seed=seed) for seed in range(4)]
    one, two = (run_all(trials, workers, quiet) for workers in (1, 2))
    assert [r.curve for r in one] == [r.curve for r in two]
    assert np.std([r.mistakes for r in one]) > 0
