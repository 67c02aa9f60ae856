"""Bandit halving: the majority vote of the hypotheses, from bandit feedback."""

from __future__ import annotations

from onebit.kernel.round import Bit, Played, learn, score
from onebit.kernel.rows import Dense, Floats
from onebit.kernel.verbs import implements
from onebit.learners import learner
from onebit.learners.shared.version_space import VersionSpace, count_round, count_votes


@learner(hears=Bit, row="advice")
class BanditHalving(VersionSpace):
    """Plays the majority vote of the hypotheses left; a mistake removes those that predicted it.

    The played label has at least 1/K of the votes, so each mistake leaves at most a share of
    1 - 1/K of the class. It never explores. When no hypothesis is left, it raises an error;
    `exp4` tolerates noise.

    Reference: Kakade, Shalev-Shwartz and Tewari, ICML 2008, Section 4, Lemma 6 (a mistake
    removes the hypotheses that voted for the played label).

    Guarantee: M <= K ln |H| if a hypothesis is always right.

    >>> from onebit import Agent
    >>> agent = Agent("bandit-halving", labels=["a", "b", "c"], seed=1)
    >>> agent.learn(agent.decide([0, 0, 1, 2]), correct=False)
    >>> agent.probabilities([0, 0, 2, 2])
    {'a': 0.0, 'b': 0.0, 'c': 1.0}
    """


@implements(score, BanditHalving)
def _(learner: BanditHalving, x: Dense, out: Floats) -> None:
    count_votes(learner.alive, x, out)


@implements(learn, BanditHalving)
def _(learner: BanditHalving, x: Dense, scores: Floats, played: Played, feedback: Bit) -> None:
    alive, advice = learner.alive, x.values
    left = 0.0
    for k in range(scores.shape[0]):
        if feedback.correct or k != played.label:
            left += scores[k]
    for i in range(0 if feedback.correct else alive.shape[0]):
        if int(advice[i]) == played.label:
            alive[i] = False
    count_round(learner.round_counts, int(left))
