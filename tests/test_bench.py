"""The benchmark measures what it says: no figure is judged here, only how figures are made."""

import pytest

from bench import events, kernels, making, material, page, peers
from bench.clock import Case, laps, measure
from bench.fused import FUSED
from onebit.state import kept


def test_every_learner_has_its_rows():
    cases = {case.name: case for case in kernels.cases(1, 1)}
    assert {"banditron", "cova", "banditboost", "exp3"} <= set(kernels.measured())
    for name in kernels.measured():
        for form in ("sparse", "dense"):
            state = cases[f"{name}, {form}"].state
            player = kernels.Recipe.parse(name).player(material.SIZES, 0)
            assert state >= sum(a.nbytes for a in kept(player.learner).values())
    for name in FUSED:
        assert cases[f"{name}, by hand"].against == f"{name}, sparse"


@pytest.mark.parametrize("name", sorted(FUSED))
def test_loops_by_hand_make_the_same_mistakes(name):
    kernels.assert_same_mistakes(name, material.sparse(2))


def test_a_loop_by_hand_that_plays_differently_is_seen(monkeypatch):
    fused = FUSED["banditron"]
    bolder = fused._replace(own=lambda player: (*fused.own(player)[:-1], 0.2))
    monkeypatch.setitem(FUSED, "banditron", bolder)
    with pytest.raises(AssertionError, match="plays differently"):
        kernels.assert_same_mistakes("banditron", material.sparse(1))


def test_parts_keep_their_own_median_and_least():
    one = iter([[9.0, 9.0], [1.0, 5.0], [3.0, 1.0], [2.0, 3.0]])
    two = iter([[9.0], [8.0], [4.0], [6.0]])
    cases = [
        Case("learners", "one", 2_000_000, lambda: next(one)),
        Case("peers", "two", 1_000_000, lambda: next(two), None, "one"),
    ]
    first, second = measure(cases, 3)
    assert (first.us, first.least) == ((2 + 3) / 2, (1 + 1) / 2)
    assert (second.us, second.least, second.ratio) == (6, 4, 4)


def test_laps_are_one_a_step():
    assert len(laps(iter(range(5)))) == 5


def test_cases_run_and_are_shown():
    cases = [*events.cases(events.SOME), *making.cases(1), *peers.cases(100, 50)]
    results = measure([case._replace(against=None) for case in cases], 1)
    shown = page.table(results), page.page(results, {"python": "3"}, 1)
    for case, result in zip(cases, results, strict=True):
        assert result.least > 0
        for text in shown:
            assert case.name in text
