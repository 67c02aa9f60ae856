"""Claims in words: each test answers yes, no and unclear on results made for it."""

import pytest

from onebit.experiment.papers import Claim, papers
from onebit.experiment.report.summary import summarise_grid
from onebit.experiment.reproduce.claims import TESTS, Evidence, _word
from onebit.experiment.run.trial import Result


def result(seed, error, curve=(), rounds=1000):
    curve = [(n, round(n * e)) for n, e in curve] or [(rounds, round(rounds * error))]
    return Result("s", "l", rounds, seed, round(rounds * error), error, 0.0, 0.0, 0.0, 2, 2,
                  curve, [], False, {})  # fmt: skip


def evidence(*errors, quantity="error", **grid):
    """The runs of a cell: errors over seeds, or of each point of a grid."""
    points = {f"gamma={p}": e for p, e in grid["grid"].items()} if grid else {"": errors}
    runs = {p: [result(n, e) for n, e in enumerate(each)] for p, each in points.items()}
    return Evidence(summarise_grid(quantity, runs), runs)


def curve(power, seeds=4, start=10, end=1_000_000, early=None):
    """Runs whose error is round ** power, or `early` up to 10,000 rounds and that after it."""
    rounds = [round(10 ** (i / 10)) for i in range(10, 61)]

    def error(n, seed):
        noise = 1 + 0.01 * seed
        return noise * (early if early and n <= 10_000 else n**power)

    runs = [result(s, error(end, s), [(n, error(n, s)) for n in rounds], end) for s in range(seeds)]
    return Evidence(summarise_grid("slope", {"": runs}), {"": runs})


def answer(test, *cells, value=0.0):
    return TESTS[test](Claim("", "", test, (), value), cells)


LOW, HIGH, WILD = (0.1, 0.11, 0.09), (0.2, 0.21, 0.19), (0.05, 0.3, 0.1)


@pytest.mark.parametrize(
    ("test", "cells", "value", "word"),
    [
        ("lower", (evidence(*LOW), evidence(*HIGH)), 0, "yes"),
        ("lower", (evidence(*HIGH), evidence(*LOW)), 0, "no"),
        ("lower", (evidence(*LOW), evidence(*WILD)), 0, "unclear"),
        ("alike", (evidence(*LOW), evidence(*[e + 0.001 for e in LOW])), 0, "yes"),
        ("alike", (evidence(*LOW), evidence(*HIGH)), 0, "no"),
        ("alike", (evidence(*LOW), evidence(*WILD)), 0, "unclear"),
        ("inside", (evidence(grid={"0.01": HIGH, "0.1": LOW, "0.3": HIGH}),), 0, "yes"),
        ("inside", (evidence(grid={"0.01": LOW, "0.1": HIGH, "0.3": HIGH}),), 0, "no"),
        ("inside", (evidence(grid={"0.01": WILD, "0.1": LOW, "0.3": HIGH}),), 0, "unclear"),
        ("moves", (evidence(grid={"0.01": LOW, "0.1": HIGH}),
                   evidence(grid={"0.01": HIGH, "0.1": LOW})), 0, "yes"),
        ("moves", (evidence(grid={"0.01": LOW, "0.1": HIGH}),) * 2, 0, "no"),
        ("moves", (evidence(grid={"0.01": LOW, "0.1": WILD}),
                   evidence(grid={"0.01": HIGH, "0.1": LOW})), 0, "unclear"),
        ("slope near", (curve(-1.0),), -1.0, "yes"),
        ("slope near", (curve(-0.5),), -1.0, "no"),
        ("slope below", (curve(-0.6),), -0.5, "yes"),
        ("slope below", (curve(-0.4),), -0.5, "no"),
        ("slopes alike", (curve(-0.4), curve(-0.45)), 0, "yes"),
        ("slopes alike", (curve(-0.4), curve(-0.8)), 0, "no"),
        ("steeper", (curve(-0.8), curve(-0.4)), 0, "yes"),
        ("steeper", (curve(-0.4), curve(-0.8)), 0, "no"),
        ("falls late", (curve(-0.3, early=0.5),), 10_000, "yes"),
        ("falls late", (curve(-0.3),), 10_000, "no"),
        ("overtakes", (curve(-0.8, early=0.5), curve(-0.3)), 0, "yes"),
        ("overtakes", (curve(-0.3), curve(-0.8)), 0, "no"),
    ],
)  # fmt: skip
def test_answers(test, cells, value, word):
    assert answer(test, *cells, value=value).word == word


def test_every_test_was_tried_and_every_claim_has_a_test():
    claims = [c for paper in papers().values() for e in paper.experiments for c in e.claims]
    assert len(claims) > 20
    assert {claim.test for claim in claims} == set(TESTS)


@pytest.mark.parametrize(
    ("words", "cases", "expected"),
    [
        (["yes", "yes"], 2, "holds"),
        (["yes", "yes"], 3, "holds (1 of 3 not run)"),
        (["no", "no"], 2, "does not hold"),
        (["yes", "no"], 2, "depends"),
        (["yes", "unclear"], 2, "depends"),
        (["unclear"], 1, "depends"),
        ([], 2, "not run"),
    ],
)
def test_the_word_for_a_claim(words, cases, expected):
    assert _word(words, cases) == expected
