"""Loops written by hand, one for each algorithm: what composing verbs may cost at most.

Each does in one function what onebit puts together from a learner, an explorer
and the engine, on sparse rows, with the same draws, so that it makes exactly
the same mistakes. Nothing is shared with onebit: not even chance. A further
loop is a function and its line in FUSED; `own` picks its arguments, after the
common ones (starts, indices, values, truths, first, missed), out of a player
that has seen nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numba
import numpy as np

from bench.fused_banditboost import LOOPS

by_hand = numba.njit(nogil=True, error_model="numpy")


@by_hand
def uniform(key, round):
    z = np.uint64(key) + np.uint64(round) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return (z >> np.uint64(11)) * 2.0**-53


@by_hand
def argmax(scores, key, round):
    """The highest score; the draw of the round picks among equals."""
    top, ties = 0, 1
    for k in range(1, len(scores)):
        if scores[k] > scores[top]:
            top, ties = k, 1
        elif scores[k] == scores[top]:
            ties += 1
    if ties > 1:
        skip = int(uniform(key, round) * ties)
        for k in range(top, len(scores)):
            if scores[k] == scores[top]:
                if skip == 0:
                    return k
                skip -= 1
    return top


@by_hand
def perceptron(starts, indices, values, truths, first, missed, weights, ties_key):
    scores = np.empty(weights.shape[1])
    for i in range(len(truths)):
        scores[:] = 0.0
        for n in range(starts[i], starts[i + 1]):
            j, value = indices[n], values[n]
            for k in range(len(scores)):
                scores[k] += value * weights[j, k]
        guess = argmax(scores, ties_key, first + i)
        missed[i] = guess != truths[i]
        if missed[i]:
            for n in range(starts[i], starts[i + 1]):
                weights[indices[n], truths[i]] += values[n]
                weights[indices[n], guess] -= values[n]


@by_hand
def banditron(
    starts, indices, values, truths, first, missed, weights, ties_key, labels_key, gamma
):  # fmt: skip
    scores = np.empty(weights.shape[1])
    for i in range(len(truths)):
        scores[:] = 0.0
        for n in range(starts[i], starts[i + 1]):
            j, value = indices[n], values[n]
            for k in range(len(scores)):
                scores[k] += value * weights[j, k]
        greedy = argmax(scores, ties_key, first + i)
        each = gamma / len(scores)
        u, total, label = uniform(labels_key, first + i), 0.0, 0
        for label in range(len(scores)):  # ends with the one on which u falls
            total += each + (1.0 - gamma) if label == greedy else each
            if u < total:
                break
        missed[i] = label != truths[i]
        step = -1.0
        if not missed[i]:
            if label == greedy:
                step += 1.0 / (each + (1.0 - gamma))
            else:
                for n in range(starts[i], starts[i + 1]):
                    weights[indices[n], label] += values[n] / each
        for n in range(starts[i], starts[i + 1]):
            weights[indices[n], greedy] += step * values[n]


class Fused(NamedTuple):
    """A loop, and which of its arguments come from a player."""

    loop: Any
    own: Callable[[Any], tuple[Any, ...]]


FUSED = {
    "perceptron": Fused(perceptron, lambda player: (player.learner.weights, player.chance.ties)),
    "banditron": Fused(
        banditron,
        lambda player: (
            player.learner.weights,
            player.chance.ties,
            player.chance.labels,
            player.explorer.gamma,
        ),
    ),
    **{name: Fused(*loop) for name, loop in LOOPS.items()},
}
