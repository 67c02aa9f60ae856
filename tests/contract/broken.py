"""Learners that violate one law of the contract each, to test that it is checked."""

import sys
from typing import Annotated, NamedTuple

import numpy as np

from onebit.explorers import explorer
from onebit.kernel.exploration import explore, marginals
from onebit.kernel.round import Bit, Label, learn, score, true_label
from onebit.kernel.rows import add, dot
from onebit.kernel.state import Axes
from onebit.kernel.verbs import implements, kernel
from onebit.learners import learner
from onebit.learners.banditron import Banditron
from onebit.naming.params import Real

BROKEN = {}  # law -> a learner that violates it, and no law before it
Weights = Annotated[np.ndarray, Axes("features", "labels")]


def breaks(law, hears=Bit, explorer="epsilon", doc=Banditron.__doc__, **traits):
    """Register a learner; kernels that it does not define are the Banditron's."""

    def declare(kind):
        kind.__doc__ = doc
        learner(hears=hears, explorer=explorer, **traits)(kind)
        BROKEN[law] = kind
        if law != "it_is_complete":
            body = kind.score if hasattr(kind, "score") else linear_score
            implements(score, kind)(body)
            implements(learn, kind)(kind.learn if hasattr(kind, "learn") else banditron_learn)
        return kind

    return declare


def calling_frame(*names):
    """Return the nearest calling frame of a function with one of these names."""
    frame = sys._getframe(1)
    while frame.f_code.co_name not in names:
        frame = frame.f_back
    return frame


@kernel
def linear(learner, x, out):
    dot(x, learner.weights, out)


@kernel
def banditron(learner, x, played, feedback):
    if feedback.correct:
        add(x, 1.0 / played.prob, learner.weights, played.label)
    add(x, -1.0, learner.weights, played.greedy)


def linear_score(learner, x, out):
    linear(learner, x, out)


def banditron_learn(learner, x, scores, played, feedback):
    banditron(learner, x, played, feedback)


@breaks("it_is_complete")
class NoKernels(NamedTuple):
    weights: Weights


@breaks("python_and_compiled_agree")
class Overflows(NamedTuple):
    """An integer that overflows in 64 bits, but not in Python."""

    weights: Weights

    def learn(learner, x, scores, played, feedback):
        product = 3
        for _ in range(50):
            product = product * 3
        learner.weights[0, 0] = float(product)


@breaks("scoring_changes_nothing")
class WritesWhenScoring(NamedTuple):
    """Counts the rows that it scores."""

    weights: Weights

    def score(learner, x, out):
        linear(learner, x, out)
        learner.weights[0, 0] += 1.0


@breaks("dense_and_sparse_agree")
class CountsStoredValues(NamedTuple):
    weights: Weights

    def learn(learner, x, scores, played, feedback):
        banditron(learner, x, played, feedback)
        learner.weights[0, 0] += float(x.values.shape[0])


SCORED = {}


@breaks("events_and_stream_agree")
class CountsScores(NamedTuple):
    """Learns how often it scored, which is once more with late feedback."""

    weights: Weights

    def score(learner, x, out):
        SCORED[id(learner.weights)] = SCORED.get(id(learner.weights), 0) + 1
        linear(learner, x, out)

    def learn(learner, x, scores, played, feedback):
        learner.weights[0, 0] += SCORED.get(id(learner.weights), 0)


@breaks("blocks_and_whole_agree")
class ReadsBlockPosition(NamedTuple):
    """Reads its position in the block from the caller's frame."""

    weights: Weights

    def learn(learner, x, scores, played, feedback):
        frame = calling_frame("play", "teach")
        banditron(learner, x, played, feedback)
        if frame.f_locals.get("i", 1) == 0 and frame.f_locals.get("first", 1) > 1:
            learner.weights[0, 0] += 1.0


HIDDEN = {}


@breaks("saved_and_uninterrupted_agree")
class HidesState(NamedTuple):
    """Keeps a count outside of its declared arrays."""

    weights: Weights

    def learn(learner, x, scores, played, feedback):
        counts = HIDDEN.setdefault(id(learner.weights), [learner.weights, 0])
        counts[1] += 1
        banditron(learner, x, played, feedback)
        learner.weights[0, 0] += counts[1]


@breaks("deciding_changes_nothing")
class LearnsWhenDeciding(NamedTuple):
    """Changes its state with every decision."""

    weights: Weights

    def score(learner, x, out):
        linear(learner, x, out)
        frame = calling_frame("play", "teach", "decide", "probabilities", "choose")
        if frame.f_code.co_name == "choose" and frame.f_back.f_code.co_name == "decide":
            learner.weights[1, 1] += 1.0


@breaks("it_never_peeks")
class ReadsTruth(NamedTuple):
    """Reads the true label from the caller's frame."""

    weights: Weights

    def learn(learner, x, scores, played, feedback):
        frame = calling_frame("play", "teach")
        if "block" in frame.f_locals:
            add(x, 1.0, learner.weights, frame.f_locals["block"].truths.labels[frame.f_locals["i"]])


@breaks("the_seed_decides")
class DrawsFromNumpy(NamedTuple):
    weights: Weights

    def learn(learner, x, scores, played, feedback):
        learner.weights[0, 0] = np.random.random()


@breaks("memory_is_constant")
class Allocates(NamedTuple):
    weights: Weights

    def learn(learner, x, scores, played, feedback):
        learner.weights[0, :] = scores * 0.0 + np.ones(scores.shape[0])


