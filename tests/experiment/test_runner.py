"""Trials: cut into blocks, run side by side, stopped in the middle."""

import pickle
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from onebit import BadInput
from onebit.experiment.run import runner
from onebit.experiment.run.playing import curve_points, play_trials
from onebit.experiment.run.runner import group_by_stream
from onebit.experiment.run.trial import Trial


def quiet(progress):
    pass


def run_all(trials, workers, show):
    with ThreadPoolExecutor(workers) as pool:
        results, failures = runner.run_all(trials, pool, show)
    for _, error in failures:
        raise error
    return results


def trial(**more):
    return Trial.parse("synsep", "banditron", **more)


def test_rounds_that_are_no_multiple_of_a_block():
    (long,), (short,) = (run_all([trial(rounds=n)], 1, quiet) for n in (25_000, 12_345))
    assert (short.rounds, long.rounds) == (12_345, 25_000)
    assert short.curve[:-1] == long.curve[: len(short.curve) - 1]
    assert [point for point, _ in short.curve] == [*curve_points(12_345), 12_345]
    assert short.curve[-1] == (short.rounds, short.mistakes)


def test_transforms_apply_in_order():
    few = trial(transforms=("take:n=30", "repeat:n=3"))
    (result,) = run_all([few], 1, quiet)
    assert (result.rounds, result.transforms) == (90, ["take:n=30", "repeat:n=3"])
    with pytest.raises(BadInput, match="give --with repeat"):
        run_all([replace(few, rounds=91)], 1, quiet)


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
    assert found[0].curve[-1] == (found[0].rounds, found[0].mistakes)


def test_a_trial_that_fails_stops_no_other(monkeypatch):
    def play(trials, *rest):
        if trials[0].seed == 1:
            raise RuntimeError("the reason")
        return real(trials, *rest)

    real = runner.play_trials
    monkeypatch.setattr(runner, "play_trials", play)
    trials = [trial(rounds=100, seed=seed) for seed in range(3)]
    with ThreadPoolExecutor(2) as pool:
        results, failures = runner.run_all(trials, pool, quiet)
    assert [result.seed for result in results] == [0, 2]
    assert [(failed.seed, str(error)) for failed, error in failures] == [(1, "the reason")]


def test_a_trial_is_known_by_its_full_specs():
    short, full = (
        Trial.parse("car", learner, 3, 100, ("take",))
        for learner in (
            "banditron",
            "banditron:update=paper,gamma=0.05,explorer=epsilon,ties=random",
        )
    )
    assert short == full == pickle.loads(pickle.dumps(short))
    assert len({short, full, pickle.loads(pickle.dumps(full))}) == 1
    assert short != short.with_learner("banditron:gamma=0.1")
    assert short != replace(short, rounds=99)
    assert short != short.over_seeds([4])[0]
    assert short._key is short._key  # computed once


def test_what_is_resolved_is_not_resolved_again(monkeypatch):
    whole = trial(rounds=100, transforms=("take:n=100",))
    for name in ("resolve", "resolve_transform"):
        monkeypatch.setattr(f"onebit.experiment.run.trial.{name}", pytest.fail)
    monkeypatch.setattr("onebit.naming.spec.Spec.parse", pytest.fail)
    assert Trial.parse(whole.stream, whole.learner, 0, 100, whole.transforms) == whole
    assert play_trials([whole])[0].rounds == 100


def test_trials_that_share_a_stream_give_the_same_results():
    learners = ["banditron", "perceptron", "uniform", "majority:ties=first"]
    trials = [Trial.parse("synsep", name, 3, 12_000) for name in learners]
    many = [replace(each, seed=seed) for seed in range(8) for each in trials]
    assert group_by_stream(many, cores=2) == [many[at : at + 4] for at in range(0, 32, 4)]
    assert len(group_by_stream(trials, cores=2)) == 4  # rather one stream each than an idle core
    together = play_trials(trials)
    alone = [play_trials([each])[0] for each in trials]
    assert [r.curve for r in together] == [r.curve for r in alone]


def test_what_compiles_first_stands_between_what_plays():
    trials = [
        Trial.parse(stream, "perceptron", seed, 100)
        for stream in ("synsep", "car", "dna")
        for seed in range(4)
    ]
    order = [(g[0].stream.spec.name, g[0].seed) for g in group_by_stream(trials, cores=1)]
    assert order[:6] == [
        ("synsep", 0), ("synsep", 1), ("car", 0), ("synsep", 2), ("dna", 0), ("synsep", 3)
    ]  # fmt: skip
    assert sorted(order) == sorted((t.stream.spec.name, t.seed) for t in trials)


def test_further_trials_are_asked_for_with_what_is_known():
    first, second, third = (trial(rounds=100, seed=seed) for seed in range(3))
    asked = []

    def more(known):
        asked.append(len(known))
        return [first, *([second] if first in known else []), *([third] if second in known else [])]

    with ThreadPoolExecutor(2) as pool:
        results, failures = runner.run_all([first], pool, quiet, more=more)
    assert [result.seed for result in results] == [0, 1, 2]
    assert not failures
    assert asked == sorted(asked)
    assert asked[-1] == 3


def test_a_failure_is_not_asked_for_again(monkeypatch):
    monkeypatch.setattr(runner, "play_trials", lambda *args: 1 / 0)
    first, second = (trial(rounds=100, seed=seed) for seed in range(2))
    with ThreadPoolExecutor(2) as pool:
        results, failures = runner.run_all([first], pool, quiet, more=lambda known: [first, second])
    assert results == []
    assert [failed.seed for failed, _ in failures] == [0, 1]


def test_processes_give_the_same_bits():
    trials = [trial(rounds=3000, seed=seed) for seed in range(3)]
    with ProcessPoolExecutor(2) as pool:
        results, failures = runner.run_all(trials, pool, quiet)
    assert not failures
    assert [r.curve for r in results] == [r.curve for r in run_all(trials, 1, quiet)]


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
