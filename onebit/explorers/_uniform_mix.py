"""The kernel of explorers that mix the greedy label with uniform play."""

from __future__ import annotations

from onebit.kernel.rows import Floats
from onebit.kernel.verbs import kernel


@kernel
def mix_with_uniform(share: float, greedy: int, probs: Floats) -> None:
    """Set the probs of uniform play with probability `share`, else of the greedy label."""
    probs[:] = share / probs.shape[0]
    probs[greedy] += 1.0 - share
