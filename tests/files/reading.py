"""Reading and playing a file, and the sentence with which it is refused."""

import pytest
from files import write

from onebit import BadInput
from onebit.experiment.run.playing import play_trials
from onebit.experiment.run.trial import Trial
from onebit.streams.opening import open_stream


def play(spec, learner="banditron", **more):
    return play_trials([Trial.parse(spec, learner, **more)])[0]


def read(spec):
    stream = open_stream(spec, 0)
    return stream, *write.dense(stream)


def refusal(spec):
    """The sentence with which a file is refused."""
    with pytest.raises(BadInput) as error:
        read(spec)
    text = str(error.value)
    assert text.endswith(".")
    assert "\n" not in text
    return text
