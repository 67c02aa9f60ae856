"""How much of the work is done, and what a person is told of it."""

import sys

import pytest

from onebit.cli import progress as screen
from onebit.experiment.run.estimate import WorkEstimate
from onebit.experiment.run.playing import UNKNOWN_ROUNDS
from onebit.experiment.run.runner import Progress
from onebit.experiment.run.trial import Result, Trial

FAST = Trial.parse("synsep", "perceptron", 0, 1000)
SLOW = Trial.parse("synsep", "banditboost:n=100", 0, 1000)


def result(trial, us_per_round):
    return Result(trial.stream_spec, trial.learner_spec, 1000, trial.seed, 10, 0.01, 1.0, 0.0,
                  us_per_round, 9, 400, [], [], False, {})  # fmt: skip


def test_before_anything_ended_all_rounds_weigh_the_same():
    assert WorkEstimate([FAST, SLOW]).fraction_done({}, {FAST: (1000, 0)}) == pytest.approx(0.5)


def test_slow_learners_are_more_of_the_work():
    estimate = WorkEstimate([FAST, SLOW])
    estimate.record(result(FAST, 1.0))
    estimate.record(result(SLOW, 99.0))
    assert estimate.fraction_done({}, {FAST: (1000, 0)}) == pytest.approx(0.01)
    assert estimate.fraction_done({}, {FAST: (1000, 0), SLOW: (500, 0)}) == pytest.approx(0.505)
    assert estimate.fraction_done({}, {FAST: (1000, 0), SLOW: (1000, 0)}) == pytest.approx(1.0)


def test_rounds_that_nobody_asked_for_are_those_of_the_stream():
    whole, told = Trial.parse("car", "perceptron", 0), {}
    assert WorkEstimate([whole]).fraction_done(told, {whole: (864, 0)}) == pytest.approx(0.5)
    told[whole] = 8640  # repeated, say
    assert WorkEstimate([whole]).fraction_done(told, {whole: (864, 0)}) == pytest.approx(0.1)


def test_what_ends_nobody_knows_when_has_no_share():
    trial = Trial.parse("./x.csv", "perceptron", 0)
    assert WorkEstimate([trial]).fraction_done({trial: UNKNOWN_ROUNDS}, {trial: (10, 0)}) is None


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.4, "0:00"), (59.6, "1:00"), (61, "1:01"), (3600, "1:00:00")]
)
def test_clock(seconds, text):
    assert screen._clock(seconds) == text


class Bar:
    def update(self, task, **fields):
        self.__dict__.update(fields)


def shown(trials, done, ended):
    """Return what the line says after some rounds."""
    progress = Progress(trials)
    progress.rounds = dict.fromkeys(trials, 1000)
    progress.done, progress.ended = done, ended
    line = screen.Screen()
    line._bar, line._task = Bar(), 0
    line.show(progress)
    return line._bar


def test_many_trials_tell_how_many_ended_and_the_time_left():
    bar = shown([FAST, SLOW], {FAST: (1000, 10), SLOW: (500, 50)}, 1)
    assert bar.description == "1/2 trials"
    assert bar.completed == pytest.approx(0.75)
    assert bar.facts.endswith(" left")
    assert "error" not in bar.facts  # of two learners together it says nothing
    assert len(bar.description) + len(bar.facts) < 60


def test_one_trial_tells_its_error():
    bar = shown([FAST], {FAST: (500, 50)}, 0)
    assert bar.description == "playing"
    assert bar.facts.startswith("500 of 1,000 rounds ")
    assert "error 0.1000" in bar.facts


def test_nothing_is_drawn_when_piped():
    assert not sys.stderr.isatty()
    with screen.Screen() as line:
        line.show(Progress([FAST]))
    assert line._bar is None
