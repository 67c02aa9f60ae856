"""gamma by theory: the formulas of Corollaries 2 and 3, capped, with and without a horizon."""

import copy
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from onebit import Agent, BadInput
from onebit.agent.recipe import Recipe
from onebit.checks.easy_streams import easy_stream
from onebit.explorers.theory import gamma_by_theory
from onebit.kernel.block import noiseless_block


def agent(**params):
    return Agent("banditron", range(4), features=16, seed=1, gamma="auto", **params)


def played_gamma(agent):
    """Read gamma off the probability of what a row would be played with now."""
    choice = copy.deepcopy(agent).decide(np.ones(16))
    return 4 * choice.prob if choice.label != choice.greedy else 4 / 3 * (1 - choice.prob)


def test_without_noise_it_is_corollary_2():
    assert gamma_by_theory(9, 81.0, 0.0, 10**6) == math.sqrt(9 * 81 / 10**6)
    a = agent(horizon="1e6", complexity=50)
    assert a._player.explorer.gamma == math.sqrt(4 * 50 / 10**6)
    assert played_gamma(a) == pytest.approx(math.sqrt(4 * 50 / 10**6))


@given(k=st.integers(2, 100), d=st.floats(0.1, 1e4), rho=st.floats(0, 10), t=st.integers(1, 10**9))
def test_with_noise_it_minimises_what_noise_adds(k, d, rho, t):
    """Corollary 3 minimises gamma T + sqrt(k D rho T / gamma), where that is not too small."""
    gamma = gamma_by_theory(k, d, rho, t)
    assert 0 < gamma <= 0.5
    low_noise = rho * t <= 4 * math.sqrt(k * d * t)
    if gamma < 0.5 and low_noise:
        assert gamma == pytest.approx(math.sqrt(k * d / t))
    elif gamma < 0.5:
        assert gamma == pytest.approx((rho * k * d / (4 * t)) ** (1 / 3))

        def cost(g):
            return g * t + math.sqrt(k * d * rho * t / g)

        assert cost(gamma) <= min(cost(gamma * 1.01), cost(gamma * 0.99))


def test_it_is_never_above_one_half():
    """Lemma 5 fails beyond; Corollary 2 is below it only when T > 4 k D."""
    assert gamma_by_theory(4, 100.0, 0.0, 1600) == 0.5
    assert gamma_by_theory(4, 100.0, 0.0, 1601) < 0.5
    assert agent(horizon=1)._player.explorer.gamma == 0.5


def test_without_a_horizon_it_decreases_from_round_to_round():
    rows, truths = easy_stream(3000)
    for noise in (0.0, 5.0):
        a = agent(complexity=1.0, noise=noise)
        for n in (0, 1, 30, 3000 - 31):
            a.play(noiseless_block(rows, truths).head(n))
            expected = gamma_by_theory(4, 1.0, noise, a.round + 1)
            assert played_gamma(a) == pytest.approx(expected)
        assert a.round == 3000
        assert played_gamma(a) < 0.2


def test_python_and_compiled_agree_on_it():
    from onebit.kernel import engine

    rows, truths = easy_stream(300)
    one, two = agent(complexity=1.0, noise=1.0), agent(complexity=1.0, noise=1.0)
    missed = np.empty(300, np.bool_)
    engine.play.body(one._player, noiseless_block(rows, truths), 1, missed)
    assert two.play(noiseless_block(rows, truths)).tolist() == missed.tolist()
    assert one._player.learner.weights.tobytes() == two._player.learner.weights.tobytes()


def test_gamma_auto_is_a_name_for_the_explorer_theory():
    recipe = Recipe.parse("banditron:gamma=auto,horizon=1000")
    full = str(recipe.spec)
    assert full == (
        "banditron:update=paper,gamma=auto,horizon=1000,complexity=100.0,noise=0.0,"
        "explorer=theory,ties=random"
    )
    assert Recipe.parse(full) == recipe == Recipe.parse("banditron:explorer=theory,horizon=1000")
    assert Recipe.parse("banditron:explorer=theory,gamma=0.25").params["gamma"] == 0.25
    with pytest.raises(BadInput, match=r"Banditron: horizon must be auto or a whole number, at"):
        Recipe.parse("banditron:gamma=auto,horizon=0")
    with pytest.raises(BadInput, match=r"gamma must be auto or a number in \(0, 1\), got 2"):
        Recipe.parse("banditron:explorer=theory,gamma=2")


def test_a_saved_agent_goes_on_with_its_gamma(tmp_path):
    rows, truths = easy_stream(100)
    a = agent(complexity=1.0)
    a.play(noiseless_block(rows, truths))
    a.save(tmp_path / "agent.npz")
    assert played_gamma(Agent.load(tmp_path / "agent.npz")) == played_gamma(a) < 0.5
