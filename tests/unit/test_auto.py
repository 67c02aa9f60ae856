"""The self-tuning learner: its parts, its bounds, and what it promises."""

import json

import numpy as np
import pace
import pytest

from bench import auto_marginals
from onebit import Agent, BadInput
from onebit.agent.fitting import player_size
from onebit.agent.recipe import Recipe
from onebit.checks.contract import demand_same
from onebit.checks.easy_streams import easy_stream
from onebit.kernel.block import noiseless_block
from onebit.kernel.rows import DenseRows
from onebit.kernel.sizes import NUMERIC, Column, Sizes
from onebit.learners.shared.expert_list import names_of, plans

ROUNDS = pace.some(600, 20)


def noisy_numbers(n, factor=1.0):
    """Rows of numbers of wild scales; the label is the sign pattern of two of them."""
    random = np.random.default_rng(0)
    rows = random.normal(size=(n, 6)) * [1, 10, 100, 1000, 1, 1] + [0, 50, -300, 0, 7, 0]
    truths = 2 * (rows[:, 1] > 50) + (rows[:, 3] > 0)
    return DenseRows(rows * factor), truths.astype(np.int32)


def played(agent, rows, truths):
    return agent.play(noiseless_block(rows, truths))


@pytest.mark.xdist_group("auto")
def test_the_unit_of_numbers_does_not_matter():
    missed = []
    for factor in (1.0, 1e4, 1e-3):
        agent = Agent("auto", range(4), features=6, seed=1)
        missed.append(played(agent, *noisy_numbers(ROUNDS, factor)).mean())
    assert max(missed) - min(missed) < 0.02
    assert missed[0] < pace.some(0.35, 1.0)


@pytest.mark.compiled
@pytest.mark.xdist_group("auto")
def test_labels_that_change_raise_one_alarm_and_all_is_learned_anew():
    n = 1500
    rows, truths = easy_stream(2 * n)
    truths[n:] = (truths[n:] + 1) % 4
    agent = Agent("auto", range(4), features=16, seed=1)
    missed = played(agent, rows, truths)
    found = agent.diagnostics()
    assert found["alarms"] == 1
    assert n < found["last_alarm"] < n + 300
    assert missed[-500:].mean() < 0.02
    assert agent._player.explorer.rounds.sum() == 2 * n - found["last_alarm"]


@pytest.mark.xdist_group("auto")
def test_diagnostics_are_plain_and_add_up():
    agent = Agent("auto", range(4), features=6, seed=1)
    played(agent, *noisy_numbers(ROUNDS))
    found = agent.diagnostics()
    assert found["experts"] == ["softmax", "pairs", "forest"]
    assert sum(row["rounds"] for row in found["calibration"]) == ROUNDS
    assert all(len(found["rounds"]) == len(each) for each in found["beliefs"].values())
    assert np.allclose(sum(np.array(each) for each in found["beliefs"].values()), 1.0)
    assert found["rounds"] == sorted(found["rounds"])
    assert len(found["rounds"]) <= 64
    assert found["kind"] == "table"
    assert found["numbers"] == list(range(6))
    assert found["remembered"] == ROUNDS
    assert 0.0 <= found["explored"] <= 1.0
    assert found["mistakes"][-1] <= found["rounds"][-1]
    assert found["explorations"] == sorted(found["explorations"])
    assert all(0.0 < each <= 17.0 for each in found["replay"].values())
    assert (found["alarms"], found["last_alarm"]) == (0, None)
    json.dumps(found)


def test_experts_of_one_kind_have_names_of_their_own():
    found = Agent("auto:size=full", range(3), features=2).diagnostics()
    assert found["experts"][:2] == ["softmax", "softmax 2"]
    assert list(found["beliefs"]) == [*found["experts"], "stack"]


@pytest.mark.parametrize("size", ["standard", "full"])
@pytest.mark.parametrize("labels", [2, 32, 1000, 30_000])
@pytest.mark.parametrize("features", [64, 2**24])
def test_memory_is_bounded_whatever_the_numbers_of_labels_and_features(size, labels, features):
    agent = Agent("auto", range(labels), features=features, size=size)
    most = 360e6 if size == "full" else 270e6
    assert agent.most_bytes <= most  # pages that were not touched take nothing


