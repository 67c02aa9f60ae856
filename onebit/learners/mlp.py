"""MLP: a small neural network, from one bit."""

from __future__ import annotations

import math
from typing import Annotated, Any, NamedTuple

import numpy as np

from onebit.kernel.rng import key, uniforms
from onebit.kernel.round import Bit, Played, learn, score
from onebit.kernel.rows import Floats, Row, feature
from onebit.kernel.sizes import Sizes
from onebit.kernel.state import COUNTS, SCRATCH, Axes, initial_state
from onebit.kernel.verbs import implements, kernel
from onebit.learners import learner
from onebit.learners.shared.conditioned import in_table
from onebit.learners.shared.experts import awake, effort, forget
from onebit.learners.shared.softmax_steps import bit_gradient, to_probabilities
from onebit.learners.shared.table import Lanes, set_rows_to_zero
from onebit.naming.params import Real, Whole

#: The most features; more share weights, and as an expert it skips rows with more columns.
MOST_FEATURES = 1025
#: The slope of a unit below zero.
LEAK = np.float32(0.01)
#: Adam's means fade by these factors, and its steps are divided by a root of at least this.
FADE, SQUARE_FADE, LEAST = np.float32(0.9), np.float32(0.999), np.float32(1e-8)
ONE = np.float32(1.0)
#: Larger values are clipped, so that gradients fit into a float32.
LARGEST = 1e6


@learner(hears=Bit, explorer="fastcb", estimates=True)
class Mlp(NamedTuple):
    """A neural network with one layer of leaky rectified units and a softmax, by Adam.

    The loss is that of `softmax`. Weights of the first layer start at random, those of the second
    at zero. It pays on images and other dense numbers, and takes time.

    Units: steps are for values of about 1.

    Reference: steps by Kingma and Ba, "Adam: a method for stochastic optimization", ICLR 2015,
    of the features of the row at hand alone.

    Guarantee: none known.

    >>> from onebit import Agent
    >>> agent = Agent("mlp", labels=["tea", "coffee"], features=1, seed=1)
    >>> for _ in range(50):
    ...     choice = agent.decide([1.0])
    ...     agent.learn(choice, correct=choice.label == "coffee")
    >>> agent.predict([1.0])
    'coffee'
    """

    inputs: Annotated[Lanes, Axes("rows", "hidden", dtype="float32")]
    input_means: Annotated[Lanes, Axes("rows", "hidden", dtype="float32")]
    input_squares: Annotated[Lanes, Axes("rows", "hidden", dtype="float32", within="[0, inf)")]
    outputs: Annotated[Lanes, Axes("hidden", "lanes", dtype="float32")]
    output_means: Annotated[Lanes, Axes("hidden", "lanes", dtype="float32")]
    output_squares: Annotated[Lanes, Axes("hidden", "lanes", dtype="float32", within="[0, inf)")]
    steps: Annotated[Floats, Axes(1, within=COUNTS)]
    sums: Annotated[Lanes, Axes("hidden", dtype="float32", role=SCRATCH)]
    slopes: Annotated[Lanes, Axes("hidden", dtype="float32", role=SCRATCH)]
    logits: Annotated[Lanes, Axes("lanes", dtype="float32", role=SCRATCH)]
    gradient: Annotated[Floats, Axes("labels", role=SCRATCH)]
    hidden: Annotated[int, Whole(1, 4096), "units of the hidden layer"] = 64
    rate: Annotated[float, Real("(0, inf)"), "step size of Adam"] = 0.02

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: dict[str, Any]) -> Mlp:
        """Return the first state: first weights from the normal distribution."""
        rows, hidden = min(sizes.features, MOST_FEATURES), params["hidden"]
        state = initial_state(cls, sizes, {**params, "rows": rows})
        u = uniforms(key(seed, "mlp"), 0, 2 * rows * hidden).reshape(2, rows, hidden)
        state.inputs[:] = np.sqrt(-2.0 * np.log1p(-u[0])) * np.cos(2.0 * math.pi * u[1])
        return state


