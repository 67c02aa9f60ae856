"""Winnow: multiplicative updates for two labels, with full information."""

from __future__ import annotations

import math
from typing import Annotated, Any, NamedTuple

from onebit.errors import BadParameter
from onebit.kernel.round import Label, Played, is_true, learn, score, true_count
from onebit.kernel.rows import Floats, Row, feature
from onebit.kernel.sizes import Sizes
from onebit.kernel.state import COUNTS, SCRATCH, Axes, initial_state
from onebit.kernel.verbs import implements, kernel
from onebit.learners import learner
from onebit.naming.params import Auto, OneOf, Real

#: The largest exponent of an update, so that weights stay finite.
MAX_EXPONENT = 100.0


@learner(hears=Label, labels=2, sets=True)
class Winnow(NamedTuple):
    """Multiplicative updates for two labels, for rows with few relevant features.

    The first label is +1, the second -1 (a file's labels -1 and 1 are sorted: give --labels
    1,-1); it predicts the sign of the row's weighted sum. On a mistake each weight is
    multiplied by exp(eta y x_j) and all are divided by their sum. Weights are never
    negative: with signed=yes each feature has a second weight for its negative (the row [x,
    -x]), so that any direction can be learned. `margin` is that of the best weights of sum
    1, and with `radius` it sets eta; ties=first is the lecture's sign(0) = +1. A round in which
    both labels are right, or none, teaches nothing.

    Units: `radius` and `margin` are in the unit of the rows, and eta is for them.

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

    weights: Annotated[
        Floats, Axes("features", 2, first=1.0, within="[0, 2]")
    ]  # of each feature, and of its negative; divided by their number at first
    excess: Annotated[
        Floats, Axes(2, role=SCRATCH)
    ]  # the |x_j| above the radius, or 0: of the row just scored; or not learned, until reported
    sign_counts: Annotated[
        Floats, Axes(2, within=COUNTS)
    ]  # rows with a negative value; mistakes on others
    signed: Annotated[int, OneOf(("yes", "no")), "whether weights may be negative"] = "yes"  # type: ignore[assignment]
    eta: Annotated[float, Auto(Real("(0, inf)")), "step size; auto is optimal for the margin"] = (
        "auto"  # type: ignore[assignment]
    )
    radius: Annotated[float, Real("(0, inf)"), "the largest |x_j| of any row"] = 1.0
    margin: Annotated[float, Real("(0, inf)"), "margin of the best weights, for eta=auto"] = 0.1

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: dict[str, Any]) -> Winnow:
        """Return the first state: eta resolved, equal weights."""
        radius, margin = params["radius"], params["margin"]
        if params["eta"] == "auto":
            if margin >= radius:
                raise BadParameter(
                    f"Winnow: margin must be below radius={radius:g}, got {margin:g}."
                )
            params["eta"] = math.log((radius + margin) / (radius - margin)) / (2.0 * radius)
        if params["eta"] * radius > MAX_EXPONENT:
            raise BadParameter(
                f"Winnow: eta must be at most {MAX_EXPONENT:g} / radius, got {params['eta']:g}."
            )
        state = initial_state(cls, sizes, params)
        state.weights[:] = 0.0
        state.weights[:, : 2 - state.signed] = 1.0 / (sizes.features * (2 - state.signed))
        return state

    def is_sound(self) -> bool:
        """Return whether the weights sum to 1."""
        return abs(float(self.weights.sum()) - 1.0) < 1e-6

    def refusal(self) -> str | None:
        """Return an error sentence if the row just scored has a value above the radius."""
        return self._excess_error(float(self.excess[0]))

    def complaint(self) -> str | None:
        """Return an error sentence, once, if a row was not learned for a value above the radius."""
        size, self.excess[1] = float(self.excess[1]), 0.0
        return self._excess_error(size)

    def _excess_error(self, size: float) -> str | None:
        if size == 0.0:
            return None
        return f"no |x_j| may be above radius={self.radius:g}, got {size:g}; give a larger radius."

    def remark(self) -> str | None:
        """Return a warning if nonnegative weights meet only nonnegative rows."""
        if self.signed == 0 or self.sign_counts[0] > 0.0 or self.sign_counts[1] == 0.0:
            return None
        return (
            "no row so far has a negative value, so signed=no can only say the first label, which"
            " is +1; give signed=yes."
        )


@kernel
def weighted_sum(weights: Floats, x: Row) -> float:
    """Return the weighted sum of the doubled row."""
    total = 0.0
    for n in range(x.values.shape[0]):
        if x.values[n] != 0.0:
            j = feature(x, n)
            total += x.values[n] * (weights[j, 0] - weights[j, 1])
    return total


@kernel
def multiply_weights(weights: Floats, x: Row, step: float) -> None:
    """Multiply each weight by exp(step x_j), and normalise all to sum 1."""
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
    out[0] = weighted_sum(learner.weights, x)
    out[1] = -out[0]
    size = 0.0
    for n in range(x.values.shape[0]):
        size = max(size, abs(x.values[n]))
    learner.excess[0] = size if size > learner.radius else 0.0


@implements(learn, Winnow)
def _(learner: Winnow, x: Row, scores: Floats, played: Played, feedback: Label) -> None:
    if learner.excess[0] > 0.0:
        if learner.excess[1] == 0.0:
            learner.excess[1] = learner.excess[0]
        return
    smallest = 0.0
    for n in range(x.values.shape[0]):
        smallest = min(smallest, x.values[n])
    wrong = true_count(feedback) > 0 and not is_true(feedback, played.greedy)
    if smallest < 0.0:
        learner.sign_counts[0] += 1.0
    elif wrong:
        learner.sign_counts[1] += 1.0
    if wrong:
        multiply_weights(learner.weights, x, learner.eta if played.greedy == 1 else -learner.eta)
