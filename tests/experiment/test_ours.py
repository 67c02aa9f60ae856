"""`auto` stands beside the papers' learners: named as ours, never judged, with few runs."""

from onebit.experiment.papers import papers
from onebit.experiment.papers._ours import SEEDS
from onebit.experiment.reproduce.plan import plan


def test_our_learner_is_beside_the_papers_ones_and_is_not_judged():
    found = {}
    for paper in papers().values():
        if not paper.only_by_name:
            for experiment in paper.experiments:
                for planned in plan(paper, experiment).cells:
                    if planned.cell.name == "auto (ours)":
                        found[planned.cell.stream] = planned
    assert set(found) == set(SEEDS)
    for stream, planned in found.items():
        (trials,) = planned.trials.values()
        assert planned.cell.published is None
        assert trials[0].learner.spec.name == "auto"
        assert len(trials) == SEEDS[stream]
        assert f"{SEEDS[stream]} runs" in planned.cell.note
        assert (trials[0].rounds or 0) <= 100_000
