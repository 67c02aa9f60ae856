"""What the Banditron paper concludes in words."""

from onebit.experiment.papers import Case, Cell, Claim

#: "A wide range of values" of gamma; the paper prints no grid.
GAMMAS = "gamma=" + ",".join(f"2^-{n}" for n in range(14, 0, -1))
#: Rounds of the streams that have no end.
ROUNDS = {"synsep": 1_000_000, "synnonsep": 1_000_000}
#: Gamma of the paper's best slope, as read off its figure.
AT_BEST = "banditron:gamma=0.014"
#: Gamma of the paper's error on REUTERS4.
AT_005 = "banditron:gamma=0.05"


def _cells(stream: str, *learners: str, quantity: str = "error") -> tuple[Cell, ...]:
    rounds = ROUNDS.get(stream)
    return tuple(
        Cell(learner, stream, learner, quantity=quantity, rounds=rounds) for learner in learners
    )


def _case(stream: str, *learners: str, quantity: str = "error", name: str = "") -> Case:
    return Case(name or stream.upper(), _cells(stream, *learners, quantity=quantity))


def _grid(stream: str) -> Cell:
    return Cell("Banditron", stream, "banditron", GAMMAS, rounds=ROUNDS.get(stream))


def _slopes(stream: str, *learners: str) -> tuple[Case, ...]:
    return (_case(stream, *learners, quantity="slope"),)


CLAIMS = (
    Claim("The Perceptron's error on SYNSEP falls as 1/T", "Section 5", "slope near",
          _slopes("synsep", "perceptron"), -1.0),
    Claim("The Banditron's falls faster than 1/sqrt(T) there", "Section 5", "slope below",
          _slopes("synsep", AT_BEST), -0.5),
    Claim("Rows separable: the Perceptron gains on the Banditron", "Figure 1, left", "steeper",
          _slopes("synsep", "perceptron", AT_BEST)),
    Claim("With noise the Perceptron's error becomes constant", "Section 5", "slope near",
          _slopes("synnonsep", "perceptron"), 0.0),
    Claim("With noise the Banditron gains on the Perceptron", "Figure 1, middle", "steeper",
          _slopes("synnonsep", AT_BEST, "perceptron")),
    Claim("With noise its error falls only after 10^4 rounds", "Section 5", "falls late",
          (_case("synnonsep", AT_BEST),), 10_000),
    Claim("The Perceptron, which hears labels, errs less", "Figure 1", "lower",
          (_case("synsep", "perceptron", AT_BEST), _case("synnonsep", "perceptron", AT_BEST),
           _case("reuters4", "perceptron", AT_005))),
    Claim("Their errors on REUTERS4 fall at like rates", "Section 5", "slopes alike",
          _slopes("reuters4", AT_005, "perceptron")),
    Claim("A gamma too low or too high is worse", "Section 5", "inside",
          tuple(Case(s.upper(), (_grid(s),)) for s in ("synsep", "synnonsep", "reuters4"))),
    Claim("The best gamma is higher with noise", "Corollaries 2 and 3", "moves",
          (Case("SYNSEP, SYNNONSEP", (_grid("synsep"), _grid("synnonsep"))),)),
    Claim("Its update does best among unbiased ones", "Section 3", "lower",
          tuple(_case(s, AT_BEST, f"{AT_BEST},update={u}", name=f"{s.upper()}, {u}")
                for s in ("synsep", "synnonsep", "car", "nursery", "connect4")
                for u in ("played", "known"))),
)  # fmt: skip
