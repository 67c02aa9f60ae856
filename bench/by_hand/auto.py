"""`auto` with its linear expert alone, on rows of zeros and ones; without its diagnostics.

Such rows have no numbers, and the alarm is left out: where it would be raised, the loops differ.
"""

from __future__ import annotations

import math

import numpy as np

from bench.by_hand.common import by_hand, draw


@by_hand
def sigmoid(z):
    if z >= 0.0:
        return 1.0 / (1.0 + math.exp(-z))
    e = math.exp(z)
    return e / (1.0 + e)


@by_hand
def filter_bit(w, variances, x, p, bit):
    """The extended Kalman filter for two weights."""
    h = max(p * (1.0 - p), 1e-3)
    v0 = variances[0, 0] * x + variances[0, 1]
    v1 = variances[1, 0] * x + variances[1, 1]
    d = 1.0 + h * x * v0 + h * v1
    w[0] -= (p - bit) * v0 / d
    w[1] -= (p - bit) * v1 / d
    variances[0, 0] -= h * v0 * v0 / d
    variances[0, 1] -= h * v0 * v1 / d
    variances[1, 0] -= h * v1 * v0 / d
    variances[1, 1] -= h * v1 * v1 / d
    variances[0, 0] += 1e-5
    variances[1, 1] += 1e-5


@by_hand
def estimate(columns, entries, start, n, weights, p):
    """The probabilities of the softmax."""
    p[:] = 0.0
    place = start % len(columns)
    for _ in range(n):
        j, value = columns[place], np.float64(entries[place])
        for k in range(len(p)):
            p[k] += value * weights[j, k]
        place = place + 1 if place + 1 < len(columns) else 0
    top, total = p.max(), 0.0
    for k in range(len(p)):
        p[k] = math.exp(p[k] - top)
        total += p[k]
    for k in range(len(p)):
        p[k] /= total


@by_hand
def step(columns, entries, start, n, weights, squares, p, slopes, label, right, rate, floor):
    """A step of AdaGrad for the bit of a label."""
    share = -1.0 if right else p[label] / max(1.0 - p[label], 1e-6)
    for k in range(len(p)):
        slopes[k] = -share * p[k]
    slopes[label] = p[label] - 1.0 if right else p[label]
    rate, floor = np.float32(rate), np.float32(floor)
    place = start % len(columns)
    for _ in range(n):
        j, value = columns[place], np.float32(entries[place])
        for k in range(len(p)):
            g = slopes[k] * value
            square = squares[j, k] + g * g
            squares[j, k] = square
            weights[j, k] -= rate * g / np.sqrt(square + floor)
        place = place + 1 if place + 1 < len(columns) else 0


