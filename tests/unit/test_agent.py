"""The Agent: rows of every kind, feedback of every kind, and sentences for the rest."""

import copy
import json

import numpy as np
import pytest

from onebit import Agent, BadInput, Choice
from onebit.agent.recipe import Recipe
from onebit.kernel.features import HASHED_WIDTH, read_row

LABELS = ["sports", "politics", "arts"]


class CsrRow:
    """As much of a CSR row as is needed, so that no test needs scipy."""

    def __init__(self, width, entries):
        self.shape = (1, width)
        self.indices = np.array([j for j, _ in entries], np.int32)
        self.data = np.array([v for _, v in entries])
        self.indptr = np.array([0, len(entries)], np.int32)
        self.entries = entries

    def __repr__(self):
        return f"CsrRow({self.shape[1]}, {self.entries})"


def agent(**more):
    return Agent("banditron", labels=LABELS, **{"features": 4, "seed": 7, **more})


def weights(agent):
    return agent._player.learner.weights.copy()


def state(agent):
    return (
        weights(agent).tobytes(),
        agent.round,
        [number for number, _ in agent._open.items()],
        agent.features,
    )


def test_every_kind_of_row_teaches_the_same():
    rows = [
        np.array([0.0, 1.0, 0.0, 2.0]),
        [0, 1, 0, 2],
        (0.0, 1.0, 0.0, 2.0),
        {1: 1, 3: 2.0},
        {3: 2, 1: True},
        CsrRow(4, [(1, 1.0), (3, 2.0)]),
        CsrRow(4, [(3, 2.0), (1, 0.5), (1, 0.5)]),
        np.array([0, 1, 0, 2], np.float32),
    ]
    results = []
    for x in rows:
        a = agent()
        a.learn(a.decide(x), correct=True)
        a.learn(a.decide(x), correct=False)
        results.append(weights(a).tobytes())
    assert len(set(results)) == 1


def test_a_row_of_names_is_hashed_to_a_fixed_width():
    import mmh3

    a = Agent("perceptron", labels=LABELS, seed=1)
    a.learn(a.decide({"goal": 2, "city": "Oslo", "late": True}), truth="arts")
    assert a.features == HASHED_WIDTH
    touched = set(np.flatnonzero(weights(a).any(axis=1)).tolist())
    names = ["goal", "city=Oslo", "late"]
    assert touched <= {mmh3.hash(name, signed=False) % HASHED_WIDTH for name in names}


def test_the_users_array_may_change_after_the_decision():
    x = np.ones(4)
    one, two = agent(), agent()
    choice, other = one.decide(x), two.decide(x.copy())
    x[:] = 5
    one.learn(choice, correct=True)
    two.learn(other, correct=True)
    assert weights(one).tobytes() == weights(two).tobytes()


@pytest.mark.parametrize(
    "x",
    [
        [1, 2, 3],
        [1, 2, 3, float("nan")],
        [1, 2, 3, float("inf")],
        [1, 2, 3, 1e101],
        {4: 1.0},
        {-1: 1.0},
        {1.5: 1.0},
        {True: 1.0},
        {1: float("nan")},
        {1: None},
        {1: [2]},
        {None: 1.0},
        {("a", "b"): 1.0},
        np.ones((2, 4)),
        np.ones((1, 4)),
        "text",
        None,
        7,
        ["a", "b", "c", "d"],
        [1, [2], 3, 4],
        [1, 2, 3, 10**400],
        {1: 10**400},
        {"\ud800": 1.0},
        {"name": "\ud800"},
        [],
        CsrRow(5, [(0, 1.0)]),
        CsrRow(4, [(9, 1.0)]),
        CsrRow(4, [(0, float("inf"))]),
    ],
    ids=repr,
)
def test_a_bad_row_is_one_sentence_and_changes_nothing(x):
    a = agent()
    a.learn(a.decide([1, 0, 0, 1]), correct=False)
    before = state(a)
    for verb in (a.decide, a.predict, a.probabilities, a.rank):
        with pytest.raises(BadInput, match=r"^Agent: [^\n]*\.$"):
            verb(x)
    assert state(a) == before


@pytest.mark.parametrize("columns", [5, [5], [(0, 2, 2.5)], [(0, 2)], "abc"])
def test_columns_that_are_none_are_one_sentence(columns):
    with pytest.raises(BadInput, match=r"^Agent: columns must be whole numbers .*\.$"):
        Agent("banditron", labels=LABELS, columns=columns)


