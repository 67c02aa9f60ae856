"""The kernel of explorers that mix the greedy label with uniform play."""

from __future__ import annotations

from onebit.kernel.rows import Floats
from onebit.kernel.verbs import kernel


@kernel
def mix_with_uniform(share: float, greedy: int, probs: Floats) -> None:
    """Set the probs of uniform play with probability `share`, else of the greedy label."""
    probs[:] = share / probs.shape[0]
    probs[greedy] += 1.0 - share


@kernel
def mixed_marginals(share: float, greedy_probs: Floats, out: Floats) -> None:
    """Set out[k] to the mean of that mixture over the labels that may be greedy."""
    for k in range(out.shape[0]):
        out[k] = share / out.shape[0] + (1.0 - share) * greedy_probs[k]