@pytest.mark.xdist_group("auto")
def test_a_snapshot_may_leave_out_what_is_replayed():
    agent = Agent("auto", range(4), features=16, seed=1)
    n = pace.some(60, 15)
    rows, truths = easy_stream(n)
    played(agent, rows, truths)
    whole, less = agent.to_bytes(), agent.to_bytes(replay=False)
    assert len(less) < len(whole) - n * 16 * 9
    again, without = Agent.from_bytes(whole), Agent.from_bytes(less)
    assert "replay_since" not in repr(again)
    assert f"replay_since={n}" in repr(without)
    assert without.diagnostics()["remembered"] == 0
    assert agent.predict(rows.values[0]) == without.predict(rows.values[0])
    for each in (agent, again, without):
        played(each, rows, truths)
    assert agent.to_bytes() == again.to_bytes() != without.to_bytes()
    later = Agent.from_bytes(without.to_bytes())
    assert f"replay_since={n}" in repr(later)
    assert later.diagnostics()["remembered"] == n
    with pytest.raises(BadInput, match="replay must be True or False"):
        agent.to_bytes(replay="no")


def test_without_replay_other_learners_are_saved_whole():
    agent = Agent("banditron", range(3), features=2)
    assert "replay_since" not in repr(Agent.from_bytes(agent.to_bytes(replay=False)))


@pytest.mark.xdist_group("auto")
def test_rows_of_many_rare_features_are_text_and_declared_numbers_are_numbers():
    random = np.random.default_rng(0)
    columns = [Column(0, 1, NUMERIC)]
    agent = Agent("auto", range(2), features=2000, columns=columns, seed=1)
    rows = np.zeros((pace.some(300, 40), 2000))
    for row in rows:
        row[0] = random.normal() * 1e6
        row[random.integers(1, 2000, 6)] = 1.0
    played(agent, DenseRows(rows), (rows[:, 0] > 0).astype(np.int32))
    found = agent.diagnostics()
    assert found["kind"] == "text"
    assert found["numbers"] == [0]


