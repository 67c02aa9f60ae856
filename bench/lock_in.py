"""Which learners lock in: errors on shuffled, sorted and drifting streams, and with many labels.

`python -m bench.lock_in` plays, and writes the table of docs/which-learner.md.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from onebit.agent.agent import Agent
from onebit.experiment.papers.after_2008 import EITHER, LEARNERS, WHOLE
from onebit.kernel.block import Block, Single, concatenate_blocks, noiseless_block
from onebit.kernel.rows import DenseRows, as_sparse
from onebit.streams.opening import open_stream

PAGE = Path(__file__).parents[1] / "docs" / "which-learner.md"
BEGIN, END = "<!-- written by python -m bench.lock_in -->", "<!-- end -->"
ROUNDS, SEEDS = 20_000, 3
#: A run locks in if it is this often wrong on a label, in the later half of that label's rounds.
LOCKED = 0.9

#: Labels, features of each and features beside them, of the stream of many labels.
MANY, OWN, NOISE = 100, 8, 100


class Game(NamedTuple):
    """Rounds, how many labels and features, and from which round on errors count."""

    rounds: Block
    labels: int
    features: int
    counted_from: int


def shuffled(seed: int) -> Game:
    """The last quarter of SYNNONSEP."""
    return _synnonsep(seed, (f"take:n={ROUNDS}",), ROUNDS * 3 // 4)


def sorted_by_label(seed: int) -> Game:
    """SYNNONSEP with all rows of one label, then all of the next."""
    return _synnonsep(seed, (f"take:n={ROUNDS}", "sort"), 0)


def drifting(seed: int) -> Game:
    """The last quarter of SYNNONSEP after all labels changed their meaning half-way."""
    transforms = (f"take:n={2 * ROUNDS}", f"drift:at={ROUNDS + 1}")
    return _synnonsep(seed, transforms, ROUNDS * 7 // 4)


def many_labels(seed: int) -> Game:
    """The last quarter of a stream of 100 labels: five features of the label's own eight."""
    chance = np.random.default_rng(seed)
    truths = chance.integers(0, MANY, ROUNDS).astype(np.int32)
    rows = np.zeros((ROUNDS, MANY * OWN + NOISE))
    for n, label in enumerate(truths):
        rows[n, label * OWN + chance.permutation(OWN)[:5]] = 1.0
        rows[n, MANY * OWN + chance.integers(0, NOISE, 3)] = 1.0
    return Game(
        noiseless_block(as_sparse(DenseRows(rows)), truths), MANY, rows.shape[1], ROUNDS * 3 // 4
    )


GAMES: dict[str, Callable[[int], Game]] = {
    "shuffled": shuffled,
    "sorted by label": sorted_by_label,
    "after drift": drifting,
    "100 labels": many_labels,
}


def _synnonsep(seed: int, transforms: tuple[str, ...], counted_from: int) -> Game:
    stream = open_stream("synnonsep", seed, transforms)
    blocks = concatenate_blocks(list(stream.blocks()))
    return Game(blocks, len(stream.labels), stream.features, counted_from)


def specs() -> Iterator[tuple[str, str]]:
    """Yield the learners' names and specs; matrices are diagonal."""
    for name, spec in LEARNERS.items():
        if spec.partition(":")[0] in EITHER:
            yield f"{name}, diagonal", f"{spec}:form=diagonal"
        elif spec.partition(":")[0] not in WHOLE:
            yield name, spec
    yield "softmax, greedy", "softmax:explorer=greedy"
    yield "softmax, optimism", "softmax:explorer=optimism"


def play(spec: str, game: Game, seed: int) -> tuple[float, bool]:
    """Return the error of the rounds that count, and whether the run locks in."""
    agent = Agent(spec, range(game.labels), features=game.features, seed=seed)
    missed = agent.play(game.rounds)[game.counted_from :]
    assert isinstance(game.rounds.truths, Single)
    truths = game.rounds.truths.labels[game.counted_from :]
    locked = False
    for label in range(game.labels):
        late = missed[truths == label]
        late = late[len(late) // 2 :]
        locked |= bool(len(late) and late.mean() > LOCKED)
    return float(missed.mean()), locked


def table() -> str:
    """Play every learner, and return the table in Markdown."""
    heads = ["learner", *GAMES]
    lines = [f"| {' | '.join(heads)} |", f"| --- {'| ---: ' * len(GAMES)}|"]
    found: dict[str, list[str]] = {name: [] for name, _ in specs()}
    for title, game in GAMES.items():
        made = [game(seed) for seed in range(SEEDS)]
        for name, spec in specs():
            runs = [play(spec, each, seed) for seed, each in enumerate(made)]
            errors = [100 * error for error, _ in runs]
            locked = sum(locked for _, locked in runs)
            cell = f"{statistics.fmean(errors):.1f} ± {statistics.stdev(errors):.1f}"
            found[name].append(f"**{cell}**, {locked} of {SEEDS}" if locked else cell)
            print(f"{title}: {name}: {found[name][-1]}", file=sys.stderr)
    lines += [f"| {' | '.join([name, *cells])} |" for name, cells in found.items()]
    return "\n".join(lines)


def main() -> None:
    """Replace the table of the page."""
    before, _, rest = PAGE.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n\n{table()}\n\n{END}{after}")


if __name__ == "__main__":
    main()
