"""State: every array is declared, found by one walk, and grows with the labels."""

from typing import Annotated, Any, NamedTuple

import numpy as np
import pytest

from onebit import Agent, BadInput, checks
from onebit.explorers import explorer
from onebit.kernel.exploration import adapt, explore
from onebit.kernel.growing import grow
from onebit.kernel.round import Bit, learn, score
from onebit.kernel.rows import add, dot
from onebit.kernel.sizes import Sizes
from onebit.kernel.state import (
    CONSTANT,
    DERIVED,
    SCRATCH,
    Axes,
    begin,
    initial_state,
    learned_arrays,
    remembered,
    walk,
)
from onebit.kernel.verbs import implements
from onebit.learners import learner
from onebit.learners.banditron import Banditron

SIZES = Sizes(4, 3)


class Part(NamedTuple):
    weights: Annotated[np.ndarray, Axes("features", "labels")]


@learner(hears=Bit, explorer="epsilon")
class Pair(NamedTuple):
    parts: Any = ()

    @classmethod
    def begin(cls, sizes, seed, params):
        return cls(tuple(initial_state(Part, sizes, {}) for _ in range(2)))


Pair.__doc__ = Banditron.__doc__


@implements(score, Pair)
def _(learner, x, out):
    dot(x, learner.parts[0].weights, out)


@implements(learn, Pair)
def _(learner, x, scores, played, feedback):
    if feedback.correct:
        add(x, 1.0 / played.prob, learner.parts[0].weights, played.label)
    add(x, -1.0, learner.parts[0].weights, played.greedy)
    learner.parts[1].weights[0, played.label] += 1.0


class Bare(NamedTuple):
    arrays: Any = ()

    @classmethod
    def begin(cls, sizes, seed, params):
        return cls((np.zeros(3), np.zeros(3)))


class Undeclared(NamedTuple):
    weights: Any = None

    @classmethod
    def begin(cls, sizes, seed, params):
        return cls(np.zeros(3))


class Listed(NamedTuple):
    weights: Any = None

    @classmethod
    def begin(cls, sizes, seed, params):
        return cls([0.0])


def test_a_plain_tuple_of_states_is_walked():
    state = begin(Pair, SIZES, 0, {})
    assert list(remembered(state)) == ["parts.0.weights", "parts.1.weights"]


@pytest.mark.parametrize("law", checks.laws_for(Pair), ids=lambda law: law.__name__)
def test_a_learner_that_holds_a_plain_tuple_keeps_the_contract(law):
    law(Pair)


def test_a_plain_tuple_of_states_is_saved_and_loaded():
    agent = Agent(Pair, ["a", "b", "c"], features=4, seed=1)
    for n in range(20):
        agent.learn(agent.decide(np.eye(4)[n % 4]), correct=n % 3 == 0)
    again = Agent.from_bytes(agent.to_bytes())
    pairs = zip(walk(agent._player.learner), walk(again._player.learner), strict=True)
    assert all(one.array.any() and (one.array == two.array).all() for one, two in pairs)


@pytest.mark.parametrize("kind", [Bare, Undeclared, Listed])
def test_an_array_that_is_not_declared_is_one_sentence(kind):
    with pytest.raises(
        BadInput, match=rf"^({kind.__name__}|tuple): every array of a state must be"
    ):
        begin(kind, SIZES, 0, {})


class Roles(NamedTuple):
    kept: Annotated[np.ndarray, Axes("labels")]
    made: Annotated[np.ndarray, Axes("labels", role=CONSTANT)]
    work: Annotated[np.ndarray, Axes("labels", role=SCRATCH)]
    twice: Annotated[np.ndarray, Axes("labels", role=DERIVED)]

    def derive(self):
        self.twice[:] = 2 * self.kept


def test_only_what_is_remembered_is_saved():
    assert list(remembered(begin(Roles, SIZES, 0, {}))) == ["kept"]
    assert list(learned_arrays(begin(Roles, SIZES, 0, {}))) == ["kept", "twice"]


