"""Showing several labels, and learning from which one is picked."""

import json
import math
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pace import some

from onebit import Agent, BadInput, Offer
from onebit.checks.easy_streams import easy_stream
from onebit.errors import UnknownChoice
from onebit.explorers.greedy import Greedy
from onebit.explorers.swap import Swap
from onebit.kernel.block import Block, Multi, Single, noiseless_block
from onebit.kernel.exploration import (
    AllLabels,
    Situation,
    counts_as_correct,
    explore,
    greedy_label,
    shown_labels,
)
from onebit.kernel.round import Played
from onebit.kernel.rows import DenseRows
from onebit.theory import bounds

LABELS = ["tea", "coffee", "milk", "juice", "water"]
values = [0.0, 1.0, -1.0, 2.5, math.nan]  # a score that is nan ranks as the lowest
scores = st.lists(st.sampled_from(values), min_size=2, max_size=7).map(np.array)


def ranking(z):
    return sorted(range(len(z)), key=lambda k: (math.inf if math.isnan(z[k]) else -z[k], k))


@given(z=scores, data=st.data(), gamma=st.floats(0.01, 0.99), u=st.floats(0, 1, exclude_max=True))
def test_swap_plays_and_shows_by_its_definition(z, data, gamma, u):
    k, order = len(z), ranking(z)
    r = data.draw(st.integers(1, k - 1))
    swap, probs, out = Swap(r, gamma), np.empty(k), np.empty(k, np.int64)
    greedy = greedy_label(swap, z, u)
    assert greedy == order[int(u * r)]
    assert greedy_label(swap, z, 0.0) == order[0]
    explore(swap, Situation(None, None, AllLabels(k), z, 1), greedy, probs)
    expected = [gamma / (k - r) * (label in order[r:]) + (1 - gamma) * (label == greedy)
                for label in range(k)]  # fmt: skip
    assert probs == pytest.approx(expected)
    assert probs.sum() == pytest.approx(1.0, abs=1e-12)
    for label in (greedy, *order[r:]):
        played = Played(greedy, label, probs[label])
        seen = [label if each == greedy else each for each in order[:r]]
        assert shown_labels(swap, z, played, out) == r
        assert out[:r].tolist() == seen
        for truth in range(k):
            truths = Single(np.array([truth], np.int32))
            assert counts_as_correct(swap, truths, 0, z, played) == (truth in seen)
        nothing = Multi(np.zeros(2, np.int64), np.zeros(0, np.int32))
        assert not counts_as_correct(swap, nothing, 0, z, played)


def test_an_offer_of_many_labels_is_made_quickly():
    """The agent is locked meanwhile."""
    labels = range(some(5000, 300))
    agent = Agent("label-ranking", labels=labels, features=2, r=20, seed=1)
    agent.offer([1.0, 0.0])
    before = time.process_time()
    for _ in range(5):
        shown = agent.offer([1.0, 0.5]).shown
    assert time.process_time() - before < some(0.1, 10.0)
    assert len(set(shown)) == 20


def test_any_other_explorer_shows_the_played_label():
    out = np.empty(3, np.int64)
    assert shown_labels(Greedy(), np.zeros(3), Played(0, 2, 0.5), out) == 1
    assert out[0] == 2


def agent(**params):
    return Agent(
        "label-ranking", LABELS, **{"features": 3, "seed": 2, "r": 3, "gamma": 0.5, **params}
    )


def offers(a, n=60):
    return [a.offer(np.eye(3)[i % 3]) for i in range(n)]


def test_an_offer_shows_the_best_labels_sometimes_with_one_swapped():
    a = agent()
    a._player.learner.weights[0] = [0, 3, 1, 2, -1]
    swapped = 0
    for offer in (a.offer([1, 0, 0]) for _ in range(200)):
        best = ["coffee", "juice", "milk"]
        at = best.index(offer.choice.greedy)
        assert offer.shown == (*best[:at], offer.choice.label, *best[at + 1 :])
        swapped += offer.choice.label != offer.choice.greedy
    assert 60 < swapped < 140
    assert {offer.choice.greedy for offer in (a.offer([1, 0, 0]) for _ in range(50))} == set(best)


def test_only_a_pick_of_the_label_swapped_in_changes_weights():
    a = agent()
    for offer in offers(a):
        before = a._player.learner.weights.copy()
        swapped = offer.choice.label != offer.choice.greedy
        pick = offer.choice.label if offer.choice.round % 2 else offer.shown[0]
        a.pick(offer, pick)
        change = a._player.learner.weights - before
        if swapped and pick == offer.choice.label:
            step = (5 - 3) / 0.5  # (K - r) / gamma
            expected = np.zeros((3, 5))
            x = (offer.choice.round - 1) % 3
            expected[x, LABELS.index(offer.choice.label)] = step
            expected[x, LABELS.index(offer.choice.greedy)] = -step
            assert change == pytest.approx(expected)
        else:
            assert not change.any()


def test_picking_none_changes_nothing_and_closes_the_offer():
    a = agent()
    for offer in offers(a, 20):
        a.pick(offer, None)
        with pytest.raises(BadInput, match="is not open"):
            a.pick(offer, None)
    assert not a._player.learner.weights.any()


