"""The verdict rule: its words, its window, its error rates in simulation, and its resampling."""

import math

import numpy as np
import pytest

from onebit.experiment.papers import PUBLISHED_RUNS, Number, percent
from onebit.experiment.report.resampling import bootstrap_error, lowest_mean
from onebit.experiment.reproduce.refinement import next_point
from onebit.experiment.reproduce.verdict import chance_of_miss, runs_needed, verdict, window


def with_se(value, se, unit=0.0):
    return Number(value, se * math.sqrt(PUBLISHED_RUNS), unit)


# Words


@pytest.mark.parametrize(
    ("ours", "published", "expected"),
    [
        ((0.25, 3 / 32), with_se(0.5625, 4 / 32), "reproduced"),  # 2 sqrt(9 + 16) / 32, exactly
        ((0.2499, 3 / 32), with_se(0.5625, 4 / 32), "lower"),
        ((0.8751, 3 / 32), with_se(0.5625, 4 / 32), "higher"),
        ((0.24, 14.5 / 100 / math.sqrt(10)), with_se(0.16, 0.011), "undecided"),
        ((0.60, 14.5 / 100 / math.sqrt(10)), with_se(0.16, 0.011), "higher"),  # for all its spread
        ((0.105, 0.0), percent("10"), "reproduced"),
        ((0.1051, 0.0), percent("10"), "higher"),
        ((0.1051, 0.001), percent("10"), "reproduced"),  # no printed deviation: ours alone
        ((0.094, 0.0), percent("10"), "lower"),
        ((0.10, math.nan), percent("10"), "undecided"),  # a single run has no spread
        ((-0.96, 0.01), Number(-1.0), "higher"),
    ],
)
def test_words(ours, published, expected):
    assert verdict(*ours, published) == expected


def test_numbers_know_their_last_digit():
    assert percent("29.4", "0.9") == pytest.approx((0.294, 0.009, 0.001))
    assert percent("13")[::2] == pytest.approx((0.13, 0.01))
    assert not percent("13").has_spread
    assert percent("29.4", "0.9").se == pytest.approx(0.009 / math.sqrt(10))
    assert window(0.0, percent("13")) == pytest.approx(0.005)


def test_more_runs_until_we_are_as_exact_as_the_paper():
    paper = with_se(0.2, 0.01)
    assert runs_needed(0.01, 10, paper, 100) == 10
    assert runs_needed(0.0141, 10, paper, 100) == 20
    assert runs_needed(0.0142, 10, paper, 100) == 30
    assert runs_needed(0.5, 10, paper, 100) == 100
    assert runs_needed(0.5, 10, paper, 0) == 10
    assert runs_needed(0.5, 10, percent("13"), 100) == 10


# Error rates: the paper and we draw from the same distribution, or from different ones


def draw_paper(runs, digits=3):
    """Return what a paper prints of runs (a row each paper): the mean and the deviation."""
    means, sds = runs.mean(axis=1), runs.std(axis=1, ddof=1)
    unit = 10.0**-digits
    return [
        Number(round(m, digits), round(s, digits), unit) for m, s in zip(means, sds, strict=True)
    ]


def our_verdict(draw, published, most=100):
    """Draw runs as a refined plan does; return the word, and the predicted chance of a miss."""
    runs = 10
    while True:
        found = draw(runs)
        value, se = lowest_mean(found, PUBLISHED_RUNS)
        more = runs_needed(se, runs, published, most)
        if more == runs:
            return verdict(value, se, published), chance_of_miss(se, runs, published)
        runs = more


def words_and_chance(paper_errors, our_errors, repeats):
    """Simulate papers and ourselves; return the share of each word and the predicted misses.

    Both functions return errors (a row for each grid point) of so many runs.
    """
    words, chances = [], []
    for number in range(repeats):
        source = np.random.default_rng(number)
        theirs = paper_errors(source, PUBLISHED_RUNS)
        best = theirs.mean(axis=1).argmin()
        (published,) = draw_paper(theirs[best : best + 1])
        ours = our_errors(source, 100)
        word, chance = our_verdict(lambda n, ours=ours: ours[:, :n], published)
        words.append(word)
        chances.append(chance)
    shares = {word: words.count(word) / repeats for word in set(words)}
    return shares, float(np.mean(chances))


