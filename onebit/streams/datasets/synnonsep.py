"""SYNNONSEP: SYNSEP with 5% of its labels wrong."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from onebit.naming.params import Real
from onebit.streams import Stream, stream
from onebit.streams.datasets.synsep import FEATURES, LABELS, SOURCE, Synsep


@stream(rows=None, labels=LABELS, features=FEATURES, source=SOURCE, licence="none needed")
class Synnonsep(NamedTuple):
    """SYNSEP with label noise: 5% of the labels are changed to one of the other eight.

    No linear weights separate it; no learner's error can fall below 5%.

    Reference: Kakade, Shalev-Shwartz and Tewari, ICML 2008, Section 5 and Figure 1.
    """

    noise: Annotated[float, Real("[0, 1)"), "share of labels changed to another one"] = 0.05

    def open(self, seed: int) -> Stream:
        """Return the noisy stream of the same documents."""
        return Synsep(self.noise).open(seed)
