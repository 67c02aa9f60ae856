"""Every public call checks what comes in: no sequence of calls crashes the process."""

import time
import tracemalloc

import numpy as np
import pytest
from hypothesis import settings
from pace import some

from onebit import Agent, BadInput
from onebit.errors import BadBlock, BadRow, TooLarge, UnknownChoice, WrongFeedback
from onebit.kernel.block import Block, Multi, Single
from onebit.kernel.engine import RECORD, Delayed
from onebit.kernel.rows import DenseRows, SparseRows
from onebit.theory.hypotheses.stumps import Stumps
from torture.machine import AgentMachine

WIDTH, LABELS = 4, ["a", "b", "c"]


def new(learner="banditron", **more):
    return Agent(learner, labels=LABELS, features=WIDTH, seed=1, **more)


def block(**more):
    parts = {"rows": DenseRows(np.ones((5, WIDTH))), "truths": Single(np.zeros(5, np.int32)),
             "signals": np.zeros(5, np.int32), **more}  # fmt: skip
    return Block(**parts)


def sparse(starts, indices, values):
    return SparseRows(
        np.array(starts, np.int64), np.array(indices, np.int32), np.array(values, float)
    )


BAD_BLOCKS = {
    "no block": None,
    "wide": block(rows=DenseRows(np.ones((5, WIDTH + 1)))),
    "narrow": block(rows=DenseRows(np.ones((5, WIDTH - 1)))),
    "nan": block(rows=DenseRows(np.full((5, WIDTH), np.nan))),
    "huge": block(rows=DenseRows(np.full((5, WIDTH), 1e101))),
    "float32": block(rows=DenseRows(np.ones((5, WIDTH), np.float32))),
    "masked": block(rows=DenseRows(np.ma.array(np.ones((5, WIDTH)), mask=True))),
    "flat": block(rows=DenseRows(np.ones(5))),
    "list": block(rows=DenseRows([[1.0] * WIDTH] * 5)),
    "few truths": block(truths=Single(np.zeros(4, np.int32))),
    "label 3": block(truths=Single(np.full(5, 3, np.int32))),
    "label -1": block(truths=Single(np.full(5, -1, np.int32))),
    "int64 truths": block(truths=Single(np.zeros(5, np.int64))),
    "no truths": block(truths=None),
    "signal": block(signals=np.full(5, 3, np.int32)),
    "signal -2": block(signals=np.full(5, -2, np.int32)),
    "few signals": block(signals=np.zeros(3, np.int32)),
    "index": block(rows=sparse([0, 1, 1, 1, 1, 1], [WIDTH], [1.0])),
    "negative index": block(rows=sparse([0, 1, 1, 1, 1, 1], [-1], [1.0])),
    "descending": block(rows=sparse([0, 2, 2, 2, 2, 2], [1, 0], [1.0, 1.0])),
    "twice": block(rows=sparse([0, 2, 2, 2, 2, 2], [1, 1], [1.0, 1.0])),
    "starts": block(rows=sparse([0, 9, 9, 9, 9, 9], [0], [1.0])),
    "starts fall": block(rows=sparse([0, 1, 0, 1, 1, 1], [0], [1.0])),
    "values": block(rows=sparse([0, 1, 1, 1, 1, 1], [0], [1.0, 2.0])),
    "multi": block(truths=Multi(np.array([0, 9, 9, 9, 9, 9]), np.zeros(3, np.int32))),
    "multi labels": block(truths=Multi(np.arange(6), np.full(5, 7, np.int32))),
}  # fmt: skip


def log(rounds=5):
    return np.zeros(rounds, np.int32), np.ones(rounds), np.ones(rounds, np.bool_)


@pytest.mark.parametrize("name", BAD_BLOCKS)
def test_a_block_that_does_not_fit_is_one_sentence(name):
    agent, wrong = new(), BAD_BLOCKS[name]
    before = agent._player.learner.weights.copy()
    plan = Delayed(0, np.zeros(5, RECORD), np.arange(5), np.arange(5))
    calls = [lambda: agent.play(wrong), lambda: agent.play_late(wrong, plan)]
    if name not in ("few truths", "label 3", "label -1", "int64 truths", "no truths", "multi",
                    "multi labels"):  # fmt: skip
        calls.append(lambda: agent.replay(wrong, *log()))  # which replaces the truths
    for call in calls:
        with pytest.raises(BadBlock, match=r"^Banditron: [^\n]*\.$"):
            call()
    assert (agent._player.learner.weights == before).all()
    assert agent.round == 0


