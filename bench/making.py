"""What it takes to make rows, alone and with a learner that plays them at once."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from bench import material
from bench.clock import Case, laps
from onebit.agent.agent import Agent
from onebit.kernel.block import BLOCK
from onebit.streams.opening import open_stream


def cases(blocks: int) -> Iterator[Case]:
    """Yield the cases."""
    stream = open_stream(material.STREAM, material.SEED)

    def make() -> list[float]:
        return laps(itertools.islice(stream.blocks(), blocks))

    def play() -> list[float]:
        agent = Agent("banditron", stream.labels, features=stream.features, seed=material.SEED)
        return laps(map(agent.play, itertools.islice(stream.blocks(), blocks)))

    yield Case("rows", f"making {material.STREAM}", blocks * BLOCK, make)
    yield Case("rows", f"making {material.STREAM}, playing banditron", blocks * BLOCK, play)
