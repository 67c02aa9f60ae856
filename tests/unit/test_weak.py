"""Weak learners: equal bits in every form, input errors, and a user's weak learner."""

import json
import sys
from typing import NamedTuple

import numpy as np
import pytest
from lazy import Lazy

from onebit import Agent
from onebit.agent.recipe import Recipe
from onebit.checks.easy_streams import easy_stream
from onebit.errors import BadInput, Remark
from onebit.kernel import engine
from onebit.kernel.block import noiseless_block
from onebit.kernel.rows import Dense, DenseRows, as_sparse
from onebit.kernel.sizes import NUMERIC, Column, Sizes
from onebit.kernel.state import learned_arrays
from onebit.kernel.verbs import implements
from onebit.learners import weak

ALL = [
    *(f"banditboost:weak={name},n=3,step=smooth" for name in weak.names()),
    *(f"banditboost:weak={name},n=3,step=literal,dtype=float32" for name in weak.names()),
    "cova:base=naive-bayes,rule=all-if-correct",  # with the others it equals its oracle
]


def nonnegative_stream(n):
    """The easy stream without its negative values."""
    rows, truths = easy_stream(n)
    return DenseRows(np.maximum(rows.values, 0.0)), truths


def played(spec, rows, truths, play=engine.play):
    player = Recipe.parse(spec).player(Sizes(16, 4, [Column(0, 3, 4), Column(15, 1, NUMERIC)]), 5)
    play(player, noiseless_block(rows, truths), 1, np.empty(len(truths), np.bool_))
    return {name: array.tobytes() for name, array in learned_arrays(player.learner).items()}


@pytest.mark.parametrize("spec", ALL)
def test_python_compiled_dense_and_sparse_agree(spec):
    rows, truths = nonnegative_stream(60)
    python = played(spec, rows, truths, engine.play.body)
    if "float32" not in spec:
        assert played(spec, rows, truths) == python
    assert played(spec, as_sparse(rows), truths) == python


@pytest.mark.parametrize("name", weak.names())
def test_save_load_and_go_on(name, tmp_path):
    rows, truths = nonnegative_stream(80)
    columns = [Column(0, 3, 4), Column(5, 2, 2), Column(9, 1, NUMERIC)]
    agent = Agent("banditboost", range(4), features=16, columns=columns, n=4, weak=name)
    agent.play(noiseless_block(rows, truths).head(50))
    agent.save(tmp_path / "agent.npz")
    again = Agent.load(tmp_path / "agent.npz")
    missed = [each.play(noiseless_block(rows, truths)).tolist() for each in (agent, again)]
    assert missed[0] == missed[1]
    states = [learned_arrays(each._player.learner) for each in (agent, again)]
    assert all(states[0][name].tobytes() == states[1][name].tobytes() for name in states[0])


def test_predicting_does_not_change_a_snapshot(tmp_path):
    rows, truths = nonnegative_stream(30)
    agent = Agent("banditboost", range(4), features=16, n=4)
    agent.play(noiseless_block(rows, truths))
    agent.save(tmp_path / "before.npz")
    agent.predict(rows.values[3])
    agent.save(tmp_path / "after.npz")
    assert (tmp_path / "before.npz").read_bytes() == (tmp_path / "after.npz").read_bytes()


def test_columns_are_checked_in_a_snapshot_and_by_naive_bayes():
    for columns in ([Column(0, 3, 3), Column(2, 2, 2)], [Column(3, 2, 2)], [Column(2, -1, 2)]):
        with pytest.raises(BadInput, match="columns must not overlap or reach beyond 4"):
            Agent("cova:base=naive-bayes", [*"ab"], features=4, columns=columns)


