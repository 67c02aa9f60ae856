"""The theory: every bound checked on runs, its pictures, and its open questions."""

import math

from onebit.experiment.papers import BoundCheck, Experiment, Paper
from onebit.explorers.theory import gamma_by_theory
from onebit.streams.datasets._games import nested_groups
from onebit.streams.datasets.sectors import sector_complexity
from onebit.theory.bounds import corollary_2, cover_points, projection
from onebit.theory.hypotheses.table import TableText

#: 1,000 hypotheses of which one is always right: stumps on a stream that one feature decides.
PERFECT = "vote:width=500,voters=1"
SIGNS = ("advise:class=stumps,low=-1,high=1",)
#: 252 hypotheses of which none is always right.
STUMPS = ("advise:class=stumps",)


#: A class of 31 hypotheses whose Littlestone dimension is 2.
NESTED = TableText().read(nested_groups(5).astype(int))
#: What Theorem 8 derives for SYNSEP, and for its easiest case: labels, rounds, complexity, delta.
SYNSEP_PROJECTION = projection(9, 1_000_000, 81.0, 0.05)
EASIEST_PROJECTION = projection(2, 1, 1.0, 0.999)


def _cover_digits(labels: int, dimension: int, complexity: float) -> float:
    """Return the decimal logarithm of the number of points of a cover."""
    return labels * dimension * math.log10(2 * cover_points(dimension, complexity) + 1)


def _tuned(rounds: int, seeds: int = 3) -> BoundCheck:
    """Return the check of the Banditron at the gamma of Corollary 2."""
    gamma = min(0.5, corollary_2(labels=9, rounds=rounds, complexity=81).gamma)
    return BoundCheck(
        f"banditron:gamma={gamma:.6g}", "synsep",
        f"banditron:gamma=auto,complexity=81,horizon={rounds}", "mean mistakes",
        rounds=rounds, seeds=seeds, note="gamma of Corollary 2",
    )  # fmt: skip


def _noisy(rounds: int) -> BoundCheck:
    """Return the check of the Banditron with noise, at the larger gamma of both corollaries."""
    gamma = gamma_by_theory(9, 250.0, 0.115, rounds)
    return BoundCheck(
        f"banditron:gamma={gamma:.6g}", "synnonsep",
        f"banditron:gamma=auto,complexity=250,noise=0.115,horizon={rounds}", "mean mistakes",
        rounds=rounds, seeds=1, note="gamma of Corollaries 2 and 3",
    )  # fmt: skip


def _sectors(labels: int, spread: float, rounds: int, seeds: int) -> BoundCheck:
    """Return the check of Theorem 7 with more than two labels."""
    D = sector_complexity(labels, spread) * 1.000001  # noqa: N806  as in the paper
    return BoundCheck(
        f"cover-halving:complexity={D:.6g}", f"sectors:labels={labels},spread={spread}",
        f"cover-halving:D={D:.6g}", rounds=rounds, seeds=seeds,
    )  # fmt: skip


def _worst(bound: str, against: str, learner: str, note: str = "") -> BoundCheck:
    """Return the check of a bound on the stream made to be bad for a learner, played ten times."""
    ties = "," if ":" in learner else ":"
    return BoundCheck(
        bound, f"adversary:against={against}", f"{learner}{ties}ties=first", seeds=1,
        transforms=("repeat:n=10",), note=note,
    )  # fmt: skip


def _perfect(bound: str, learner: str) -> BoundCheck:
    return BoundCheck(bound, PERFECT, learner, rounds=2000, transforms=SIGNS)


EASIEST_DIGITS = _cover_digits(2, *EASIEST_PROJECTION)

