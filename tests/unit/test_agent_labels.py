"""Labels that come and go: added, retired, restored, and chosen among."""

import functools
import math

import numpy as np
import pytest

from onebit import Agent
from onebit.errors import BadInput, BadLabel
from onebit.kernel.sizes import Column
from onebit.kernel.state import learned_arrays
from onebit.theory.hypotheses.stumps import Stumps

X = np.array([1.0, 0.5, -1.0])


def trained(learner="banditron", labels=("a", "b", "c"), **more):
    agent = Agent(learner, labels=labels, features=3, seed=2, **more)
    for n in range(60):
        choice = agent.decide(np.roll(X, n))
        agent.learn(choice, correct=choice.label == labels[n % 3])
    return agent


def test_retired_labels_are_not_played_and_come_back():
    agent = trained()
    agent.retire("b")
    assert agent.active_labels == ("a", "c")
    assert {agent.decide(X).label for _ in range(300)} == {"a", "c"}
    assert set(agent.probabilities(X)) == {"a", "c"}
    assert sum(agent.probabilities(X).values()) == pytest.approx(1.0)
    assert set(agent.rank(X)) == {"a", "c"}
    assert agent.predict(X) in ("a", "c")
    again = Agent.from_bytes(agent.to_bytes())
    assert again.active_labels == ("a", "c")
    agent.restore("b")
    assert {agent.decide(X).label for _ in range(300)} == {"a", "b", "c"}
    for call in (lambda: agent.restore("b"), lambda: agent.retire("z"), lambda: agent.retire([1])):
        with pytest.raises(BadLabel):
            call()


def test_one_label_may_be_left_but_not_none():
    agent = trained()
    agent.retire("a")
    agent.retire("b")
    choice = agent.decide(X)
    assert (choice.label, choice.prob, choice.marginal) == ("c", 1.0, 1.0)
    agent.learn(choice, correct=False)
    with pytest.raises(BadLabel, match="the last one"):
        agent.retire("c")


def test_among_spreads_the_exploration_over_what_is_allowed():
    agent = trained(gamma=0.3)
    counts = dict.fromkeys("abc", 0)
    for n in range(2000):
        choice = agent.decide(X, among=["a", "c"], draw=n)
        counts[choice.label] += 1
        assert choice.prob == pytest.approx(0.85 if choice.label == choice.greedy else 0.15)
    assert counts["b"] == 0
    rare = min(counts["a"], counts["c"])
    assert abs(rare - 300) < 5 * math.sqrt(2000 * 0.15 * 0.85)


@pytest.mark.parametrize("among", [[], ["z"], "abc", 5, [["a"]], None])
def test_among_what_cannot_be(among):
    agent = trained()
    agent.retire("c")
    if among is None:
        with pytest.raises(BadLabel, match="none that is retired"):
            agent.decide(X, among=["c"])
        return
    with pytest.raises(BadLabel):
        agent.decide(X, among=among)


def test_swap_says_when_there_are_too_few():
    agent = Agent("label-ranking", labels=list("abcd"), features=3, r=2)
    with pytest.raises(BadInput, match=r"^Swap: it shows r=2 labels, and must have more .*, got 2"):
        agent.decide(X, among=["a", "b"])
    agent.retire("a")
    offer = agent.offer(X)
    assert len(offer.shown) == 2
    assert "a" not in offer.shown
    agent.pick(offer, offer.shown[0])


def test_a_new_label_is_played_and_learned():
    agent = trained(gamma=0.3)
    waiting = agent.decide(X)
    agent.add_label("new")
    assert agent.labels == ("a", "b", "c", "new")
    agent.learn(waiting, correct=True)
    for _ in range(400):
        choice = agent.decide(X)
        agent.learn(choice, correct=choice.label == "new")
    assert agent.predict(X) == "new"
    again = Agent.from_bytes(agent.to_bytes())
    assert again.predict(X) == "new"
    with pytest.raises(BadLabel, match="must be new"):
        agent.add_label("a")
    with pytest.raises(BadLabel, match="hashable"):
        agent.add_label([1])