@pytest.mark.parametrize("learner", ["banditboost", "cova", "boost"])
def test_naive_bayes_refuses_negative_values_and_stays_as_it_was(learner):
    option = {"base" if learner == "cova" else "weak": "naive-bayes"}
    agent = Agent(learner, ["a", "b"], features=2, seed=1, **option)

    def learn(x):
        feedback = {"truth": "a"} if learner == "boost" else {"correct": True}
        agent.learn(agent.decide(x), **feedback)

    learn([1.0, 0.0])
    bank = agent._player.learner.base if learner == "cova" else agent._player.learner.weak
    before = {
        name: array.tobytes() for name, array in learned_arrays(agent._player.learner).items()
    }
    sentence = "naive-bayes counts values, and a row has a negative one"
    for act in (learn, agent.predict):
        with pytest.raises(BadInput, match=sentence):
            act([1.0, -2.0])
    assert before == {
        name: a.tobytes() for name, a in learned_arrays(agent._player.learner).items()
    }
    assert agent.round == 1
    learn([0.0, 1.0])
    before = bank.counts.copy()
    with pytest.raises(BadInput, match=sentence):  # with a stream, after its block
        agent.play(noiseless_block(DenseRows(np.array([[1.0, -2.0]])), np.zeros(1, np.int32)))
    assert (bank.counts == before).all()


def test_a_feature_that_is_nearly_always_present_leaves_naive_bayes_finite():
    """The weight of rows without the feature may be negative by rounding, and is set to 0."""
    agent = Agent("banditboost", range(2), features=2, n=3, weak="naive-bayes", step="literal",
                  delta=0.08, dtype="float32", seed=4)  # fmt: skip
    rows = np.ones((3000, 2))
    rows[::1000, 0] = 0.0
    agent.play(noiseless_block(DenseRows(rows), (np.arange(3000) % 3 == 0).astype(np.int32)))
    for x in ([0, 1], [1, 0], [0, 0]):
        agent.predict(x)
        assert np.isfinite(agent._player.scores).all()


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"n": 0}, "BanditBoost: n must be a whole number, at least 1, got 0."),
        ({"advantage": 0.5}, "BanditBoost: advantage must be a number in (0, 0.5), got 0.5."),
        ({"delta": 0}, "BanditBoost: delta must be a number in (0, 1), got 0."),
        ({"theta": 1.5}, "BanditBoost: theta must be auto or a number in (0, 1), got 1.5."),
        ({"weak": "percepton"}, "BanditBoost: weak must be one of naive-bayes, ogd, pa, perceptron,"
         " stump, or a package.module.Class, got percepton."),
        ({"weak": "json.JSONDecoder"}, "BanditBoost: weak must be one of naive-bayes, ogd, pa,"
         " perceptron, stump, or a package.module.Class, got json.JSONDecoder."),
        ({"dtype": "int8"}, "BanditBoost: dtype must be one of float64, float32, got int8."),
    ],
)  # fmt: skip
def test_bad_parameters_are_one_sentence(params, sentence):
    with pytest.raises(BadInput) as error:
        Agent("banditboost", [*"ab"], features=2, **params)
    assert str(error.value) == sentence


def test_delta_above_the_advantage_is_allowed_with_a_warning():
    agent = Agent("banditboost", [*"ab"], features=2, delta=0.3)
    with pytest.warns(Remark, match="delta 0.3 is above the advantage 0.1"):
        agent.learn(agent.decide([1.0, 0.0]), correct=True)
    agent.learn(agent.decide([1.0, 0.0]), correct=True)  # warns only once


def test_auto_eta_and_theta_are_the_papers():
    agent = Agent("banditboost", [*"abcd"], features=2, delta=0.05, advantage=0.2)
    learner = agent._player.learner
    assert (learner.eta, learner.theta) == (0.05**3 / 4, 0.2 / 2.2)
    agent = Agent("banditboost", [*"abcd"], features=2, explorer="softmax", eta=0.5, theta=0.3)
    assert (agent._player.learner.eta, agent._player.learner.theta) == (0.5, 0.3)


