"""Reproducing a tiny paper: runs that are cut short, fail or share a directory; the same bits."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from experiment import tiny
from experiment.reproducing import command, rows

from onebit.experiment.reproduce import selection
from onebit.experiment.reproduce.plan import plan
from onebit.experiment.run import runner
from onebit.experiment.run.pools import open_pool

#: On one worker, which makes the fixtures of this file once.
pytestmark = [pytest.mark.xdist_group("reproduce"), pytest.mark.usefixtures("tiny_papers")]


def start(out, *more):
    script = Path(tiny.__file__)
    return subprocess.Popen(
        [sys.executable, script, "reproduce", "long", "--out", out, *more],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def finish(process):
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors.decode()


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The results of the long experiment, never interrupted."""
    out = tmp_path_factory.mktemp("whole")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(selection, "papers", lambda: {"long-paper": tiny.long_paper()})
        assert command("long", "--out", out).exit_code == 0
    return rows(out)


def test_killed_in_the_middle_then_run_again(tmp_path, whole):
    process = start(tmp_path / "killed", "--workers", "1")
    for _ in range(6000):  # a minute at most
        kept = list((tmp_path / "killed").glob("trials/*.json"))
        if kept or process.poll() is not None:
            break
        try:
            process.wait(0.01)
        except subprocess.TimeoutExpired:
            continue
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    kept = {path: path.read_bytes() for path in (tmp_path / "killed").glob("trials/*.json")}
    assert 0 < len(kept) < tiny.LONG_SEEDS
    assert not (tmp_path / "killed" / "report.html").exists()
    finish(start(tmp_path / "killed"))
    assert all(path.read_bytes() == before for path, before in kept.items())
    assert rows(tmp_path / "killed") == whole


def test_two_runs_at_once_in_one_directory(tmp_path, whole):
    both = [start(tmp_path / "both", "--workers", "1") for _ in range(2)]
    for process in both:
        finish(process)
    assert rows(tmp_path / "both") == whole
    assert not list((tmp_path / "both").rglob("*.tmp"))


def test_a_failing_trial_is_printed_after_the_others_have_finished(tmp_path, monkeypatch):
    def play(trials, *rest):
        if any(t.learner.spec.name == "uniform" and t.seed == 1 for t in trials):
            raise RuntimeError("the reason")
        return real(trials, *rest)

    real, group = runner.play_trials, runner.group_by_stream
    monkeypatch.setattr(runner, "play_trials", play)
    monkeypatch.setattr(runner, "group_by_stream", lambda trials: group(trials, 1))
    done = command("tiny", "--out", tmp_path)
    assert done.exit_code == 1
    assert "on synsep" in done.stderr
    assert "seed 1: RuntimeError('the reason')" in done.stderr
    assert "1 of 24 trials failed" in done.stderr
    assert len(rows(tmp_path)) == 6 * tiny.SEEDS
    assert {row["cell"] for row in rows(tmp_path)} >= {"Perceptron", "Banditron & kin"}
    assert "because a run failed: Uniform." in (tmp_path / "report.html").read_text()
    assert "because a run failed: Uniform." in (tmp_path / "report.md").read_text()
    monkeypatch.setattr(runner, "play_trials", real)
    assert command("tiny", "--out", tmp_path).exit_code == 0


# Anywhere, the same bits


def test_the_same_bits_from_one_worker_two_and_processes(tmp_path):
    ways = {"one": ["--workers", 1], "two": ["--workers", 2], "processes": ["--processes"]}
    for name, options in ways.items():
        done = command("tiny", "--out", tmp_path / name, *options)
        assert done.exit_code == 0, done.output
    assert rows(tmp_path / "one") == rows(tmp_path / "two") == rows(tmp_path / "processes")


@pytest.mark.filterwarnings("ignore")  # of Dask's own
def test_the_same_bits_from_dask_with_a_worker_killed(tmp_path, whole):
    distributed = pytest.importorskip("distributed", reason="Dask is not installed")
    from onebit.experiment.run.store import Store

    paper = tiny.long_paper()
    trials = plan(paper, paper.experiments[0]).trials
    killed = []
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:

        def kill_one(progress):
            if progress.ended and not killed:
                killed.append(cluster.workers[0].pid)
                os.kill(killed[0], signal.SIGKILL)

        with open_pool(2, dask=cluster.scheduler_address) as pool:
            found, failures = runner.run_all(trials, pool, kill_one, Store(tmp_path))
    assert killed
    assert not failures
    assert [str(r.mistakes) for r in found] == [row["mistakes"] for row in whole]
