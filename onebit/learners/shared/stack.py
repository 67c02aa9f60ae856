"""The stack: estimates of several experts become one, learned from the bit of the played label.

Each expert has a calibrator, sigmoid(a l + b), of its logit l. The stack is such a function of all
logits. Both are learned by an extended Kalman filter for a logistic observation. Weights by Bayes'
rule over the calibrated experts and the stack, with a fixed share, give the final estimate.
"""

from __future__ import annotations

import math
from typing import Annotated, Any, NamedTuple

import numpy as np

from onebit.kernel.rows import Floats
from onebit.kernel.sizes import Sizes
from onebit.kernel.state import CONSTANT, SCRATCH, Axes, initial_state
from onebit.kernel.verbs import kernel

#: First variances of a calibrator, and of the stack's weights in all.
CALIBRATOR_VARIANCE, STACK_VARIANCE = 0.3, 0.6
#: Added to variances after each round, so that learning never stops.
DRIFT = 1e-5
#: The least slope of a calibrator.
LEAST_SLOPE = 0.02
#: The least likelihood of a bit, and the share of weight that is redistributed in each round.
LEAST_LIKELIHOOD, SHARE = 1e-4, 1e-3
#: Estimates of experts, and the final one, are at least this far from 0 and 1.
EXPERT_MARGIN, MARGIN = 1e-5, 1e-6
#: The least variance of a bit.
LEAST_VARIANCE = 1e-3


class Stack(NamedTuple):
    """Calibrators, the stack and Bayes' weights; the last of `beliefs` is the stack's.

    The input of a filter is logits and a 1; `calibrators` and `weights` are its weights,
    `calibrator_variances` and `variances` its covariance.
    """

    calibrators: Annotated[Floats, Axes("members", 2)]
    calibrator_variances: Annotated[Floats, Axes("members", 2, 2)]
    weights: Annotated[Floats, Axes("inputs")]
    variances: Annotated[Floats, Axes("inputs", "inputs")]
    beliefs: Annotated[Floats, Axes("inputs", within="(0, 1]")]
    first_logits: Annotated[Floats, Axes("members", role=CONSTANT)]
    logits: Annotated[Floats, Axes("members", "labels", role=SCRATCH)]
    asleep: Annotated[Floats, Axes("members", role=SCRATCH)]
    x: Annotated[Floats, Axes("inputs", role=SCRATCH)]
    gain: Annotated[Floats, Axes("inputs", role=SCRATCH)]
    likely: Annotated[Floats, Axes("inputs", role=SCRATCH)]

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: dict[str, Any]) -> Stack:
        """Return the first state for `params["members"]` experts."""
        m = params["members"]
        state = initial_state(cls, sizes, {"members": m, "inputs": m + 1})
        state.calibrators[:, 0] = 1.0
        state.calibrator_variances[:] = np.eye(2) * CALIBRATOR_VARIANCE
        state.weights[:m] = 1.0 / m
        state.variances[:] = np.diag([STACK_VARIANCE / m] * m + [CALIBRATOR_VARIANCE])
        state.beliefs[:] = 1.0 / (m + 1)
        return state

    def is_sound(self) -> bool:
        """Return whether the beliefs sum to 1."""
        return abs(float(self.beliefs.sum()) - 1.0) < 1e-6


@kernel
def sigmoid(z: float) -> float:
    """Return 1 / (1 + exp(-z))."""
    if z >= 0.0:
        return 1.0 / (1.0 + math.exp(-z))
    e = math.exp(z)
    return e / (1.0 + e)


@kernel
def logit(p: float, margin: float) -> float:
    """Return log(p / (1 - p)), where p is kept away from 0 and 1."""
    p = min(max(margin, p), 1.0 - margin)  # max and min return their first argument if p is nan
    return math.log(p / (1.0 - p))


@kernel
def base_logit(labels: int) -> float:
    """Return the logit of 1 / labels; 0 for a single one."""
    return -math.log(max(labels - 1.0, 1.0))