def test_diagnostics_have_advantage_weight_and_voters():
    rows, truths = nonnegative_stream(2000)
    agent = Agent("banditboost", range(4), features=16, n=5, step="literal", start="zero")
    assert agent.diagnostics()["m"] == 0
    agent.play(noiseless_block(rows, truths))
    told = json.loads(json.dumps(agent.diagnostics()))
    assert len(told["advantage"]) == len(told["weight"]) == 5
    assert all(-1 <= value <= 1 for value in told["advantage"])
    assert told["advantage"][0] > 0.2
    # the weight of the first copy is always 1, so its estimate is about 1 per round and label
    assert abs(told["weight"][0] - 1) < 0.5
    assert told["weight"] == sorted(told["weight"], reverse=True)
    assert all(1 <= voters <= 5 + 1e-9 for voters in told["effective_voters"])
    assert 1 <= told["m"] <= 5
    twin = Agent("boost", [*"ab"], features=2, n=7)
    twin.learn(twin.decide([1.0, 0.0]), truth="a")
    assert twin.diagnostics()["weight"][0] == 1.0
    assert Agent("banditron", [*"ab"], features=2).diagnostics() == {}
    assert Agent("banditboost", [*"ab"]).diagnostics() == {}


def test_a_users_weak_learner_is_one_file(tmp_path):
    rows, truths = nonnegative_stream(400)
    agent = Agent("banditboost", range(4), features=16, n=3, weak="lazy.Lazy")
    assert agent.play(noiseless_block(rows, truths)).mean() < 0.75
    assert agent.recipe.spec.params["weak"] == "lazy.Lazy"
    assert Lazy in agent.recipe.kinds
    agent.save(tmp_path / "agent.npz")
    assert Agent.load(tmp_path / "agent.npz").recipe == agent.recipe


def test_a_snapshot_never_imports_a_weak_learner(tmp_path, monkeypatch):
    agent = Agent("banditboost", [*"ab"], features=2, n=2, weak="lazy.Lazy")
    agent.save(tmp_path / "agent.npz")
    monkeypatch.delitem(sys.modules, "lazy")
    with pytest.raises(BadInput, match=r"lazy\.Lazy is not part of onebit; import its module"):
        Agent.load(tmp_path / "agent.npz")


@pytest.mark.parametrize("name", ["perceptron", "pa", "ogd"])
def test_an_empty_row_changes_nothing(name):
    options = {"n": 2, "reading": "literal", "start": "random"}
    bank = weak.make_bank(name, Sizes(3, 2), 1, options)
    weights = (bank.linear if name == "ogd" else bank).weights
    before = weights.copy()
    x, votes = Dense(np.zeros(3)), np.empty((2, 2))
    weak.vote(bank, x, votes)
    assert (votes == (0.0 if name == "ogd" else 1.0)).all()
    weak.train(bank, x, 1, -1.0, np.ones(2))
    assert (weights == before).all()


def test_ogd_stays_in_the_unit_ball_and_can_shrink_forever():
    bank = weak.make_bank("ogd", Sizes(2, 1), 1, {"n": 1, "reading": "literal", "start": "random"})
    x, votes = Dense(np.array([3.0, 4.0])), np.empty((1, 1))
    bank.linear.weights[:] *= 1e101
    bank.shrink[:] *= 1e-101
    for _ in range(3):
        weak.vote(bank, x, votes)
        weak.train(bank, x, 0, 1.0, np.ones(1))
        length = np.sqrt((bank.linear.weights**2).sum()) * bank.shrink[0, 0]
        assert abs(length**2 - bank.linear.squares[0, 0]) < 1e-9
        assert length <= 1 + 1e-9
    assert bank.shrink[0, 0] > 1e-3


def test_float32_halves_the_large_arrays():
    wide, narrow = (
        Agent("banditboost", [*"ab"], features=100, dtype=dtype)._player.learner.weak.weights.nbytes
        for dtype in ("float64", "float32")
    )
    assert wide == 2 * narrow


