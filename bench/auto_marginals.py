"""python -m bench.auto_marginals: whether labels are played as often as the log says.

Plays a stream event by event, logs the label of each decision and the probabilities of all labels,
and tests by chi-square how often each label was played, and how often labels of small and of large
probability. z is the statistic as a deviation of the normal distribution.
"""

from __future__ import annotations

import argparse
import math
from typing import Any

import numpy as np

from onebit.agent.agent import Agent
from onebit.kernel.rows import row
from onebit.streams.opening import open_stream

#: Bounds between groups of probabilities.
BOUNDS = (1e-5, 1e-4, 1e-3, 1e-2, 0.1, 0.5, 0.9, 0.99)


def logged(learner: str, stream: str, rounds: int, seed: int) -> tuple[Any, Any]:
    """Return the probabilities of all labels in each round, and the label that was played."""
    opened = open_stream(stream, seed)
    agent = Agent(learner, opened.labels, features=opened.features, seed=seed)
    probs, played = np.empty((rounds, len(opened.labels))), np.empty(rounds, np.int64)
    n = 0
    for block in opened.blocks():
        for i in range(min(block.rounds, rounds - n)):
            x = dense(row(block.rows, i), opened.features)
            probs[n] = list(agent.probabilities(x).values())
            choice = agent.decide(x)
            played[n] = opened.labels.index(choice.label)
            assert abs(choice.marginal - probs[n, played[n]]) < 1e-12
            agent.learn(choice, correct=bool(played[n] == block.truths.labels[i]))
            n += 1
        if n == rounds:
            break
    return probs, played


def dense(x: Any, features: int) -> Any:
    """Return a row as an array."""
    if not hasattr(x, "indices"):
        return x.values
    values = np.zeros(features)
    values[x.indices] = x.values
    return values


def by_size(probs: Any, played: Any) -> tuple[Any, Any]:
    """Return the probability of each group of probabilities, and the group that was played."""
    groups = np.searchsorted(BOUNDS, probs)
    sums = np.zeros((len(probs), len(BOUNDS) + 1))
    for k in range(probs.shape[1]):
        np.add.at(sums, (np.arange(len(probs)), groups[:, k]), probs[:, k])
    return sums, groups[np.arange(len(probs)), played]


def deviations(probs: Any, played: Any) -> tuple[float, float, int]:
    """Return chi-square of what was played, the same as a normal deviation, and its dimension.

    Counts less their means have the covariance sum of diag(p) - p p'; directions of less than one
    expected play are left out.
    """
    difference = np.bincount(played, minlength=probs.shape[1]) - probs.sum(axis=0)
    values, vectors = np.linalg.eigh(np.diag(probs.sum(axis=0)) - probs.T @ probs)
    used = values >= 1.0
    square = float(((vectors.T @ difference)[used] ** 2 / values[used]).sum())
    n = int(used.sum())
    spread = 2.0 / (9.0 * n)  # by Wilson and Hilferty
    return square, ((square / n) ** (1 / 3) - 1.0 + spread) / math.sqrt(spread), n


def main() -> None:
    """Play, and print both tests."""
    parser = argparse.ArgumentParser(prog="python -m bench.auto_marginals", description=__doc__)
    parser.add_argument("--learner", default="auto")
    parser.add_argument("--stream", default="synnonsep")
    parser.add_argument("--rounds", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    found = logged(options.learner, options.stream, options.rounds, options.seed)
    for name, groups in (("labels", found), ("sizes", by_size(*found))):
        square, z, n = deviations(*groups)
        print(f"{name:8} chi-square {square:7.2f} of {n} degrees of freedom, z = {z:+.2f}")


if __name__ == "__main__":
    main()
