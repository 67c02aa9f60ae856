"""Every learner equals its oracle, bit for bit, over many rounds."""

import importlib

import numpy as np
import pace
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from onebit import learners
from onebit.agent.agent import Agent
from onebit.checks.easy_streams import easy_stream, small_params, stream_sizes
from onebit.kernel.block import Multi, Single, noiseless_block
from onebit.kernel.round import Label
from onebit.kernel.rows import DenseRows
from onebit.kernel.state import learned_arrays
from onebit.streams.datasets.synsep import FEATURES, LABELS
from onebit.streams.opening import open_stream

NAMES = [name for name in learners.names() if learners.find(name).__module__.startswith("onebit.")]


def as_truths(truths):
    """Return labels, sets of labels or degrees by label as a block holds them."""
    if not isinstance(truths[0], set | dict):
        return Single(np.array(truths, np.int32))
    labels = [label for each in truths for label in sorted(each)]
    degrees = [each[label] for each in truths if isinstance(each, dict) for label in sorted(each)]
    starts = np.cumsum([0, *map(len, truths)])
    return Multi(starts, np.array(labels, np.int32), np.array(degrees, np.float64))


def assert_equals_oracle(name, rows, truths, k, seed, columns=(), **params):
    """Play with both, and assert that states and mistakes are equal.

    `truths` are labels, sets of labels or degrees by label. An oracle may declare a TOLERANCE.
    Of a nested state it returns the arrays that its paper defines.
    """
    module = importlib.import_module(f"oracles.{name.replace('-', '_')}")
    agent = Agent(name, range(k), features=rows.shape[1], columns=columns, seed=seed, **params)
    block = noiseless_block(DenseRows(rows), np.zeros(len(rows), np.int32))
    listed = list(truths) if isinstance(truths, list) else truths.tolist()
    right = as_truths(listed)
    missed = agent.play(block._replace(truths=right))
    if columns:
        params["columns"] = columns
    if "weak" in params:
        params["weak_learner"] = params.pop("weak")  # the oracles' own module is called weak
    expected, expected_missed = module.oracle(rows.tolist(), listed, k, seed, **params)
    assert missed.tolist() == expected_missed
    state = learned_arrays(agent._player.learner)
    assert {f for f in expected if "." not in f} == {f for f in state if "." not in f}
    for field, array in expected.items():
        if tolerance := getattr(module, "TOLERANCE", 0.0):
            np.testing.assert_allclose(state[field], array, tolerance, tolerance, err_msg=field)
        else:
            # by ==, since -0.0 may differ from 0.0: kernels skip zeros that the oracles add
            assert np.array_equal(np.array(array), state[field]), field


#: Learners that hold many others: fewer rounds do.
SLOW = ("auto", "banditboost", "boost", "forest")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", pace.some([0, 7], [0]))
def test_learner_equals_its_oracle_on_an_easy_stream(name, seed):
    kind = learners.find(name)
    few = learners.traits(kind).row == "few features"  # many hypotheses: slow
    long = pace.some(600, 150) if name in SLOW else 1500
    rows, truths = easy_stream(100 if few else long, kind)
    assert_equals_oracle(
        name, rows.values, truths, stream_sizes(kind).labels, seed, **small_params(kind)
    )


@pytest.mark.parametrize("name", [n for n in NAMES if learners.traits(learners.find(n)).sets])
def test_full_information_equals_its_oracle_on_sets_of_right_labels(name):
    """Sets of any size, of all labels and of none."""
    kind = learners.find(name)
    rows, truths = easy_stream(300, kind)
    k, rng = stream_sizes(kind).labels, np.random.default_rng(1)
    extra = rng.random((300, k)) < 0.2
    sets = [{int(y), *np.flatnonzero(more).tolist()} for y, more in zip(truths, extra, strict=True)]
    sets[::50], sets[5::50] = [set()] * 6, [{*range(k)}] * 6
    assert_equals_oracle(name, rows.values, sets, k, 2, **small_params(kind))


@pytest.mark.parametrize("r", [1, 2, 3])
def test_label_ranking_equals_its_oracle_with_degrees_of_relevance(r):
    rows, truths = easy_stream(600)
    degrees = np.random.default_rng(3).integers(0, 4, (600, 4))
    graded = [
        {int(y): 2.0} | {k: float(d) for k, d in enumerate(each) if d and k != y}
        for y, each in zip(truths, degrees.tolist(), strict=True)
    ]
    graded[::50] = [{}] * 12
    assert_equals_oracle("label-ranking", rows.values, graded, 4, 2, r=r, gamma=0.4)


