"""Rows of the wrong kind are refused: names and numbers mixed, masks, dates, complex numbers."""

import collections
import enum
import itertools
import types
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from onebit import Agent, BadInput
from onebit.errors import BadBlock, BadLabel, BadParameter, BadRow, UnknownChoice, WrongFeedback
from onebit.kernel.block import noiseless_block
from onebit.kernel.features import read_row
from onebit.kernel.rows import DenseRows
from onebit.theory.hypotheses.stumps import Stumps

LABELS = ["a", "b", "c"]


def new(**more):
    return Agent("banditron", labels=LABELS, seed=1, **more)


def calls(agent):
    return [agent.decide, agent.predict, agent.probabilities, agent.rank, agent.offer]


def test_names_are_not_hashed_into_a_few_columns():
    agent = new(features=4)
    for call in calls(agent):
        with pytest.raises(BadRow, match="at least 64, got 4"):
            call({"user": "ann"})
    with pytest.raises(BadRow, match="at least 64"):
        agent.decide_many([{"user": "ann"}])
    assert agent.round == 0
    assert new(features=64).decide({"user": "ann"}).round == 1


@pytest.mark.parametrize("many", [False, True])
@pytest.mark.parametrize("saved", [False, True])
def test_names_and_numbers_are_not_mixed(many, saved):
    named, numbered = {"user": "ann"}, [np.ones(2**18), [1.0] * 2**18, {3: 1.0}]
    agent = new()
    agent.decide_many([named]) if many else agent.decide(named)
    if saved:
        agent = Agent.from_bytes(agent.to_bytes())
    for row in numbered:
        for call in calls(agent):
            with pytest.raises(BadRow, match="must be a dict of names, as those before it"):
                call(row)
        with pytest.raises(BadRow, match="must be a dict of names"):
            agent.decide_many([named, row])
    agent.decide({})  # a row without features is of no kind
    agent = new(features=300)
    agent.decide_many(np.ones((1, 300))) if many else agent.decide(np.ones(300))
    if saved:
        agent = Agent.from_bytes(agent.to_bytes())
    for call in calls(agent):
        with pytest.raises(BadRow, match="numbers without names, as those before it"):
            call(named)
    for rows in ([named, {3: 1.0}], [{3: 1.0}, named]):
        with pytest.raises(BadRow, match="must all be dicts of names or all have none, got both"):
            new().decide_many(rows)
    assert agent.decide({5: 1.0}).round == 2


def test_looking_fixes_no_kind():
    agent = new(features=300)
    agent.predict({"user": "ann"})
    agent.decide(np.ones(300))


STRANGE = [
    np.ma.array([1.0, 2, 3], mask=[0, 1, 0]), np.array([1j, 2, 3]),
    [1j, 2, 3], np.array(["2020", "2021", "2022"], "M8[Y]"), np.array([1, 2, 3], "m8[s]"),
    np.array([(1, 2.0)], dtype=[("a", int), ("b", float)]), ["1", "2", "3"], [b"1", 2, 3],
    np.array(["1", "2", "3"]), np.array(["1", 2, 3], object), [None, 1, 2], [10**400, 1, 2],
    np.array([np.timedelta64(1), 2, 3], object), [[1], [2], [3]], 5, "abc",
    range(10**15),
]  # fmt: skip


@pytest.mark.parametrize("x", STRANGE, ids=lambda x: repr(x)[:40])
def test_arrays_that_are_not_real_numbers_are_refused(x):
    agent = new(features=3)
    for call in calls(agent):
        with pytest.raises(BadRow, match=r"^Agent: [^\n]*\.$"):
            call(x)
    for rows in ([x], [x, x]):
        with pytest.raises(BadRow, match=r"^Agent: [^\n]*\.$"):
            agent.decide_many(rows)
    if isinstance(x, np.ndarray) and x.ndim == 1:
        with pytest.raises(BadRow):
            agent.decide_many(x.reshape(1, -1))
    with pytest.raises(BadRow):  # also before the width is known
        new().decide(x)
    assert agent.round == 0


@pytest.mark.parametrize(
    "value", [np.complex128(1), b"1", np.array([1.0]), np.datetime64("2020"), None, [1.0], 10**400,
              np.timedelta64(3, "s"), np.ma.masked, "red"],
)  # fmt: skip
def test_values_of_a_dict_that_are_not_real_numbers_are_refused(value):
    with pytest.raises(BadRow, match=r"^Agent: [^\n]*\.$"):
        new(features=3).decide({0: value})


