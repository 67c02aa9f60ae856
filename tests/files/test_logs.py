"""Learning from a log is learning from its recorded choices, and says what it could not use."""

import json

import numpy as np
import pytest

from onebit import Agent, BadInput
from onebit.checks.easy_streams import easy_stream
from onebit.experiment.run.replay import learn_from_log as learn

GOOD = {"x": {"a": 1}, "label": "tea", "prob": 0.5, "correct": True}


def lines(*items):
    return "".join(json.dumps(item) + "\n" for item in items)


def state(agent):
    return [a.tobytes() for a in agent._player.learner if isinstance(a, np.ndarray)]


def logged(learner, n=400, truth=False):
    """A log of an agent that decides and learns, and the agent."""
    rows, truths = easy_stream(n)
    agent = Agent(learner, range(4), features=16, seed=3)
    events = []
    for x, y in zip(rows.values.tolist(), truths.tolist(), strict=True):
        choice = agent.decide(x)
        event = {"x": x, "label": choice.label, "prob": choice.prob, "correct": choice.label == y}
        if truth:
            event["truth"] = y
            agent.learn(choice, truth=y)
        else:
            agent.learn(choice, correct=choice.label == y)
        events.append(event)
    return events, agent


@pytest.mark.parametrize(
    ("learner", "truth"), [("banditron", False), ("auto", False), ("perceptron", True)]
)
def test_a_learner_that_replays_its_own_log_comes_out_the_same(put, learner, truth):
    events, agent = logged(learner, truth=truth)
    again, done = learn(put("a.jsonl", lines(*events)), learner, seed=3)
    assert (done.rows, done.used, done.unused) == (400, 400, {})
    assert state(again) == state(agent)
    assert again.round == agent.round


def test_the_marginal_of_a_choice_is_used_where_a_log_has_it(put):
    other = {**GOOD, "label": "coffee"}
    both, null = {**GOOD, "prob": 0.9, "marginal": 0.5}, {**GOOD, "marginal": None}
    one, _ = learn(put("a.jsonl", lines(both, GOOD, other)), "banditron")
    two, _ = learn(put("b.jsonl", lines(GOOD, null, other)), "banditron")
    assert state(one) == state(two)
    _, done = learn(put("c.jsonl", lines(other, {**GOOD, "marginal": 2})), "banditron")
    assert done.unused == {"a prob outside [1e-100, 1]": 1}


def test_vw_logs_say_the_same_as_json(put):
    rows = [("1", 0, 0.5, "a"), ("2", 1, 0.25, "b"), ("2", 0, 0.1, "a")]
    text = "".join(f"{y}:{cost}:{p} | {name}\n" for y, cost, p, name in rows)
    items = [
        {"x": {name: 1}, "label": y, "prob": p, "correct": not cost} for y, cost, p, name in rows
    ]
    one, done = learn(put("a.vw", text), "banditron")
    two, _ = learn(put("a.jsonl", lines(*items)), "banditron")
    assert done.used == 3
    assert one.labels == two.labels == (1, 2)
    assert state(one) == state(two)


def test_other_labels_of_a_vw_log_are_labels_too(put):
    agent, done = learn(put("a.vw", "1 2:1:0.4 3 | a\n"), "banditron")
    assert (agent.labels, done.used) == ((1, 2, 3), 1)


@pytest.mark.parametrize(
    ("head", "why"),
    [
        ("1 2", "no label:cost:prob"),
        ("1:0:0.5 2:1:0.5", "several labels played"),
        ("1:x:0.5", "a cost or a prob that is no number"),
    ],
)
def test_rounds_of_a_vw_log_that_cannot_be_used_are_counted(put, head, why):
    _, done = learn(put("a.vw", f"1:0:0.5 | a\n2:1:0.5 | a\n{head} | b\n"), "banditron")
    assert done.unused == {why: 1}


def test_costs_may_mean_right_otherwise(put):
    text = "1:-1:0.5 | a\n2:0:0.5 | a\n2:1:0.5 | a\n"
    one, done = learn(put("a.vw", text), "banditron", right=-1.0)
    assert done.unused == {"a cost that is neither -1 nor 0": 1}
    two, _ = learn(put("b.vw", "1:0:0.5 | a\n2:1:0.5 | a\n"), "banditron")
    assert state(one) == state(two)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"prob": None}, "no prob"),
        ({"prob": 0}, "a prob outside [1e-100, 1]"),
        ({"prob": 1.5}, "a prob outside [1e-100, 1]"),
        ({"prob": float("nan")}, "a prob outside [1e-100, 1]"),
        ({"prob": 1e-320}, "a prob outside [1e-100, 1]"),
        ({"prob": 10**400}, "a prob outside [1e-100, 1]"),
        ({"prob": "x"}, "a prob that is no number"),
        ({"label": None}, "no label"),
        ({"label": "milk"}, "a label that is not among the labels"),
        ({"correct": None}, "no bit (correct)"),
        ({"correct": "yes"}, "a bit that is neither true nor false"),
        ({"truth": "milk"}, "a truth that is not among the labels"),
    ],
)
def test_rows_that_cannot_be_used_are_counted_by_reason(put, change, why):
    path = put("a.jsonl", lines(GOOD, {**GOOD, **change}))
    agent, done = learn(f"{path}:labels=tea|coffee", "banditron")
    assert (done.rows, done.used, done.unused) == (2, 1, {why: 1})
    alone, _ = learn(put("b.jsonl", lines(GOOD)) + ":labels=tea|coffee", "banditron")
    assert state(agent) == state(alone)


def test_a_truth_gives_the_bit(put):
    item = {"x": {"a": 1}, "label": "tea", "prob": 0.5, "truth": "tea"}
    one, _ = learn(put("a.jsonl", lines(item)) + ":labels=tea|coffee", "banditron")
    two, _ = learn(put("b.jsonl", lines(GOOD)) + ":labels=tea|coffee", "banditron")
    assert state(one) == state(two)


def test_learners_that_hear_the_truth_need_it(put):
    path = put("a.jsonl", lines(GOOD, {**GOOD, "label": "coffee"}))
    with pytest.raises(BadInput, match="must say the truth"):
        learn(path, "perceptron")
    with pytest.raises(BadInput, match=r"rows to learn from, got none \(2 with no truth\)"):
        learn(f"{path}:labels=tea|coffee,features=300", "perceptron")


def test_only_logs_are_learned_from(put):
    with pytest.raises(BadInput, match="a log must be in the format jsonl or vw, got csv"):
        learn(put("a.csv", "x,y\n1,2\n"), "banditron")
    with pytest.raises(BadInput, match="must have rows, got none"):
        learn(put("a.jsonl", ""), "banditron")
    with pytest.raises(BadInput, match='must have the label that was played, as "label" in JSON'):
        learn(put("c.jsonl", lines({"x": {"a": 1}, "y": "tea"}, {"x": {"a": 2}, "y": "milk"})),
              "banditron")  # fmt: skip
    with pytest.raises(BadInput, match="line 2 must be a JSON object"):
        learn(put("b.jsonl", lines(GOOD) + "x\n"), "banditron")


def test_bad_lines_of_a_log_can_be_skipped(put):
    text = lines(GOOD) + "x\n" + lines({**GOOD, "label": "coffee"})
    _, done = learn(put("b.jsonl", text) + ":bad=skip", "banditron")
    assert (done.rows, done.used, done.unused) == (3, 2, {"a malformed line": 1})
