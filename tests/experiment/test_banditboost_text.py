"""BanditBoost on real text: rows of norm 1, beside which a bias of 1 hides the words."""

import os
from pathlib import Path

import pytest

from onebit.experiment.run.playing import play_trials
from onebit.experiment.run.trial import Trial

FILE = Path(os.environ.get("ONEBIT_DATA", ".")) / "rcv1_4topics.svmlight.gz"


@pytest.mark.skipif(not FILE.exists(), reason=f"ONEBIT_DATA names no folder with {FILE.name}")
def test_weak_perceptrons_learn_topics_from_rows_of_norm_1():
    learners = ("banditboost:n=10,delta=0.003", "banditboost:n=1,delta=0.003,step=smooth")
    scaled, smooth = (
        play_trials([Trial.parse(str(FILE), learner, 0, None, ())])[0].error for learner in learners
    )
    assert scaled < 0.08
    assert smooth > 0.3