def test_a_time_difference_is_no_number_of_a_feature():
    with pytest.raises(BadRow, match="must be a string or a number"):
        new(features=3).decide({np.timedelta64(1, "s"): 1.0})


def test_a_feature_of_too_many_digits_is_one_sentence():
    with pytest.raises(BadRow, match=r"must be in 0\.\.2, got a int that is too long to show"):
        new(features=3).decide({10**5000: 1.0})


@pytest.mark.parametrize(
    "x", [np.float16([1, 2, 3]), np.array([1, 2, 3], np.uint8), [True, False, True], [2**70, 0, 1],
          np.array([Fraction(1, 2), Decimal("0.5"), 1], object), (1, 2.0, np.float32(3)),
          {0: Fraction(1, 2), 1: Decimal(1), 2: np.array(2.0)}, {0: np.bool_(True)}],
    ids=lambda x: repr(x)[:40],
)  # fmt: skip
def test_all_kinds_of_real_numbers_are_read(x):
    assert new(features=3).decide(x).round == 1


def test_iterators_without_end_are_refused():
    agent = new(features=1)
    with pytest.raises(BadLabel, match="at most 1,000,000"):
        Agent("banditron", labels=itertools.count())
    with pytest.raises(BadLabel, match="at most 1,000,000"):
        agent.decide([1.0], among=itertools.count())
    with pytest.raises(UnknownChoice, match="at most open=10000"):
        agent.learn_many(itertools.count(), [True])
    with pytest.raises(BadInput):
        agent.learn_many(agent.decide_many([[1.0]]), itertools.count())
    offer = agent.offer([1.0])
    for endless in ((offer.choice, itertools.count()), (itertools.count(), ())):
        with pytest.raises(UnknownChoice):
            agent.pick(endless, None)


class Endless(list):
    def __iter__(self):
        return itertools.repeat([1.0])


@pytest.mark.parametrize(
    "rows",
    [range(10**9), itertools.repeat([1.0]), itertools.count(), Endless([[1.0]]),
     ([1.0] for _ in range(2)), {1: [1.0]}.values(), {(1.0,)}],
    ids=lambda x: type(x).__name__,
)  # fmt: skip
@pytest.mark.parametrize("learner", ["banditron", "exp4"])
@pytest.mark.parametrize("more", [{}, {"features": 1}])
def test_rows_are_a_list_or_an_array_or_few(rows, learner, more):
    agent = Agent(learner, LABELS, **more)
    for call in (agent.decide_many, agent.predict_many):
        with pytest.raises(BadRow, match=r"rows must be a 2-D array|at most 1,000,000 rows"):
            call(rows)


NAMED = {"user": "ann"}


@pytest.mark.parametrize(
    "form", [list, tuple, collections.deque, lambda rows: np.array([*rows, None], object)[:-1]]
)
def test_every_form_of_many_rows_fixes_their_kind(form):
    agent = new()
    for _ in range(2):
        assert len(agent.decide_many(form([NAMED, NAMED]))) == 2
        with pytest.raises(BadRow, match="must all be dicts of names or all have none, got both"):
            new().decide_many(form([NAMED, np.ones(2**18)]))
        with pytest.raises(BadRow, match="must be a dict of names, as those before it"):
            agent.decide_many(np.ones((1, 2**18)))


def test_a_block_of_arrays_fixes_the_kind_of_rows():
    block = noiseless_block(DenseRows(np.ones((3, 100))), np.zeros(3, np.int32))
    agent = new(features=100)
    agent.play(block)
    with pytest.raises(BadRow, match="numbers without names, as those before it"):
        agent.decide(NAMED)
    agent.decide({5: 1.0})
    agent = new(features=100)
    agent.decide(NAMED)
    with pytest.raises(BadBlock, match="rows must be dicts of names, as those before"):
        agent.play(block)


def test_a_learner_of_advice_takes_no_table():
    table = {"size": [n + 0.5 for n in range(40)], "kind": [*"ep"] * 20}
    encoder = Agent.from_table(table, "kind", "banditron")._encoder
    with pytest.raises(BadParameter, match="Exp4: it reads advice"):
        Agent.from_table(table, "kind", "exp4", scale=False)
    for more in ({}, {"hypotheses": Stumps()}):
        with pytest.raises(BadParameter, match="Exp4: it reads advice"):
            Agent("exp4", ["e", "p"], encoder=encoder, **more)