def test_what_was_not_shown_cannot_be_picked():
    a = agent()
    offer = a.offer([1, 0, 0])
    hidden = next(label for label in LABELS if label not in offer.shown)
    for label in (hidden, "beer", 7, ["tea"]):
        with pytest.raises(BadInput, match=r"^Agent: the label picked must be one of those shown"):
            a.pick(offer, label)
    for bad in (None, "tea", 5, offer.choice, ()):
        with pytest.raises(BadInput, match=r"^Agent: pick takes an Offer that offer returned"):
            a.pick(bad, "tea")
    for shown in ((np.array([1, 2]),), (), (*offer.shown, "beer")):
        with pytest.raises(BadInput, match="was changed after"):
            a.pick(Offer(offer.choice, shown), "tea")
    a.pick(offer, offer.shown[0])


def test_a_choice_that_was_no_offer_cannot_be_picked():
    a = agent()
    choice = a.decide([1, 0, 0])
    with pytest.raises(UnknownChoice, match="is of decide, not of offer"):
        a.pick(Offer(choice, ()), None)
    a.learn(choice, correct=False)


def test_an_offer_survives_json():
    a = agent()
    offer = a.offer([1, 0, 0])
    again = Offer(*json.loads(json.dumps(offer)))
    a.pick(again, offer.shown[1])
    with pytest.raises(BadInput, match="is not open"):
        a.pick(offer, None)


def test_a_learner_that_plays_one_label_offers_that():
    one, two = (Agent("banditron", LABELS, features=3, seed=4, gamma=0.5) for _ in range(2))
    for n in range(50):
        offer, choice = one.offer(np.eye(3)[n % 3]), two.decide(np.eye(3)[n % 3])
        assert offer.shown == (offer.choice.label,)
        right = LABELS[n % 3] == choice.label
        one.pick(offer, choice.label if right else None)
        two.learn(choice, correct=right)
    assert one._player.learner.weights.tobytes() == two._player.learner.weights.tobytes()
    told = Agent("perceptron", LABELS, features=3)
    with pytest.raises(BadInput, match="hears the true label"):
        told.pick(told.offer([1, 0, 0]), None)


def test_none_cannot_be_a_label_of_an_offer():
    with pytest.raises(BadInput, match="labels without None"):
        Agent("banditron", [None, 1], features=1).offer([1.0])


@pytest.mark.parametrize("r", [5, 6])
def test_fewer_labels_are_shown_than_there_are(r):
    with pytest.raises(
        BadInput, match=rf"^Swap: r must be below the number of labels, 5, got {r}\.$"
    ):
        agent(r=r)


def test_a_stream_and_single_offers_agree_also_with_several_right_labels():
    rows, truths = easy_stream(200)
    several = Multi(
        np.arange(201, dtype=np.int64) * 2, np.stack([truths, (truths + 2) % 4], 1).ravel()
    )
    for block in (noiseless_block(rows, truths), Block(rows, several, np.zeros(200, np.int32))):
        stream, single = (
            Agent("label-ranking", range(4), features=16, seed=5, gamma=0.3) for _ in range(2)
        )
        missed = stream.play(block)
        for n in range(200):
            right = {int(truths[n])}
            if block.truths is several:
                right.add(int(truths[n] + 2) % 4)
            offer = single.offer(rows.values[n])
            assert missed[n] == right.isdisjoint(offer.shown)
            single.pick(offer, offer.choice.label if offer.choice.label in right else None)
        assert stream._player.learner.weights.tobytes() == single._player.learner.weights.tobytes()
        assert stream._player.learner.weights.any()


def test_an_offer_can_be_picked_after_loading():
    before = Agent("label-ranking", LABELS, features=3, seed=2, r=3)
    offer = before.offer([1.0, 0.0, 2.0])
    after = Agent.from_bytes(before.to_bytes())
    with pytest.raises(BadInput, match="was changed after"):
        after.pick(offer._replace(shown=offer.shown[:2]), None)
    for each in (before, after):
        each.pick(Offer(*offer), offer.shown[0])
        with pytest.raises(BadInput, match="learned from"):
            each.pick(offer, None)
    assert after.to_bytes() == before.to_bytes()


def test_the_user_picks_the_most_relevant_label_shown():
    """In a stream with degrees of relevance as with offers."""
    rows, truths = easy_stream(200)
    labels = np.stack([truths, (truths + 2) % 4], 1).ravel()
    graded = Multi(np.arange(201) * 2, labels, np.tile([2.0, 1.0], 200))
    stream, single = (
        Agent("label-ranking", range(4), features=16, seed=5, gamma=0.5) for _ in range(2)
    )
    missed = stream.play(Block(rows, graded, np.zeros(200, np.int32)))
    for n in range(200):
        degree = {int(truths[n]): 2, int(truths[n] + 2) % 4: 1}
        offer = single.offer(rows.values[n])
        assert missed[n] == degree.keys().isdisjoint(offer.shown)
        best = max(offer.shown, key=lambda label: degree.get(label, 0))
        single.pick(offer, best if best in degree else None)
    assert stream._player.learner.weights.tobytes() == single._player.learner.weights.tobytes()


@pytest.mark.compiled
def test_the_bound_of_label_ranking_holds_and_bites():
    """One-hot rows: weights W = 1 have margin 1 and D = 10; random lists miss 3 of 5."""
    rounds, missed = 3000, []
    for seed in range(8):
        truths = np.random.default_rng(seed).integers(0, 5, rounds).astype(np.int32)
        block = noiseless_block(DenseRows(np.eye(5)[truths]), truths)
        ranking = Agent("label-ranking", range(5), features=5, seed=seed, gamma=0.3, r=2)
        missed.append(ranking.play(block).sum())
    bound = bounds.label_ranking(labels=5, rounds=rounds, gamma=0.3, complexity=10, r=2)
    assert bound == 550
    assert 0.15 * rounds * 0.9 < np.mean(missed) < bound < 0.6 * rounds / 2
