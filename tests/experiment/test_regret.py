"""Regret in results and tables: against the best fixed label or hypothesis in hindsight."""

import math

import numpy as np
import pytest

from onebit.errors import BadInput
from onebit.experiment.report.summary import summarise
from onebit.experiment.report.text_tables import comparison_table
from onebit.experiment.run.playing import play_trials
from onebit.experiment.run.regret import FixedChoices, pseudo_regret
from onebit.experiment.run.trial import Trial
from onebit.streams.opening import open_stream


def results(stream, learner, seeds, *transforms, rounds=600):
    trials = [Trial.parse(stream, learner, seed, rounds, transforms) for seed in range(seeds)]
    return [play_trials([trial])[0] for trial in trials]


def truths_of(seed, rounds=600):
    return next(open_stream("synsep", seed).blocks()).truths.labels[:rounds]


def test_the_best_fixed_label():
    for result in results("synsep", "exp3", 2):
        counts = np.bincount(truths_of(result.seed), minlength=9)
        assert result.fixed_mistakes == (600 - counts).tolist()
        assert result.regret == result.mistakes - (600 - counts.max())
        assert result.best_fixed == str(counts.argmax() + 1)
        assert result.fixed == "labels"


def test_the_best_fixed_hypothesis():
    (result,) = results("synsep", "exp4", 1, "advise:class=thresholds,feature=7,n=3")
    block = next(open_stream("synsep", 0).blocks())
    rows = [block.rows.indices[block.rows.starts[i] : block.rows.starts[i + 1]] for i in range(600)]
    says = np.array([7 in row for row in rows]).astype(int)
    wrong = int((says != truths_of(0)).sum())
    assert result.fixed_mistakes == [wrong] * 3
    assert (result.regret, result.fixed) == (result.mistakes - wrong, "hypotheses")


def test_hypotheses_as_arms_have_the_same_best_choice():
    spec = "advise:class=thresholds,feature=7,n=3,low=-1,high=2"
    (advice,) = results("synsep", "exp4", 1, spec)
    (arms,) = results("synsep", "exp3", 1, spec, "arms")
    assert arms.labels == 3
    assert arms.fixed_mistakes == advice.fixed_mistakes


def test_wide_classes_keep_the_best_alone():
    (result,) = results("synsep", "exp4:rounds=40", 1, "advise:class=stumps", rounds=40)
    assert result.features == 400 * 72
    assert result.fixed_mistakes == []
    assert math.isnan(summarise([result]).pseudo_regret)
    assert summarise([result]).expected_regret == result.regret


def test_pseudo_regret_compares_with_one_choice_for_all_seeds():
    # the best choice is 10 in one seed and 10 in the other, but never the same one
    assert pseudo_regret([20, 30], [[10, 40], [40, 10]]) == 25 - 25
    found = results("synsep", "exp3", 4)
    summary = summarise(found)
    assert summary.expected_regret == np.mean([result.regret for result in found])
    fixed = np.mean([result.fixed_mistakes for result in found], axis=0)
    mistakes = np.mean([result.mistakes for result in found])
    assert summary.pseudo_regret == pytest.approx(mistakes - fixed.min())
    assert summary.pseudo_regret < summary.expected_regret


def test_tables_tell_regret_where_it_means_something():
    assert "pseudo" in comparison_table(results("synsep", "exp3", 2))
    assert "pseudo" not in comparison_table(results("synsep", "banditron", 2))


def test_features_are_refused_by_learners_of_advice():
    trial = Trial.parse("synsep", "halving", 0, 10)
    with pytest.raises(BadInput, match=r"Halving: it reads advice.*--with advise:class=stumps"):
        play_trials([trial])


def test_fixed_choices_count_every_right_label():
    stream = open_stream("synsep", 0)
    seen = FixedChoices(stream)
    block = next(stream.blocks())
    seen.add(block.head(5))
    seen.add(block.head(0))
    assert seen.rounds == 5
    assert seen.right.sum() == 5


def test_a_round_that_shows_several_labels_has_no_regret():
    (result,) = results("car", "label-ranking:r=2", 1, rounds=200)
    assert result.regret is None
    assert math.isnan(summarise([result]).expected_regret)