@explorer
class SumsAboveOne(NamedTuple):
    """Probabilities that sum to more than 1."""


@implements(explore, SumsAboveOne)
def _(explorer, situation, greedy, probs):
    probs[:] = 0.5


@breaks("probabilities_are_probabilities", explorer="contract.broken.SumsAboveOne")
class BadProbabilities(NamedTuple):
    weights: Weights


@breaks("extremes_stay_finite")
class GrowsTooFast(NamedTuple):
    weights: Weights

    def learn(learner, x, scores, played, feedback):
        for j in range(x.values.shape[0]):
            learner.weights[j, played.label] += x.values[j] * x.values[j] * x.values[j] * 1e100


@breaks("feedback_may_be_late")
class UsesLatestDecision(NamedTuple):
    """Takes the feedback to be about the latest decision."""

    weights: Weights

    def learn(learner, x, scores, played, feedback):
        frame = sys._getframe(1)
        while frame is not None and "waiting" not in frame.f_locals:
            frame = frame.f_back
        late = frame is not None and isinstance(frame.f_locals["waiting"], list)
        add(x, 2.0 if late else 1.0, learner.weights, played.label)


@breaks("the_wrong_feedback_is_refused")
class AcceptsAnyFeedback(NamedTuple):
    """The test patches the agent: no learner can violate this law by itself."""

    weights: Weights


@breaks("sets_of_one_label_agree", hears=Label, explorer="greedy", sets=True)
class LearnsMoreFromSets(NamedTuple):
    weights: Weights

    def learn(learner, x, scores, played, feedback):
        size = 1.0 if isinstance(feedback, Label) else 2.0
        add(x, size, learner.weights, true_label(feedback, 0))


@breaks("bad_parameters_are_refused")
class AllowsAnything(NamedTuple):
    weights: Weights
    rate: Annotated[float, Real("[-inf, inf]"), "any number"] = 1.0


@breaks("error_falls")
class LearnsOpposite(NamedTuple):
    weights: Weights

    def learn(learner, x, scores, played, feedback):
        add(x, -1.0 if feedback.correct else 1.0, learner.weights, played.label)


@breaks("many_and_one_agree")
class FirstOfMany(NamedTuple):
    """Learns more where many choices come at once."""

    weights: Weights

    def learn(learner, x, scores, played, feedback):
        frame = calling_frame("play", "teach", "teach_many")
        add(x, 2.0 if frame.f_code.co_name == "teach_many" else 1.0, learner.weights, played.label)


@explorer
class SaysUniform(NamedTuple):
    """Plays the greedy label, and says that every label is equally likely."""


@implements(explore, SaysUniform)
def _(explorer, situation, greedy, probs):
    probs[:] = 0.0
    probs[greedy] = 1.0


@implements(marginals, SaysUniform)
def _(explorer, situation, greedy_probs, work, out):
    out[:] = 1.0 / out.shape[0]


@breaks("probabilities_are_true", explorer="contract.broken.SaysUniform")
class Untrue(NamedTuple):
    weights: Weights


@explorer
class Defiant(NamedTuple):
    """Leaves some probability to a label that may not be played."""


@implements(explore, Defiant)
def _(explorer, situation, greedy, probs):
    probs[:] = 0.0
    probs[greedy] = 1.0 if situation.scores.shape[0] > 1 else 0.5


@breaks("some_labels_can_be_played_alone", explorer="contract.broken.Defiant")
class Unsure(NamedTuple):
    weights: Weights


@breaks("labels_can_be_added")
class Shuffles(NamedTuple):
    """Exchanges the weights of two labels when another one is added."""

    weights: Weights

    def grown(self, old):
        self.weights[:, :2] = self.weights[:, 1::-1].copy()


@breaks("units_are_told")
class AddsOne(NamedTuple):
    """Scores its first label by one more, whatever the size of the rows."""

    weights: Weights

    def score(learner, x, out):
        linear(learner, x, out)
        out[0] += 1.0


@breaks("scores_are_estimates", estimates=True)
class Overconfident(NamedTuple):
    """Squashes the Banditron's margins into [0, 1]."""

    weights: Weights

    def score(learner, x, out):
        linear(learner, x, out)
        for k in range(out.shape[0]):
            out[k] = 0.5 + 0.5 * out[k] / (1.0 + abs(out[k]))


@breaks("widths_agree", widens=True)
class DividesByTheWidth(NamedTuple):
    """Steps that depend on the number of features."""

    weights: Weights

    def learn(learner, x, scores, played, feedback):
        if feedback.correct:
            add(x, 1.0 / learner.weights.shape[0], learner.weights, played.label)


@breaks("it_is_documented", hears=Label, doc="No reference, guarantee or example.")
class Undocumented(NamedTuple):
    weights: Weights

    def learn(learner, x, scores, played, feedback):
        if feedback.truth != played.greedy:
            add(x, 1.0, learner.weights, feedback.truth)
            add(x, -1.0, learner.weights, played.greedy)


@learner(hears=Bit, row="advice")
class NeverLearns(NamedTuple):
    """Counts the votes of all hypotheses, and never learns."""

    votes: Annotated[np.ndarray, Axes("labels")]


@implements(score, NeverLearns)
def _(learner, x, out):
    out[:] = 0.0
    for i in range(x.values.shape[0]):
        out[int(x.values[i])] += 1.0


@implements(learn, NeverLearns)
def _(learner, x, scores, played, feedback):
    pass
