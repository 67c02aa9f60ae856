"""Errors over the number of weak learners of BanditBoost, on each data set of its paper."""

from onebit.experiment.papers import STAND_IN, STAND_IN_NOTE, Cell, Experiment
from onebit.experiment.papers._table2 import BAYES_SEEDS

#: Numbers of weak learners for each label, and fewer for the stand-in of REUTERS4: more take
#: minutes.
COPIES, FEWER_COPIES = "n=1,3,10,30,100", "n=1,3,10"
AT_DELTA_003 = "banditboost:advantage=0.1,delta=0.03"
TEXT = """
The error over the number of weak learners for each label, at delta = 0.03. Perceptrons that start
at random, as Algorithm 1 has it, differ, so that more of them can help. Copies of naive Bayes
differ less, and whether more help depends on the set. Perceptrons that start at zero are equal
however many there are, so one is computed. The Perceptrons read rows scaled to norm
10 beside a bias of 1, without 1/p (`step=scaled`).
"""
EQUAL_COPIES_NOTE = "copies that start at zero err together, so their steps stay equal: one is run"


def _perceptrons(stream: str, more: str = "") -> tuple[Cell, ...]:
    name = stream.upper()
    return (
        Cell(f"{name}, Perceptron", stream, f"{AT_DELTA_003}{more}", COPIES, panel=name),
        Cell(f"{name}, Perceptron, zero start", stream, f"{AT_DELTA_003}{more},start=zero,n=1",
             note=EQUAL_COPIES_NOTE, panel=name),
    )  # fmt: skip


def _cells(stream: str) -> tuple[Cell, ...]:
    # naive Bayes scales no rows: `smooth` is the same as `scaled`, and a part of Table 2
    name, weak = stream.upper(), f"{AT_DELTA_003},weak=naive-bayes,step=smooth"
    return (
        Cell(f"{name}, naive Bayes", stream, weak, COPIES, panel=name, seeds=BAYES_SEEDS[stream]),
        *_perceptrons(stream),
    )


MORE_WEAK_LEARNERS = (
    Experiment(
        name="more-weak-learners",
        title="More weak learners",
        text=TEXT,
        cells=tuple(c for s in ("car", "dna", "nursery", "connect4") for c in _cells(s)),
    ),
    Experiment(
        name="more-weak-learners-reuters4",
        title="More weak learners: REUTERS4",
        text=TEXT,
        cells=_perceptrons("reuters4", ",dtype=float32"),
        seeds=3,
        stand_ins=(
            Cell(
                "Perceptron, stand-in",
                STAND_IN,
                f"{AT_DELTA_003},dtype=float32",
                FEWER_COPIES,
                note=f"{STAND_IN_NOTE}; up to ten weak learners, since a hundred take minutes",
            ),
        ),
    ),
)
