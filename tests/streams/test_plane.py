"""Plane: points of a disc, on either side of a line."""

import numpy as np
import pytest

from onebit.streams.datasets.plane import line_normal
from onebit.streams.opening import open_stream


@pytest.mark.parametrize("margin", [0.01, 0.2, 0.9])
def test_no_point_is_near_the_line_or_outside_the_disc(margin):
    for seed in range(5):
        block = next(open_stream(f"plane:margin={margin}", seed).blocks())
        signs = 1 - 2 * block.truths.labels
        away = signs * (block.rows.values @ line_normal(seed))
        assert margin - 1e-12 <= away.min() < margin + 0.01  # the dot product rounds
        assert np.hypot(*block.rows.values.T).max() <= 1 + 1e-12
        assert 0.45 < block.truths.labels.mean() < 0.55


def test_the_seed_draws_the_line_and_the_points_go_on():
    lines = np.array([line_normal(seed) for seed in range(20)])
    assert np.allclose(np.hypot(*lines.T), 1)
    assert len(np.unique(lines.round(6), axis=0)) == 20
    blocks = open_stream("plane", 1).blocks()
    first, second = next(blocks), next(blocks)
    assert not (first.rows.values == second.rows.values).all(axis=1).any()
