"""How much a test plays: less where kernels run as plain Python, a hundred times slower."""

import os

#: Whether compiling is switched off, as in `make bodies`.
PLAIN = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


def some(compiled, plain):
    """Return how many there should be of something: the first, or in plain Python the second."""
    return plain if PLAIN else compiled
