"""Pack the DNA set of R's mlbench into onebit/streams/datasets/data/dna.bin.

On Debian, with the PyPI package `pyreadr` at hand:

    apt-get download r-cran-mlbench
    dpkg -x r-cran-mlbench_*.deb unpacked
    python tools/pack_dna.py unpacked/usr/lib/R/site-library/mlbench/data/DNA.rda

A row of the result is its label's number in one byte, then its 180 bits, eight
a byte, the first bit highest.
"""

import sys
from pathlib import Path

import numpy as np
import pyreadr

from onebit.streams.datasets.dna import FEATURES, LABELS, ROWS, WIDTH

OUT = Path(__file__).parent.parent / "onebit" / "streams" / "datasets" / "data" / "dna.bin"


def main(rda: str) -> None:
    """Read the data frame, check its shape and write the bytes."""
    frame = pyreadr.read_r(rda)["DNA"]
    bits = frame.iloc[:, :FEATURES].astype(int).to_numpy()
    labels = np.array([LABELS.index(name) for name in frame["Class"]])
    assert bits.shape == (ROWS, FEATURES)
    assert set(np.unique(bits)) == {0, 1}
    assert bits.reshape(ROWS, -1, 3).sum(axis=2).max() == 1
    table = np.column_stack([labels, np.packbits(bits.astype(bool), axis=1)]).astype(np.uint8)
    assert table.shape == (ROWS, WIDTH)
    OUT.write_bytes(table.tobytes())
    print(f"wrote {OUT}: {table.nbytes:,} bytes")


if __name__ == "__main__":
    main(*sys.argv[1:])
