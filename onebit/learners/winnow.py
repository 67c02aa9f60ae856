"""Winnow: multiplicative weights for two labels, told the true label."""

from __future__ import annotations

import math
from typing import Annotated, Any, NamedTuple

from onebit.errors import BadInput
from onebit.kernel.round import Label, Played, learn, score
from onebit.kernel.rows import Floats, Row, feature
from onebit.kernel.state import Axes, Sizes, initial_state
from onebit.kernel.verbs import implements, kernel
from onebit.learners import learner
from onebit.naming.params import Auto, OneOf, Real

#: A step moves no exponent further than this, so that weights stay numbers.
HIGHEST = 100.0


@learner(hears=Label, labels=2)
class Winnow(NamedTuple):
    """Multiplicative weights for two labels, for rows of which few features matter.

    The first label is +1, the second -1 (a file's labels -1 and 1 are sorted: give --labels
    1,-1); it says the sign of the row's weighted sum. On a mistake each weight is
    multiplied by exp(eta y x_j) and all are divided by their sum. Weights are never
    negative: with signed=yes each feature has a second weight for its negative (the row [x,
    -x]), so that any direction can be learned. `margin` is that of the best weights of sum
    1, and with `radius` it sets the step; ties=first is the lecture's sign(0) = +1.

    Reference: Littlestone, "Learning quickly when irrelevant attributes abound",
    Machine Learning 2 (1988); in this normalised form Hanawal's lectures on
    online learning (updated with the true label, and only on mistakes).

    Guarantee: M <= ln(d) / (eta margin - ln cosh(eta radius)) if weights >= 0 of
    sum 1 have that margin on all rows and no |x_j| is above `radius`;
    M <= 2 (radius / margin)^2 ln(d) at eta=auto. With signed=yes, d counts each
    feature twice, and the sum is that of absolute values.

    >>> from onebit import Agent
    >>> agent = Agent("winnow", labels=["yes", "no"], seed=1, margin=0.5)
    >>> for day in range(20):
    ...     row, truth = ([1, 1, -1], "no") if day % 2 else ([1, -1, -1], "yes")
    ...     agent.learn(agent.decide(row), truth=truth)
    >>> agent.predict([-1, 1, 1])
    'no'
    """

    weights: Annotated[Floats, Axes("features", 2)]  # of each feature, and of its negative
    excess: Annotated[Floats, Axes(1)]  # the size of a row's value that was above the radius
    doubts: Annotated[Floats, Axes(2)]  # rows with a negative value; wrong ones without
    signed: Annotated[int, OneOf(("yes", "no")), "whether weights may be negative"] = "yes"  # type: ignore[assignment]
    eta: Annotated[float, Auto(Real("(0, inf)")), "step; auto is best for the margin"] = "auto"  # type: ignore[assignment]
    radius: Annotated[float, Real("(0, inf)"), "the largest |x_j| of any row"] = 1.0
    margin: Annotated[float, Real("(0, inf)"), "of the best weights, for eta=auto"] = 0.1

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: dict[str, Any]) -> Winnow:
        """Settle eta, and start from equal weights."""
        radius, margin = params["radius"], params["margin"]
        if params["eta"] == "auto":
            if margin >= radius:
                raise BadInput(f"Winnow: margin must be below radius={radius:g}, got {margin:g}.")
            params["eta"] = math.log((radius + margin) / (radius - margin)) / (2.0 * radius)
        if params["eta"] * radius > HIGHEST:
            raise BadInput(
                f"Winnow: eta must be at most {HIGHEST:g} / radius, got {params['eta']:g}."
            )
        state = initial_state(cls, sizes, params)
        state.weights[:, : 2 - state.signed] = 1.0 / (sizes.features * (2 - state.signed))
        return state

    def complaint(self) -> str | None:
        """Say once that a row was too large to learn from."""
        size, self.excess[0] = float(self.excess[0]), 0.0
        if size == 0.0:
            return None
        return f"no |x_j| may be above radius={self.radius:g}, got {size:g}; give a larger radius."

    def remark(self) -> str | None:
        """Say that nonnegative weights can do nothing with nonnegative rows."""
        if self.signed == 0 or self.doubts[0] > 0.0 or self.doubts[1] == 0.0:
            return None
        return (
            "no row so far has a negative value, so signed=no can only say the first label, which"
            " is +1; give signed=yes."
        )


@kernel
def margin_of(weights: Floats, x: Row) -> float:
    """Return the weighted sum of the doubled row."""
    total = 0.0
    for n in range(x.values.shape[0]):
        if x.values[n] != 0.0:
            j = feature(x, n)
            total += x.values[n] * (weights[j, 0] - weights[j, 1])
    return total


@kernel
def multiply(weights: Floats, x: Row, step: float) -> None:
    """Multiply each weight by the exponential of step times its value, and normalise."""
    for n in range(x.values.shape[0]):
        if x.values[n] != 0.0:
            j = feature(x, n)
            weights[j, 0] *= math.exp(step * x.values[n])
            weights[j, 1] *= math.exp(-step * x.values[n])
    total = 0.0
    for j in range(weights.shape[0]):
        total += weights[j, 0] + weights[j, 1]
    for j in range(weights.shape[0]):
        weights[j, 0] /= total
        weights[j, 1] /= total


@implements(score, Winnow)
def _(learner: Winnow, x: Row, out: Floats) -> None:
    out[0] = margin_of(learner.weights, x)
    out[1] = -out[0]


@implements(learn, Winnow)
def _(learner: Winnow, x: Row, scores: Floats, played: Played, feedback: Label) -> None:
    size, least = 0.0, 0.0
    for n in range(x.values.shape[0]):
        size = max(size, abs(x.values[n]))
        least = min(least, x.values[n])
    if size > learner.radius:
        if learner.excess[0] == 0.0:
            learner.excess[0] = size
        return
    wrong = feedback.truth != played.greedy
    if least < 0.0:
        learner.doubts[0] += 1.0
    elif wrong:
        learner.doubts[1] += 1.0
    if wrong:
        multiply(learner.weights, x, learner.eta if feedback.truth == 0 else -learner.eta)
