"""Compiling the loops of learners in a second process, on the first use of a version.

Nothing is compiled then: this process compiles the readers of the file meanwhile, and waits for a
loop that the other compiles (see `kernel/file_lock.py`). The rows are guessed to be those of a
table with numbers; a wrong guess costs time of another core, nothing else.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence

import numpy as np

from onebit.agent.agent import Agent
from onebit.agent.recipe import Recipe
from onebit.errors import BadInput
from onebit.kernel.block import noiseless_block
from onebit.kernel.cache import cache_directory
from onebit.kernel.rows import SparseRows
from onebit.kernel.sizes import NUMERIC, Column


@contextlib.contextmanager
def compile_ahead(learners: Sequence[Recipe]) -> Iterator[None]:
    """Compile the loops of learners in a second process meanwhile, if none was compiled before."""
    directory = cache_directory()
    if directory is None or any(directory.iterdir()) or (os.cpu_count() or 1) < 2:
        yield
        return
    specs = (str(each.spec) for each in learners)
    command = [sys.executable, "-P", "-m", __name__, *specs]  # no module from where it is started
    nothing = subprocess.DEVNULL
    with subprocess.Popen(command, stdin=nothing, stdout=nothing, stderr=nothing) as process:
        try:
            yield
        finally:
            process.kill()


def compile_loops(specs: Sequence[str]) -> None:
    """Compile the loops of learners for the rows of a table with numbers, by playing no rounds."""
    rows = SparseRows(np.zeros(1, np.int64), np.empty(0, np.int32), np.empty(0))
    block = noiseless_block(rows, np.empty(0, np.int32))
    numbers = [Column(0, 1, NUMERIC)]
    for spec in specs:
        with contextlib.suppress(BadInput):  # the command itself says why
            Agent(spec, ("a", "b"), features=1, columns=numbers, scale=True).play(block)


if __name__ == "__main__":
    compile_loops(sys.argv[1:])
