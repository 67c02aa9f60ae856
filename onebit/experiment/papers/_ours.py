"""`auto`, our own learner, beside those of the papers: named as ours, and never judged."""

from onebit.experiment.papers import Cell

#: Runs of each data set beside the papers' tables: as many as take about a minute in all.
SEEDS = {"car": 10, "dna": 10, "nursery": 10, "connect4": 2, "synsep": 2, "synnonsep": 2}
#: Rounds where the paper has more.
ROUNDS = {"synsep": 30_000, "synnonsep": 30_000}


def ours(stream: str, seeds: int | None = None) -> Cell:
    """Return the cell of `auto` on a stream, with fewer runs and rounds where it takes long."""
    runs, rounds = seeds or SEEDS[stream], ROUNDS.get(stream)
    after = f", after {rounds:,} rounds" if rounds else ""
    note = f"our own learner, with nothing tuned, not of a paper; {runs} runs{after}"
    return Cell("auto (ours)", stream, "auto", note=note, seeds=runs, rounds=rounds)
