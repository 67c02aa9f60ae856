"""What is compiled beside a first play is what the play then uses."""

import pytest

from onebit.experiment.run import compile_ahead
from onebit.experiment.run.playing import play_trials
from onebit.experiment.run.trial import Trial
from onebit.kernel import engine


@pytest.mark.compiled
@pytest.mark.parametrize("learner", ["majority", "banditron"])
def test_the_loop_of_a_file_is_the_one_that_was_compiled(tmp_path, learner):
    path = tmp_path / "a.csv"
    path.write_text("x,y\n1.5,a\n2.5,b\n0.1,a\n3.5,b\n")
    compile_ahead.compile_loops([learner])
    known = engine.play.dispatcher(()).signatures
    assert play_trials([Trial.parse(str(path), learner)])[0].rounds == 4
    assert engine.play.dispatcher(()).signatures == known


def test_a_learner_that_cannot_begin_is_left_to_the_command():
    compile_ahead.compile_loops(["no-such-learner", "banditron:gamma=7"])


def test_nothing_is_started_once_something_is_compiled(tmp_path, monkeypatch):
    started = []
    monkeypatch.setattr(compile_ahead.subprocess, "Popen", started.append)
    monkeypatch.setattr(compile_ahead, "cache_directory", lambda: tmp_path)
    (tmp_path / "code").write_text("")
    with compile_ahead.compile_ahead([]):
        pass
    monkeypatch.setattr(compile_ahead, "cache_directory", lambda: None)
    with compile_ahead.compile_ahead([]):
        pass
    assert started == []


def test_the_second_process_ends_with_the_command(tmp_path, monkeypatch):
    begun = []
    popen = compile_ahead.subprocess.Popen

    def watched(*args, **options):
        begun.append(popen(*args, **options))
        return begun[0]

    monkeypatch.setattr(compile_ahead.subprocess, "Popen", watched)
    monkeypatch.setattr(compile_ahead.os, "cpu_count", lambda: 2)
    monkeypatch.setattr(compile_ahead, "cache_directory", lambda: tmp_path)
    with compile_ahead.compile_ahead([Trial.parse("car", "banditron").learner]):
        assert begun[0].poll() is None
    assert begun[0].returncode is not None
