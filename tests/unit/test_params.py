"""Parameters and specs: one rule, one sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onebit import explorers, learners
from onebit.agent.recipe import Recipe
from onebit.errors import BadInput
from onebit.naming.params import OneOf, Param, Real, Whole, check_params, declared_params
from onebit.naming.spec import Spec

GAMMA = Param("gamma", Real("(0, 1)"), 0.05, "share")


@pytest.mark.parametrize(
    "bad", [0, 1, 1.5, "x", "nan", float("inf"), None, True, [], "", "1^^2", "2^1^1"]
)
def test_a_number_outside_is_one_sentence(bad):
    with pytest.raises(
        BadInput, match=r"^Banditron: gamma must be a number in \(0, 1\), got .*\.$"
    ):
        check_params("Banditron", [GAMMA], {"gamma": bad})


@pytest.mark.parametrize(
    ("good", "value"), [(0.5, 0.5), ("0.5", 0.5), ("2^-6", 2**-6), ("1e-3", 1e-3)]
)
def test_a_number_inside_is_read(good, value):
    assert check_params("Banditron", [GAMMA], {"gamma": good}) == {"gamma": value}


def test_closed_ends_are_inside():
    assert Real("[0, 1]").read(0) == 0
    assert Real("[0, 1]").read("1") == 1


def test_whole_numbers_are_exact():
    assert Whole(0).read(2**63 + 1) == 2**63 + 1
    assert Whole(0).read("9007199254740993") == 9007199254740993
    assert Whole(1).read("1e6") == 1_000_000
    for bad in (0, 1.5, "1.5", "x", -1):
        with pytest.raises((ValueError, TypeError)):
            Whole(1).read(bad)


def test_an_unknown_parameter_names_the_nearest_and_all():
    with pytest.raises(
        BadInput, match=r"no parameter is called 'gama' \(did you mean gamma\?\); it takes gamma"
    ):
        check_params("Banditron", [GAMMA], {"gama": 1})


@given(
    name=st.from_regex(r"[a-z][a-z0-9-]*", fullmatch=True),
    params=st.dictionaries(
        st.from_regex(r"[a-z][a-z_]*", fullmatch=True),
        st.floats(allow_nan=False) | st.integers(),
        max_size=4,
    ),
)
def test_a_spec_written_is_a_spec_read(name, params):
    again = Spec.parse(str(Spec(name, params)))
    assert again.name == name
    assert {k: type(params[k])(v) for k, v in again.params.items()} == params


@given(
    name=st.text(min_size=1),
    params=st.dictionaries(
        st.from_regex(r"[a-z][a-z_]*", fullmatch=True),
        st.text(min_size=1) | st.lists(st.text(), min_size=2).map(tuple),
        max_size=4,
    ),
)
def test_a_spec_round_trips_whatever_characters_are_in_it(name, params):
    spec = Spec(name, params)
    assert Spec.parse(str(spec)) == spec


def test_characters_of_the_grammar_are_escaped():
    spec = Spec("a b:c,d=e|f%.csv", {"x": ("1,2", "3=4", "5|6", "7:8", "9%", " \u2003"), "y": 0.5})
    text = "a%20b%3Ac,d=e|f%25.csv:x=1%2C2|3%3D4|5%7C6|7%3A8|9%25|%20%E2%80%83,y=0.5"
    assert str(spec) == text
    assert Spec.parse(text).params == {**spec.params, "y": "0.5"}


@pytest.mark.parametrize(
    "bad", ["", ":gamma=1", "a:", "a:gamma", "a:gamma=", "a:=1", "a:b=1,b=2", "a:b=1,,c=2"]
)
def test_a_spec_that_is_none_is_one_sentence(bad):
    with pytest.raises(BadInput, match=r"^onebit: a spec .*\.$"):
        Spec.parse(bad)


def test_a_full_spec_means_the_same():
    full = str(Recipe.parse("banditron").spec)
    assert full == "banditron:update=paper,gamma=0.05,explorer=epsilon,ties=random"
    assert Recipe.parse(full) == Recipe.parse("banditron")


def test_the_explorer_is_a_parameter():
    recipe = Recipe.parse("banditron:explorer=softmax,temperature=2")
    assert recipe.params["temperature"] == 2.0
    with pytest.raises(BadInput, match="no parameter is called 'gamma'"):
        Recipe.parse("banditron:explorer=softmax,gamma=0.1")
    with pytest.raises(BadInput, match="no explorer is called 'softmix'"):
        Recipe.parse("banditron:explorer=softmix")


def test_no_learner_and_explorer_share_a_parameter():
    own = {"explorer", "ties"}
    for explorer in explorers.names():
        its = {param.name for param in declared_params(explorers.find(explorer))}
        for learner in learners.names():
            hers = {param.name for param in declared_params(learners.find(learner))}
            assert not its & hers, (learner, explorer)
            assert not (its | hers) & own, (learner, explorer)


def test_every_rule_says_what_it_allows():
    assert str(OneOf(("a", "b"))) == "one of a, b"
    assert str(Whole(3)) == "a whole number, at least 3"
