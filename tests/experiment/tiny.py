"""A tiny paper, and the command line that knows no other: python tiny.py reproduce ..."""

from onebit.experiment.papers import BoundCheck, Cell, Experiment, Number, Paper, Size
from onebit.experiment.reproduce import selection

ROUNDS, SEEDS, LONG_SEEDS = 2000, 4, 8


def paper(rounds: int = ROUNDS, seeds: int = SEEDS) -> Paper:
    cells = (
        Cell("Banditron & kin", "synsep", "banditron", "gamma=0.1,0.3", Number(0.5, 0.1)),
        Cell("Perceptron", "synsep", "perceptron", "", Number(0.001)),
        Cell("Perceptron, slope", "synsep", "perceptron", "", Number(-1.0), "slope"),
        Cell("Uniform", "synsep", "uniform", note="at chance"),
    )
    return Paper(
        "A tiny <paper>",
        "Nobody, nowhere",
        (
            Experiment("tiny", "Tiny figure", "First.\n\nSecond.", cells, seeds, rounds, True),
            Experiment("tiny-sizes", "Sizes", "Counted.", sizes=(
                Size("car", 4, 6, 1728), Size("nursery", 5, 8, 12961))),
            Experiment("tiny-theory", "Bounds", "Kept.", bound_checks=(
                BoundCheck("novikoff:radius=1,margin=0.2", "plane", "perceptron", rounds=500),
                BoundCheck("novikoff:radius=1,margin=0.01", "plane", "perceptron", rounds=500))),
            Experiment("tiny-picture", "Pictures", "Drawn.", picture="perceptron"),
        ),
    )  # fmt: skip


def long_paper() -> Paper:
    """Many trials of a fair length: there is time to be killed in the middle."""
    cell = Cell("Banditron", "synsep", "banditron", "", Number(0.5))
    return Paper("Long", "", (Experiment("long", "Long", "Long.", (cell,), LONG_SEEDS, 80_000),))


if __name__ == "__main__":
    from onebit.cli.main import main

    selection.papers = lambda: {"tiny-paper": paper(), "long-paper": long_paper()}
    main()
