"""Runs that Ctrl-C cut off are in no mean; stored results that were edited are not used."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from onebit.experiment.report.run_report import write_comparison
from onebit.experiment.report.text_tables import comparison_table
from onebit.experiment.run import playing
from onebit.experiment.run.address import trial_address
from onebit.experiment.run.playing import play_trials
from onebit.experiment.run.runner import run_all
from onebit.experiment.run.store import Store
from onebit.experiment.run.trial import Trial

#: On one worker, which makes the fixtures of this file once.
pytestmark = pytest.mark.xdist_group("results that are cut off")

TRIAL = Trial.parse("car", "banditron", 0, 400)


@pytest.fixture(scope="module")
def results():
    """Two whole runs and one that was cut off, and another learner that has no whole one."""
    trials = [*TRIAL.over_seeds(range(3)), TRIAL.with_learner("uniform")]
    first, second, third, other = (play_trials([trial])[0] for trial in trials)
    cut = {"rounds": 77, "interrupted": True, "curve": third.curve[:10], "regret": None}
    return [first, second, third._replace(error=0.99, **cut), other._replace(error=0.98, **cut)]


def test_the_table_averages_whole_runs_alone(results):
    table, whole = comparison_table(results), comparison_table(results[:2])
    assert table.startswith(whole)
    assert "400 rounds" in table
    rest = table[len(whole) :].split("\n")
    assert rest[2].split() == ["cut", "off", "by", "Ctrl-C,", "in", "no", "mean", "seed", "rounds",
                               "error"]  # fmt: skip
    assert [line.split()[1:] for line in rest[3:]] == [
        ["2", "77", "0.99000"],
        ["0", "77", "0.98000"],
    ]
    assert "no finished results" in comparison_table(results[2:])


@pytest.mark.parametrize("which", [slice(None), slice(2, None)], ids=["some", "all"])
def test_the_report_marks_them_and_leaves_them_out(results, which, tmp_path):
    write_comparison(results[which], tmp_path)
    page, text = (tmp_path / "report.html").read_text(), (tmp_path / "report.md").read_text()
    for each in (page, text):
        assert "cut off by Ctrl-C" in each
        assert "0.99000" in each
    csv = (tmp_path / "results.csv").read_text()
    assert "0.99" not in csv
    assert len(csv.splitlines()) == (3 if which == slice(None) else 1)
    lines = [json.loads(line) for line in (tmp_path / "results.jsonl").read_text().splitlines()]
    assert [line["interrupted"] for line in lines] == [r.interrupted for r in results[which]]
    assert (tmp_path / "curves.svg").exists() == (which == slice(None))


def test_a_result_edited_by_hand_is_run_again(tmp_path):
    store = Store(tmp_path)
    (result,) = play_trials([TRIAL])
    store.keep(TRIAL, result)
    assert store.find(TRIAL) == result
    path = tmp_path / "trials" / f"{trial_address(TRIAL)}.json"
    text = path.read_text()
    path.write_text(text.replace(f'"mistakes": {result.mistakes}', '"mistakes": 1'))
    assert path.read_text() != text
    assert store.find(TRIAL) is None
    other = TRIAL.over_seeds([5])[0]
    (path.parent / f"{trial_address(other)}.json").write_text(text)  # a copy under another name
    assert store.find(other) is None
    with ThreadPoolExecutor(1) as pool:
        again = run_all([TRIAL], pool, lambda progress: None, store)
    assert again.results[0].mistakes == result.mistakes
    assert store.find(TRIAL) is not None


def test_parts_of_blocks_take_a_fixed_time_and_give_the_same_bits(monkeypatch):
    whole = play_trials([TRIAL])[0]
    sizes = []
    real = playing._Run.play
    monkeypatch.setattr(
        playing._Run, "play", lambda run, block: (sizes.append(block.rounds), real(run, block))
    )
    assert play_trials([TRIAL])[0].curve == whole.curve
    assert sizes[:3] == [4, 32, 256]
    monkeypatch.setattr(playing, "PART_SECONDS", 0.0)  # whatever it takes, it is too long
    sizes.clear()
    assert play_trials([TRIAL])[0].curve == whole.curve
    assert sizes == [4] + [1] * 396
    for learner in ("banditron", "perceptron"):
        late = Trial.parse("car", learner, 0, 400, ["delay:n=30,kind=geometric"])
        few = play_trials([late])[0]
        monkeypatch.setattr(playing, "PART_SECONDS", 1.0)
        assert play_trials([late])[0].curve == few.curve
        monkeypatch.setattr(playing, "PART_SECONDS", 0.0)
