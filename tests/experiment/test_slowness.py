"""A learner that will take long is told by the time of its own rounds, not by that of others."""

import pytest

from onebit.experiment.run.runner import Progress
from onebit.experiment.run.slowness import MEASURED_SECONDS, SlowTrials
from onebit.experiment.run.trial import Trial


@pytest.mark.parametrize(
    ("rounds", "seconds", "told"),
    [
        (10**6, MEASURED_SECONDS, False),  # a million rounds in half a second
        (0, 100 * MEASURED_SECONDS, False),
        (100, MEASURED_SECONDS / 2, False),  # too little to tell
        (100, MEASURED_SECONDS, True),
    ],
)
def test_a_slow_trial_is_told_once(rounds, seconds, told):
    trials = Trial.parse("synsep", "banditron", 0, 10**6).over_seeds(range(2))
    progress, slow = Progress(trials), SlowTrials()
    for trial in trials:
        progress.start(trial, 10**6, 0)
    said = []
    for n in (1, 2):  # the second half second is as slow as the first
        for trial in trials:
            progress.update(trial, n * rounds, 0, n * seconds)
        said.append(list(slow.sentences(progress)))
    assert [len(each) for each in said] == [0, told]
    assert list(slow.sentences(progress)) == []
    if told:
        (sentence,) = said[1]
        assert sentence.startswith("onebit: banditron takes about 5 ms a round here, 1,000,000 rou")
        assert "about 83 minutes" in sentence


def test_slow_first_rounds_are_no_slow_trial():
    (trial,) = Trial.parse("synsep", "banditron", 0, 10**6).over_seeds([0])
    progress, slow = Progress([trial]), SlowTrials()
    progress.start(trial, 10**6, 10**9)
    for rounds, seconds in ((2, 0.6), (10, 1.2), (74, 1.9), (10**5, 2.9), (2 * 10**5, 3.9)):
        progress.update(trial, rounds, 0, seconds)
        assert list(slow.sentences(progress)) == []