@pytest.mark.xdist_group("auto")
def test_features_share_columns_when_all_are_taken(monkeypatch):
    monkeypatch.setattr("onebit.learners.auto.MOST_WEIGHTS", 64)
    agent = Agent("auto", range(4), features=16, seed=1)
    rows, truths = easy_stream(pace.some(400, 40))
    missed = played(agent, rows, truths)
    columns = agent._player.learner.conditioning.columns
    assert columns.max() < 8
    assert len(set(columns.tolist())) < 16
    assert missed[len(missed) // 2 :].mean() < 0.75


@pytest.mark.xdist_group("auto")
def test_a_label_added_later_keeps_tables_and_snapshots_know_it():
    agent = Agent("auto", range(8), features=16, seed=1)
    rows, truths = easy_stream(40)
    played(agent, rows, truths)
    before = agent._player.learner.experts.rest.learner.most_pairs
    agent.add_label("new")
    again = Agent.from_bytes(agent.to_bytes())
    choices = []
    for each in (agent, again):
        assert each._player.learner.experts.rest.learner.most_pairs == before
        choices.append(each.decide(rows.values[0]))
    assert choices[0][1:6] == choices[1][1:6]


def test_experts_can_be_named_and_must_estimate():
    agent = Agent("auto:experts=softmax", labels=range(3), features=2)
    assert agent.diagnostics()["experts"] == ["softmax"]
    for bad in ("banditron", "perceptron", "majority", ("softmax", "auto"), ("softmax", "no-such")):
        with pytest.raises(BadInput, match="experts must be auto, or names of learners"):
            Agent("auto", range(3), features=2, experts=bad)


@pytest.mark.parametrize(("field", "value"), [("columns", 10**6), ("numbers", 99), ("totals", 1e9)])
def test_a_doctored_conditioning_is_not_sound(field, value):
    conditioning = Agent("auto", range(3), features=5)._player.learner.conditioning
    assert conditioning.is_sound()
    getattr(conditioning, field)[4] = value
    assert not conditioning.is_sound()


@pytest.mark.xdist_group("auto")
@pytest.mark.parametrize(
    ("field", "place", "value"),
    [("indices", 0, 99), ("labels", 0, 9), ("ends", 1, 10**9), ("ends", 0, 50), ("starts", 3, 7),
     ("lengths", 2, 10**6)],
)  # fmt: skip
def test_a_doctored_ring_is_not_sound(field, place, value):
    agent = Agent("auto", range(4), features=16, seed=1)
    played(agent, *easy_stream(20))
    ring = agent._player.learner.ring
    assert ring.is_sound()
    getattr(ring, field)[place] = value
    assert not ring.is_sound()


@pytest.mark.xdist_group("auto")
def test_a_number_that_never_varied_does_not_blow_up_when_it_does():
    rows = np.full((60, 3), 0.1)
    rows[50:, 0] = 1e6
    agent = Agent("auto", range(2), features=3, columns=[Column(0, 1, NUMERIC)], seed=1)
    played(agent, DenseRows(rows), np.zeros(60, np.int32))
    assert np.abs(agent._player.learner.ring.values).max() <= 30.0


@pytest.mark.xdist_group("auto")
def test_the_ring_forgets_the_oldest(monkeypatch):
    monkeypatch.setattr("onebit.learners.shared.ring.ROWS", 10)
    agent = Agent("auto", range(4), features=16, seed=1)
    played(agent, *easy_stream(25))
    ring = agent._player.learner.ring
    assert agent.diagnostics()["remembered"] == 10
    assert ring.ends.tolist()[:2] == [15, 25]
    assert ring.is_sound()


@pytest.mark.xdist_group("auto")
def test_bits_of_rows_that_were_decided_before_any_was_heard_teach():
    """Rows are conditioned when their bit comes: nothing was known of numbers when they came."""
    n = pace.some(300, 20)
    rows, truths = noisy_numbers(n)
    agent = Agent("auto", range(4), features=6, seed=1)
    choices = agent.decide_many(rows.values)
    agent.learn_many(choices, [label == y for label, y in zip(choices.labels, truths, strict=True)])
    ring = agent._player.learner.ring
    numbers = ring.numeric[: ring.ends[2]] != 0
    assert np.count_nonzero(numbers) == 6 * (n - 1)  # in the first row none varied yet
    if not pace.PLAIN:
        right = [agent.predict(x) == y for x, y in zip(rows.values, truths, strict=True)]
        assert np.mean(right) > 0.5


@pytest.mark.compiled
@pytest.mark.xdist_group("auto")
def test_labels_are_played_as_often_as_is_logged():
    probs, played = auto_marginals.logged("auto", "synnonsep", 2500, seed=0)
    for groups in ((probs, played), auto_marginals.by_size(probs, played)):
        assert auto_marginals.deviations(*groups)[1] < 3.5
    flat = 0.9 * probs + 0.1 / probs.shape[1]  # a log that says it explored a tenth more
    assert auto_marginals.deviations(*auto_marginals.by_size(flat, played))[1] > 3.5


@pytest.mark.parametrize("size", ["light", "standard", "full"])
def test_memory_is_bounded_with_any_numbers_of_labels_and_features(size):
    recipe, most = Recipe.parse("auto", size=size), 460e6 if size == "full" else 280e6
    for labels in (8, 1000, 30_000, 2**17, 2**17 + 1, 1_000_000):
        player = recipe.player(Sizes(2**24, labels), seed=0)
        assert player_size(player) < most, labels
        members = names_of(player.learner.experts)
        assert (members == ["softmax"]) == (labels > 2**17)


def test_experts_by_name_are_as_in_the_size():
    for size in ("light", "standard", "full"):
        first = {plan.name: plan for plan in reversed(plans(size, "auto"))}
        assert plans(size, tuple(first)) == tuple(first.values())
    assert plans("light", ("mlp",)) == tuple(p for p in plans("full", "auto") if p.name == "mlp")


@pytest.mark.xdist_group("auto")
def test_an_agent_goes_on_with_the_same_bits_where_an_expert_skips_rows():
    """Rows of a table of many columns and labels, then of text: `pairs` skips the latter."""
    random = np.random.default_rng(0)
    table, text, labels = 30, pace.some(40, 20), 33
    rows, truths = np.zeros((table + text, 4000)), random.integers(0, labels, table + text)
    rows[:table, :110] = random.normal(size=(table, 110))
    for row in rows[table:]:
        row[random.integers(200, 4000, 100)] = 1.0
    agent = Agent("auto", range(labels), features=4000, seed=1)
    played(agent, DenseRows(rows[:-5]), truths[:-5].astype(np.int32))
    assert agent.diagnostics()["kind"] == "text"
    again = Agent.from_bytes(agent.to_bytes())
    for each in (agent, again):
        played(each, DenseRows(rows[-5:]), truths[-5:].astype(np.int32))
    demand_same(agent._player, again._player, "going on from a snapshot differs")


@pytest.mark.xdist_group("auto")
def test_diagnostics_count_the_rounds_that_an_expert_learned_from_again():
    agent = Agent("auto", range(2), features=2000, seed=1)
    random, n = np.random.default_rng(0), pace.some(300, 60)
    rows = np.zeros((n, 2000))
    for row in rows:
        row[random.integers(0, 2000, 6)] = 1.0
    played(agent, DenseRows(rows), random.integers(0, 2, n).astype(np.int32))
    replay = agent.diagnostics()["replay"]
    assert agent.diagnostics()["kind"] == "text"
    assert replay["softmax"] > 8.0
    assert replay["pairs"] < 1.0  # it skips rows of text: all but those of the first rounds
    assert replay["forest"] < 0.5
