"""Rounds with several right labels, or none."""

from typing import Annotated, NamedTuple

import numpy as np
import pytest

from onebit import Agent, BadInput
from onebit.experiment.run.playing import play_trials
from onebit.experiment.run.trial import Trial
from onebit.kernel.block import Multi
from onebit.kernel.round import Label, learn, score
from onebit.kernel.rows import Floats, add, dot
from onebit.kernel.state import Axes
from onebit.kernel.verbs import implements
from onebit.learners import learner
from onebit.streams.opening import open_stream


def blocks(*transforms, seed=1, count=1):
    found = open_stream("synsep", seed, transforms).blocks()
    return [next(found) for _ in range(count)]


def right(block):
    """Return the right labels of each round, as lists."""
    return [part.tolist() for part in np.split(block.truths.labels, block.truths.starts[1:-1])]


def test_extra_labels_come_and_go_as_often_as_asked():
    plain, multi = blocks()[0], blocks("multilabel:extra=0.1,none=0.2")[0]
    assert isinstance(multi.truths, Multi)
    lists = right(multi)
    assert len(lists) == 10_000
    empty = sum(not labels for labels in lists)
    assert abs(empty - 2000) < 5 * np.sqrt(10_000 * 0.2 * 0.8)
    extras = 0
    for labels, truth in zip(lists, plain.truths.labels.tolist(), strict=True):
        assert labels == sorted(set(labels))
        if labels:
            assert truth in labels
            extras += len(labels) - 1
    rounds = 8 * (10_000 - empty)
    assert abs(extras - 0.1 * rounds) < 5 * np.sqrt(rounds * 0.1 * 0.9)


def test_blocks_differ_and_the_seed_decides():
    one, two = blocks("multilabel", count=2)
    again = blocks("multilabel", count=2)[1]
    sizes = [np.diff(block.truths.starts) for block in (one, two, again)]
    assert not np.array_equal(sizes[0], sizes[1])
    assert np.array_equal(sizes[1], sizes[2])


def test_all_none_and_twice():
    (unchanged,) = blocks("multilabel:extra=0,none=0")
    assert right(unchanged) == [[label] for label in blocks()[0].truths.labels.tolist()]
    (full,) = blocks("multilabel:extra=1")
    assert right(full) == [list(range(9))] * 10_000
    (never,) = blocks("multilabel:none=1")
    assert len(never.truths.labels) == 0
    once, twice = blocks("multilabel")[0], blocks("multilabel", "multilabel")[0]
    for few, many in zip(right(once), right(twice), strict=True):
        assert set(few) <= set(many)
    assert len(twice.truths.labels) > 1.2 * len(once.truths.labels)


def error(learner, *transforms):
    trial = Trial.parse("synsep", learner, 0, 100_000, transforms)
    return play_trials([trial])[0].error


def test_a_round_without_a_right_label_is_a_mistake_and_learning_goes_on():
    assert error("banditron", "multilabel:none=1") == 1.0
    some = error("banditron", "multilabel:extra=0,none=0.1")
    assert 0.1 < some < 0.4  # chance is 0.9
    assert error("uniform", "multilabel:extra=0.5") == pytest.approx(1 - 1 / 9 - 4 / 9, abs=0.01)


def test_full_information_hears_the_set():
    assert error("perceptron", "multilabel:extra=0.2") < 0.01
    assert error("perceptron", "multilabel:extra=0,none=0.1") == pytest.approx(0.1, abs=0.01)


@learner(hears=Label)
class OneLabel(NamedTuple):
    """Hears one true label alone."""

    weights: Annotated[Floats, Axes("features", "labels")]


@implements(score, OneLabel)
def _(learner, x, out):
    dot(x, learner.weights, out)


@implements(learn, OneLabel)
def _(learner, x, scores, played, feedback):
    add(x, 1.0, learner.weights, feedback.truth)


def test_a_learner_that_was_not_declared_for_sets_refuses_them():
    stream = open_stream("synsep", 1, ("multilabel",))
    agent = Agent(OneLabel, stream.labels, features=stream.features)
    with pytest.raises(BadInput, match=r"^OneLabel: it hears one true label, and a .*\.$"):
        agent.play(next(stream.blocks()))
    choice = agent.decide(np.ones(stream.features))
    with pytest.raises(BadInput, match=r"truth must be one of the labels .*\], got \[1, 2\]\.$"):
        agent.learn(choice, truth=[1, 2])
    agent.learn(choice, truth=stream.labels[0])


def test_a_set_from_python():
    agent = Agent("perceptron", ["a", "b", "c"], features=1, seed=1)
    choices = [agent.decide([1.0]) for _ in range(3)]
    for bad in ({"a", "d"}, [["a"]], "d", ("a", "b")):
        with pytest.raises(BadInput, match=r"one of the labels .* or a set of them, got"):
            agent.learn(choices[0], truth=bad)
    agent.learn(choices[0], truth=set())
    assert not agent._player.learner.weights.any()
    agent.learn(choices[1], truth={"a", "b", "c"} - {choices[1].label})
    expected = [-1.0 if label == choices[1].label else 0.5 for label in agent.labels]
    assert agent._player.learner.weights.tolist() == [expected]
    with pytest.raises(BadInput, match="learn_many takes one true label for each choice"):
        agent.learn_many(choices[2:], truth=[{"a"}])
