"""Adversary: the rows and labels on which a deterministic learner errs as often as it can."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Annotated, Any, NamedTuple

import numpy as np

from onebit.errors import BadParameter
from onebit.kernel.block import BLOCK, Block, noiseless_block
from onebit.kernel.rng import key, uniforms
from onebit.kernel.rows import DenseRows
from onebit.naming.params import Auto, OneOf, Real, Whole
from onebit.streams import Stream, stream
from onebit.streams.datasets import _games
from onebit.theory.hypotheses.table import TableText, read_table

VICTIMS = ("consistent", "halving", "soa", "bandit-halving", "perceptron", "winnow", "experts")
#: Victims that a table of hypotheses can be given for.
_WITH_TABLE = VICTIMS[:3]
#: Numbers in a stream, so that it fits into memory.
_MAX_VALUES = 50_000_000


@stream(
    rows=None,
    labels=2,
    features=64,
    source="generated, from the proofs that mistake bounds are tight",
    licence="none needed",
)
class Adversary(NamedTuple):
    """A stream made to be bad for one learner, as far as its theorem lets it.

    It plays its own copy of the victim and chooses each row and label from the class or margin
    so that the victim errs. What comes out is an ordinary stream: other learners can play it.
    The victim breaks ties by the first label: `onebit play adversary:against=halving
    halving:ties=first`.

    against=consistent, halving, soa: a class of `size` hypotheses and any advice, or a `table`
    of hypotheses and only its instances, for which the most mistakes are found by search; soa
    needs a table, and table=nested is one whose Littlestone dimension is 2 while halving errs
    log2 of its size. against=bandit-halving: advice with `labels` labels. against=perceptron:
    rows of norm 1 at right angles, separable at `margin`. against=winnow: rows of signs, decided
    by 1 / margin of `size` features. against=experts: advice and labels are coins, so that
    no hypothesis is expected to be right more than half of the time; endless.

    Reference: N. Littlestone, Machine Learning 2 (1988), and the lectures of O. Dekel and
    M. Hanawal, for version spaces; A. Novikoff 1962; for experts N. Cesa-Bianchi and G. Lugosi,
    "Prediction, learning, and games" (2006), Theorem 3.7.
    """

    against: Annotated[str, OneOf(VICTIMS), "the victim"] = "halving"
    size: Annotated[int, Whole(2, 100_000), "hypotheses, experts or features"] = 64
    labels: Annotated[int, Whole(2, 1000), "number of labels, against bandit-halving"] = 2
    margin: Annotated[float, Real("(0, 1)"), "margin, against perceptron and winnow"] = 0.1
    table: Annotated[
        Any, Auto(TableText(), ("none", "nested")), "the class, if not every advice is possible"
    ] = "none"

    def open(self, seed: int) -> Stream:
        """Play the game and return its rounds."""
        if self.against == "experts":
            return self._coins(seed)
        rows, truths = self._game()
        labels: list[Any] = list(range(max(self.labels, 1 + int(rows.max(initial=1)))))
        if self.against in ("perceptron", "winnow"):
            labels = [1, -1]
        block = noiseless_block(DenseRows(rows), np.array(truths, np.int32))
        kind = "features" if self.against in ("perceptron", "winnow") else "advice"

        def blocks() -> Iterator[Block]:
            yield block

        return Stream(labels, rows.shape[1], len(truths), blocks, row=kind)

    def _game(self) -> _games.Game:
        if self.table != "none" or self.against == "soa":
            return self._table_game()
        rounds = {
            "consistent": self.size,
            "perceptron": min(1.0 / self.margin, 1e9) ** 4 / self.size,
        }
        if self.size * rounds.get(self.against, 1000) > _MAX_VALUES:
            raise BadParameter(
                "Adversary: its rows must have at most 50,000,000 numbers; give a smaller size or"
                " a larger margin."
            )
        games: dict[str, Callable[[], _games.Game]] = {
            "consistent": partial(_games.against_consistent, self.size),
            "halving": partial(_games.against_halving, self.size),
            "bandit-halving": partial(_games.against_bandit_halving, self.size, self.labels),
            "perceptron": partial(_games.against_perceptron, self.margin),
            "winnow": self._winnow_game,
        }
        return games[self.against]()

    def _table_game(self) -> _games.Game:
        if self.against not in _WITH_TABLE or self.table == "none":
            raise BadParameter(
                f"Adversary: table is for against={', '.join(_WITH_TABLE)}, and soa needs one, got"
                f" against={self.against},table={self.table}."
            )
        if self.table == "nested":
            table = _games.nested_groups(min(5, self.size.bit_length() - 1))
        else:
            table = read_table("Adversary", self.table, 36)
        return _games.against_version_space(table, self.against)

    def _winnow_game(self) -> _games.Game:
        voters = round(1.0 / self.margin)
        if voters % 2 == 0 or voters >= self.size:
            raise BadParameter(
                "Adversary: against=winnow needs a margin of 1 / v for an odd v below"
                f" size={self.size}, got {self.margin:g}."
            )
        return _games.against_winnow(self.size, voters, _MAX_VALUES // self.size)

    def _coins(self, seed: int) -> Stream:
        """Return the endless stream of coins, as many in a block as fit."""
        source, length = key(seed, "adversary"), max(1, min(BLOCK, 1_000_000 // self.size))

        def blocks() -> Iterator[Block]:
            at = 0
            while True:
                count = length * (self.size + 1)
                coins = uniforms(source, at, count).reshape(length, -1) < 0.5
                at += count
                rows = DenseRows(np.ascontiguousarray(coins[:, 1:], np.float64))
                yield noiseless_block(rows, coins[:, 0].astype(np.int32))

        return Stream([0, 1], self.size, None, blocks, row="advice")