@by_hand
def loop(
    starts, indices, values, truths, first, missed, weights, squares, rate, floor, draws, early,
    budget, seen, columns, taken, stack, stack_variances, calibrator, variances, beliefs,
    ring_columns, ring_values, ring_starts, ring_lengths, ring_labels, ring_right, ends, played,
    plays, bonus, scale, replay_key, labels_key,
):  # fmt: skip
    labels, size, rows = weights.shape[1], len(ring_columns), len(ring_starts)
    p, q, logits = np.empty(labels), np.empty(labels), np.empty(labels)
    probs, slopes = np.empty(max(labels, 2)), np.empty(labels, np.float32)
    new, base = np.empty(labels, np.float32), -math.log(max(labels - 1.0, 1.0))
    row = np.empty(len(seen) + 1, np.int32)
    entries = np.empty(len(seen) + 1)
    row[0], entries[0] = 0, 0.3
    for r in range(len(truths)):
        t, n, norm, following = first + r, 1, 0.0, taken[0]
        for e in range(starts[r], starts[r + 1]):
            j = indices[e]
            made = math.log((t + 1.0) / (seen[j] + 1.0 + 0.5))
            row[n], entries[n] = columns[j], made
            if columns[j] == 0:
                row[n] = following
                following += 1
            norm += made * made
            n += 1
        unit = 1.0 / math.sqrt(norm)
        for e in range(1, n):
            entries[e] = np.float64(np.float32(entries[e] * unit))
        estimate(row, entries, 0, n, weights, p)
        whole = beliefs[1] + beliefs[0]
        for k in range(labels):
            sure = min(max(p[k], 1e-5), 1.0 - 1e-5)
            logits[k] = math.log(sure / (1.0 - sure)) - base
            one = sigmoid(calibrator[0] * logits[k] + calibrator[1] + base)
            two = sigmoid(stack[1] + base + stack[0] * logits[k])
            q[k] = min(max((beliefs[0] * one + beliefs[1] * two) / whole, 1e-6), 1.0 - 1e-6)
        total = np.float32(1.0)
        for k in range(labels):
            new[k] = 1.0 / (1.0 + plays[k])
        for e in range(1, n):
            square = np.float32(entries[e] * entries[e])
            total += square
            for k in range(labels):
                new[k] += square / (np.float32(1.0) + played[row[e], k])
        best, rise, gamma = 0.0, bonus * math.log(labels), scale * math.sqrt(t)
        for k in range(labels):
            new[k] /= total
            odds = math.log(q[k] / (1.0 - q[k])) + rise * np.float64(new[k])
            q[k] = 1.0 / (1.0 + math.exp(-odds))
            best = max(best, q[k])
        rest, ties, cost = 1.0, 0, max(1.0 - best, 0.0)
        for k in range(labels):
            if q[k] >= best * (1.0 - 1e-5):
                probs[k] = -1.0
                ties += 1
            else:
                probs[k] = cost / (labels * cost + gamma * (best - q[k]))
                rest -= probs[k]
        u, upto, a = draw(labels_key, t), 0.0, 0
        for k in range(labels):
            each = rest / ties if probs[k] < 0.0 else probs[k]
            if each > 0.0:
                a = k
                upto += each
                if u < upto:
                    break
        right = a == truths[r]
        missed[r] = not right
        plays[a] += 1.0
        for e in range(1, n):
            played[row[e], a] += np.float32(entries[e] * entries[e])
        wanted = min(max(draws, min(early, 4000.0 / t)), max(1.0, budget / n))
        count = ends[1] - ends[0]
        again = int(wanted + draw(replay_key, 64 * t)) if count > 0 else 0
        bit = 1.0 if right else 0.0
        one = sigmoid(calibrator[0] * logits[a] + calibrator[1] + base)
        two = sigmoid(stack[1] + base + stack[0] * logits[a])
        before = beliefs[0] + beliefs[1]
        for i, found in enumerate((one, two)):
            probs[i] = beliefs[i] * max(found if right else 1.0 - found, 1e-4)
        after = probs[0] + probs[1]
        for i in range(2):
            beliefs[i] = before * ((1.0 - 1e-3) * (probs[i] / after) + 1e-3 / 2)
        filter_bit(calibrator, variances, logits[a], one, bit)
        calibrator[0] = max(calibrator[0], 0.02)
        filter_bit(stack, stack_variances, logits[a], two, bit)
        step(row, entries, 0, n, weights, squares, p, slopes, a, right, rate, floor)
        for d in range(again):
            number = ends[0] + int(draw(replay_key, 64 * t + 1 + d) * count)
            at = number % rows
            start, length, label = ring_starts[at], ring_lengths[at], ring_labels[at]
            estimate(ring_columns, ring_values, start, length, weights, p)
            step(ring_columns, ring_values, start, length, weights, squares, p, slopes, label,
                 ring_right[at] & 4 != 0, rate, floor)  # fmt: skip
        while ends[0] < ends[1] and (
            ends[1] - ends[0] >= rows or ends[2] + n - ring_starts[ends[0] % rows] > size
        ):
            ends[0] += 1
        at = ends[1] % rows
        ring_starts[at], ring_lengths[at], ring_labels[at] = ends[2], n, a
        ring_right[at] = 4 if right else 0
        for e in range(n):
            place = (ends[2] + e) % size
            ring_columns[place], ring_values[place] = row[e], entries[e]
        ends[1] += 1
        ends[2] += n
        for e in range(starts[r], starts[r + 1]):
            j = indices[e]
            seen[j] += 1.0
            if columns[j] == 0:
                columns[j] = taken[0]
                taken[0] += 1


def own(player):
    learner, explorer = player.learner, player.explorer
    (expert, draws, early, _), stack, ring = learner.experts, learner.stack, learner.ring
    known = learner.conditioning
    return (
        expert.weights, expert.squares, expert.rate, expert.floor, draws, early, learner.cost,
        known.counts, known.columns, np.ones(1, np.int64), stack.weights, stack.variances,
        stack.calibrators[0], stack.calibrator_variances[0], stack.beliefs, ring.indices,
        ring.values, ring.starts, ring.lengths, ring.labels, ring.kinds, ring.ends,
        explorer.counts, explorer.rounds, explorer.bonus, explorer.gamma_scale, learner.key,
        player.keys.labels,
    )  # fmt: skip
