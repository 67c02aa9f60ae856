"""The field since 2008: only when named, whole matrices only where they are small, with times."""

from concurrent.futures import ThreadPoolExecutor

from onebit.experiment.papers.after_2008 import EITHER, MOST_PAIRS, PAPER, WHOLE
from onebit.experiment.reproduce.plan import plan
from onebit.experiment.reproduce.sections import build_section
from onebit.experiment.reproduce.selection import select
from onebit.experiment.run.runner import run_all


def test_it_runs_only_when_named():
    assert PAPER.experiments[0] not in [experiment for _, experiment in select([])]
    assert [experiment for _, experiment in select(["after-2008"])] == list(PAPER.experiments)
    assert [experiment.name for _, experiment in select(["after-2008-car"])] == ["after-2008-car"]


def test_whole_matrices_only_where_they_are_small():
    for experiment in PAPER.experiments:
        for planned in plan(PAPER, experiment).cells:
            trial = next(iter(planned.trials.values()))[0]
            name = trial.learner.spec.name
            stream = trial.open_stream()
            small = len(stream.labels) * stream.features <= MOST_PAIRS
            assert small or name not in WHOLE
            if name in EITHER:
                assert trial.learner.params["form"] == ("full" if small else "diagonal")


def test_times_are_shown(tmp_path):
    car = next(e for e in PAPER.experiments if e.name == "after-2008-car")
    planned = plan(PAPER, car._replace(cells=car.cells[:2], rounds=50, seeds=2))
    with ThreadPoolExecutor(1) as pool:
        found = run_all(planned.trials, pool, lambda progress: None).results
    results = dict(zip(planned.trials, found, strict=True))
    section = build_section(planned, results, tmp_path)
    (table,) = section.tables
    assert [row[0] for row in table.rows] == ["majority label", "Banditron"]
    assert all(row[1] > 0.0 for row in table.rows)
    assert not any(row.verdict for row in section.rows)
