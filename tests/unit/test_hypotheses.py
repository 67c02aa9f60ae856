"""Classes of hypotheses: their advice, in Python and from streams, dense and sparse."""

import itertools
import resource
import weakref

import numpy as np
import pytest

from onebit import Agent
from onebit.errors import BadInput
from onebit.kernel.block import Multi, Single, noiseless_block
from onebit.kernel.rows import DenseRows, as_sparse
from onebit.kernel.sizes import Sizes
from onebit.streams import Stream
from onebit.streams.opening import resolve_transform
from onebit.theory.hypotheses import (
    advise_all,
    count_right,
    find,
    is_advice,
    names,
    names_for_specs,
)
from onebit.theory.hypotheses.callables import Callables
from onebit.theory.hypotheses.grid import Grid
from onebit.theory.hypotheses.linear import Linear
from onebit.theory.hypotheses.stumps import Stumps
from onebit.theory.hypotheses.table import Table, TableText
from onebit.theory.hypotheses.thresholds import Thresholds


def advice(kind, rows, labels):
    """Return the advice for rows, equal for dense and sparse, in Python and compiled."""
    made = kind.for_sizes(Sizes(np.shape(rows)[1], labels))
    rows = DenseRows(np.array(rows, float))
    found = [np.empty((len(rows.values), made.size)) for _ in range(4)]
    advise_all(made, rows, found[0])
    advise_all(made, as_sparse(rows), found[1])
    advise_all.body(made, rows, found[2])
    advise_all.body(made, as_sparse(rows), found[3])
    assert all(np.array_equal(found[0], each) for each in found)
    return found[0].tolist()


def test_thresholds_predict_the_second_label_at_or_above_the_threshold():
    kind = Thresholds(n=3, low=0.0, high=4.0, feature=1)  # at 1, 2 and 3
    assert advice(kind, [[9, 0], [0, 1], [0, 2.5], [0, 7]], 2) == [
        [0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1],
    ]  # fmt: skip


def test_rows_of_any_width_take_little_memory():
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    agent = Agent("halving", ["a", "b"], hypotheses=Thresholds(), features=10**8)
    agent.learn(agent.decide({0: 1.0}), truth="b")
    assert agent.predict({7: 1.0}) == "a"
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - most < 200_000  # in KB


def test_hypotheses_are_kept_for_one_width(monkeypatch):
    """Before the first decision rows of any width can be predicted."""
    made, for_sizes = [], Stumps.for_sizes

    def recorded(self, sizes):
        found = for_sizes(self, sizes)
        made.append(weakref.ref(found.dense_row))
        return found

    monkeypatch.setattr(Stumps, "for_sizes", recorded)
    agent = Agent("exp4", ["a", "b"], hypotheses=Stumps())
    for width in [*range(1, 20), 19]:
        agent.predict(np.ones(width))
    assert len(made) == 19
    assert sum(each() is not None for each in made) == 1


def test_stumps_are_every_feature_threshold_and_two_labels():
    # for each feature: (below, above) = 01 02 10 12 20 21
    assert advice(Stumps(), [[1, 0]], 3) == [[1, 2, 0, 2, 0, 1, 0, 0, 1, 1, 2, 2]]


def test_stumps_with_more_thresholds():
    chance = np.random.default_rng(4)
    rows = chance.normal(size=(20, 3)).round(1)
    said = np.array(advice(Stumps(n=2, low=-1.5, high=1.5), rows, 2))
    expected = [
        [
            (1 if value >= cut else 0) if pair == (0, 1) else (0 if value >= cut else 1)
            for value in row
            for cut in (-0.5, 0.5)
            for pair in ((0, 1), (1, 0))
        ]
        for row in rows
    ]
    assert said.tolist() == expected


def test_linear_hypotheses_predict_the_label_of_the_highest_score():
    chance = np.random.default_rng(5)
    weights, rows = chance.normal(size=(7, 4, 3)), chance.normal(size=(30, 4))
    said = advice(Linear(weights), rows, 3)
    assert said == [[(row @ w).argmax() for w in weights] for row in rows]


def test_the_grid_has_every_weight():
    said = advice(Grid(steps=1, step=2.0), [[1.0]], 2)
    pairs = itertools.product([-2.0, 0.0, 2.0], repeat=2)
    assert said == [[1 if b > a else 0 for a, b in pairs]]


def test_tables_predict_by_instance():
    assert advice(Table("012/210"), [[0], [1], [2]], 3) == [[0, 2], [1, 1], [2, 0]]
    assert TableText().read(np.array([[0, 11], [35, 1]])) == "0b/z1"
    assert TableText().read(Table([[0, 1]])) == "01"
    for bad in ("", "0/01", "0-/01", [[0.5]], [[-1]], [[36]], 7, None):
        with pytest.raises((ValueError, TypeError)):
            TableText().read(bad)