def test_columns_may_be_numpys_numbers(tmp_path):
    columns = [tuple(np.array([0, 2, 2]))]
    Agent("cova", labels=LABELS, features=2, columns=columns).save(tmp_path / "agent.npz")
    assert Agent.load(tmp_path / "agent.npz").features == 2


def test_a_state_that_no_memory_holds_is_one_sentence():
    with pytest.raises(BadInput, match=r"must fit into memory, got an array of 2,147,483,647 x 1"):
        Agent("banditron", labels=range(10**5), features=2**31 - 1)
    with pytest.raises(BadInput, match="features must be a whole number from 1 to 2147483647"):
        Agent("banditron", labels=LABELS, features=10**15)


@pytest.mark.parametrize("kind", [np.int32, np.int64])
def test_a_csr_row_is_the_same_sorted_or_not_in_any_arrays(kind):
    """What compiled code takes at once, and what goes the long way, are the same rows."""
    quick = CsrRow(90, [(1, 1.5), (7, -0.0), (80, 2.0)])
    rows = [quick, *(copy.copy(quick) for _ in range(6))]
    for each in rows:
        each.indices = each.indices.astype(kind)
    rows[1].indices, rows[1].data = rows[1].indices[::-1], rows[1].data[::-1]  # other strides
    rows[2].data = rows[2].data.astype(">f8")
    rows[3].indices.flags.writeable = False
    rows[4].indptr = rows[4].indptr.astype(np.uint8)
    rows[5].indices, rows[5].data = (a.repeat(2)[::2] for a in (rows[5].indices, rows[5].data))
    rows[6].indices, rows[6].data = (np.pad(a, 1) for a in (rows[6].indices, rows[6].data))
    rows[6].indptr = np.array([1, 4])
    found = [read_row(each, 90) for each in rows]
    for each in found:
        assert [a.tobytes() for a in each] == [a.tobytes() for a in found[0]]
        assert each.indices.dtype == np.int32
    for wrong in ([(1, 1.0), (90, 1.0)], [(-1, 1.0)], [(2**31 if kind is np.int64 else 91, 1.0)]):
        row = CsrRow(90, [])
        row.indices = np.array([j for j, _ in wrong], kind)
        row.data, row.indptr = np.ones(len(wrong)), np.array([0, len(wrong)])
        with pytest.raises(BadInput, match="feature's number must be in"):
            read_row(row, 90)


def test_the_first_row_fixes_the_width_and_a_look_does_not():
    a = Agent("banditron", labels=LABELS)
    assert a.predict([1, 2, 3]) == "sports"
    assert a.probabilities({"x": 1})["sports"] == pytest.approx(1 / 3)  # all labels are equals
    assert a.features is None
    a.decide([1, 2])
    assert a.features == 2
    with pytest.raises(BadInput, match="must have 2 features, got 3"):
        a.decide([1, 2, 3])


def test_numbered_features_need_a_width():
    with pytest.raises(BadInput, match="features=N"):
        Agent("banditron", labels=LABELS).decide({3: 1.0})


def test_a_choice_is_small_and_survives_json():
    a = agent()
    choice = a.decide([1, 0, 0, 0])
    fields = ("agent", "round", "greedy", "label", "prob", "marginal", "token")
    assert choice._fields == fields
    assert (choice.round, choice.agent) == (1, a.id)
    again = Choice(*json.loads(json.dumps(choice)))
    assert again == choice
    a.learn(again, correct=True)


def test_used_foreign_altered_and_forgotten_choices_are_refused():
    a, b = agent(open=2), agent()
    used = a.decide([1, 0, 0, 0])
    a.learn(used, correct=True)
    forgotten = a.decide([0, 1, 0, 0])
    kept = [a.decide([0, 0, 1, 0]), a.decide([0, 0, 0, 1])]
    before = state(a)
    for choice, words in (
        (used, "not open"),
        (forgotten, "not open"),
        (b.decide([1, 0, 0, 0]), "made by agent"),
        (kept[0]._replace(prob=0.5), "was changed after decide"),
        (
            kept[0]._replace(label="arts" if kept[0].label != "arts" else "sports"),
            "was changed after decide",
        ),
        (kept[0]._replace(round="x"), "not open"),
        ("sports", "takes a Choice"),
        (None, "takes a Choice"),
    ):
        with pytest.raises(BadInput, match=words):
            a.learn(choice, correct=True)
    assert state(a) == before
    for choice in kept:
        a.learn(choice, correct=False)


