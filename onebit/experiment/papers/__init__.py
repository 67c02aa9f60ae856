"""Papers as data: each experiment says what to run, what was published, and how it was read.

One file is one paper: its figures and tables as experiments, each a few cells. A cell is
one number (or curve) of the paper and the trials that reproduce it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from onebit.naming.catalog import Catalog

#: The runs behind a published mean, in both papers.
PUBLISHED_RUNS = 10
#: Generated rows of the size of REUTERS4, played where its data is not here.
STAND_IN = "reuters4shape"
STAND_IN_NOTE = (
    "on generated rows of REUTERS4's size (`reuters4shape`), for curves, scale and time: not the"
    " paper's data, so not judged"
)


class Number(NamedTuple):
    """A published number: `sd` over single runs, nan if none is printed.

    `unit` is that of its last printed digit.
    """

    value: float
    sd: float = math.nan
    unit: float = 0.0

    @property
    def has_spread(self) -> bool:
        """Whether a deviation is printed."""
        return not math.isnan(self.sd)

    @property
    def se(self) -> float:
        """The standard error of the published mean, 0 if no deviation is printed."""
        return self.sd / math.sqrt(PUBLISHED_RUNS) if self.has_spread else 0.0


def percent(value: str, sd: str = "nan") -> Number:
    """Return a number that is printed in percent, as a fraction."""
    return Number(float(value) / 100, float(sd) / 100, 10.0 ** -len(value.partition(".")[2]) / 100)


class Cell(NamedTuple):
    """One learner on one stream: its error, or the slope of its curve.

    `over` is a grid of one parameter, `NAME=A,B,C`, whose best point is reported. `bound`
    is a theorem to draw with the curve, for a comparator fitted to the stream. A `hidden`
    cell has no curve in the figure, because another cell shows the same one. Cells of one
    `panel` share their figures. Where a text has several readings, its number is `judged` in
    one cell alone, and shown beside the others. `rounds` and `seeds` are those of the experiment
    if None.
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
    judged: bool = True
    rounds: int | None = None
    seeds: int | None = None


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


class Case(NamedTuple):
    """One instance of a claim: its name, and the cells that it is about."""

    name: str
    cells: tuple[Cell, ...]


class Claim(NamedTuple):
    """What a paper concludes in words, and the instances on which it is tested.

    `test` is the name of a test of `onebit.experiment.reproduce.claims`, and `value` a number
    that it compares with.
    """

    text: str
    source: str
    test: str
    cases: tuple[Case, ...]
    value: float = 0.0


class Experiment(NamedTuple):
    """A figure or table of a paper; blank lines separate the paragraphs of its text.

    A judged cell runs with so many `seeds` first, and with up to `most_seeds` if its mean is
    less exact than the published one. `stand_ins` are played, and not judged, if the data of
    the cells is not here, or if `not_played` says why it is not played. `options` are those
    that the command needs to run the experiment like this again. If it is `timed`, the time of a
    round is shown too.
    """

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
    timed: bool = False
    most_seeds: int = 0
    claims: tuple[Claim, ...] = ()
    stand_ins: tuple[Cell, ...] = ()
    stand_in_seeds: int = 2
    not_played: str = ""
    options: str = ""


class Paper(NamedTuple):
    """A paper and its experiments; papers without a year are listed last.

    One that runs `only_by_name` is left out where no name is given.
    """

    title: str
    reference: str
    experiments: tuple[Experiment, ...]
    year: int = 9999
    only_by_name: bool = False


_catalog = Catalog("onebit.experiment.papers", "paper")


def papers() -> dict[str, Paper]:
    """Return all papers by name, oldest first."""
    import importlib

    found = {}
    for name in _catalog.names():
        module = importlib.import_module(f"onebit.experiment.papers.{name.replace('-', '_')}")
        found[name] = module.PAPER
    return dict(sorted(found.items(), key=lambda item: item[1].year))