@pytest.mark.parametrize(
    "change",
    [{"old": 9}, {"old": -1}, {"records": np.zeros(4, RECORD)}, {"heard": np.array([5])},
     {"heard": np.array([-1])}, {"after": np.array([7])}, {"heard": np.array([0, 0])},
     {"heard": np.array([4]), "after": np.array([0])},
     {"heard": np.arange(2), "after": np.array([3, 1])},
     {"records": np.zeros(5)}, {"heard": [0]},
     {"old": 2, "records": np.ones(5, RECORD), "after": np.array([1])},
     {"records": np.broadcast_to(np.zeros(1, RECORD), 5)}, {"records": np.ma.zeros(5, RECORD)}],
)  # fmt: skip
def test_a_plan_of_delays_that_does_not_fit_is_one_sentence(change):
    plan = {"old": 0, "records": np.zeros(5, RECORD), "heard": np.arange(1), "after": np.arange(1)}
    plan |= change
    if len(plan["after"]) != len(plan["heard"]):
        plan["after"] = np.arange(len(plan["heard"]))
    with pytest.raises(BadBlock, match="delayed feedback must be"):
        new().play_late(block(), Delayed(**plan))


@pytest.mark.parametrize(
    "wrong",
    [(np.full(5, 3, np.int32), *log()[1:]), (np.full(5, -1, np.int32), *log()[1:]), log(4),
     (log()[0], np.zeros(5), log()[2]), (log()[0], np.full(5, 2.0), log()[2]),
     (log()[0], np.full(5, np.nan), log()[2]), (log()[0], np.full(5, 5e-324), log()[2]),
     (*log()[:2], np.ones(5)), (None, None, None)],
)  # fmt: skip
def test_a_log_that_does_not_fit_is_one_sentence(wrong):
    for rows in (block(), Block(None, None, None)):
        with pytest.raises(BadBlock, match="a log must have"):
            new().replay(rows, *wrong)


def test_an_agent_without_a_width_cannot_play_blocks():
    with pytest.raises(BadBlock, match="give features=N"):
        Agent("banditron", labels=LABELS).play(block())


def test_full_information_never_hears_a_label_that_is_not_there():
    with pytest.raises(BadBlock):
        new("perceptron").replay(block(truths=Single(np.full(5, -1, np.int32))), *log())


@pytest.mark.parametrize(
    "rows",
    [np.ones((3, WIDTH + 1)), np.ones(WIDTH), np.full((2, WIDTH), np.nan), "text", None, 5,
     {"a": 1},
     [[1, 2], [3]], [{"a": object()}], np.ones((2, WIDTH, 2)), np.array([["a"] * WIDTH])],
    ids=lambda rows: type(rows).__name__,
)  # fmt: skip
def test_many_rows_that_cannot_be_used_are_one_sentence(rows):
    agent = new()
    for call in (agent.decide_many, agent.predict_many, agent.probabilities_many):
        with pytest.raises(BadRow, match=r"^Agent: [^\n]*\.$"):
            call(rows)
    assert agent.round == 0


def test_more_rows_than_may_be_open_are_refused():
    agent = new(open=3)
    with pytest.raises(BadRow, match="at most open=3 decisions may wait for their feedback, got 4"):
        agent.decide_many(np.ones((4, WIDTH)))
    assert len(agent.decide_many(np.ones((3, WIDTH)))) == 3


def test_many_choices_are_learned_all_or_none():
    agent = new()
    choices = list(agent.decide_many(np.ones((4, WIDTH))))
    before = agent._player.learner.weights.copy()
    for wrong in (
        [*choices, choices[0]],
        [*choices[:3], "x"],
        [choices[0]._replace(token="0" * 16)],
    ):
        with pytest.raises(BadInput):
            agent.learn_many(wrong, [True] * len(wrong))
    for bits in ([True] * 3, True, None, [1, 0, 1, 0], ["a"] * 4):
        with pytest.raises(WrongFeedback):
            agent.learn_many(choices, bits)
    assert (agent._player.learner.weights == before).all()
    agent.learn_many(choices[:2], [True, False])
    agent.learn_many(choices[2:], np.array([True, False]))
    with pytest.raises(BadInput):
        agent.learn_many(choices, [True] * 4)


class Csr:
    """As much of a CSR matrix as is needed."""

    def __init__(self, dense):
        self.dense, self.shape = np.asarray(dense, float), np.shape(dense)
        rows, self.indices = np.nonzero(self.dense)
        self.data = self.dense[rows, self.indices]
        self.indptr = np.searchsorted(rows, np.arange(self.shape[0] + 1))

    def __getitem__(self, n):
        return Csr(self.dense[n : n + 1])


