"""Oracle. Every label with the same probability."""

from oracles.helpers import sample

from onebit.kernel.rng import key, uniform


def oracle(rows, truths, k, seed):
    """Every label with probability 1/k."""
    labels = (
        sample([1.0 / k] * k, uniform(key(seed, "labels"), t + 1)) for t in range(len(truths))
    )
    return {}, [played != y for played, y in zip(labels, truths, strict=True)]
