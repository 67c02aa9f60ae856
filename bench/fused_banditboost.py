"""BanditBoost and C-OVA by hand: each one loop, with the same draws and mistakes as onebit's.

    python bench/fused_banditboost.py [ROUNDS]

plays rows shaped like CONNECT4 (42 of 126 features, 3 labels) and prints CPU seconds and the
ratio. Nothing is shared with onebit, not even chance.
"""

from __future__ import annotations

import math
import sys
import time

import numba
import numpy as np

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
def cova(starts, indices, values, truths, first, missed, weights, ties_key):
    """Perceptrons, every label learns from a hit."""
    labels = weights.shape[1]
    scores = np.empty(labels)
    for r in range(len(truths)):
        scores[:] = 0.0
        for e in range(starts[r], starts[r + 1]):
            j, value = indices[e], values[e]
            for k in range(labels):
                scores[k] += value * weights[j, k]
        label = argmax(scores, ties_key, first + r)
        missed[r] = label != truths[r]
        for k in range(labels):
            if k == label:
                y = -1.0 if missed[r] else 1.0
            elif missed[r]:
                continue
            else:
                y = -1.0
            if y * scores[k] <= 0.0:
                for e in range(starts[r], starts[r + 1]):
                    weights[indices[e], k] += y * values[e]


@by_hand
def banditboost(
    starts, indices, values, truths, first, missed,
    weights, bias, squares, voters, totals, gains, ties_key, labels_key, delta, advantage,
):  # fmt: skip
    """Perceptrons with a bias, steps without 1 / prob, multiplicative voting weights."""
    _, labels, n = weights.shape
    margins, votes, steps = np.empty((labels, n)), np.empty((labels, n)), np.empty(n)
    scores = np.empty(labels)
    theta, eta = advantage / (2.0 + advantage), delta**3 / labels
    rate = 0.5 * math.log1p(-advantage)
    for r in range(len(truths)):
        extent = 0.0
        margins[:] = 0.0
        for e in range(starts[r], starts[r + 1]):
            j, value = indices[e], values[e]
            extent += value * value
            for k in range(labels):
                for i in range(n):
                    margins[k, i] += value * weights[j, k, i]
        extent += 1.0
        length = math.sqrt(extent)
        for k in range(labels):
            for i in range(n):
                margins[k, i] += bias[k, i]
                both = math.sqrt(squares[k, i]) * length
                cosine = margins[k, i] / both if both > 0.0 else 0.0
                votes[k, i] = min(1.0, max(-1.0, cosine))
            total, weight = 0.0, 0.0
            for i in range(n):
                total += voters[k, i] * votes[k, i]
                weight += voters[k, i]
            scores[k] = total / weight
        greedy = argmax(scores, ties_key, first + r)
        u, total, label = uniform(labels_key, first + r), 0.0, 0
        prob = 0.0
        for k in range(labels):
            prob = delta / labels + (1.0 - delta if k == greedy else 0.0)
            label = k
            total += prob
            if u < total:
                break
        missed[r] = label != truths[r]
        y = -1.0 if missed[r] else 1.0
        z, errs = 0.0, False
        for i in range(n):
            weight = math.exp(rate * z) if z > 0.0 else 1.0
            z += y * votes[label, i] - theta
            totals[i] += weight / prob
            gains[i] += weight / prob * (y * votes[label, i])
            wrong = y * margins[label, i] <= 0.0
            steps[i] = y * weight if wrong else 0.0
            errs = errs or wrong
        if errs:
            for e in range(starts[r], starts[r + 1]):
                for i in range(n):
                    weights[indices[e], label, i] += steps[i] * values[e]
            for i in range(n):
                s = steps[i]
                bias[label, i] += s
                squares[label, i] += 2.0 * s * margins[label, i] + s * s * extent
        if theta > y * scores[label]:
            total = 0.0
            for i in range(n):
                voters[label, i] *= math.exp(eta / prob * (y * votes[label, i]))
                total += voters[label, i]
            for i in range(n):
                voters[label, i] /= total


def shaped(rounds):
    """Rows like CONNECT4's: one of three features in each of 42 columns; the label is learnable."""
    chance = np.random.default_rng(0)
    chosen = chance.choice(3, size=(rounds, 42), p=(0.1, 0.1, 0.8))
    truths = (chosen[:, :8] @ np.arange(1, 9) % 7 > 2).astype(np.int32) + (chosen[:, 9] == 0)
    starts = np.arange(rounds + 1, dtype=np.int64) * 42
    indices = (chosen + np.arange(42) * 3).astype(np.int32).reshape(-1)
    return starts, indices, np.ones(len(indices)), truths.astype(np.int32)


def own_cova(player):
    """The arguments of `cova` after the common ones, from a player that has seen nothing."""
    return player.learner.base.weights, player.chance.ties


def own_banditboost(player):
    """The arguments of `banditboost` after the common ones."""
    learner, bank = player.learner, player.learner.weak
    weights = bank.weights.reshape(-1, *bank.bias.shape)
    arrays = weights, bank.bias, bank.squares, learner.voters, learner.totals, learner.gains
    return *arrays, player.chance.ties, player.chance.labels, learner.delta, learner.advantage


LOOPS = {"cova": (cova, own_cova), "banditboost": (banditboost, own_banditboost)}


def main(rounds):
    from onebit import engine
    from onebit.block import clear
    from onebit.recipe import Recipe
    from onebit.rows import SparseRows
    from onebit.state import Sizes

    starts, indices, values, truths = shaped(rounds)
    block = clear(SparseRows(starts, indices, values), truths)

    def timed(name, by_hand, rounds):
        player = Recipe.parse(name).player(Sizes(126, 3), 1)
        missed = np.empty(rounds, np.bool_)
        begun = time.process_time()
        if by_hand:
            loop, own = LOOPS[name]
            loop(starts, indices, values, truths[:rounds], 1, missed, *own(player))
        else:
            engine.play(player, block.head(rounds), 1, missed)
        return time.process_time() - begun, int(missed.sum())

    for name in LOOPS:
        timed(name, False, 0), timed(name, True, 0)  # compiles
        runs = [(timed(name, False, rounds), timed(name, True, rounds)) for _ in range(5)]
        assert all(ours[1] == hand[1] for ours, hand in runs), runs
        ours, hand = (min(run[n][0] for run in runs) for n in (0, 1))
        print(
            f"{name}: {ours:.3f} s, by hand {hand:.3f} s, speed {hand / ours:.2f} of it;"
            f" {runs[0][0][1]} mistakes each"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 67_557)
