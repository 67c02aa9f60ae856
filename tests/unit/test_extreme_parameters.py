"""Any number for any parameter: accepted, or refused in one sentence."""

import pytest

from onebit import BadInput, explorers, learners, streams
from onebit.agent.recipe import Recipe, parameters
from onebit.kernel.sizes import Sizes
from onebit.naming.params import declared_params
from onebit.streams.opening import resolve, resolve_transform

NUMBERS = ("1e-300", "5e-324", "0", "-1", "3", "1e15", "2e18", "9223372036854775808", "1e100",
           "1e308", "1e400", "inf", "nan", "9" * 3000)  # fmt: skip


def refused_in_a_sentence(act):
    try:
        act()
    except BadInput as error:
        assert 0 < len(str(error)) <= 1100
        assert str(error).endswith("."), str(error)


LEARNERS = [
    *((f"{name}:", parameters(learners.find(name))) for name in learners.names()),
    *(
        (f"softmax:explorer={name},", declared_params(explorers.find(name)))
        for name in explorers.names()
    ),
]


@pytest.mark.parametrize(("start", "params"), LEARNERS, ids=[start for start, _ in LEARNERS])
def test_a_learner_or_an_explorer(start, params):
    for param in params:
        for number in NUMBERS:
            recipe = f"{start}{param.name}={number}"
            refused_in_a_sentence(lambda spec=recipe: Recipe.parse(spec).player(Sizes(3, 3), 0))


@pytest.mark.compiled  # some open for long as plain Python
@pytest.mark.parametrize("name", [name for name in streams.names() if name != "reuters4"])
def test_a_stream(name):
    for param in declared_params(streams.find(name)):
        for number in NUMBERS:
            spec = f"{name}:{param.name}={number}"
            refused_in_a_sentence(lambda spec=spec: resolve(spec).source.open(0))


@pytest.mark.compiled
@pytest.mark.parametrize("name", streams.transform_names())
def test_a_transform(name):
    stream = resolve("car").source.open(0)
    for param in declared_params(streams.find_transform(name)):
        for number in NUMBERS:
            spec = f"{name}:{param.name}={number}"
            refused_in_a_sentence(
                lambda spec=spec: resolve_transform(spec).transform.apply(stream, 0, 0)
            )


def test_the_middle_of_a_long_message_is_left_out():
    sentence = str(BadInput(f"onebit: {'x' * 5000} must be short."))
    assert len(sentence) == 1003
    assert sentence.startswith("onebit: xxx")
    assert sentence.endswith("xxx must be short.")


def test_an_array_of_any_size_is_refused_with_its_size():
    with pytest.raises(BadInput, match=r"got an array of more than 10\^3\d\d bytes"):
        Recipe.parse("banditboost:n=1e308").player(Sizes(3, 3), 0)
