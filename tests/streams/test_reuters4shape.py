"""REUTERS4SHAPE: its rows, its law, its independence of blocks."""

import itertools

import numpy as np
from streams.reading import rounds_of

from onebit.kernel.rng import key
from onebit.kernel.rows import SparseRows
from onebit.streams.datasets.reuters4shape import (
    BACK,
    FEATURES,
    MOST,
    ROWS,
    SHARES,
    STEP,
    write_documents,
)
from onebit.streams.opening import open_stream


def documents(first, n, body=False):
    rows = SparseRows(np.zeros(n + 1, np.int64), np.empty(n * MOST, np.int32), np.empty(n * MOST))
    truths = np.empty(n, np.int32)
    keys = key(5, "reuters4shape rows"), key(5, "reuters4shape words")
    scratch = tuple(np.empty(size, np.int64) for size in (MOST, MOST, 129))
    write = write_documents.body if body else write_documents
    write(SHARES, 0.02, *keys, first, rows, truths, scratch)
    return rows, truths


def blocks(n, seed=0):
    return list(itertools.islice(open_stream("reuters4shape", seed).blocks(), n))


def test_rows_are_sorted_unit_and_sparse():
    (block,) = blocks(1)
    starts, indices, values = block.rows
    assert indices.min() >= 0
    assert indices.max() < FEATURES
    inside = np.ones(len(indices), bool)
    inside[starts[1:-1]] = False
    assert (np.diff(indices, prepend=-1)[inside] > 0).all()
    norms = np.add.reduceat(values**2, starts[:-1])
    assert np.abs(norms - 1).max() < 1e-12
    # 10,000 rows with a standard deviation of about 53: .53 for their mean
    assert 72 < np.diff(starts).mean() < 78


def test_a_document_does_not_depend_on_its_block_and_compiled_equals_python():
    whole, truths = documents(100, 40)
    part, some = documents(120, 20, body=True)
    assert truths[20:].tolist() == some.tolist()
    first, last = whole.starts[20], whole.starts[40]
    n = part.starts[20]
    assert last - first == n
    assert whole.indices[first:last].tolist() == part.indices[:n].tolist()
    assert whole.values[first:last].tolist() == part.values[:n].tolist()


def test_the_seed_decides():
    assert rounds_of(blocks(1, 3)[0].head(50)) == rounds_of(blocks(1, 3)[0].head(50))
    assert rounds_of(blocks(1, 3)[0].head(50)) != rounds_of(blocks(1, 4)[0].head(50))


def test_words_follow_zipf_and_labels_their_shares():
    seen = np.zeros(FEATURES, np.int64)
    labels = np.zeros(4, np.int64)
    for block in blocks(6):
        seen += np.bincount(block.rows.indices, minlength=FEATURES)
        labels += np.bincount(block.truths.labels, minlength=4)
    assert sorted({STEP * BACK % FEATURES}) == [1]
    ranks = np.arange(FEATURES)
    counts = seen[ranks * STEP % FEATURES]
    # the mean count times the rank is flat: exponent 1, from rank 1,000 to the last
    flat = [(counts[a:b] * (ranks[a:b] + 1.0)).mean() for a, b in
            ((1000, 3000), (3000, 10_000), (10_000, 100_000), (100_000, FEATURES))]  # fmt: skip
    assert max(flat) / min(flat) < 1.05
    # 2% of labels go elsewhere; 60,000 labels: a standard deviation of .002 at most
    expected = SHARES * (1 - 0.02) + (1 - SHARES) * 0.02 / 3
    assert np.abs(labels / labels.sum() - expected).max() < 0.01
    # the expected number of features that all rows together leave out, from these counts
    left_out = np.exp(-flat[-1] / (ranks + 1.0) * ROWS / 60_000).sum()
    assert FEATURES - left_out > 300_000


def test_it_has_the_papers_size():
    stream = open_stream("reuters4shape", 0)
    assert (stream.length, stream.features, len(stream.labels)) == (673_768, 346_810, 4)
