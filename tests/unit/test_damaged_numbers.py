"""Numbers in snapshots that would become indices, divisors or rows of a table: refused."""

import copy
import json

import numpy as np
from unit.doctoring import TABLE, load, npy, parts, saved, whole, with_array, with_header

from onebit import Agent


def test_numbers_of_auto_that_become_indices(monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    members = parts(saved("auto")[0])
    progress, beliefs, weights = (
        f"learner.{name}.npy" for name in ("monitor.progress", "stack.beliefs", "stack.weights")
    )
    for value in (63.5, 65.0, -1.0):  # the moments kept, of which there is room for 64
        assert load(with_array(members, progress, 0, value)) is None
    assert load(with_array(members, progress, 2, 1e14)) is None  # rounds, which number draws
    assert load(with_array(members, beliefs, slice(None), [0.0, 0.0, 1.0, 0.0])) is None
    for name, values in ((beliefs, [0.5, 1e-320, 0.5, 1e-320]), (weights, [1e308, -1e308] * 2)):
        agent = load(with_array(members, name, slice(None), values))
        for n in range(6):  # text, on which most experts sleep, and numbers
            with np.errstate(all="ignore"):
                choice = agent.decide({n % 4: 1.0} if n < 3 else np.array([5.0, 1.0, 2.0, n]))
                assert all(0.0 < score < 1.0 for score in agent._player.scores)
                agent.learn(choice, correct=n % 2 == 0)


def test_weights_that_are_too_large_still_rank_all_labels():
    agent = Agent("label-ranking", labels=[0, 1, 2], features=2, r=2, gamma=0.5, seed=1)
    members = parts(agent.to_bytes())
    members["learner.weights.npy"] = npy(np.full((2, 3), 1e308))
    agent = load(whole({name: members[name] for name in members if "@" not in name}))
    for _ in range(20):
        with np.errstate(all="ignore"):  # inf - inf is nan
            choice, shown = agent.offer([1e10, -1e10])
        assert {choice.label, *shown} <= {0, 1, 2}
        assert len(set(shown)) == 2
    assert all(min(each.decision[:2]) >= 0 for each in agent._open.decisions())


def test_damaged_headers_of_tables_and_columns(monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    members = parts(Agent.from_table(TABLE, "kind", "uniform").to_bytes())
    assert load(whole(members)) is not None
    encoder = json.loads(members["onebit.json"])["encoder"]
    assert load(with_header(members, scale=...)) is None
    for column in range(3):
        for field in ({"fill": 10**400}, {"fill": []}, {"parts": 5}, {"name": ...}, {"more": 1}):
            doctored = copy.deepcopy(encoder)
            doctored["columns"][column] |= field
            if ... in field.values():
                del doctored["columns"][column]["name"]
            assert load(with_header(members, encoder=doctored)) is None
    members = parts(Agent("auto", labels=[1, 2], features=4, seed=1).to_bytes())
    assert load(with_header(members, columns=[[5, 1, 0]])) is None


def test_an_open_decision_of_a_probability_that_is_too_low_is_refused():
    members = parts(saved("banditron")[0])
    assert load(with_array(members, "open.prob.npy", 0, 1e-100)) is not None
    for prob in (5e-324, 1e-101, 0.0, -0.5, np.nan, 1.5):
        assert load(with_array(members, "open.prob.npy", 0, prob)) is None
