"""What the BanditBoost paper concludes in words."""

from onebit.experiment.papers import Case, Cell, Claim
from onebit.experiment.papers._table2 import LITERAL, table_2_cells

STREAMS = ("car", "dna", "nursery", "connect4")
ALL_STREAMS = (*STREAMS, "reuters4")


def _cases(streams: tuple[str, ...], *names: str) -> tuple[Case, ...]:
    """Return a case for each stream, of the cells of Table 2 with these names."""
    tables = {stream: {cell.name: cell for cell in table_2_cells(stream)} for stream in streams}
    return tuple(Case(s.upper(), tuple(t[name] for name in names)) for s, t in tables.items())


def _copies(stream: str, learner: str) -> Case:
    """Return the case of a hundred weak learners and one, at delta = 0.03."""
    many, one = (learner.replace("n=100", f"n={n}") + ",delta=0.03" for n in (100, 1))
    return Case(stream.upper(), (Cell("many", stream, many), Cell("one", stream, one)))


BAYES = f"{LITERAL},weak=naive-bayes"
CLAIMS = (
    Claim("PA and Perceptron differ little in C-OVA", "Section 5", "alike",
          _cases(ALL_STREAMS, "C-OVA, PA", "C-OVA, Perceptron")),
    Claim("A delta too low or too high is worse", "Section 5.1", "inside",
          _cases(ALL_STREAMS, "BanditBoost, Perceptron")),
    Claim("The same, with naive Bayes", "Section 5.1", "inside",
          _cases(STREAMS, "BanditBoost, naive Bayes")),
    Claim("BanditBoost beats the Banditron on all sets", "Section 5.1", "lower",
          _cases(ALL_STREAMS, "BanditBoost, Perceptron", "Banditron")),
    Claim("The same, by the scaled reading", "Section 5.1", "lower",
          _cases(ALL_STREAMS, "BanditBoost, Perceptron, scaled", "Banditron")),
    Claim("BanditBoost and C-OVA are comparable, with Perceptron", "Section 5.1", "alike",
          _cases(ALL_STREAMS, "BanditBoost, Perceptron", "C-OVA, Perceptron")),
    Claim("The same, by the scaled reading", "Section 5.1", "alike",
          _cases(ALL_STREAMS, "BanditBoost, Perceptron, scaled", "C-OVA, Perceptron")),
    Claim("On REUTERS4 BanditBoost overtakes C-OVA late", "Figure 1 (f)", "overtakes",
          _cases(("reuters4",), "BanditBoost, Perceptron", "C-OVA, Perceptron")),
    Claim("With naive Bayes BanditBoost is best on all sets", "Section 5.1", "lower",
          _cases(STREAMS, "BanditBoost, naive Bayes", "C-OVA, naive Bayes")),
    Claim("The same, by the smooth reading", "Section 5.1", "lower",
          _cases(STREAMS, "BanditBoost, naive Bayes, smooth", "C-OVA, naive Bayes")),
    Claim("C-OVA does not suit naive Bayes", "Section 5", "lower",
          _cases(STREAMS, "C-OVA, Perceptron", "C-OVA, naive Bayes")),
    Claim("More weak learners help: 100 Perceptrons, not 1", "Theorem 1", "lower",
          tuple(_copies(stream, LITERAL) for stream in STREAMS)),
    Claim("The same, with naive Bayes", "Theorem 1", "lower",
          tuple(_copies(stream, BAYES) for stream in STREAMS)),
)  # fmt: skip