@pytest.mark.parametrize("name", weak.names())
@pytest.mark.parametrize("booster", ["banditboost", "banditboost:step=literal", "boost"])
def test_the_unit_of_the_rows_does_not_matter(booster, name):
    rows, truths = nonnegative_stream(200)
    one, two = (
        Agent(booster, range(4), features=16, n=3, weak=name).play(
            noiseless_block(DenseRows(unit * rows.values), truths)
        )
        for unit in (1.0, 2.0**-9)
    )
    assert one.tolist() == two.tolist()


def test_perceptrons_differ_from_the_start_unless_it_is_zero():
    rows, truths = nonnegative_stream(300)
    for start, equal in (("auto", False), ("zero", True)):
        agent = Agent("banditboost", range(4), features=16, n=4, start=start)
        agent.play(noiseless_block(rows, truths))
        copies = agent._player.learner.weak.weights.reshape(16, 4, 4)
        assert bool((copies == copies[:, :, :1]).all()) == equal


def test_a_random_start_draws_only_the_features_that_occur():
    agent = Agent("banditboost", [*"ab"], features=20_000, n=10)
    choice = agent.decide({3: 1.0, 77: 2.0})
    agent.learn(choice, correct=False)
    weights = agent._player.learner.weak.weights
    while not weights.any():  # no copy erred yet
        agent.learn(agent.decide({3: 1.0, 77: 2.0}), correct=False)
    assert np.flatnonzero(agent._player.learner.weak.drawn).tolist() == [3, 77]
    assert len(agent.to_bytes()) < 20_000


def test_a_label_that_is_added_starts_at_random_too(tmp_path):
    rows, truths = nonnegative_stream(100)
    small = Agent("banditboost", range(3), features=16, n=4, seed=1)
    large = Agent("banditboost", range(4), features=16, n=4, seed=1)
    small.play(noiseless_block(rows, truths % 3))
    small.add_label(3)
    bank, fresh = small._player.learner.weak, large._player.learner.weak
    x, votes = rows.values[0], np.empty((4, 4))
    weak.vote(bank, Dense(x), votes)
    margins = bank.margins.reshape(4, 4)[3].copy()
    weak.vote(fresh, Dense(x), votes)
    np.testing.assert_allclose(margins, fresh.margins.reshape(4, 4)[3], rtol=1e-12)
    new = bank.weights.reshape(16, 4, 4)[:, 3]
    np.testing.assert_allclose(bank.squares[3], (new**2).sum(axis=0), rtol=1e-12)


class OneGoodVoter(NamedTuple):
    """Copy 0 says whether its label is the row's number, the others vote for every label."""

    n: weak.Copies = 1


weak.weak(OneGoodVoter)


@implements(weak.vote, OneGoodVoter)
def _(bank, x, out):
    for k in range(out.shape[0]):
        for i in range(out.shape[1]):
            out[k, i] = -1.0 if i == 0 and x.values[0] != k else 1.0


@implements(weak.train, OneGoodVoter)
def _(bank, x, label, y, weights):
    pass


@pytest.mark.parametrize("voting", ["multiplicative", "gradient"])
def test_an_adaptive_rate_leaves_bad_voters_out_and_the_papers_does_not(voting):
    truths = (np.arange(600) % 3).astype(np.int32)
    block = noiseless_block(DenseRows(truths[:, None].astype(float)), truths)
    path = f"{__name__}.OneGoodVoter"
    voters = {}
    for eta in ("auto", "adaptive"):
        agent = Agent("banditboost", range(3), features=1, n=20, eta=eta, weak=path, voting=voting)
        missed = agent.play(block)
        voters[eta] = agent.diagnostics()["effective_voters"]
    assert min(voters["auto"]) > 19.9
    assert max(voters["adaptive"]) < 4.0
    assert missed[300:].mean() < 0.1
