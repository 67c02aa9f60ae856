"""Rounds with several right labels, or none."""

import numpy as np
import pytest

from onebit import Agent, BadInput
from onebit.experiment.run.playing import play_trials
from onebit.experiment.run.trial import Trial
from onebit.kernel.block import Multi
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


def test_full_information_is_refused():
    stream = open_stream("synsep", 1, ("multilabel",))
    agent = Agent("perceptron", stream.labels, features=stream.features)
    with pytest.raises(BadInput, match=r"^Perceptron: it hears the true label, and .*\.$"):
        agent.play(next(stream.blocks()))
