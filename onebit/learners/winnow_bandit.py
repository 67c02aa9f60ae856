"""Winnow bandit: the Banditron with multiplicative updates."""

from __future__ import annotations

import math
from typing import Annotated, Any, NamedTuple

from onebit.errors import BadParameter
from onebit.kernel.round import Bit, Played, learn, score
from onebit.kernel.rows import Floats, Row, dot, feature
from onebit.kernel.sizes import Sizes
from onebit.kernel.state import DERIVED, Axes, initial_state
from onebit.kernel.verbs import entry, implements, kernel
from onebit.learners import learner
from onebit.naming.params import Auto, Real

#: The largest exponent: e^200 times the largest value of a row is finite, in sums too.
MAX_EXPONENT = 200.0


@learner(hears=Bit, explorer="epsilon")
class WinnowBandit(NamedTuple):
    """The Banditron with multiplicative updates, for rows with few relevant features.

    `sums` are the sums of the Banditron's updates; the weight of a feature for a label is
    sinh(eta sum). That is exponentiated gradient on the doubled row [x, -x], whose
    normaliser is the same for all labels.

    Units: `radius` says the unit of the rows, and eta is for it.

    Reference: the extension of Kakade, Shalev-Shwartz and Tewari, ICML 2008,
    Section 6, to multiplicative updates; doubled rows as in Kivinen and Warmuth,
    "Exponentiated gradient versus gradient descent", Information and Computation 132 (1997).

    Guarantee: none proved; the sums are unbiased estimates of the Perceptron's.

    >>> from onebit import Agent
    >>> agent = Agent("winnow-bandit", labels=["tea", "coffee"], gamma=0.1, seed=1)
    >>> choice = agent.decide({"morning": 1})
    >>> agent.learn(choice, correct=choice.label == "coffee")
    """

    sums: Annotated[Floats, Axes("features", "labels")]
    weights: Annotated[Floats, Axes("features", "labels", role=DERIVED)]
    eta: Annotated[float, Auto(Real("(0, inf)")), "step size; auto is gamma / (K radius)"] = "auto"  # type: ignore[assignment]
    radius: Annotated[float, Real("(0, inf)"), "largest |x_j| of a row, for eta=auto"] = 1.0

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: dict[str, Any]) -> WinnowBandit:
        """Return the first state; with eta=auto exploring changes an exponent by at most 1."""
        if params["eta"] == "auto":
            gamma = params.get("gamma", "auto")
            if gamma == "auto":
                raise BadParameter(
                    "WinnowBandit: eta must be a number where gamma is none,"
                    f" as with explorer={params['explorer']}, got auto."
                )
            params["eta"] = gamma / (sizes.labels * params["radius"])
        return initial_state(cls, sizes, params)

    def derive(self) -> None:
        """Set the weights from the sums."""
        set_all_weights(self)


@kernel
def weight_of(eta: float, sum: float) -> float:
    """Return the weight of a sum."""
    return math.sinh(min(max(eta * sum, -MAX_EXPONENT), MAX_EXPONENT))


@entry
def set_all_weights(learner: WinnowBandit) -> None:
    """Set the weights of all features and labels from their sums."""
    for j in range(learner.sums.shape[0]):
        for k in range(learner.sums.shape[1]):
            learner.weights[j, k] = weight_of(learner.eta, learner.sums[j, k])


@kernel
def add_to_sums(learner: WinnowBandit, x: Row, step: float, label: int) -> None:
    """Add step times x to the sums of a label, and update its weights."""
    for n in range(x.values.shape[0]):
        if x.values[n] != 0.0:
            j = feature(x, n)
            learner.sums[j, label] += step * x.values[n]
            learner.weights[j, label] = weight_of(learner.eta, learner.sums[j, label])


@implements(score, WinnowBandit)
def _(learner: WinnowBandit, x: Row, out: Floats) -> None:
    dot(x, learner.weights, out)


@implements(learn, WinnowBandit)
def _(learner: WinnowBandit, x: Row, scores: Floats, played: Played, feedback: Bit) -> None:
    if feedback.correct:
        if played.label == played.greedy:
            add_to_sums(learner, x, 1.0 / played.prob - 1.0, played.greedy)
            return
        add_to_sums(learner, x, 1.0 / played.prob, played.label)
    add_to_sums(learner, x, -1.0, played.greedy)
