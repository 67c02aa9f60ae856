"""Every learner keeps every law that binds it."""

import pytest

from onebit import checks, learners

CASES = [(name, law) for name in learners.names() for law in checks.laws_for(learners.find(name))]


@pytest.mark.parametrize(("name", "law"), CASES, ids=[f"{n}-{law.__name__}" for n, law in CASES])
def test_law(name, law):
    law(learners.find(name))


def test_every_learner_and_law_is_there():
    assert {"banditron", "majority", "perceptron", "uniform"} <= {name for name, _ in CASES}
    assert {law for _, law in CASES} == set(checks._laws)