def test_growing_copies_what_is_remembered_and_derives_the_rest():
    state = begin(Roles, SIZES, 0, {})
    state.kept[:] = [1, 2, 3]
    state.work[:] = 7
    larger = grow(state, begin(Roles, Sizes(4, 4), 0, {}), SIZES, Sizes(4, 4))
    assert larger.kept.tolist() == [1, 2, 3, 0]
    assert larger.twice.tolist() == [2, 4, 6, 0]
    assert larger.work.tolist() == [0, 0, 0, 0]


class Copies(NamedTuple):
    weights: Annotated[np.ndarray, Axes("features", "labels*n")]
    n: int = 2

    @classmethod
    def begin(cls, sizes, seed, params):
        return cls(np.zeros((sizes.features, sizes.labels * 2)))


def test_labels_with_copies_side_by_side_grow_at_the_end():
    state = begin(Copies, SIZES, 0, {})
    state.weights[:] = np.arange(6)
    larger = grow(state, begin(Copies, Sizes(4, 4), 0, {}), SIZES, Sizes(4, 4))
    assert larger.weights[0].tolist() == [0, 1, 2, 3, 4, 5, 0, 0]


@pytest.mark.parametrize(
    ("within", "value", "fits"),
    [("[0, 1]", 0.0, True), ("(0, 1]", 0.0, False), ("[0, 1)", 1.0, False),
     ("[0, inf)", 1e300, True),
     ("(-inf, inf)", np.nan, False), ("(-inf, inf)", np.inf, False), ("[0, 1]", -1e-300, False)],
)  # fmt: skip
def test_ranges_are_those_that_are_written(within, value, fits):
    assert Axes("labels", within=within).allows(np.array([0.5, value])) is fits


@explorer
class LeastPlayed(NamedTuple):
    """Plays the label that was played least, counting only rounds with feedback."""

    counts: Annotated[np.ndarray, Axes("labels", within="[0, inf)")]


@implements(explore, LeastPlayed)
def _(explorer, situation, greedy, probs):
    probs[:] = 0.0
    least = 0
    for k in range(probs.shape[0]):
        if explorer.counts[k] < explorer.counts[least]:
            least = k
    probs[least] = 1.0


@implements(adapt, LeastPlayed)
def _(explorer, learner, x, played, feedback):
    explorer.counts[played.label] += 1.0


EXPLORER = f"{__name__}.LeastPlayed"


def new():
    return Agent("perceptron", ["a", "b", "c"], features=2, seed=1, explorer=EXPLORER)


def test_an_explorer_may_have_a_state_which_only_feedback_changes():
    import sys

    sys.modules.setdefault(__name__, sys.modules[LeastPlayed.__module__])
    agent = new()
    assert {agent.decide([1, 2]).label for _ in range(5)} == {"a"}
    agent.learn(agent.decide([1, 2]), truth="c")
    assert agent.decide([1, 2]).label == "b"
    agent.learn(agent.decide([1, 2]), truth="c")
    again = Agent.from_bytes(agent.to_bytes())
    assert again._player.explorer.counts.tolist() == [1, 1, 0]
    assert again.decide([1, 2]).label == agent.decide([1, 2]).label == "c"


def test_an_explorers_state_grows():
    agent = new()
    agent.learn(agent.decide([1, 2]), truth="c")
    agent.add_label("d")
    assert agent._player.explorer.counts.tolist() == [1, 0, 0, 0]


def test_a_parameter_with_the_name_of_an_explorers_is_refused():
    from onebit.agent.recipe import Recipe
    from onebit.naming.params import Real

    @learner(hears=Bit, explorer="epsilon")
    class Clash(NamedTuple):
        gamma: Annotated[float, Real("(0, 1)"), "clashes"] = 0.5

    implements(score, Clash)(lambda learner, x, out: None)
    implements(learn, Clash)(lambda learner, x, scores, played, feedback: None)
    with pytest.raises(BadInput, match="must have other names than its explorer's, got gamma"):
        Recipe.parse(Clash)