def test_callables_get_the_row_as_it_was_given():
    seen = []
    rules = Callables([lambda x: seen.append(x) or "b", lambda x: x["label"]])
    agent = Agent("halving", ["a", "b"], hypotheses=rules)
    row = {"label": "a"}
    agent.learn(agent.decide(row), truth="a")
    assert seen == [row]
    assert agent.predict({"label": "b"}) == "b"
    with pytest.raises(
        BadInput, match=r"Callables: function 1 must return one of the labels, got c"
    ):
        agent.decide({"label": "c"})


@pytest.mark.parametrize(
    ("kind", "row"),
    [(Thresholds(), [0.4, 1.0]), (Stumps(), {0: 1.0}), (Grid(), [0.2, 0.3]),
     (Linear(np.ones((5, 2, 2))), [1.0, 2.0]), (Table("01/11"), [1])],
)  # fmt: skip
def test_an_agent_turns_rows_into_advice_and_goes_on_after_a_snapshot(kind, row, tmp_path):
    features = 2 if isinstance(row, dict) else None
    agent = Agent("exp4", ["a", "b"], hypotheses=kind, features=features, seed=2)
    waiting = agent.decide(row)
    assert agent.features == kind.for_sizes(Sizes(1 if isinstance(kind, Table) else 2, 2)).size
    agent.save(tmp_path / "agent.npz")
    again = Agent.load(tmp_path / "agent.npz", hypotheses=kind)
    for each in (agent, again):
        each.learn(waiting, correct=False)
    if features is None:
        assert agent.decide(row)[1:6] == again.decide(row)[1:6]


def test_no_rows_are_no_decisions():
    for agent in (
        Agent("exp4", ["a", "b"], hypotheses=Stumps(), features=3),
        Agent("exp4", ["a", "b"], features=3),
    ):
        agent.learn_many(agent.decide_many([]), [])
        assert (agent.predict_many([]), agent.probabilities_many([]).shape) == ([], (0, 2))
    with pytest.raises(BadInput, match="width of rows is not known yet"):
        Agent("exp4", ["a", "b"], hypotheses=Stumps()).decide_many([])


def test_input_errors_are_one_sentence():
    bad = {
        "it reads features, not advice": lambda: Agent("banditron", [0, 1], hypotheses=Stumps()),
        "such as Stumps(), got 7.": lambda: Agent("exp4", [0, 1], hypotheses=7),
        "such as Stumps(), got <class": lambda: Agent("exp4", [0, 1], hypotheses=Grid),
        "Thresholds: n must be a whole number, at least 1, got -1.": lambda: Agent(
            "exp4", [0, 1], hypotheses=Thresholds(n=-1)
        ),
        "Callables: it must have at least one function, got [].": lambda: Agent(
            "exp4", [0, 1], hypotheses=Callables([])
        ),
        "at least one function, got repeat(<built-in function len>).": lambda: Agent(
            "exp4", [0, 1], hypotheses=Callables(itertools.repeat(len))
        ),
        "at least one function, got {<built-in function len>}.": lambda: Agent(
            "exp4", [0, 1], hypotheses=Callables({len})
        ),
        "Callables: it must have at least one function, got ab.": lambda: Agent(
            "exp4", [0, 1], hypotheses=Callables("ab")
        ),
        "at least one feature, got none.": lambda: Agent("halving", [0, 1]).decide([]),
        "feature must be less than the row's 2 features, got 2.": lambda: Agent(
            "exp4", [0, 1], hypotheses=Thresholds(feature=2), features=2
        ),
        "low must be less than high, got 1 and 1.": lambda: Agent(
            "exp4", [0, 1], hypotheses=Stumps(low=1), features=2
        ),
        "at most 1,000,000 hypotheses, got 28,800,000.": lambda: Agent(
            "exp4", range(9), hypotheses=Stumps(n=1000), features=400
        ),
        "at most 1,000,000 hypotheses, got about 1e1717.": lambda: Agent(
            "exp4", range(9), hypotheses=Grid(), features=400
        ),
        "shape (n, 2, 2), got shape (3, 2).": lambda: Agent(
            "exp4", [0, 1], hypotheses=Linear(np.ones((3, 2))), features=2
        ),
        "shape (n, 2, 2), got shape none.": lambda: Agent(
            "exp4", [0, 1], hypotheses=Linear([[1], [1, 2]]), features=2
        ),
        "Table: table must be rows of digits (0 to z) of equal length": lambda: Agent(
            "exp4", [0, 1], hypotheses=Table("0/01"), features=1
        ),
        "Table: the table's labels must be less than the 2 there are, got 2.": lambda: Agent(
            "exp4", [0, 1], hypotheses=Table("02"), features=1
        ),
        "hypotheses, got 1,000,001.": lambda: Agent(
            "exp4", [0, 1], hypotheses=Thresholds(n=1_000_001), features=1
        ),
        "as many hypotheses as the advice, 3, got 2.": lambda: Agent(
            "soa", [0, 1], features=3, table="01/10"
        ),
        "at most 20,000,000 points, got 322,687,697,779.": lambda: Agent(
            "cover-halving", range(3), features=3, D=50
        ),
        "a row must be one number": lambda: Agent(
            "exp4", [0, 1], hypotheses=Table("01"), features=2
        ),
        "it has nothing to say about [7].": lambda: Agent(
            "exp4", [0, 1], hypotheses=Table("01")
        ).decide([7]),
        "a row of advice must be an array of label numbers, from 0 to 1": lambda: Agent(
            "exp4", [0, 1]
        ).decide([0, 2]),
        "one for each hypothesis;": lambda: Agent("exp4", [0, 1], features=3).decide({0: 1}),
        "these rows are not 2 label numbers each": lambda: Agent("exp4", [0, 1], features=2).play(
            noiseless_block(DenseRows(np.array([[0.0, 0.5]])), np.zeros(1, np.int32))
        ),
    }
    for sentence, act in bad.items():
        with pytest.raises(BadInput) as error:
            act()
        assert sentence in str(error.value)
        assert str(error.value).endswith(".")