@pytest.mark.parametrize(
    "wrong",
    [{"indptr": 1}, {"indptr": [0, 1]}, {"indptr": [0, 1, 9]}, {"indptr": [1, 0, 1]}, {"shape": 2},
     {"shape": (9, WIDTH)}, {"indices": [0.5, 1]}, {"indices": [0]}, {"data": [1.0]},
     {"indices": [[0, 1]]}, {"shape": (WIDTH,)}, {"data": [[1.0], [1.0]]}, {"shape": ()},
     {"shape": (2, 10**5000)}, {"shape": (2, 4.5)}, {"shape": np.array([1, WIDTH])}],
    ids=lambda wrong: repr(next(iter(wrong))),
)  # fmt: skip
def test_what_only_looks_like_a_csr_matrix_is_refused(wrong):
    matrix = Csr(np.eye(2, WIDTH))
    vars(matrix).update({k: v if k == "shape" else np.array(v) for k, v in wrong.items()})
    for call in (new().decide_many, new().decide, Agent("banditron", labels=LABELS).decide):
        with pytest.raises(BadRow, match=r"^Agent: [^\n]*\.$"):
            call(matrix)


class Unsorted:
    """A CSR matrix with a row whose columns are not in order, and no way to take a row."""

    shape, indptr, indices, data = (2, WIDTH), np.array([0, 2, 2]), np.array([3, 1]), np.ones(2)


@pytest.mark.parametrize("width", [WIDTH, None])
def test_a_csr_matrix_need_not_be_sorted(width):
    agent = Agent("perceptron", LABELS, features=width, seed=1)
    agent.learn_many(agent.decide_many(Unsorted()), truth=["c", "c"])
    plain = new("perceptron")
    plain.learn_many(plain.decide_many([[0.0, 1.0, 0.0, 1.0], [0.0] * 4]), truth=["c", "c"])
    assert agent._player.learner.weights.tolist() == plain._player.learner.weights.tolist()
    assert Agent("exp4", LABELS, hypotheses=Stumps(), features=width).predict_many(Unsorted())


@pytest.mark.parametrize("kind", ["csr_matrix", "csr_array"])
@pytest.mark.parametrize("width", [WIDTH, None])
def test_the_matrices_of_scipy_are_read(kind, width):
    sparse = pytest.importorskip("scipy.sparse")
    dense = np.random.default_rng(3).integers(0, 3, (30, WIDTH)) * 0.5
    matrix, bits = getattr(sparse, kind)(dense), [n % 3 == 0 for n in range(30)]
    agent, plain = Agent("banditron", LABELS, features=width, seed=1), new()
    choices, expected = agent.decide_many(matrix), plain.decide_many(dense)
    assert [c[1:6] for c in choices] == [c[1:6] for c in expected]
    agent.learn_many(choices, bits), plain.learn_many(expected, bits)
    assert agent._player.learner.weights.tolist() == plain._player.learner.weights.tolist()
    assert agent.predict_many(matrix) == plain.predict_many(dense)
    assert agent.decide(matrix[4:5])[2:6] == plain.decide(dense[4])[2:6]
    row = matrix[4]  # a matrix of one row, or of an array a row in another form
    assert agent.decide(row.tocsr())[2:6] == plain.decide(dense[4])[2:6]
    for other in (matrix.tocoo(), matrix.tocsc()):
        for call in (agent.decide, agent.decide_many):
            with pytest.raises(BadRow, match=r"must be in CSR form, got .*tocsr"):
                call(other)
    advised = Agent("exp4", LABELS, hypotheses=Stumps(), features=width)
    assert advised.predict_many(matrix) == advised.predict_many(dense)


def test_decisions_that_were_handed_out_cannot_be_altered():
    agent, plain = new(), new()
    choices = agent.decide_many(np.ones((4, WIDTH)))
    held = choices.probs
    while isinstance(held, np.ndarray):
        with pytest.raises(ValueError, match="WRITEABLE"):
            held.flags.writeable = True
        held = held.base
    agent.learn_many(choices, [True] * 4)
    plain.learn_many(plain.decide_many(np.ones((4, WIDTH))), [True] * 4)
    assert agent._player.learner.weights.tolist() == plain._player.learner.weights.tolist()