@pytest.mark.parametrize("bit", [None, 2, "yes", 0.5, float("nan")])
def test_a_bit_is_true_or_false(bit):
    a = agent()
    choice = a.decide([1, 0, 0, 0])
    before = state(a)
    with pytest.raises(BadInput, match="correct must be True or False"):
        a.learn(choice, correct=bit)
    assert state(a) == before
    a.learn(choice, correct=np.True_)


def test_full_information_takes_a_label_that_exists():
    a = Agent("perceptron", labels=LABELS, features=2)
    choice = a.decide([1, 2])
    for truth in ("science", 0, None, ["science"]):
        with pytest.raises(BadInput, match="truth must be one of the labels"):
            a.learn(choice, truth=truth)
    a.learn(choice, truth="arts")


@pytest.mark.parametrize("labels", [[], ["one"], ["a", "a"], [1, True]])
def test_labels_are_two_or_more_and_different(labels):
    with pytest.raises(BadInput, match="at least 2 and all different"):
        Agent("banditron", labels=labels)


def test_labels_are_hashable_and_a_list():
    with pytest.raises(BadInput, match="hashable"):
        Agent("banditron", labels=[[1], [2]])


@pytest.mark.parametrize(
    "settings",
    [{"seed": -1}, {"seed": "x"}, {"open": 0}, {"features": 0}, {"features": 2.5}, {"gamma": 0}],
)
def test_bad_settings_are_one_sentence(settings):
    with pytest.raises(BadInput, match=r"^(Agent|Banditron): \w+ must be .*, got .*\.$"):
        Agent("banditron", labels=LABELS, **settings)


def test_rank_and_probabilities():
    a = Agent("perceptron", labels=LABELS, features=1)
    a._player.learner.weights[0] = [1.0, 3.0, 3.0]
    assert a.rank([1.0]) == ["politics", "arts", "sports"]
    assert a.rank([1.0], 2) == ["politics", "arts"]
    assert a.rank([1.0], 99) == ["politics", "arts", "sports"]
    assert a.predict([1.0]) == "politics"
    assert a.probabilities([1.0]) == {"sports": 0.0, "politics": 0.5, "arts": 0.5}
    with pytest.raises(BadInput, match="k must be a whole number"):
        a.rank([1.0], 0)


def test_rounds_are_counted_and_the_seed_decides():
    one, two, other = agent(), agent(), agent(seed=8)
    xs = np.eye(4)
    plays = [[a.decide(xs[n % 4])[1:6] for n in range(300)] for a in (one, two, other)]
    assert plays[0] == plays[1] != plays[2]
    assert one.round == 300
    assert one.id != two.id


@pytest.mark.parametrize(("labels", "came"), [(5, "5"), (None, "None"), ("abc", "abc")])
def test_labels_that_are_no_list(labels, came):
    with pytest.raises(BadInput, match=f"^Agent: labels must be a list of labels, got {came}.$"):
        Agent("banditron", labels=labels)


@pytest.mark.parametrize("labels", [{"a", "b"}, frozenset({1, 2})])
def test_labels_without_an_order_are_refused(labels):
    """A set of strings has another order in each process; the keys of a dict have one."""
    with pytest.raises(
        BadInput, match=r"^Agent: labels must be in an order, such as a list, got a "
    ):
        Agent("banditron", labels=labels)
    assert Agent("banditron", labels={"b": 1, "a": 2}.keys()).labels == ("b", "a")


@pytest.mark.parametrize("learner", [None, 5, int])
def test_what_is_no_learner(learner):
    with pytest.raises(BadInput, match=r"^onebit: .* is not a learner; decorate its class with"):
        Agent(learner, labels=LABELS)


def test_a_recipe_makes_the_same_agent_as_its_spec():
    recipe = Recipe.parse("banditron:gamma=0.1")
    assert Recipe.parse(recipe) == recipe
    assert Recipe.parse(recipe, gamma=0.2) == Recipe.parse("banditron:gamma=0.2")
    assert Agent(recipe, [1, 2]).recipe == recipe
    with pytest.raises(BadInput, match="gamma must be a number in"):
        Agent(recipe._replace(params={"gamma": 5.0}), [1, 2])
