"""Oracle. Halving on a cover after a random projection."""

import math

from oracles import cover_halving

from onebit.kernel.rng import key, uniform


def signs(seed, feature, dimension):
    """The signs of a feature, 32 from each random number, lowest bit first."""
    draws = -(-dimension // 32)
    found = []
    for draw in range(draws):
        bits = int(uniform(key(seed, "projected halving"), feature * draws + draw) * 2.0**32)
        found += [1.0 if (bits >> c) & 1 else -1.0 for c in range(32)]
    return found[:dimension]


def project(rows, seed, dimension):
    """Kakade et al. 2008, Theorem 8: P x / sqrt(d'), cut to norm 1."""
    projected = []
    for x in rows:
        out = [0.0] * dimension
        for j, value in enumerate(x):
            part = value / math.sqrt(dimension)
            for c, sign in enumerate(signs(seed, j, dimension)):
                out[c] += sign * part
        norm = math.sqrt(sum(v * v for v in out))
        projected.append([v / norm for v in out] if norm > 1 else out)
    return projected


def oracle(rows, truths, k, seed, D=6.0, rounds=10_000, failure=0.05, dimension="auto"):
    """d' = 4 ln(4 K (T + 1) / delta) / (c^2 - c^3) at c = 1 / (2 sqrt(D)); D becomes 9 D."""
    if dimension == "auto":
        c = 1 / (2 * math.sqrt(D))
        dimension = math.ceil(4 * math.log(4 * k * (rounds + 1) / failure) / (c * c - c * c * c))
    if dimension < len(rows[0]):
        rows, D = project(rows, seed, dimension), 9 * D
    state, missed = cover_halving.oracle(rows, truths, k, seed, D)
    return {f"cover.{name}": array for name, array in state.items()}, missed