@pytest.mark.parametrize(
    "form", [np.asarray, Csr, lambda x: [dict(enumerate(r)) for r in x.tolist()]]
)
@pytest.mark.parametrize("learner", ["banditron", "perceptron"])
def test_many_rows_are_the_same_as_one_after_another(form, learner):
    rng = np.random.default_rng(3)
    x = rng.normal(size=(40, WIDTH)) * (rng.random((40, WIDTH)) < 0.7)
    one, many = new(learner), new(learner)
    for _ in range(2):
        singles = [one.decide(row) for row in x]
        choices = many.decide_many(form(x))
        assert [c[1:6] for c in singles] == [c[1:6] for c in choices]
        assert choices.labels == [c.label for c in singles]
        assert choices.probs.tolist() == [c.prob for c in singles]
        given = {"correct": [n % 3 == 0 for n in range(40)]}
        if learner == "perceptron":
            given = {"truth": [LABELS[n % 3] for n in range(40)]}
        name = next(iter(given))
        for n, choice in enumerate(singles):
            one.learn(choice, **{name: given[name][n]})
        many.learn_many(choices, **given)
    assert one._player.learner.weights.tobytes() == many._player.learner.weights.tobytes()
    assert many.predict_many(form(x)) == [one.predict(row) for row in x]
    probs = [list(one.probabilities(row).values()) for row in x]
    assert many.probabilities_many(form(x)).tolist() == probs


def test_the_probabilities_of_many_rows_must_fit_into_memory(monkeypatch):
    agent = Agent("uniform", labels=range(2000), features=1)
    agent.retire(3)
    rows = np.ones((1000, 1))
    tracemalloc.start()
    try:
        agent.predict_many(rows)  # a column of zeros for each label would be 16 MB
        assert tracemalloc.get_traced_memory()[1] < 8e6
    finally:
        tracemalloc.stop()
    monkeypatch.setattr("onebit.agent.many.memory_in_bytes", lambda: 15e6)
    with pytest.raises(TooLarge, match="1,000 rows and 2,000 labels must fit into memory"):
        agent.probabilities_many(rows)


def test_the_oldest_of_many_open_decisions_are_forgotten_quickly():
    """The time must not be that of their square: those forgotten are not looked at again."""
    agent = Agent("uniform", labels=["a", "b"], features=1, open=30_000)
    choices = agent.decide_many(np.ones((30_000, 1)))
    for _ in range(29_000):
        agent.decide([1.0])
    before = time.perf_counter()
    for _ in range(500):
        agent.decide([1.0])
    assert time.perf_counter() - before < 0.2
    with pytest.raises(UnknownChoice, match="forgotten"):
        agent.learn(choices[29_499], correct=True)
    agent.learn(choices[29_500], correct=True)


def test_rows_whose_feedback_came_take_no_memory():
    """Also if they were decided together with one whose feedback never comes."""
    agent, rows = Agent("uniform", labels=["a", "b"], features=100, seed=1), np.ones((50, 100))
    agent.learn_many([*agent.decide_many(rows)], [True] * 50)  # loads code, which stays
    tracemalloc.start()
    try:
        waiting = []
        for _ in range(100):
            choices = [*agent.decide_many(rows)]
            agent.learn_many(choices[:20] + choices[21:], [True] * 49)
            waiting.append(choices[20])
        assert tracemalloc.get_traced_memory()[0] < 1e6  # all rows would be 4 MB
    finally:
        tracemalloc.stop()
    assert len(agent._open) == 100
    again = Agent.from_bytes(agent.to_bytes())
    for each in (agent, again):
        with pytest.raises(UnknownChoice):
            each.learn(choices[19], correct=True)
        each.learn_many(waiting, [True] * 100)
        assert len(each._open) == 0


def test_looking_before_the_first_row_fixes_nothing():
    agent = Agent("banditron", labels=LABELS, seed=1)
    agent.predict([1.0, 2.0]), agent.predict([1.0, 2.0, 3.0]), agent.predict_many([[1.0], [2.0]])
    assert agent.features is None
    agent.decide({"x": 1})
    assert agent.features == 2**18


def test_a_dict_with_numpys_whole_numbers_needs_a_width():
    with pytest.raises(BadInput, match="features=N"):
        Agent("banditron", labels=LABELS).decide({np.int64(3): 1.0})


def test_every_error_has_a_code():
    from onebit import errors

    kinds = [getattr(errors, name) for name in errors.__all__ if name != "Remark"]
    codes = [kind.code for kind in kinds]
    assert len(set(codes)) == len(codes)
    assert all(issubclass(kind, BadInput) for kind in kinds)


AgentMachine.TestCase.settings = settings(
    max_examples=some(25, 5), stateful_step_count=some(40, 15), deadline=None, derandomize=True
)
test_no_sequence_of_calls_crashes = AgentMachine.TestCase
