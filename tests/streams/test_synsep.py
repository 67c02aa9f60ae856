"""SYNSEP and SYNNONSEP are what the paper describes: by counting, under fixed seeds."""

import itertools
import math

import numpy as np
import pytest

from onebit.agent.recipe import Recipe
from onebit.kernel.block import BLOCK
from onebit.kernel.rng import key, uniform
from onebit.kernel.sizes import Sizes
from onebit.streams.datasets.synsep import (
    COMMON,
    FEATURES,
    FEWEST,
    KEYWORDS,
    LABELS,
    MOST,
    OFF,
    Topics,
    draw_topics,
    new_block_buffer,
    separable,
    write_documents,
)
from onebit.streams.opening import open_stream

SEEDS = [0, 1, 7]


def take(spec, seed, blocks=3):
    return list(itertools.islice(open_stream(spec, seed).blocks(), blocks))


def matrix(blocks):
    """All rows as one matrix of 0 and 1, and their labels."""
    found = np.zeros((len(blocks) * BLOCK, FEATURES), np.int64)
    for n, block in enumerate(blocks):
        at = np.repeat(np.arange(BLOCK), np.diff(block.rows.starts))
        found[n * BLOCK + at, block.rows.indices] = 1
    return found, np.concatenate([block.truths.labels for block in blocks])


def unlikely(observed, expected, df, scale=1.0):
    """Say whether a chi-square statistic is beyond 4 sigma (Wilson and Hilferty's quantile)."""
    statistic = ((observed - expected) ** 2 / expected).sum() / scale
    edge = 2 / (9 * df)
    return not statistic < df * (1 - edge + 4 * math.sqrt(edge)) ** 3


def dependent(one, two, bins):
    """Say whether two sequences of numbers below `bins` are dependent, by their table."""
    table = np.zeros((bins, bins))
    np.add.at(table, (one, two), 1)
    expected = table.sum(1, keepdims=True) * table.sum(0, keepdims=True) / table.sum()
    return unlikely(table, expected, (bins - 1) ** 2)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_topic_has_20_to_40_keywords(seed):
    topics, sizes = draw_topics(seed)
    assert sizes.shape == (LABELS,)
    assert ((sizes >= FEWEST) & (sizes <= MOST)).all()
    for i, size in enumerate(sizes):
        words = topics[i, :size]
        assert (np.diff(words) > 0).all()
        assert words[0] >= 0
        assert words[-1] < KEYWORDS
        assert (topics[i, size:] == -1).all()


def test_sizes_and_keywords_of_topics_are_uniform():
    drawn = [draw_topics(seed) for seed in range(120)]
    sizes = np.concatenate([sizes for _, sizes in drawn])
    counts = np.bincount(sizes - FEWEST, minlength=MOST - FEWEST + 1)
    assert not unlikely(counts, counts.mean(), MOST - FEWEST)
    words = np.concatenate([topics[topics >= 0] for topics, _ in drawn])
    counts = np.bincount(words, minlength=KEYWORDS)
    assert not unlikely(counts, counts.mean(), KEYWORDS - 1)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_document_drops_5_keywords_and_adds_20_common_words(seed):
    topics, sizes = draw_topics(seed)
    for block in take("synsep", seed):
        assert (block.rows.values == 1).all()
        rises = np.diff(block.rows.indices) > 0
        rises[block.rows.starts[1:-1] - 1] = True  # a new row may begin lower
        assert rises.all()
    rows, labels = matrix(take("synsep", seed))
    assert (rows[:, KEYWORDS:].sum(1) == COMMON).all()
    assert (rows[:, :KEYWORDS].sum(1) == sizes[labels] - OFF).all()
    for i in range(LABELS):
        outside = np.setdiff1d(np.arange(KEYWORDS), topics[i, : sizes[i]])
        assert not rows[labels == i][:, outside].any()


@pytest.mark.parametrize("seed", SEEDS)
def test_the_weights_of_the_paper_separate_it_with_margin_1(seed):
    topics, sizes = draw_topics(seed)
    assert separable(Topics(topics, sizes))
    weights = np.zeros((FEATURES, LABELS), np.int64)
    weights[:KEYWORDS] = -1
    for i in range(LABELS):
        weights[topics[i, : sizes[i]], i] = 0
    rows, labels = matrix(take("synsep", seed))
    scores = rows @ weights
    n = np.arange(len(labels))
    own = scores[n, labels].copy()
    scores[n, labels] = -KEYWORDS
    assert (own - scores.max(1) >= 1).all()


def test_topics_that_overlap_too_much_are_not_separable():
    topics, sizes = draw_topics(0)
    topics[1], sizes[1] = topics[0], sizes[0]
    assert not separable(Topics(topics, sizes))


