"""Batch boosting: the reference for boosting online, which sees all rows before it answers.

AdaBoost with votes in [-1, 1] (Schapire and Singer, Machine Learning 37, 1999), one label against
all others, with the best linear hypothesis of norm 1 for the weights of each step. It is the
batch setting that Chen, Lin and Lu (ICML 2014, Section 2) start from.
"""

from __future__ import annotations

import math

import numpy as np

from onebit.kernel.rows import Floats, Ints

#: The largest advantage whose voting weight is finite.
_MOST = 1.0 - 1e-9


def batch_boost(rows: Floats, truths: Ints, labels: int, n: int) -> Floats:
    """Return the error on the rows after each of n steps.

    Rows are scaled to norm 1; a bias is a feature of them. A hypothesis h maximises the
    advantage, the weighted sum of y <h, x>: it is the weighted sum of y x, scaled to norm 1.
    """
    norms = np.sqrt((rows * rows).sum(axis=1, keepdims=True))
    unit = np.divide(rows, norms, out=np.zeros_like(rows), where=norms > 0.0)
    right = np.where(truths[:, None] == np.arange(labels), 1.0, -1.0)
    scores, errors = np.zeros((len(rows), labels)), np.empty(n)
    for step in range(n):
        for k in range(labels):
            margins = right[:, k] * scores[:, k]
            weights = np.exp(margins.min() - margins)
            gradient = (weights / weights.sum() * right[:, k]) @ unit
            advantage = math.sqrt(float(gradient @ gradient))
            if advantage > 0.0:
                votes = unit @ (gradient / advantage)
                kept = min(advantage, _MOST)
                scores[:, k] += 0.5 * math.log((1.0 + kept) / (1.0 - kept)) * votes
        errors[step] = np.mean(scores.argmax(axis=1) != truths)
    return errors