def normal(mean, sd, points=1, shared=0.0):
    """Return a function that draws errors; a part of the deviation is shared by all points."""

    def errors(source, runs):
        own = source.normal(size=(points, runs)) * math.sqrt(1 - shared)
        return mean + sd * (own + source.normal(size=runs) * math.sqrt(shared))

    return errors


def test_equal_means_are_missed_as_often_as_chance_predicts():
    same = normal(0.25, 0.03)
    words, chance = words_and_chance(same, same, 1000)
    missed = words.get("lower", 0) + words.get("higher", 0)
    assert 0.05 < chance < 0.08  # 4.6% if the deviations were known
    assert abs(missed - chance) < 4 * math.sqrt(chance / 1000)
    assert words.get("undecided", 0) < 0.03


def test_the_lowest_of_a_grid_is_missed_as_often_as_chance_predicts():
    """Both take a minimum over five equal points; ours with more runs would be less biased."""
    same = normal(0.25, 0.03, points=5, shared=0.3)
    words, chance = words_and_chance(same, same, 400)
    missed = words.get("lower", 0) + words.get("higher", 0)
    assert missed < chance + 4 * math.sqrt(chance / 400)


def test_a_difference_of_four_standard_errors_is_found():
    words, _ = words_and_chance(normal(0.25, 0.03), normal(0.25 + 4 * 0.0134, 0.03), 400)
    assert words["higher"] > 0.85
    assert words.get("lower", 0) == 0


def test_runs_that_scatter_more_than_the_papers_are_not_called_reproduced():
    words, _ = words_and_chance(normal(0.25, 0.001), normal(0.25, 0.1), 100)
    assert words.get("reproduced", 0) == 0
    assert words["undecided"] > 0.8


# Resampling


def test_the_bootstrap_knows_the_standard_error_of_a_mean():
    values = np.random.default_rng(0).normal(size=40)
    found = bootstrap_error(lambda drawn: values[drawn].mean(axis=1), 40)
    assert found == pytest.approx(values.std(ddof=1) / math.sqrt(40), rel=0.1)
    assert math.isnan(bootstrap_error(lambda drawn: values[drawn].mean(axis=1), 1))


def test_a_minimum_over_groups_is_that_of_the_smaller_experiment():
    """100 runs in groups of ten give a lower minimum than the means of all."""
    source = np.random.default_rng(1)
    errors = source.normal(0.3, 0.05, size=(6, 100))
    tens = np.mean([g.mean(axis=1).min() for g in np.split(errors, 10, axis=1)])
    value, se = lowest_mean(errors, 10)
    assert value == pytest.approx(tens, abs=0.01)
    assert value < errors.mean(axis=1).min() - 2 * se
    assert lowest_mean(errors[:, :10], 10)[0] == errors[:, :10].mean(axis=1).min()


def test_one_point_has_the_usual_standard_error():
    errors = np.array([[0.1, 0.2, 0.3, 0.2]])
    value, se = lowest_mean(errors, 10)
    assert value == pytest.approx(0.2)
    assert se == pytest.approx(errors.std(ddof=1) / 2)


# Wider grids


@pytest.mark.parametrize(
    ("edge", "up", "expected"),
    [
        ("gamma=2^-14", False, "gamma=2^-15"),
        ("gamma=2^-2", True, "gamma=2^-1"),
        ("delta=0.001", False, "delta=0.0003"),
        ("delta=0.0003", False, "delta=0.0001"),
        ("delta=0.1", True, "delta=0.3"),
        ("delta=0.03", True, "delta=0.1"),
        ("delta=0.3", True, "delta=1"),
    ],
)
def test_the_next_point(edge, up, expected):
    assert next_point(edge, up) == expected
