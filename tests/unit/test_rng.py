"""Random numbers: pinned bits, even spread, exact draws."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from pace import some

from onebit.kernel.rng import best, draw, key, uniform
from onebit.kernel.verbs import entry


@entry
def fill(key, first, out):
    for i in range(out.shape[0]):
        out[i] = uniform(key, first + i)


def splitmix64(state):
    """The published generator: add the golden gamma, then mix."""
    mask = (1 << 64) - 1
    z = (state + 0x9E3779B97F4A7C15) & mask
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
    return z ^ (z >> 31)


def test_it_is_splitmix64():
    """From the state 1234567 the generator is known to give these numbers first."""
    known = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    for n, value in enumerate(known, 1):
        state = (1234567 + (n - 1) * 0x9E3779B97F4A7C15) % 2**64
        assert splitmix64(state) == value
        assert uniform(1234567, n) == (value >> 11) * 2.0**-53


@given(key=st.integers(0, 2**63 - 1), first=st.integers(0, 2**40))
def test_compiled_and_python_agree(key, first):
    out = np.empty(3)
    fill(key, first, out)
    assert out.tolist() == [uniform(key, first + i) for i in range(3)]
    assert ((out >= 0) & (out < 1)).all()


def test_it_is_spread_evenly_and_purposes_do_not_meet():
    """Chi-square over 100 bins, and over 10 x 10 bins for two purposes at once."""
    n = some(100_000, 20_000)
    ties, labels = np.empty(n), np.empty(n)
    fill(key(0, "ties"), 1, ties)
    fill(key(0, "labels"), 1, labels)
    for bins in (ties * 100, labels * 100, np.floor(ties * 10) * 10 + np.floor(labels * 10)):
        counts = np.bincount(bins.astype(int), minlength=100)
        chi = ((counts - n / 100) ** 2 / (n / 100)).sum()
        assert 50 < chi < 160  # 99 degrees of freedom; p about 1e-4 on either side
    assert key(0, "ties") != key(1, "ties")


def test_keys_are_pinned():
    """A key that changes would change every run that was ever published."""
    assert key(0, "ties") == 2207604514518526462
    assert key(12345678901234567890, "labels") == 245644126077064203


@given(st.lists(st.integers(0, 3), min_size=1, max_size=8), st.floats(0, 1, exclude_max=True))
def test_best_is_a_highest_score_and_u_picks_evenly(scores, u):
    array = np.array(scores, float)
    ties = np.flatnonzero(array == array.max())
    assert best(array, u) == ties[int(u * len(ties))]
    assert best(array, 0.0) == ties[0]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8).filter(lambda p: sum(p) > 0.01))
def test_draw_follows_the_probabilities(weights):
    probs = np.array(weights) / sum(weights)
    us = (np.arange(2000) + 0.5) / 2000
    counts = np.bincount([draw(probs, u) for u in us], minlength=len(probs))
    assert np.abs(counts / 2000 - probs).max() <= 1.01 / 2000
    assert probs[draw(probs, np.nextafter(1.0, 0.0))] > 0
    assert draw(np.array([0.5, 0.25, 0.0]), 0.9) == 1  # sums that round to less than 1