@pytest.mark.parametrize("seed", SEEDS)
def test_topics_words_and_gaps_are_uniform(seed):
    topics, sizes = draw_topics(seed)
    rows, labels = matrix(take("synsep", seed))
    assert not unlikely(np.bincount(labels), len(labels) / LABELS, LABELS - 1)
    # numbers drawn without replacement vary less, by the share that is not drawn
    words = FEATURES - KEYWORDS
    share = COMMON / words
    counts = rows[:, KEYWORDS:].sum(0)
    assert not unlikely(counts, len(rows) * share, words - 1, 1 - share)
    for i in range(LABELS):
        own = rows[labels == i][:, topics[i, : sizes[i]]]
        share = OFF / sizes[i]
        assert not unlikely((1 - own).sum(0), len(own) * share, sizes[i] - 1, 1 - share)


def test_common_words_of_one_document_do_not_know_each_other():
    rows, _ = matrix(take("synsep", 2))
    words = rows[:, KEYWORDS:].astype(float)  # exact, and quick to multiply
    pairs = (words.T @ words)[np.triu_indices(FEATURES - KEYWORDS, 1)]
    share = COMMON * (COMMON - 1) / ((FEATURES - KEYWORDS) * (FEATURES - KEYWORDS - 1))
    assert not unlikely(pairs, len(rows) * share, len(pairs) - 1, 1 - share)


@pytest.mark.parametrize("seed", SEEDS)
def test_noise_changes_5_percent_of_labels_to_any_other(seed):
    clean, noisy = take("synsep", seed, 10), take("synnonsep", seed, 10)
    for one, two in zip(clean, noisy, strict=True):
        assert (one.rows.indices == two.rows.indices).all()
    true = np.concatenate([block.truths.labels for block in clean])
    told = np.concatenate([block.truths.labels for block in noisy])
    changed = true != told
    n = len(true)
    assert abs(changed.sum() - 0.05 * n) < 4 * math.sqrt(n * 0.05 * 0.95)
    assert not unlikely(np.bincount(true[changed], minlength=LABELS), changed.sum() / LABELS, 8)
    steps = (told[changed] - true[changed]) % LABELS
    assert not unlikely(np.bincount(steps, minlength=LABELS)[1:], changed.sum() / 8, 7)


@pytest.mark.parametrize("seed", SEEDS)
def test_rows_ties_and_exploration_are_independent_under_one_seed(seed):
    _, labels = matrix(take("synsep", seed))
    chance = Recipe.parse("banditron").player(Sizes(FEATURES, LABELS), seed).keys
    draws = [
        np.array([int(uniform(source, n) * LABELS) for n in range(1, len(labels) + 1)])
        for source in (chance.ties, chance.labels)
    ]
    for one, two in itertools.combinations([labels, *draws], 2):
        for lag in range(3):
            assert not dependent(one[lag:], two[: len(two) - lag], LABELS)
            assert not dependent(two[lag:], one[: len(one) - lag], LABELS)
    for each in (labels, *draws):
        assert not dependent(each[1:], each[:-1], LABELS)


def test_dependence_would_be_seen():
    _, labels = matrix(take("synsep", 0, 1))
    nearly = labels.copy()
    nearly[::10] = nearly[5]
    assert dependent(labels, nearly, LABELS)
    assert unlikely(np.array([1100.0, 900.0]), 1000.0, 1)


def test_row_n_is_the_same_however_it_is_reached():
    blocks = take("synsep", 4, 3)
    again = take("synsep", 4, 3)
    for one, two in zip(blocks, again, strict=True):  # the first ones kept, not overwritten
        for a, b in zip((*one.rows, *one.truths), (*two.rows, *two.truths), strict=True):
            assert a.tobytes() == b.tobytes()
    page = new_block_buffer(100)
    write_documents(draw_topics(4), 0.0, row_key(4), BLOCK + 5000, page)
    first, end = blocks[1].rows.starts[5000], page.starts[-1]
    assert (page.indices[:end] == blocks[1].rows.indices[first : first + end]).all()
    assert (page.truths == blocks[1].truths.labels[5000:5100]).all()


def test_seeds_give_other_topics_and_rows():
    one, two = take("synsep", 0, 1)[0], take("synsep", 1, 1)[0]
    assert (one.truths.labels != two.truths.labels).any()
    assert (draw_topics(0)[0] != draw_topics(1)[0]).any()


def test_python_and_compiled_bodies_write_the_same():
    one, two = new_block_buffer(200), new_block_buffer(200)
    write_documents(draw_topics(3), 0.3, row_key(3), 12, one)
    write_documents.body(draw_topics(3), 0.3, row_key(3), 12, two)
    end = one.starts[-1]
    assert one.starts.tobytes() == two.starts.tobytes()
    assert one.indices[:end].tobytes() == two.indices[:end].tobytes()
    assert one.truths.tobytes() == two.truths.tobytes()


def row_key(seed):
    return key(seed, "synsep rows")
