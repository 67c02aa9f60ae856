"""What the tests of streams share: streams read into plain lists, and the published files.

The originals are not part of the project. Where ONEBIT_DATA names a folder that
holds them (car.data.gz, nursery.data.gz, connect-4.data.gz, dna.scale.gz), the
streams are compared with them row for row.
"""

import gzip
import os
from pathlib import Path

import pytest

from onebit.kernel.block import Single, concatenate_blocks
from onebit.kernel.rows import as_sparse
from onebit.streams.opening import open_stream


def read(text, seed=0, transforms=(), rounds=None):
    """Return a stream's rounds as a list of (row as a dict, label number, signal)."""
    blocks, found = open_stream(text, seed, transforms).blocks(), []
    for block in blocks:
        found += rounds_of(block)
        if rounds is not None and len(found) >= rounds:
            return found[:rounds]
    return found


def rounds_of(block):
    rows = as_sparse(block.rows)
    starts, indices, values = (part.tolist() for part in rows)
    assert isinstance(block.truths, Single)
    assert len(starts) == block.rounds + 1
    return [
        (dict(zip(indices[a:b], values[a:b], strict=True)), label, signal)
        for a, b, label, signal in zip(
            starts, starts[1:], block.truths.labels.tolist(), block.signals.tolist(), strict=False
        )
    ]


def whole(text, seed=0, transforms=()):
    """Return a finite stream as one block."""
    return concatenate_blocks(list(open_stream(text, seed, transforms).blocks()))


def original(name):
    """Return the lines of a published file, or skip the test."""
    folder = os.environ.get("ONEBIT_DATA")
    if not folder or not (path := Path(folder) / name).exists():
        pytest.skip(f"no {name} to compare with: ONEBIT_DATA names no folder that holds it")
    return gzip.decompress(path.read_bytes()).decode().splitlines()
