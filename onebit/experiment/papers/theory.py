"""The theory: every bound checked on runs, its pictures, and its open questions."""

from onebit.experiment.papers import BoundCheck, Experiment, Paper

#: 1,000 hypotheses of which one is always right: stumps on a stream that one feature decides.
PERFECT = "vote:width=500,voters=1"
SIGNS = ("advise:class=stumps,low=-1,high=1",)
#: 252 hypotheses of which none is always right.
STUMPS = ("advise:class=stumps",)


def _perfect(bound: str, learner: str) -> BoundCheck:
    return BoundCheck(bound, PERFECT, learner, rounds=2000, transforms=SIGNS)


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
