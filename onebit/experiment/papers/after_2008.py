"""The field since 2008: every learner from one bit on the papers' data, with nothing tuned."""

from onebit.experiment.papers import Cell, Experiment, Paper
from onebit.experiment.papers._ours import ours
from onebit.streams import find, traits

#: Labels x features up to which learners keep whole matrices.
MOST_PAIRS = 600

LEARNERS = {
    "majority label": "majority",
    "Banditron": "banditron",
    "margin bandit": "margin-bandit",
    "Winnow bandit": "winnow-bandit",
    "C-OVA, Perceptron": "cova",
    "BanditBoost, Perceptron": "banditboost",
    "Newtron": "newtron",
    "PNewtron": "pnewtron",
    "Confidit": "confidit",
    "SOBA": "soba-full:gamma=0.01",
    "SOBA, diagonal": "soba:gamma=0.01",
    "separable": "separable",
    "Gappletron": "gappletron",
    "PA bandit": "pa-bandit",
    "AROW": "arow",
    "softmax": "softmax",
    "Laplace": "laplace",
}
#: Learners that need the whole matrix, and those that have a diagonal form.
WHOLE, EITHER = ("newtron", "soba-full"), ("confidit", "laplace")


def _cells(stream: str) -> tuple[Cell, ...]:
    size = traits(find(stream))
    wide = size.labels * size.features > MOST_PAIRS
    cells = []
    for name, spec in LEARNERS.items():
        learner = spec.partition(":")[0]
        if wide and learner in WHOLE:
            continue
        diagonal = wide and learner in EITHER
        label, form = (f"{name}, diagonal", ":form=diagonal") if diagonal else (name, "")
        cells.append(Cell(label, stream, f"{spec}{form}"))
    return (*cells, ours(stream, seeds=10))


def _experiment(stream: str, rounds: int | None = None) -> Experiment:
    return Experiment(
        name=f"after-2008-{stream}",
        title=f"One bit since 2008: {stream.upper()}",
        text=f"""
        Learners from one bit, each with its published parameters, or where there are none its
        defaults: nothing is tuned here. Ten runs. Whole matrices only where labels times
        features are at most {MOST_PAIRS}, else the diagonal.
        """,
        cells=_cells(stream),
        rounds=rounds,
        timed=True,
    )


PAPER = Paper(
    title="The field since 2008",
    reference="none; the reference of each learner is on its page",
    experiments=(
        _experiment("synsep", 1_000_000),
        _experiment("synnonsep", 1_000_000),
        *map(_experiment, ("car", "nursery", "dna", "connect4")),
    ),
    only_by_name=True,
)