@kernel
def combine(stack: Stack, estimates: Floats, out: Floats) -> None:
    """Set out[k] to the estimate of label k; estimates[i, 0] is nan if expert i skips the row."""
    experts, base = estimates.shape[0], base_logit(out.shape[0])
    total = stack.beliefs[experts]
    for i in range(experts):
        stack.asleep[i] = 1.0 if math.isnan(estimates[i, 0]) else 0.0
        if stack.asleep[i] == 0.0:
            total += stack.beliefs[i]
        for k in range(out.shape[0]):
            awake = stack.asleep[i] == 0.0
            found = logit(estimates[i, k], EXPERT_MARGIN) - stack.first_logits[i] if awake else 0.0
            stack.logits[i, k] = found
    for k in range(out.shape[0]):
        z, q = stack.weights[experts] + base, 0.0
        for i in range(experts):
            if stack.asleep[i] == 0.0:
                z += stack.weights[i] * stack.logits[i, k]
                q += stack.beliefs[i] * calibrated(stack, i, k, base)
        q = (q + stack.beliefs[experts] * sigmoid(z)) / total
        out[k] = min(max(MARGIN, q), 1.0 - MARGIN)  # also of nan, from weights that are too large


@kernel
def calibrated(stack: Stack, i: int, k: int, base: float) -> float:
    """Return the calibrated estimate of an expert for a label."""
    slope, shift = stack.calibrators[i, 0], stack.calibrators[i, 1]
    return sigmoid(slope * stack.logits[i, k] + shift + base)  # type: ignore[no-any-return]


@kernel
def stacked(stack: Stack, k: int, base: float) -> float:
    """Return the stack's estimate for a label."""
    experts = stack.first_logits.shape[0]
    z = stack.weights[experts] + base
    for i in range(experts):
        z += stack.weights[i] * stack.logits[i, k]
    return sigmoid(z)  # type: ignore[no-any-return]


@kernel
def learn_bit(stack: Stack, label: int, correct: bool) -> None:
    """Learn from the bit of the played label, after `combine` of its row."""
    experts, base = stack.first_logits.shape[0], base_logit(stack.logits.shape[1])
    bit = 1.0 if correct else 0.0
    for i in range(experts + 1):
        p = calibrated(stack, i, label, base) if i < experts else stacked(stack, label, base)
        stack.likely[i] = max(LEAST_LIKELIHOOD, p if correct else 1.0 - p)
    update_beliefs(stack)
    for i in range(experts):
        if stack.asleep[i] == 0.0:
            p = calibrated(stack, i, label, base)
            stack.x[0], stack.x[1] = stack.logits[i, label], 1.0
            weights, variances = stack.calibrators[i], stack.calibrator_variances[i]
            filter_bit(weights, variances, stack.x, stack.gain, p, bit)
            weights[0] = max(weights[0], LEAST_SLOPE)
    p = stacked(stack, label, base)
    for i in range(experts):
        stack.x[i] = stack.logits[i, label]
    stack.x[experts] = 1.0
    filter_bit(stack.weights, stack.variances, stack.x, stack.gain, p, bit)


@kernel
def update_beliefs(stack: Stack) -> None:
    """Multiply beliefs by likelihoods, redistribute a share; of experts that skip the row, none."""
    experts = stack.first_logits.shape[0]
    before, after, count = 0.0, 0.0, 0
    for i in range(experts + 1):
        if i == experts or stack.asleep[i] == 0.0:
            before += stack.beliefs[i]
            after += stack.beliefs[i] * stack.likely[i]
            count += 1
    for i in range(experts + 1):
        if i == experts or stack.asleep[i] == 0.0:
            belief = stack.beliefs[i] * stack.likely[i] / after
            stack.beliefs[i] = before * ((1.0 - SHARE) * belief + SHARE / count)


@kernel
def filter_bit(
    weights: Floats, variances: Floats, x: Floats, gain: Floats, p: float, bit: float
) -> None:
    """Take a step of the extended Kalman filter of a logistic observation."""
    n = weights.shape[0]
    h = max(p * (1.0 - p), LEAST_VARIANCE)
    spread = 1.0
    for a in range(n):
        gain[a] = 0.0
        for b in range(n):
            gain[a] += variances[a, b] * x[b]
        spread += h * x[a] * gain[a]
    for a in range(n):
        weights[a] -= (p - bit) * gain[a] / spread
        for b in range(n):
            variances[a, b] -= h * gain[a] * gain[b] / spread
        variances[a, a] += DRIFT
