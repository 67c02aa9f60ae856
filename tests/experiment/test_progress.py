"""How much of the work is done, and how it is shown."""

import sys

import pytest

from onebit.cli.progress import PlainDisplay, ProgressBar, Status, _clock
from onebit.experiment.run.estimate import WorkEstimate
from onebit.experiment.run.playing import UNKNOWN_ROUNDS
from onebit.experiment.run.runner import Progress
from onebit.experiment.run.slowness import _duration
from onebit.experiment.run.trial import Result, Trial

FAST = Trial.parse("synsep", "perceptron", 0, 1000)
SLOW = Trial.parse("synsep", "banditboost:n=100", 0, 1000)


def result(trial, us_per_round):
    return Result(trial.stream_spec, trial.learner_spec, 1000, trial.seed, 10, 0.01, 1.0, 0.0,
                  us_per_round, 9, 400, [], [], False, {})  # fmt: skip


def test_before_any_trial_ended_all_rounds_count_the_same():
    assert WorkEstimate([FAST, SLOW]).fraction_done({}, {FAST: (1000, 0)}) == pytest.approx(0.5)


def test_slow_learners_are_more_of_the_work():
    estimate = WorkEstimate([FAST, SLOW])
    estimate.record(result(FAST, 1.0))
    estimate.record(result(SLOW, 99.0))
    assert estimate.fraction_done({}, {FAST: (1000, 0)}) == pytest.approx(0.01)
    assert estimate.fraction_done({}, {FAST: (1000, 0), SLOW: (500, 0)}) == pytest.approx(0.505)
    assert estimate.fraction_done({}, {FAST: (1000, 0), SLOW: (1000, 0)}) == pytest.approx(1.0)


def test_the_default_rounds_are_those_of_the_stream():
    whole, started = Trial.parse("car", "perceptron", 0), {}
    assert WorkEstimate([whole]).fraction_done(started, {whole: (864, 0)}) == pytest.approx(0.5)
    started[whole] = 8640  # repeated, say
    assert WorkEstimate([whole]).fraction_done(started, {whole: (864, 0)}) == pytest.approx(0.1)


def test_an_unknown_length_has_no_fraction():
    trial = Trial.parse("./x.csv", "perceptron", 0)
    assert WorkEstimate([trial]).fraction_done({trial: UNKNOWN_ROUNDS}, {trial: (10, 0)}) is None


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.4, "0:00"), (59.6, "1:00"), (61, "1:01"), (3600, "1:00:00")]
)
def test_clock(seconds, text):
    assert _clock(seconds) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(5.4e-4, "540 us"), (3e-7, "0.3 us"), (0.0123, "12 ms"), (1.5, "1,500 ms"), (45.0, "45 s"),
     (150.0, "2.5 minutes"), (4e5, "4.6 days")],
)  # fmt: skip
def test_durations_are_plain(seconds, text):
    assert _duration(seconds) == text


class Recorder:
    def draw(self, status):
        self.status = status


def shown(trials, done, ended):
    """Return the status after some rounds."""
    progress = Progress(trials)
    progress.rounds = dict.fromkeys(trials, 1000)
    progress.done, progress.ended = done, ended
    bar = ProgressBar()
    bar.display = Recorder()
    bar.show(progress)
    return bar.display.status


def test_a_long_compilation_is_said_once_where_nothing_is_drawn(capsys, monkeypatch):
    progress = Progress([FAST])
    progress.rounds = {FAST: 1000}
    bar = ProgressBar()
    bar.show(progress)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("onebit.cli.progress.LONG_COMPILE", -1.0)
    monkeypatch.setattr("onebit.cli.progress.COMPILE_DELAY", -1.0)
    bar.show(progress)
    bar.show(progress)
    assert capsys.readouterr().err == "compiling perceptron (once)\n"


def test_many_trials_show_how_many_ended_and_the_time_left():
    status = shown([FAST, SLOW], {FAST: (1000, 10), SLOW: (500, 50)}, 1)
    assert status.description == "1/2 trials"
    assert status.fraction == pytest.approx(0.75)
    assert status.details.endswith(" left")
    assert "error" not in status.details  # of two learners together it means nothing
    assert len(status.description) + len(status.details) < 60


def test_one_trial_shows_its_error():
    status = shown([FAST], {FAST: (500, 50)}, 0)
    assert status.description == "playing"
    assert status.details.startswith("500 of 1,000 rounds ")
    assert "error 0.1000" in status.details


def test_nothing_is_drawn_if_stderr_is_not_a_terminal():
    assert not sys.stderr.isatty()
    with ProgressBar() as bar:
        bar.show(Progress([FAST]))
    assert bar.display is None


def test_the_plain_line_is_rewritten_at_most_five_times_a_second(monkeypatch, capsys):
    clock = iter([0.0, 0.1, 0.2, 0.39, 0.41])
    monkeypatch.setattr("onebit.cli.progress.time.monotonic", lambda: next(clock))
    monkeypatch.setenv("COLUMNS", "20")
    display = PlainDisplay()
    for n in range(5):
        display.draw(Status("playing", n / 4, "a detail that is too long"[: 25 - 10 * (n > 2)]))
    display.close()
    lines = capsys.readouterr().err.split("\r")
    assert [line.rstrip() for line in lines if line.strip()] == [
        "playing  0%  a deta",
        "playing  50%  a det",
        "playing  100%  a de",
    ]
    assert lines[-2] == " " * 19  # cleared
    assert lines[-1] == ""
