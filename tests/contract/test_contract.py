"""Every learner keeps every law of the contract that applies to it."""

import pace
import pytest

from onebit import checks, learners
from onebit.checks import contract

CASES = [(name, law) for name in learners.names() for law in checks.laws_for(learners.find(name))]


#: Laws that say nothing where all is plain Python.
ABOUT_COMPILED = {"python_and_compiled_agree", "memory_is_constant"}
#: Laws of so many rounds that plain Python takes as long for one as compiled code for all.
MANY_ROUNDS = {"error_falls", "scores_are_estimates"}
#: Laws of many rounds, and learners with which they take minutes as plain Python.
LONG = {"events_and_stream_agree", "dense_and_sparse_agree", "blocks_and_whole_agree",
        "it_never_peeks", "the_seed_decides", "deciding_changes_nothing",
        "probabilities_are_probabilities", "probabilities_are_true"}  # fmt: skip
SLOW = {"auto", "banditboost", "boost", "cover-halving", "projected-halving"}


#: Laws of whole streams are checked compiled for all learners. Those of single events compile code
#: of their own: they are for these learners, and as plain Python for all.
OF_STREAMS = ABOUT_COMPILED | MANY_ROUNDS | {
    "dense_and_sparse_agree", "widths_agree", "blocks_and_whole_agree", "units_are_told",
    "it_is_complete", "bad_parameters_are_refused",
}  # fmt: skip
COMPILED = {"auto", "banditboost", "banditron", "cova", "exp3", "label-ranking", "perceptron",
            "softmax", "weighted-majority"}  # fmt: skip
#: Laws of single events that take minutes for `auto`: only `make torture` checks them compiled.
LONG_FOR_AUTO = {"some_labels_can_be_played_alone", "many_and_one_agree",
                 "deciding_changes_nothing", "it_is_documented"}  # fmt: skip


def marks(name, law):
    """On one worker, so that a learner is compiled once."""
    yield pytest.mark.xdist_group(name)
    if name == "auto" and law.__name__ in LONG_FOR_AUTO and not pace.PLAIN:
        yield pytest.mark.long


GROUPED = [
    pytest.param(n, law, id=f"{n}-{law.__name__}", marks=[*marks(n, law)]) for n, law in CASES
]


#: Laws that `auto` keeps in another size too.
LIGHT = ("labels_can_be_added", "saved_and_uninterrupted_agree", "events_and_stream_agree",
         "feedback_may_be_late", "probabilities_are_true", "error_falls")  # fmt: skip


@pytest.mark.parametrize(("name", "law"), GROUPED)
def test_law(name, law):
    too_slow = name in SLOW and law.__name__ in LONG
    if law.__name__ not in OF_STREAMS and not (pace.PLAIN or name in COMPILED or too_slow):
        pytest.skip("checked as plain Python, by make bodies")
    if pace.PLAIN and law.__name__ in ABOUT_COMPILED:
        pytest.skip("it compares with compiled code, which is disabled")
    if pace.PLAIN and (too_slow or law.__name__ in MANY_ROUNDS):
        pytest.skip("many rounds are played where they are compiled")
    law(learners.find(name))


@pytest.mark.xdist_group("auto")
@pytest.mark.parametrize("name", LIGHT)
def test_auto_keeps_the_law_in_its_light_size(name, monkeypatch):
    """The size is no type: what was compiled for the standard one serves."""
    if pace.PLAIN and name != "labels_can_be_added":
        pytest.skip("checked where it is compiled")
    monkeypatch.setattr(contract, "small_params", lambda kind: {"size": "light"})
    (law,) = (law for law in checks.LAWS if law.__name__ == name)
    law(learners.find("auto"))


def test_every_learner_and_law_is_there():
    assert {"banditron", "majority", "perceptron", "uniform"} <= {name for name, _ in CASES}
    assert {law for _, law in CASES} == set(checks.LAWS)
