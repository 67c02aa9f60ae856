"""The time of making rows, alone and together with a learner that plays them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from bench import datasets
from bench.timing import Case, step_seconds
from onebit.agent.agent import Agent
from onebit.kernel.block import BLOCK
from onebit.streams.opening import open_stream


def cases(blocks: int) -> Iterator[Case]:
    """Yield the cases."""
    stream = open_stream(datasets.STREAM, datasets.SEED)

    def make() -> list[float]:
        return step_seconds(itertools.islice(stream.blocks(), blocks))

    def play() -> list[float]:
        agent = Agent("banditron", stream.labels, features=stream.features, seed=datasets.SEED)
        return step_seconds(map(agent.play, itertools.islice(stream.blocks(), blocks)))

    yield Case("rows", f"making {datasets.STREAM}", blocks * BLOCK, make)
    yield Case("rows", f"making {datasets.STREAM}, playing banditron", blocks * BLOCK, play)
