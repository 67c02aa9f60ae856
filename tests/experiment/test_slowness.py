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
        progress.start(trial, 10**6, 1000)
        progress.update(trial, rounds, 0, seconds)
    said = list(slow.sentences(progress))
    assert len(said) == told
    assert list(slow.sentences(progress)) == []
    if told:
        assert said[0].startswith("onebit: banditron takes about 5 ms a round here, 1,000,000 rou")
        assert "about 83 minutes" in said[0]
