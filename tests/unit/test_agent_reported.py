"""What hostile tests of the Agent found, each held by a test."""

import copy
import itertools
import math
import os
import signal
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pace import some

from onebit import Agent, BadInput, Choice
from onebit.errors import BadLabel, BadRow, UnknownChoice
from onebit.kernel.block import noiseless_block
from onebit.kernel.rows import DenseRows
from onebit.kernel.validation import sparse_rows_are_sound
from onebit.theory.hypotheses.callables import Callables
from onebit.theory.hypotheses.stumps import Stumps

LABELS = ["a", "b", "c"]


@pytest.mark.parametrize("rows", [[{f"w{i}": 1.0 for i in range(50)}, [1.0]], [[1, 2], [1, 2, 3]]])
def test_rows_of_several_widths_before_the_first_decision(rows):
    agent = Agent("banditron", range(50))
    for call in (agent.predict_many, agent.probabilities_many, agent.decide_many):
        with pytest.raises(BadRow):
            call(rows)
    assert agent.features is None


def test_a_row_that_another_thread_outran():
    """A row was read for one width; by the time of the lock another width is fixed."""
    agent = Agent("banditron", LABELS)
    row, core = agent._read({"name": 1.0})
    agent.decide([1.0])
    with agent._lock, pytest.raises(BadRow, match="must have 1 features, got 262144"):
        agent._current(core)
    assert len(row.values) == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_draws_its_own_tokens():
    agent = Agent("banditron", LABELS, features=2)
    agent.decide([1.0, 2.0])
    out, into = os.pipe()
    child = os.fork()
    if not child:
        os.write(into, agent.decide([1.0, 2.0]).token.encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(out, 16).decode() != agent.decide([1.0, 2.0]).token
    os.close(out), os.close(into)


@pytest.mark.compiled
def test_a_timeout_of_a_signal_handler_is_neither_swallowed_nor_learned_twice():
    def play(agent):
        agent.play(noiseless_block(DenseRows(rows), truths))

    def play_for_ever(agent):
        while True:
            play(agent)

    rows, truths = np.ones((20_000, 50)), np.zeros(20_000, np.int32)
    agent, calm = (Agent("banditron", LABELS, features=50, seed=1) for _ in range(2))
    play(Agent("banditron", LABELS, features=50))  # compiles

    def raise_timeout(*_):
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, raise_timeout)
    signal.setitimer(signal.ITIMER_REAL, 1e-3)
    try:
        with pytest.raises(TimeoutError):
            play_for_ever(agent)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    blocks, rest = divmod(agent.round, 20_000)
    assert rest == 0
    outcomes = [calm._player.learner.weights.copy()]
    for _ in range(blocks):
        play(calm)
        outcomes.append(calm._player.learner.weights.copy())
    # the last block was learned once, or counted and not yet learned
    assert any(np.array_equal(agent._player.learner.weights, each) for each in outcomes[-2:])


def test_what_is_iterated_may_call_the_agent():
    agent = Agent("banditron", LABELS, features=2)
    among = (label for label in agent.labels if agent.probabilities([1, 2])[label] > 0.0)
    choice = agent.decide([1, 2], among=among)
    agent.learn_many((each for each in [choice] if agent.predict([1, 2])), [True])


class Asking(dict):
    """A row that asks an agent when it is read."""

    def __iter__(self):
        self.agent.predict({"other": 1.0})
        return super().__iter__()


@pytest.mark.parametrize("name", ["decide", "offer", "predict", "decide_many"])
def test_a_first_row_may_call_the_agent(name):
    agent, row = Agent("banditron", LABELS), Asking({"user": 1.0})
    row.agent = agent
    call = getattr(agent, name)
    thread = threading.Thread(target=call, args=([row] if name == "decide_many" else row,))
    thread.daemon = True
    thread.start()
    thread.join(60)
    assert not thread.is_alive()


class Csc:
    """A sparse matrix whose fields look like those of a CSR matrix."""

    format, shape = "csc", (1, 3)
    indptr, indices, data = np.array([0, 0, 1, 2]), np.array([0, 0]), np.array([2.0, 5.0])


class Row:
    """A CSR row whose arrays hold more than the row."""

    format, shape = "csr", (1, 3)
    indptr, indices, data = np.array([0, 1]), np.array([0, 2]), np.array([1.0, 9.0])


def test_sparse_forms_that_look_alike():
    agent = Agent("perceptron", LABELS, features=3)
    for call in (agent.decide, agent.decide_many):
        with pytest.raises(BadRow, match="must be in CSR form, got csc"):
            call(Csc())
    agent.learn(agent.decide(Row()), truth="b")
    assert agent._player.learner.weights[2].tolist() == [0, 0, 0]


def test_masked_values_of_a_matrix_are_refused_by_hypotheses_too():
    class Masked:
        shape, indptr, indices = (1, 3), np.array([0, 1]), np.array([0])
        data = np.ma.array([1.0], mask=True)

    agent = Agent("exp4", ["a", "b"], hypotheses=Stumps(), features=3)
    for call in (agent.decide, agent.decide_many, agent.predict_many):
        with pytest.raises(BadRow, match="got a masked array"):
            call(Masked())


def test_copies_of_an_agent_with_hypotheses_keep_the_width_of_its_rows():
    agent = Agent("exp4", ["a", "b"], hypotheses=Stumps(), features=3)
    again = copy.deepcopy(agent)
    assert again.predict({0: 1.0}) == agent.predict({0: 1.0})
    saved = Agent("exp4", ["a", "b"], hypotheses=Stumps(), features=3).to_bytes()
    with pytest.raises(BadInput, match=r"hypotheses must be the \d+ that the agent was saved with"):
        Agent.from_bytes(saved, hypotheses=Callables([lambda x: "a"]))