PAPER = Paper(
    title="The theory of one bit",
    reference="Kakade, Shalev-Shwartz and Tewari, ICML 2008; lectures of O. Dekel and M. Hanawal;"
    " Chen, Lin and Lu, ICML 2014",
    experiments=(
        Experiment(
            name="theory-linear",
            title="Bounds of linear learners",
            text="""
            A bound on the mistakes of a linear learner speaks of a comparator: weights W with
            total hinge loss L and complexity D = 2 ||W||^2, for rows scaled to norm 1. It holds
            for any W; here W is fitted to the stream, which makes the bound small, not
            smallest. A bound that is not below the number of rounds says nothing, and is
            marked. The lemma about a single update of the Banditron (Lemma 5) needs no run.
            """,
            bound_checks=(
                BoundCheck("perceptron", "synsep", "perceptron", rounds=1_000_000, seeds=3),
                BoundCheck("perceptron", "synnonsep", "perceptron", rounds=20_000, seeds=1),
                BoundCheck("banditron", "synsep", "banditron:gamma=2^-6", "mean mistakes",
                           rounds=1_000_000, seeds=3),
                BoundCheck("novikoff:radius=10,margin=1,norm=1.7320508", "vote", "perceptron",
                           rounds=20_000, note="three voters of weight 1, rows of 100 signs"),
                BoundCheck("novikoff:radius=1,margin=0.1", "plane:margin=0.1", "perceptron",
                           rounds=20_000),
                BoundCheck("winnow:features=200,radius=1,margin=0.333333", "vote",
                           "winnow:margin=0.333333", rounds=20_000,
                           note="each of the 100 features also counts as its negative"),
                BoundCheck("separable:radius=10,margin=0.81649658", "vote", "separable",
                           "mean mistakes", rounds=20_000,
                           note="three voters of weight 1 / sqrt(6) for one label, minus that for"
                           " the other"),
                BoundCheck("soba:squared_norm=2,largest_norm=1,eta=0.5", "plane:margin=0.5",
                           "soba-full:gamma=0.05", "mean mistakes", rounds=20_000,
                           note="weights of norm 1 and -1 along the best direction: margin 1"),
                BoundCheck("cover-halving:complexity=12", "plane:margin=0.3", "cover-halving:D=12",
                           rounds=5000),
            ),
        ),
        Experiment(
            name="theory-corollaries",
            title="The exploration rates of Corollaries 2 and 3",
            text="""
            With gamma = sqrt(K D / T) the bound of Theorem 1 on separable rows is of the order
            sqrt(K D T) (Corollary 2), which is below T only from T > 16 K D on; with noise,
            gamma = (rho K D / (4 T))^(1/3) (Corollary 3, minimised), and the mistakes beyond the
            comparator's loss grow like T^(2/3).
            """,
            bound_checks=(_tuned(10_000), _tuned(100_000), _tuned(1_000_000), _noisy(400_000)),
        ),
        Experiment(
            name="theory-worst-cases",
            title="Bounds on streams made to be bad",
            text="""
            An adversary plays its own copy of a learner and chooses rows and labels, from the class
            or with the margin, so that the learner errs as often as its theorem lets it. The
            bounds of Consistent, Halving, the standard optimal algorithm and the Perceptron are
            reached, those of Winnow and of bandit Halving nearly, and the last one grows with the
            number of labels as the bound does. A class of 31 hypotheses has Littlestone dimension
            2: Halving is wrong four times on it, the standard optimal algorithm never more than
            twice. Experts that toss coins cost every learner half of the rounds, and the best of
            them is lucky: regret within a factor of about two of its bound.
            """,
            bound_checks=(
                _worst("consistent", "consistent,size=200", "consistent"),
                _worst("halving", "halving,size=1024", "halving"),
                _worst("halving", "halving,table=nested", "halving"),
                _worst("soa:dimension=2", "soa,table=nested", f"soa:table={NESTED}"),
                *(
                    _worst(bound, f"bandit-halving,size=1000,labels={k}", "bandit-halving")
                    for k in (3, 5, 9)
                    for bound in ("bandit-halving", "bandit-halving-tight")
                ),
                _worst("novikoff:radius=1,margin=0.05", "perceptron,margin=0.05", "perceptron"),
                _worst("winnow:features=200,radius=1,margin=0.333333",
                       "winnow,size=100,margin=0.333333333", "winnow:margin=0.333333",
                       "each of the 100 features also counts as its negative"),
                BoundCheck("weighted-majority", "adversary:against=experts,size=1000",
                           "weighted-majority:rounds=10000", "mean regret", rounds=10_000),
            ),
        ),
        Experiment(
            name="theory-covers",
            title="Theorems 7 and 8: halving on a cover, with more than two labels",
            text=f"""
            A grid over all weights is finite, and so is the number of mistakes; but it has
            sqrt(2 D d)^(K d) points, which is feasible for two features and up to four labels.
            Theorem 8 projects wide rows first (`projected-halving`). With its constants no
            projection has a cover that fits into a machine. SYNSEP (K = 9, D = 81, a million
            rounds, delta = 0.05) would be projected to {SYNSEP_PROJECTION.dimension:,} dimensions
            with D = {SYNSEP_PROJECTION.complexity:g}, more than its 400 features. Even the easiest
            case (K = 2, D = 1, one round, and a projection that may fail in 999 of 1,000 cases)
            needs {EASIEST_PROJECTION.dimension} dimensions with D =
            {EASIEST_PROJECTION.complexity:g}: 10^{EASIEST_DIGITS:.0f} points, where 2 10^7 are the
            most. So the theorem is shown in parts. The last run below is the whole learner where
            rows are not wider than its dimension, and it is then Theorem 7; the tests find that
            projections of the theorem's dimension keep half of every margin, that on wide rows
            the learner with `dimension=2` equals its oracle, and that its bound holds where two
            dimensions happen to keep a margin.
            """,
            bound_checks=(
                _sectors(3, 0.2, 5000, 10),
                _sectors(4, 0.05, 200, 1),
                BoundCheck("projected-halving:complexity=12,delta=0.05", "plane:margin=0.3",
                           "projected-halving:D=12,rounds=5000", rounds=5000),
            ),
        ),
        Experiment(
            name="theory-classes",
            title="Bounds for finite classes with a perfect hypothesis",
            text="""
            1,000 stumps, one of which is always right. With the label told, Consistent may have
            to be wrong once for every hypothesis, Halving rules out half of them with each
            mistake, and the standard optimal algorithm is wrong at most as often as the
            Littlestone dimension says. One bit costs a factor of about K.
            """,
            bound_checks=(
                _perfect("consistent", "consistent"),
                _perfect("halving", "halving"),
                _perfect("soa:dimension=9", "soa"),
                _perfect("bandit-halving", "bandit-halving"),
                _perfect("bandit-halving-tight", "bandit-halving"),
            ),
        ),
        Experiment(
            name="theory-boosting",
            title="BanditBoost's theorem, with the constants of its proof",
            text=f"""
            Lemmas 1 to 4 and Claims 1 and 2 hold with constants (`onebit bound boosting-claim-2`
            and so on), and the tests keep them on runs. Theorem 1 then needs T of
            2 (K^2 / delta^4) ln(K / delta) rounds, {2 * 16 / 0.01**4 * math.log(400):.1e} at four
            labels and delta = 0.01: its bound says nothing about streams as short as these,
            on which BanditBoost learns all the same. The reference for both online
            boosters is batch boosting, which sees all rows before it answers
            (`onebit.theory.batch_boosting`): on CAR the tests find it below `boost`, and `boost`
            below `banditboost`.
            """,
            bound_checks=tuple(
                BoundCheck("boosting-theorem-1", stream,
                           "banditboost:step=literal,advantage=0.1,delta=0.03", seeds=1)
                for stream in ("car", "nursery")
            ),
        ),
        Experiment(
            name="theory-regret",
            title="Bounds on regret",
            text="""
            Nobody is perfect here: what counts is how much worse a learner does than the best
            fixed choice, a stump or a label. Expected regret compares with the best choice of
            each run, pseudo-regret with one choice for all runs. A bound with probability
            1 - delta may fail in a share delta of the runs, so that many of the worst are left
            out.
            """,
            bound_checks=(
                BoundCheck("weighted-majority", "car", "weighted-majority:rounds=1728",
                           "mean regret", transforms=STUMPS),
                BoundCheck("exp4", "car", "exp4:rounds=1728", "pseudo-regret", transforms=STUMPS),
                BoundCheck("exp3", "nursery", "exp3:rounds=12960", "pseudo-regret"),
                BoundCheck("exp3p:delta=0.1", "nursery", "exp3p:rounds=12960,failure=0.1", "regret",
                           seeds=20),
                BoundCheck("exp3ix:delta=0.1", "nursery", "exp3ix:rounds=12960", "regret",
                           seeds=20),
            ),
        ),
        Experiment(
            name="theory-pictures",
            title="The lectures' pictures",
            text="""
            A run of the Perceptron on the stream `plane`. Left: its weights cut the plane into two
            half-spaces. Middle: its last update, before and after; the row that was wrong
            pulls the weights to its side. Right: the margin, the distance of the
            nearest row from the line of the best weights, which no row comes closer than.
            """,
            picture="perceptron",
        ),
        Experiment(
            name="theory-open",
            title="Open problems of 2008, and what is known since",
            text="""
            The Banditron paper ends with questions. This is where they stand, in our words; the
            learners that answer them can be played (`soba`, `newtron`, `separable`,
            `gappletron`), and `onebit reproduce after-2008` compares them all.

            Can an efficient learner have regret of the order sqrt(T) without separability? The
            Banditron's T^(2/3) is not the last word. Hazan and Kale (Newtron, NIPS 2011)
            changed the loss: with the logistic loss and bounded weights, regret is between
            log T and T^(2/3) as the size of the weights grows. Beygelzimer, Orabona and Zhang
            (SOBA, ICML 2017) gave an efficient second-order learner with regret of the order
            sqrt(T), up to logarithms, against a family of losses that runs from the hinge
            loss to the squared hinge loss: the answer to what Abernethy and Rakhlin had asked
            for again (COLT 2009).

            What is the best bound on mistakes when rows are separable, is there a finite one that
            does not know the dimension, and can it be had efficiently? Halving over a cover
            is finite, in time exponential in the dimension. Beygelzimer, Pal, Szorenyi,
            Thiruvenkatachari, Wei and Zhang (ICML 2019) gave efficient learners with a
            bounded number of mistakes that know neither T nor the dimension: K binary
            perceptrons, with a bound of order K over the squared margin, if each label is
            separable from the rest (strong separability); and a kernel perceptron under the
            paper's weaker separability, with a bound that is not polynomial in K and one over
            the margin together. The best bound that an efficient learner can have there is
            still open.

            Must a share gamma of all rounds be given away to explore? Van der Hoeven (Gaptron,
            NeurIPS 2020), and van der Hoeven, Fusco and Cesa-Bianchi (Gappletron, NeurIPS
            2021), explore only as much as the gap between the zero-one loss and a surrogate
            loss pays for: regret of the order sqrt(T) from one bit, and a regret that does
            not grow with T when the label is told.

            Which other updates can live on one bit? The paper suggests multiplicative updates,
            updates at a margin, and showing several labels. They are here to be tried, as
            `winnow-bandit`, `margin-bandit` and `label-ranking`.
            """,
        ),
    ),
)  # fmt: skip
