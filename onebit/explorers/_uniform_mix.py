"""What explorers share that mix the greedy label with uniform play."""

from __future__ import annotations

from onebit.kernel.rows import Floats
from onebit.kernel.verbs import kernel


@kernel
def mix_with_uniform(share: float, greedy: int, probs: Floats) -> None:
    """Give every label the same part of `share`, and the greedy label the rest on top."""
    probs[:] = share / probs.shape[0]
    probs[greedy] += 1.0 - share
