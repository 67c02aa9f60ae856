"""Adversaries: each makes its victim err as often as the theorem lets it, and no more."""

import itertools
import math

import numpy as np
import pytest

from onebit.errors import BadInput
from onebit.experiment.run.playing import play_trials
from onebit.experiment.run.trial import Trial
from onebit.streams.datasets import _games
from onebit.streams.datasets.sectors import sector_complexity
from onebit.streams.opening import open_stream
from onebit.theory import bounds
from onebit.theory.hypotheses.table import TableText
from onebit.theory.littlestone import littlestone_dimension


def mistakes(stream, learner, rounds=None, seed=0):
    return play_trials([Trial.parse(stream, learner, seed, rounds, ())])[0].mistakes


def whole(stream, seed=0):
    (block,) = open_stream(stream, seed).blocks()
    return block.rows.values, block.truths.labels


@pytest.mark.parametrize("size", [2, 3, 20])
def test_consistent_errs_on_all_but_one(size):
    stream = f"adversary:against=consistent,size={size}"
    assert mistakes(stream, "consistent:ties=first") == size - 1


@pytest.mark.parametrize("size", [2, 7, 64, 1000])
def test_halving_errs_log2_times(size):
    found = mistakes(f"adversary:against=halving,size={size}", "halving:ties=first")
    assert found == math.floor(math.log2(size))


@pytest.mark.parametrize("labels", [2, 3, 5, 9])
def test_bandit_halving_errs_in_every_round_near_its_bound(labels):
    stream = f"adversary:against=bandit-halving,size=300,labels={labels}"
    found = mistakes(stream, "bandit-halving:ties=first")
    assert found == len(whole(stream)[1])
    tight = bounds.bandit_halving_tight(labels=labels, size=300)
    assert 0.7 * tight < found <= tight


def test_a_hypothesis_is_always_right():
    for spec in ("halving,size=50", "consistent,size=9", "bandit-halving,size=50,labels=4",
                 "halving,table=nested", "soa,table=nested"):  # fmt: skip
        rows, truths = whole(f"adversary:against={spec}")
        assert (rows == truths[:, None]).all(axis=0).any()


def test_the_nested_class_is_easy_for_soa_and_hard_for_halving():
    table = _games.nested_groups(5)
    assert littlestone_dimension(table) == 2
    soa = f"soa:ties=first,table={TableText().read(table.astype(int))}"
    assert mistakes("adversary:against=soa,table=nested", soa) == 2
    assert mistakes("adversary:against=halving,table=nested", soa) <= 2
    assert mistakes("adversary:against=halving,table=nested", "halving:ties=first") == 4


@pytest.mark.parametrize("victim", ["consistent", "halving", "soa"])
@pytest.mark.parametrize(
    "table", ["010/001/111/100", "0011/0101/1001/1111/0000", "012/021/200/111"]
)
def test_no_sequence_of_a_tables_instances_is_worse(victim, table):
    """Every sequence of three instances, labelled by any hypothesis, makes no more mistakes."""
    columns = np.array([[float(c) for c in row] for row in table.split("/")])
    learner = f"{victim}:ties=first" + (f",table={table}" if victim == "soa" else "")
    most = mistakes(f"adversary:against={victim},table={table}", learner)
    instances = columns.shape[1]
    played = [
        replay(columns, order, right, victim, table)
        for order in itertools.permutations(range(instances), min(3, instances))
        for right in range(len(columns))
    ]
    assert max(played) <= most


def replay(columns, order, right, victim, table):
    """Return the mistakes of a victim, written from its definition, on some instances."""
    left, count = list(range(len(columns))), 0
    for n in order:
        said = {k: [i for i in left if columns[i, n] == k] for k in range(3)}
        sizes = {
            "consistent": lambda part: -min(part, default=99),
            "halving": len,
            "soa": lambda part: littlestone_dimension(columns[part]) if part else -1,
        }
        guess = max(said, key=lambda k: sizes[victim](said[k]))
        truth = int(columns[right, n])
        count += guess != truth
        left = said[truth]
    return count


@pytest.mark.parametrize("margin", [0.5, 0.1])
def test_the_perceptron_reaches_novikoffs_bound(margin):
    stream = f"adversary:against=perceptron,margin={margin}"
    rows, truths = whole(stream)
    assert set(truths) == {1}
    weights = np.full(rows.shape[1], rows.shape[1] ** -0.5)
    assert (rows @ weights).min() >= margin - 1e-12
    assert mistakes(stream, "perceptron:ties=first") == bounds.novikoff(radius=1, margin=margin)


def test_winnow_comes_near_its_bound():
    stream = "adversary:against=winnow,size=60,margin=0.3333333333"
    rows, truths = whole(stream)
    signs = 1.0 - 2.0 * truths
    assert (signs * rows[:, :3].sum(axis=1) == 1.0).all()  # the margin of three voters
    bound = bounds.winnow(features=120, radius=1, margin=1 / 3)
    found = mistakes(stream, "winnow:margin=0.3333333333,ties=first")
    assert 0.6 * bound < found <= bound


def test_coins_cost_experts_half_of_their_bound():
    regrets = [
        play_trials([Trial.parse("adversary:against=experts,size=100",
                                 "weighted-majority:rounds=2000", seed, 2000, ())])[0].regret
        for seed in range(5)
    ]  # fmt: skip
    bound = bounds.weighted_majority(size=100, rounds=2000)
    assert 0.25 * bound < np.mean(regrets) <= bound


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("against=soa", "table is for against=consistent, halving, soa, and soa needs one"),
        ("against=winnow,table=nested", "table is for against=consistent, halving, soa"),
        ("against=winnow,margin=0.5", r"needs a margin of 1 / v for an odd v below size=64"),
        ("against=consistent,size=100000", "at most 50,000,000 numbers"),
        ("against=perceptron,margin=1e-9", "at most 50,000,000 numbers"),
        ("against=uniform", "against must be one of consistent, halving"),
    ],
)
def test_what_cannot_be_played_is_one_sentence(spec, sentence):
    with pytest.raises(BadInput, match=sentence):
        open_stream(f"adversary:{spec}", 0)


@pytest.mark.parametrize(("labels", "spread"), [(3, 0.2), (4, 0.05), (7, 0.1)])
def test_sectors_are_separable_with_their_complexity(labels, spread):
    block = next(open_stream(f"sectors:labels={labels},spread={spread}", 3).blocks())
    rows, truths = block.rows.values[:500], block.truths.labels[:500]
    assert np.hypot(*rows.T).max() <= 1.0
    assert set(truths) == set(range(labels))
    centres = np.array([rows[truths == k].mean(axis=0) for k in range(labels)])
    weights = centres / np.hypot(*centres.T)[:, None]
    weights *= math.sqrt(sector_complexity(labels, spread) / (2 * labels))
    scores = rows @ weights.T
    right = scores[np.arange(500), truths].copy()
    scores[np.arange(500), truths] = -np.inf
    assert (right - scores.max(axis=1)).min() > 0.95  # the centres are estimated
    with pytest.raises(BadInput, match="spread must be below pi / labels"):
        open_stream("sectors:labels=4,spread=1", 0)