def test_a_refused_call_fixes_nothing():
    agent = Agent("banditron", LABELS, open=2)
    with pytest.raises(BadLabel):
        agent.decide([1, 2], among=["zz"])
    with pytest.raises(BadRow):
        agent.decide_many([[1, 2]] * 3)
    assert agent.features is None


def test_looking_asks_the_explorer_too():
    agent = Agent("label-ranking", list("abcd"), r=2, features=2)
    agent.retire("a"), agent.retire("b")
    for call in (agent.probabilities, agent.predict, agent.rank):
        with pytest.raises(BadInput, match="it shows r=2 labels"):
            call([1.0, 1.0])


def test_many_rows_are_refused_as_one_is():
    agent = Agent("cova", ["a", "b"], features=2, base="naive-bayes")
    for call in (agent.decide_many, agent.predict_many, agent.probabilities_many):
        with pytest.raises(BadRow, match="a row has a negative one"):
            call([[1.0, 1.0], [-1.0, 1.0]])
    assert agent.round == 0


def test_labels_may_change_while_others_look():
    agent = Agent("banditron", LABELS, features=2)
    stop, errors = threading.Event(), []

    def look():
        while not stop.is_set():
            try:
                assert abs(sum(agent.probabilities([1.0, 2.0]).values()) - 1) < 1e-9
            except Exception as error:
                errors.append(error)

    thread = threading.Thread(target=look)
    thread.start()
    for _ in range(some(500, 50)):
        agent.retire("b")
        agent.restore("b")
    stop.set()
    thread.join()
    assert errors == []


def test_odd_labels_and_numbers():
    with pytest.raises(BadLabel, match="nan"):
        Agent("banditron", [float("nan"), "a"])
    assert Agent("banditron", LABELS, seed=np.int64(2**53 + 1)).seed == 2**53 + 1
    agent = Agent("banditron", LABELS, features=2)
    agent.decide([1, 2], draw=2**63 - 1)
    for bad in ({"seed": -(10**5000)}, {"open": 10**20}, {"explorer": 10**5000},
                {"gamma": np.ones(2)}):  # fmt: skip
        with pytest.raises(BadInput):
            Agent("banditron", LABELS, **bad)
    with pytest.raises(BadInput, match=r"labels must be strings"):
        Agent("banditron", list(np.array(["2020-01-01", "2021-01-01"], "M8[ns]"))).to_bytes()
    with pytest.raises(BadInput, match=r"labels must be strings"):  # they would be numbers after
        Agent("banditron", list(np.array([5, 7], "m8[ns]"))).to_bytes()


def test_odd_choices():
    agent = Agent("banditron", LABELS, features=2)
    choice = agent.decide([1, 2])
    for field in ("agent", "token", "round", "label", "prob"):
        for value in (np.array([1, 2]), "x" * 10**6, 10**5000, None, {"a"}, [[]]):
            with pytest.raises(UnknownChoice) as refused:
                agent.learn(choice._replace(**{field: value}), correct=True)
            assert len(str(refused.value)) < 300
    agent.learn(choice, correct=True)
    for odd in (object(), 10**5000):
        with pytest.raises(UnknownChoice, match=r"^Choice\.to_json: the choice must be one that"):
            choice._replace(prob=odd).to_json()
    with pytest.raises(UnknownChoice, match="too long to show"):
        Choice.from_json(10**5000)


@pytest.mark.parametrize(
    ("spec", "long_row", "sentence"),
    [("winnow:radius=1", [3.0, 0.0], "above radius=1, got 3"),
     ("cover-halving:D=4", [3.0, 4.0], "a norm of at most 1, got 5")],
)  # fmt: skip
def test_a_row_that_a_learner_cannot_learn_is_refused_when_it_is_decided(spec, long_row, sentence):
    agent = Agent(spec, ["a", "b"], features=2)
    before = agent.round
    for call in (agent.decide, agent.predict, lambda x: agent.decide_many([[0.5, 0.5], x])):
        with pytest.raises(BadRow, match=sentence):
            call(long_row)
    assert agent.round == before
    choice = agent.decide([0.5, 0.5])
    heard = {"truth": "a"} if spec.startswith("winnow") else {"correct": True}
    agent.learn(choice, **heard)


@given(
    st.lists(
        st.lists(st.tuples(st.integers(-1, 6), st.floats(-80.0, 80.0)), max_size=3), max_size=3
    ),
    st.sampled_from([1.0, float("nan"), float("inf"), 1e300]),
    st.lists(st.integers(-1, 9), max_size=3),
)
def test_the_check_of_sparse_rows_agrees_with_the_plain_one(rows, factor, other_starts):
    starts = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    if other_starts:
        starts = np.array([0, *other_starts, starts[-1]], np.int64)
    indices = np.array([j for row in rows for j, _ in row], np.int32)
    values = np.array([v for row in rows for _, v in row])
    values[:1] *= factor

    def sound():
        if any(np.diff(starts) < 0):
            return False
        for start, stop in itertools.pairwise(starts.tolist()):
            ascending = [-1, *indices[start:stop].tolist(), 5]
            if any(a >= b for a, b in itertools.pairwise(ascending)):
                return False
            if not math.hypot(*values[start:stop].tolist()) <= 100.0:
                return False
        return True

    assert sparse_rows_are_sound(starts, indices, values, 5, 100.0) == sound()
