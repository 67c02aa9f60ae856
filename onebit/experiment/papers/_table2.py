"""Table 2 of the BanditBoost paper: its numbers, and the cells that reproduce them."""

from onebit.experiment.papers import STAND_IN, STAND_IN_NOTE, Cell, Number, percent
from onebit.experiment.papers._ours import SEEDS, ours

#: The judged grid. The paper prints none: "a wide range" around 0.01 to 0.1.
DELTAS = "0.001,0.003,0.01,0.03,0.1"
BOOST = "banditboost:n=100,advantage=0.1"
LITERAL = f"{BOOST},step=literal"
#: One weak learner for each label: a hundred that start at zero stay equal to it.
SMOOTH = "banditboost:n=1,advantage=0.1,step=smooth"
#: Twenty that differ: more change little.
SCALED = "banditboost:n=20,advantage=0.1,step=scaled"

#: Table 2, in percent: Banditron, C-OVA and BanditBoost with Perceptron, then with naive Bayes.
TABLE_2 = {
    "car": "29.4 0.9, 22.8 1.1, 26.9 2.4, 30.0 0.1, 25.1 1.8",
    "dna": "26.8 9.0, 13.5 0.5, 18.6 0.6, 42.9 8.3, 25.1 2.6",
    "nursery": "28.8 1.4, 17.9 3.0, 16.0 1.1, 59.3 8.2, 28.9 2.1",
    "connect4": "39.8 0.4, 28.1 0.2, 30.8 0.2, 34.9 2.4, 34.2 0.4",
    "reuters4": "16.7 0.5, 8.5 4.2, 6.3 0.1",
}

LITERAL_NOTE = (
    "the words of the paper: equation (4), random starts; a division by p makes steps rare, huge"
    " and heavy-tailed"
)
SMOOTH_NOTE = (
    "another reading, beside it: weights without 1/p, a bias, votes by cosine, zero starts; all"
    " hundred copies stay equal, so one is run"
)
SCALED_NOTE = (
    "another reading, beside it, and the default of `banditboost`: as smooth, with rows scaled to"
    " norm 10, random starts and 20 weak learners"
)
BAYES_NOTE = "another reading, beside it: weights without 1/p"
PA_NOTE = "the paper says without numbers that it differs little from the Perceptron"
BAYES_PANEL = "naive Bayes"
#: Orders of the reading of naive Bayes that is not judged: fewer where a run takes seconds.
BAYES_SEEDS = {"car": 10, "dna": 10, "nursery": 10, "connect4": 5}


def table_2_cells(stream: str) -> tuple[Cell, ...]:
    numbers = [percent(*number.split()) for number in TABLE_2[stream].split(", ")]
    banditron, cova, boost = numbers[:3]
    over = f"delta={DELTAS}"
    return (
        Cell("Banditron", stream, "banditron", f"gamma={DELTAS}", banditron),
        Cell("C-OVA, Perceptron", stream, "cova", "", cova),
        Cell("C-OVA, PA", stream, "cova:base=pa", note=PA_NOTE),
        Cell("BanditBoost, Perceptron", stream, LITERAL, over, boost, note=LITERAL_NOTE),
        Cell("BanditBoost, Perceptron, smooth", stream, SMOOTH, over, boost, note=SMOOTH_NOTE,
             judged=False),
        Cell("BanditBoost, Perceptron, scaled", stream, SCALED, over, boost, note=SCALED_NOTE,
             judged=False),
        *(_bayes(stream, *numbers[3:]) if numbers[3:] else ()),
        Cell("Perceptron, full information", stream, "perceptron", note="hears the label"),
        *([ours(stream)] if stream in SEEDS else []),
    )  # fmt: skip


def _bayes(stream: str, cova: Number, boost: Number) -> tuple[Cell, ...]:
    return (
        Cell("C-OVA, naive Bayes", stream, "cova:base=naive-bayes", "", cova, panel=BAYES_PANEL),
        Cell("BanditBoost, naive Bayes", stream, f"{LITERAL},weak=naive-bayes",
             f"delta={DELTAS}", boost, note=LITERAL_NOTE, panel=BAYES_PANEL),
        Cell("BanditBoost, naive Bayes, smooth", stream, f"{BOOST},weak=naive-bayes,step=smooth",
             f"delta={DELTAS}", boost, note=BAYES_NOTE, panel=BAYES_PANEL, judged=False,
             seeds=BAYES_SEEDS[stream]),
    )  # fmt: skip


def stand_ins() -> tuple[Cell, ...]:
    """Return the cells of REUTERS4 on generated rows: ten weak learners, one delta."""
    few = LITERAL.replace("n=100", "n=10")
    learners = {
        "Banditron": "banditron:gamma=0.03",
        "C-OVA, Perceptron": "cova",
        "C-OVA, PA": "cova:base=pa",
        "BanditBoost, Perceptron, n 10": f"{few},delta=0.01",
        "BanditBoost, Perceptron, scaled, n 10": "banditboost:n=10,advantage=0.1,delta=0.01",
        "Perceptron, full information": "perceptron",
    }
    return tuple(
        Cell(f"{name}, stand-in", STAND_IN, learner, note=STAND_IN_NOTE)
        for name, learner in learners.items()
    )
