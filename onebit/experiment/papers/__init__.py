"""Papers as data: each experiment says what to run, what was published, and how it was read.

One file is one paper: its figures and tables as experiments, each a few cells. A cell is
one number (or curve) of the paper and the trials that reproduce it.
"""

from __future__ import annotations

from typing import NamedTuple

from onebit.naming.catalog import Catalog


class Number(NamedTuple):
    """A published number and its standard deviation over single runs, if printed."""

    value: float
    sd: float = 0.0


class Cell(NamedTuple):
    """One learner on one stream: its error, or the slope of its curve.

    `over` is a grid of one parameter, `NAME=A,B,C`, whose best point is reported. `bound`
    is a theorem to draw with the curve, for a comparator fitted to the stream. A `hidden`
    cell has no curve in the figure, because another cell shows the same one. Cells of one
    `panel` share their figures.
    """

    name: str
    stream: str
    learner: str
    over: str = ""
    published: Number | None = None
    quantity: str = "error"
    note: str = ""
    bound: str = ""
    hidden: bool = False
    panel: str = ""
    transforms: tuple[str, ...] = ()


class Size(NamedTuple):
    """The size of a data set as a paper prints it."""

    stream: str
    labels: int
    features: int
    rows: int
    note: str = ""


class BoundCheck(NamedTuple):
    """A theorem, and runs whose mistakes or regret it bounds.

    `bound` is a spec with the values that the runs do not give. `about` is the quantity
    that the theorem bounds: `mistakes` and `regret` of any single run, `mean mistakes`,
    `mean regret` or `pseudo-regret` over all of them.
    """

    bound: str
    stream: str
    learner: str
    about: str = "mistakes"
    rounds: int | None = None
    seeds: int = 10
    transforms: tuple[str, ...] = ()
    note: str = ""


class Experiment(NamedTuple):
    """A figure or table of a paper; blank lines separate the paragraphs of its text."""

    name: str
    title: str
    text: str
    cells: tuple[Cell, ...] = ()
    seeds: int = 10
    rounds: int | None = None
    curves: bool = False
    sizes: tuple[Size, ...] = ()
    bound_checks: tuple[BoundCheck, ...] = ()
    picture: str = ""


class Paper(NamedTuple):
    """A paper and its experiments; papers without a year are listed last."""

    title: str
    reference: str
    experiments: tuple[Experiment, ...]
    year: int = 9999


_catalog = Catalog("onebit.experiment.papers", "paper")


def papers() -> dict[str, Paper]:
    """Return all papers by name, oldest first."""
    import importlib

    found = {}
    for name in _catalog.names():
        module = importlib.import_module(f"onebit.experiment.papers.{name.replace('-', '_')}")
        found[name] = module.PAPER
    return dict(sorted(found.items(), key=lambda item: item[1].year))