@implements(awake, Mlp)
def _(learner: Mlp, x: Row) -> bool:
    if not in_table(x):
        return False
    for n in range(x.values.shape[0]):
        if feature(x, n) >= learner.inputs.shape[0]:
            return False
    return True


@implements(effort, Mlp)
def _(learner: Mlp, x: Row) -> int:
    return 8 * x.values.shape[0]  # type: ignore[no-any-return]


@implements(forget, Mlp)
def _(learner: Mlp) -> None:
    units = learner.outputs.shape[0]
    set_rows_to_zero(learner.outputs, units)
    set_rows_to_zero(learner.output_means, units)
    set_rows_to_zero(learner.output_squares, units)


@implements(score, Mlp)
def _(learner: Mlp, x: Row, out: Floats) -> None:
    sums, logits, rows = learner.sums, learner.logits, learner.inputs.shape[0]
    for i in range(sums.shape[0]):
        sums[i] = 0.0
    for n in range(x.values.shape[0]):
        value = clipped(x.values[n])
        if value != 0.0:
            j = feature(x, n) % rows
            for i in range(sums.shape[0]):
                sums[i] += value * learner.inputs[j, i]
    for k in range(logits.shape[0]):
        logits[k] = 0.0
    for i in range(sums.shape[0]):
        unit = sums[i] if sums[i] > 0.0 else LEAK * sums[i]
        for k in range(logits.shape[0]):
            logits[k] += unit * learner.outputs[i, k]
    for k in range(out.shape[0]):
        out[k] = logits[k]
    to_probabilities(out)


@implements(learn, Mlp)
def _(learner: Mlp, x: Row, scores: Floats, played: Played, feedback: Bit) -> None:
    sums, slopes, logits = learner.sums, learner.slopes, learner.logits
    bit_gradient(scores, played.label, feedback.correct, learner.gradient)
    for k in range(scores.shape[0]):
        logits[k] = learner.gradient[k]
    learner.steps[0] += 1.0
    t = learner.steps[0]
    # the corrections of both means of Adam, as one factor of its step
    rate = learner.rate * math.sqrt(1.0 - math.pow(0.999, t)) / (1.0 - math.pow(0.9, t))
    step = np.float32(rate)
    for i in range(sums.shape[0]):
        total = np.float32(0.0)
        for k in range(scores.shape[0]):
            total += logits[k] * learner.outputs[i, k]
        slopes[i] = total if sums[i] > 0.0 else LEAK * total
    for i in range(sums.shape[0]):
        unit = sums[i] if sums[i] > 0.0 else LEAK * sums[i]
        adam_row(
            learner.outputs, learner.output_means, learner.output_squares, i, unit, logits, step
        )
    entries = 0
    for n in range(x.values.shape[0]):
        if x.values[n] != 0.0:
            entries += 1
    step = np.float32(rate * math.sqrt(entries))
    for n in range(x.values.shape[0]):
        value = clipped(x.values[n])
        if value != 0.0:
            j = feature(x, n) % learner.inputs.shape[0]
            adam_row(
                learner.inputs, learner.input_means, learner.input_squares, j, value, slopes, step
            )


@kernel
def clipped(value: float) -> Any:
    """Return a value as a float32."""
    return np.float32(min(max(value, -LARGEST), LARGEST))


@kernel
def adam_row(
    weights: Lanes, means: Lanes, squares: Lanes, row: int, value: Any, slopes: Lanes, step: Any
) -> None:
    """Take a step of Adam in a row of weights, where slopes times value is the gradient."""
    for i in range(weights.shape[1]):
        g = value * slopes[i]
        mean = FADE * means[row, i] + (ONE - FADE) * g
        square = SQUARE_FADE * squares[row, i] + (ONE - SQUARE_FADE) * (g * g)
        means[row, i], squares[row, i] = mean, square
        weights[row, i] -= step * mean / (np.sqrt(square) + LEAST)
