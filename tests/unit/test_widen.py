"""Adding features to an agent that has begun, and names whose hashes are remembered."""

import threading

import numpy as np
import pytest

from onebit import Agent, BadInput
from onebit.kernel import features
from onebit.kernel.features import read_row
from onebit.kernel.sizes import Column
from onebit.kernel.state import learned_arrays


def test_a_wider_agent_goes_on_as_if_it_had_been_wide_from_the_start():
    narrow, wide = (Agent("softmax", list("abc"), features=n, seed=3) for n in (4, 9))
    for n in range(200):
        if n == 100:
            narrow.widen(9)
            narrow.widen(2)  # narrower than it is: nothing changes
        x = {n % 4: 1.0, n % 3: -0.5} if n < 100 else {n % 9: 1.0, 8: 0.25}
        for agent in (narrow, wide):
            choice = agent.decide(x)
            agent.learn(choice, correct=choice.label == "abc"[n % 3])
    assert narrow.features == 9
    arrays = [learned_arrays(agent._player.learner) for agent in (narrow, wide)]
    assert all(np.array_equal(arrays[0][name], arrays[1][name]) for name in arrays[0])
    again = Agent.from_bytes(narrow.to_bytes())
    assert again.decide({8: 1.0}).label == narrow.decide({8: 1.0}).label


@pytest.mark.parametrize("spec", ["perceptron", "softmax", "pa"])
def test_a_wider_scaled_agent_keeps_its_constant(spec):
    """A scaled row ends with a constant, whose weights must move to the new end."""
    columns, rng = [Column(0, 1, 0)], np.random.default_rng(1)
    narrow, wide = (
        Agent(spec, ["a", "b"], features=n, columns=columns, scale=True, seed=1) for n in (2, 4)
    )
    for x in rng.random((200, 2)):
        for agent, row in ((narrow, x), (wide, [*x, 0.0, 0.0])):
            choice = agent.decide(row)
            right = {"correct": choice.label == "b"} if spec == "softmax" else {"truth": "b"}
            agent.learn(choice, **right)
    before = narrow._look([3.0, 0.0]).scores
    narrow.widen(4)
    assert narrow._look([3.0, 0.0, 0.0, 0.0]).scores.tolist() == before.tolist()
    arrays = [learned_arrays(agent._player.learner) for agent in (narrow, wide)]
    assert all(np.array_equal(arrays[0][name], arrays[1][name]) for name in arrays[0])


def test_names_and_tables_cannot_be_widened():
    """Names are hashed by the width, and an encoder fixes it."""
    agent = Agent("banditron", list("ab"), features=64)
    agent.learn(agent.decide({"x": 1.0}), correct=True)
    with pytest.raises(BadInput, match=r"numbers without names, got an agent for dicts of names\."):
        agent.widen(128)
    table = {"size": [1, 2, 9, 8], "kind": [*"aabb"]}
    agent = Agent.from_table(table, "kind", "banditron")
    with pytest.raises(BadInput, match=r"got an agent for records of a table\."):
        agent.widen(128)
    assert Agent.from_bytes(agent.to_bytes()).features == agent.features


def test_what_cannot_be_widened_is_refused():
    for agent in (
        Agent("winnow", list("ab"), features=4),
        Agent("banditron", list("ab")),
        Agent("banditron:explorer=theory", list("ab"), features=4),
    ):
        with pytest.raises(BadInput, match="can get more features"):
            agent.widen(9)
    agent = Agent("banditron", list("ab"), features=4)
    for wrong in (0, -1, 2**31, 1.5, "x", None):
        with pytest.raises(BadInput, match="features must be"):
            agent.widen(wrong)
    choice = agent.decide([1.0, 0.0, 0.0, 0.0])
    with pytest.raises(BadInput, match="no decision waits for its feedback, got 1 that do"):
        agent.widen(9)
    agent.learn(choice, correct=True)
    agent.widen(9)
    assert agent.features == 9


def test_a_remembered_name_has_the_same_column_and_value(monkeypatch):
    monkeypatch.setattr(features, "_hashes", {})
    rows = [
        {"a": 1, "b": 2.5, "long" * 50: 3.0},
        {"a": -0.0, "b": 10**90},
        {"b": 1.0, "colour": "red", "a": True},
        {f"n{j}": 1.0 for j in range(50)},  # in a width of 64 some share a column
    ]
    for width in (64, 2**18):
        for x in rows:
            features._hashes.clear()
            fresh, known = read_row(x, width), read_row(x, width)
            assert fresh.indices.tolist() == known.indices.tolist()
            assert fresh.values.tobytes() == known.values.tobytes()
    with pytest.raises(BadInput, match="at most 1e"):
        read_row({"a": 1e200}, 64)
    with pytest.raises(BadInput, match="must be at least 64"):
        read_row({"a": 1.0}, 63)  # also a name that is remembered
    with pytest.raises(BadInput, match="feature a must be a number"):
        read_row({"a": 10**400}, 64)


def test_few_names_are_remembered_whatever_the_threads_do(monkeypatch):
    monkeypatch.setattr(features, "_hashes", {})
    monkeypatch.setattr(features, "_MOST_NAMES", 100)
    wanted = [read_row({f"n{j}": 1.0}, 2**18).indices[0] for j in range(300)]
    wrong = []

    def read(first):
        for j in range(first, first + 1000):
            found = read_row({f"n{j % 300}": 1.0}, 2**18).indices[0]
            wrong.extend([j] * int(found != wanted[j % 300]))

    threads = [threading.Thread(target=read, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert len(features._hashes) <= 100 + len(threads)
    read_row({"x" * 1000: 1.0}, 2**18)
    assert max(map(len, features._hashes)) <= 64