@pytest.mark.parametrize("value", [-1.0, 0.5, 2.0, np.nan, np.inf, 1e300])
def test_advice_is_checked_number_by_number(value):
    rows = np.zeros((3, 4))
    assert is_advice(rows, 2)
    rows[2, 1] = value
    assert not is_advice(rows, 2)


def test_right_advice_is_counted_for_each_hypothesis():
    advice = np.array([[0.0, 1.0], [1.0, 1.0], [2.0, 1.0]])
    single = Single(np.array([0, 1, 2], np.int32))
    several = Multi(np.array([0, 2, 2, 3], np.int64), np.array([0, 1, 1], np.int32))
    for truths, expected in ((single, [3, 1]), (several, [1, 2])):
        right = np.zeros(2, np.int64)
        count_right(advice, truths, right)
        assert right.tolist() == expected


def small_stream(multi=False):
    rows = np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    block = noiseless_block(as_sparse(DenseRows(rows)), np.array([0, 1, 1], np.int32))
    if multi:
        truths = Multi(np.array([0, 2, 2, 3], np.int64), np.array([0, 1, 1], np.int32))
        block = block._replace(truths=truths)
    return Stream(["n", "y"], 2, 3, lambda: iter([block]))


def transformed(stream, *specs):
    for number, spec in enumerate(specs):
        stream = resolve_transform(spec)[1].apply(stream, 0, number)
    return stream


@pytest.mark.parametrize("multi", [False, True])
def test_advise_is_the_advice_of_each_row_in_as_many_blocks_as_it_takes(multi, monkeypatch):
    monkeypatch.setattr("onebit.streams.transforms.advise._BLOCK_VALUES", 8)
    plain = small_stream(multi)
    stream = transformed(plain, "advise:class=stumps")
    assert (stream.features, stream.row) == (4, "advice")
    blocks = list(stream.blocks())
    assert [block.rounds for block in blocks] == [2, 1]
    rows = np.concatenate([block.rows.values for block in blocks])
    assert rows.tolist() == [[0, 1, 1, 0], [1, 0, 0, 1], [1, 0, 1, 0]]
    (whole,) = plain.blocks()
    if not multi:
        found = np.concatenate([block.truths.labels for block in blocks])
        assert found.tolist() == whole.truths.labels.tolist()
    else:
        found = [b.truths.labels[s:e].tolist() for b in blocks
                 for s, e in itertools.pairwise(b.truths.starts)]  # fmt: skip
        assert found == [[0, 1], [], [1]]


@pytest.mark.parametrize("multi", [False, True])
def test_arms_makes_right_labels_of_the_hypotheses_that_are_right(multi):
    stream = transformed(small_stream(multi), "advise:class=stumps", "arms")
    assert (list(stream.labels), stream.row) == ([1, 2, 3, 4], "features")
    (block,) = stream.blocks()
    starts, labels, _ = block.truths
    right = [labels[s:e].tolist() for s, e in itertools.pairwise(starts)]
    assert right == ([[0, 1, 2, 3], [], [0, 2]] if multi else [[0, 3], [0, 3], [0, 2]])
    with pytest.raises(BadInput, match="put advise before it"):
        transformed(small_stream(), "arms")


def test_a_spec_takes_the_parameters_of_its_class():
    assert str(resolve_transform("advise:class=grid")[0]) == "advise:class=grid,steps=1,step=1.0"
    with pytest.raises(
        BadInput, match=r"class must be one of grid, stumps, table, thresholds, got"
    ):
        resolve_transform("advise:class=linear")
    with pytest.raises(BadInput, match="no parameter is called 'steps'"):
        resolve_transform("advise:class=stumps,steps=2")


def test_every_class_has_a_name_and_a_page():
    assert names() == ["callables", "grid", "linear", "stumps", "table", "thresholds"]
    assert names_for_specs() == ["grid", "stumps", "table", "thresholds"]
    with pytest.raises(
        BadInput, match=r"no class of hypotheses is called 'stump'.*onebit hypothes"
    ):
        find("stump")


def test_single_truths_stay_single():
    (block,) = transformed(small_stream(), "advise").blocks()
    assert isinstance(block.truths, Single)
