"""Lost, false and late feedback, and drifting labels, for every learner: as in a plain loop."""

import numpy as np
import pace
import pytest

from onebit import learners
from onebit.agent.agent import Agent
from onebit.checks.easy_streams import easy_stream, small_params, stream_sizes
from onebit.experiment.run.delayed import DelayedPlay
from onebit.kernel.block import LOST, noiseless_block
from onebit.kernel.exploration import counts_as_correct
from onebit.kernel.round import Bit
from onebit.kernel.state import learned_arrays
from onebit.kernel.verbs import has_body
from onebit.streams import Stream
from onebit.streams.opening import resolve_transform

N = 60
WAYS = {
    "lost": ["drop:q=.4"],
    "lies": ["flip:q=.3"],
    "drifts": ["drift:at=15+40"],
    "late": ["delay:n=7"],
    "at-once": ["delay:n=0"],
    "later": ["delay:n=20,kind=geometric"],
    "everything": [
        "flip:q=.2",
        "drop:q=.2",
        "drift:at=30",
        "delay:n=3",
        "delay:n=5,kind=geometric",
    ],
}

#: Ways under which no hypothesis may stay right.
LYING = ("lies", "drifts", "everything")


def opened(name, way):
    """Return a learner's own lesson as a stream, changed, and its one block."""
    kind = learners.find(name)
    rows, truths = easy_stream(N, kind)
    block = noiseless_block(rows, truths)
    features, labels = stream_sizes(kind)[:2]
    stream = Stream(range(labels), features, N, lambda: iter([block]))
    for number, text in enumerate(WAYS[way]):
        stream = resolve_transform(text)[1].apply(stream, 5, number)
    return stream, next(stream.blocks())


def by_hand(agent, stream, block):
    """Play one event at a time, and bring each feedback when it is due."""
    hears_bits = learners.traits(agent.recipe.kind).hears is Bit
    delays = stream.delays(1, N).tolist() if stream.delays else [0] * N
    missed, under_way = [], []
    rounds = zip(block.rows.values, block.truths.labels.tolist(), block.signals, strict=True)
    for t, (x, y, signal) in enumerate(rounds, 1):
        choice = agent.decide(x)
        missed.append(choice.label != y)
        if signal != LOST:
            under_way.append((t + delays[t - 1], choice, y, signal))
        for due, old, truth, told in sorted(under_way, key=lambda each: each[1].round):
            if due == t and hears_bits:
                agent.learn(old, correct=(old.label == truth) != (told > 0))
            elif due == t:
                agent.learn(old, truth=(truth + told) % len(stream.labels))
    return missed


def agent_for(name, stream):
    few = small_params(learners.find(name))
    return Agent(name, range(len(stream.labels)), features=stream.features, seed=5, **few)


def agree(name, way, cuts):
    stream, block = opened(name, way)
    one, two = agent_for(name, stream), agent_for(name, stream)
    play = DelayedPlay(two, stream.delays, N).play if stream.delays else two.play
    missed = []
    for first, stop in zip([0, *cuts], [*cuts, N], strict=True):
        missed += play(block.pick(np.arange(first, stop))).tolist()
    expected = by_hand(one, stream, block)
    shows_several = has_body(
        counts_as_correct, one.recipe.explorer
    )  # and is right if any of them is
    assert expected == missed or shows_several
    assert one.round == two.round == N
    states = [learned_arrays(agent._player.learner) for agent in (one, two)]
    assert [a.tobytes() for a in states[0].values()] == [a.tobytes() for a in states[1].values()]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", learners.names())
@pytest.mark.skipif(not pace.PLAIN, reason="it is played as plain Python, by make bodies")
def test_every_learner_plays_it_as_if_by_hand(name, way):
    if way in LYING and hasattr(learners.find(name), "complaint"):
        pytest.skip("it takes every word for true, and complains when that cannot be")
    if name == "auto" and way not in ("late", "everything"):
        pytest.skip("a round of it takes .1 s as plain Python")
    with np.errstate(all="ignore"):
        agree(name, way, [0, 1, 25, 27])


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ["banditron", "perceptron"])
def test_compiled_too(name, way):
    agree(name, way, [38])


@pytest.mark.compiled
def test_late_feedback_costs_mistakes_and_lies_cost_more():
    from onebit.experiment.run.playing import play_trials
    from onebit.experiment.run.trial import Trial

    def mistakes(*transforms):
        trial = Trial.parse("synsep", "perceptron", 0, 3000, tuple(transforms))
        return play_trials([trial])[0].mistakes

    prompt, late, lying = mistakes(), mistakes("delay:n=300"), mistakes("flip:q=.3")
    assert prompt < late < lying
    assert mistakes("delay:n=0") == prompt
    # nothing is ever heard: the first guess for ever, and every ninth label is right
    assert mistakes("drop:q=1") == mistakes("delay:n=3000") > 2500