@pytest.mark.parametrize(
    "columns",
    [[(5, 1, 0)], [(-1, 1, 0)], [(0, 1, 0)] * 2, itertools.repeat((0, 1, 2)), [(2**70, 1, 2)],
     [(0, 3, 9)], [itertools.count()], [(0, 1)], [(0, 1, 10**5000)], 5],
    ids=lambda x: type(x).__name__,
)  # fmt: skip
@pytest.mark.parametrize("learner", ["auto", "banditron"])
def test_columns_are_checked_for_every_learner(learner, columns):
    with pytest.raises(BadParameter, match=r"^Agent: columns must [^\n]*\.$"):
        Agent(learner, LABELS, features=3, columns=columns)
    with pytest.raises(BadParameter, match=r"^Agent: columns must"):  # also when it is known
        Agent(learner, LABELS, columns=columns).decide([1.0, 2.0, 3.0])


def test_what_is_given_beside_an_encoder_is_checked():
    table = {"size": [n + 0.5 for n in range(40)], "kind": [*"ep"] * 20}
    encoder = Agent.from_table(table, "kind", "banditron")._encoder
    for more in ({"columns": itertools.repeat((0, 1, 2))}, {"features": np.ones(2)},
                 {"features": 77}, {"columns": [(0, 1, 1)]}):  # fmt: skip
        with pytest.raises(BadParameter, match=r"^Agent: (columns|features) "):
            Agent("banditron", ["e", "p"], encoder=encoder, **more)


def test_feedback_is_in_order():
    agent = new(features=1)
    choices = agent.decide_many([[1.0], [1.0]])
    for given in ((set(choices), [True, False]), (choices, {True, False})):
        with pytest.raises(WrongFeedback, match="in order, such as a list"):
            agent.learn_many(*given)
    agent.learn_many(choices, [True, False])


def test_masked_feedback_is_refused():
    """A value under a mask is none; also where the choices were made together."""
    agent = new(features=1)
    bits = np.ma.array([True, False], mask=[False, True])
    choices = agent.decide_many([[1.0], [1.0]])
    for given in (choices, list(choices)):
        with pytest.raises(WrongFeedback, match=r"correct must be True or False, got masked"):
            agent.learn_many(given, bits)
    agent.learn_many(choices, np.ma.array([True, False]))
    full = Agent("perceptron", LABELS, features=1)
    with pytest.raises(WrongFeedback, match="truth must be one of the labels"):
        full.learn_many(full.decide_many([[1.0]]), truth=np.ma.array(["a"], mask=[True]))


class Field(str, enum.Enum):  # noqa: UP042  a StrEnum is formatted as its text
    DAY = "day"
    MONDAY = "monday"


def test_a_member_of_an_enumeration_of_texts_is_its_text():
    for member, text in (({Field.DAY: 2.0}, {"day": 2.0}),
                         ({Field.DAY: Field.MONDAY}, {"day": "monday"})):  # fmt: skip
        assert read_row(member, 2**18).indices.tolist() == read_row(text, 2**18).indices.tolist()


def test_records_of_a_table_and_other_rows_are_not_mixed():
    table = {"note": [f"some words of note {n}" for n in range(40)], "kind": [*"ep"] * 20}
    agent = Agent.from_table(table, "kind", "banditron", seed=1)
    assert agent.features > 64  # else names would be refused anyway
    nothing = np.zeros(0, np.int32)
    row = types.SimpleNamespace(
        shape=(1, agent.features), indptr=np.zeros(2, int), indices=nothing, data=np.zeros(0)
    )
    for rows in ([{"note": "some"}, row], [row, {"note": "some"}]):
        with pytest.raises(BadRow, match="a table must be a data frame"):
            agent.decide_many(rows)
    assert len(agent.decide_many([row, row])) == 2
    agent = Agent.from_table(table, "kind", "banditron", seed=1)
    assert agent.round == 0


def test_what_cannot_be_loaded_is_not_saved():
    """Such as weights that overflowed, which are of 32 bits in some boosters."""
    agent = new(features=2)
    choice = agent.decide([1.0, 2.0])
    agent._player.learner.weights[1, 2] = np.inf
    with pytest.raises(BadInput, match="too large, and cannot be saved"):
        agent.to_bytes()
    agent._player.learner.weights[1, 2] = 0.0
    assert Agent.from_bytes(agent.to_bytes()).learn(choice, correct=True) is None


def test_agents_labels_cannot_be_appended_to():
    agent = new(features=2)
    assert isinstance(agent.labels, tuple)
    with pytest.raises(AttributeError):
        agent.labels = ["x", "y"]