@pytest.mark.parametrize(
    "spec", ["cova:base=naive-bayes", "banditboost:n=2,weak=naive-bayes", "perceptron", "softmax"]
)
def test_columns_are_kept_when_a_label_is_added(spec):
    """Those of categories, for learners that use them, and the scaling of numbers."""
    columns, rng = [Column(0, 3, 3), Column(3, 1, 0)], np.random.default_rng(2)
    agent = Agent(spec, ["a", "b", "c"], features=4, columns=columns, scale=True, seed=1)
    hears_label = spec == "perceptron"
    for n in range(60):
        x = np.append(np.eye(3)[n % 3], 40.0 + n % 3 + rng.random())
        choice = agent.decide(x)
        right = "abc"[n % 3]
        agent.learn(
            choice, **{"truth": right} if hears_label else {"correct": choice.label == right}
        )
    rows = [np.append(np.eye(3)[k], 40.5 + k) for k in range(3)]
    before = [agent.predict(x) for x in rows]
    state = agent._player.learner
    agent.add_label("d")
    assert agent._core.sizes.columns == tuple(columns)
    assert [agent.predict(x) for x in rows] == before == ["a", "b", "c"]
    if agent.scales:
        assert agent._player.learner.scaling.means.tolist() == state.scaling.means.tolist()
        assert agent._player.learner.scaling.ssds.tolist() == state.scaling.ssds.tolist()
    again = Agent.from_bytes(agent.to_bytes())
    for each in (agent, again):
        choice = each.decide(rows[1])
        each.learn(choice, **{"truth": "d"} if hears_label else {"correct": True})
    assert again._columns == tuple(columns)
    arrays = [learned_arrays(each._player.learner) for each in (agent, again)]
    assert all(np.array_equal(arrays[0][name], arrays[1][name]) for name in arrays[0])


def test_a_new_label_starts_with_the_mean_loss_of_the_others():
    for name in ("exp3", "exp3ix", "exp3p"):
        agent = trained(name)
        losses = agent._player.learner.losses.copy()
        agent.add_label("new")
        assert agent._player.learner.losses[3] == losses.mean()
        probs = agent.probabilities(X)
        assert min(losses) == max(losses) or probs["new"] < max(probs.values())


def test_settings_that_depend_on_the_number_of_labels_are_settled_again():
    agent = trained("banditboost", n=3)
    before = agent._player.learner.eta
    agent.add_label("new")
    assert agent._player.learner.eta == pytest.approx(before * 3 / 4)
    agent = Agent("banditron", list("abc"), features=3, gamma="auto", horizon=10**6)
    before = agent._player.explorer.gamma
    agent.add_label("d")
    assert agent._player.explorer.gamma == pytest.approx(before * math.sqrt(4 / 3))


@pytest.mark.parametrize(
    ("learner", "more"),
    [("winnow", {"labels": ["x", "y"]}), ("cover-halving", {"labels": ["x", "y"], "D": 2}),
     ("soa", {"labels": ["x", "y"]}), ("exp4", {"labels": ["x", "y"], "hypotheses": Stumps()})],
)  # fmt: skip
def test_learners_that_cannot_grow_say_so(learner, more):
    agent = Agent(learner, features=2, **more)
    with pytest.raises(BadLabel, match=r"it takes 2 labels|class of hypotheses is made for 2"):
        agent.add_label("z")
    assert agent.labels == ("x", "y")


class Missing:
    """As pandas.NA: whether it equals anything, itself too, is neither true nor false."""

    __hash__ = object.__hash__

    def __eq__(self, other):
        return self

    def __bool__(self):
        raise TypeError


DEEP = functools.reduce(lambda inner, _: (inner,), range(3000), ())


@pytest.mark.parametrize(
    "label",
    [["d"], ("d", ["e"]), math.nan, ("d", math.nan), Missing(), DEEP],
    ids=lambda x: type(x),
)
def test_labels_that_cannot_be_are_refused(label):
    agent = trained()
    with pytest.raises(BadLabel):
        agent.add_label(label)
    with pytest.raises(BadLabel):
        Agent("banditron", labels=["a", label])
    assert agent.labels == ("a", "b", "c")


def test_a_label_of_too_many_digits_is_shown_but_not_written():
    agent = Agent("banditron", labels=[10**5000, "x" * 1000], features=1)
    assert len(repr(agent)) < 300
    agent.retire(10**5000)
    with pytest.raises(BadLabel, match=r"none that is retired, got .*too long to show"):
        agent.decide([1.0], among=[10**5000])
    agent.restore(10**5000)
    for write in (agent.to_bytes, agent.decide([1.0]).to_json):
        with pytest.raises(BadInput, match="labels must be strings, numbers, None or tuples"):
            write()


def test_a_frozenset_that_is_a_label_is_no_set_of_labels():
    both = frozenset({"a"})
    agent = Agent("perceptron", labels=["a", both], features=1, seed=1)
    choices = [agent.decide([1.0]) for _ in range(20)]  # a tie, so both are played
    played = {choice.label: choice for choice in choices}
    agent.learn(played["a"], truth=both)  # the label
    assert agent._player.learner.weights.tolist() == [[-1.0, 1.0]]
    agent.learn(agent.decide([1.0]), truth={"a"})  # a set
    assert agent._player.learner.weights.tolist() == [[0.0, 0.0]]


def test_labels_cannot_be_appended_to_by_accident():
    agent = trained()
    with pytest.raises(AttributeError):
        agent.labels.append("d")
    with pytest.raises(AttributeError):
        agent.labels = ("x", "y")
