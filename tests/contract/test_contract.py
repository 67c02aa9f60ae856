"""Every learner keeps every law of the contract that applies to it."""

import pace
import pytest

from onebit import checks, learners

CASES = [(name, law) for name in learners.names() for law in checks.laws_for(learners.find(name))]


GROUPED = [  # on one worker, so that a learner is compiled once
    pytest.param(n, law, id=f"{n}-{law.__name__}", marks=pytest.mark.xdist_group(n))
    for n, law in CASES
]


#: Laws of thousands of rounds, which take minutes as plain Python with learners of several others.
LONG = {"error_falls", "scores_are_estimates"}


@pytest.mark.parametrize(("name", "law"), GROUPED)
def test_law(name, law):
    if pace.PLAIN and name == "auto" and law.__name__ in LONG:
        pytest.skip("thousands of rounds are played where they are compiled")
    law(learners.find(name))


def test_every_learner_and_law_is_there():
    assert {"banditron", "majority", "perceptron", "uniform"} <= {name for name, _ in CASES}
    assert {law for _, law in CASES} == set(checks.LAWS)