def test_every_learner_with_full_information_hears_sets():
    hears_label = [n for n in NAMES if learners.traits(learners.find(n)).hears is Label]
    assert len(hears_label) == 10
    assert all(learners.traits(learners.find(n)).sets for n in hears_label)


@pytest.mark.parametrize("update", ["played", "known"])
def test_the_banditrons_other_updates_equal_their_oracle(update):
    rows, truths = easy_stream(1500)
    assert_equals_oracle("banditron", rows.values, truths, 4, 3, gamma=0.2, update=update)


@pytest.mark.parametrize("rounds", [3, 1500])
@pytest.mark.parametrize("name", ["weighted-majority", "exp3", "exp3p", "exp3ix", "exp4"])
def test_exponential_weights_equal_their_oracle_at_a_fixed_rate(name, rounds):
    """The rate for 3 rounds is so high that weights have to be rescaled."""
    rows, truths = easy_stream(1500, learners.find("exp4"))
    assert_equals_oracle(name, rows.values, truths, 4, 1, rounds=rounds)


def test_soa_equals_its_oracle_on_a_table():
    table = ["0120", "0110", "0000", "2120", "2222", "1010", "1120"]
    columns = np.array([[float(c) for c in row] for row in table]).T
    instances = (np.arange(40) * 7) % 4
    for perfect in range(len(table)):
        rows = np.ascontiguousarray(columns[instances])
        assert_equals_oracle(
            "soa", rows, rows[:, perfect].astype(np.int32), 3, perfect, table="/".join(table)
        )


@pytest.mark.parametrize(("name", "params"), [
    pytest.param("auto", {"size": "light"}, marks=() if pace.PLAIN else pytest.mark.long),
    ("confidit", {"form": "diagonal", "alpha": 0.5, "eta": 0.3}),
    ("laplace", {"form": "diagonal", "variance": 2.0, "deviations": 1.0}),
    ("pa-bandit", {"rule": "all-if-correct", "c": 0.1}),
    ("newtron", {"radius": 0.3, "beta": 0.1, "gamma": 0.2}),
    ("pnewtron", {"radius": 0.3, "beta": 0.1, "gamma": 0.2}),
])  # fmt: skip
def test_learner_equals_its_oracle_with_other_parameters(name, params):
    kind = learners.find(name)
    rows, truths = easy_stream(pace.some(300, 60) if name == "auto" else 300, kind)
    assert_equals_oracle(name, rows.values, truths, stream_sizes(kind).labels, 2, **params)


#: Learners that explore, with parameters for rows of values up to 100.
EXPLORING = {
    "banditron": {},
    "label-ranking": {"r": 1},
    "margin-bandit": {"c": 0.5},
    "winnow-bandit": {"radius": 100.0},
}


@pytest.mark.parametrize("name", EXPLORING)
@settings(max_examples=30)
@given(
    k=st.integers(2, 5),
    d=st.integers(1, 6),
    seed=st.integers(0, 2**40),
    gamma=st.floats(0.001, 0.999),
    data=st.data(),
)
def test_learner_equals_its_oracle_on_random_rows(name, k, d, seed, gamma, data):
    values = st.floats(-100, 100, allow_subnormal=False)
    row = st.lists(values, min_size=d, max_size=d)
    rows = np.array(data.draw(st.lists(row, min_size=30, max_size=30)))
    labels = st.lists(st.integers(0, k - 1), min_size=30, max_size=30)
    truths = np.array(data.draw(labels), np.int32)
    assert_equals_oracle(name, rows, truths, k, seed, gamma=gamma, **EXPLORING[name])


@pytest.mark.parametrize("name", ["banditron", "perceptron"])
@pytest.mark.parametrize("stream", ["synsep", "synnonsep"])
def test_sparse_rows_of_synsep_equal_the_oracle_too(name, stream, monkeypatch):
    n = 300
    monkeypatch.setattr("onebit.streams.datasets.synsep.BLOCK", n)
    block = next(open_stream(stream, 3).blocks())
    rows = np.zeros((n, FEATURES))
    for i in range(n):
        start, stop = block.rows.starts[i : i + 2]
        rows[i, block.rows.indices[start:stop]] = block.rows.values[start:stop]
    assert_equals_oracle(name, rows, block.truths.labels[:n], LABELS, 3)
