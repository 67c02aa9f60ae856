"""C-OVA: one binary learner per label, without exploration, trained on certain labels only."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from onebit.kernel.round import Bit, Played, learn, score
from onebit.kernel.rows import Floats, Row
from onebit.kernel.sizes import Sizes
from onebit.kernel.state import CONSTANT, SCRATCH, Axes, initial_state
from onebit.kernel.verbs import implements, kernel
from onebit.learners import learner
from onebit.learners.weak import WeakLearner, make_bank, train, vote
from onebit.naming.params import OneOf

ALL_IF_CORRECT = 0


@learner(hears=Bit)
class Cova(NamedTuple):
    """Conservative one-versus-all: a binary learner for each label, trained on certain labels.

    It plays the label with the largest margin. If that was right, the learners of all
    labels are trained (`rule=played-only`: only that of the played label); if it was wrong,
    only that of the played label. It does not explore and needs no tuning, and does well
    unless it commits to one label early, as naive Bayes often does.

    Units: with `base=pa` the largest step is in the unit of the rows; no other base depends on it.

    Reference: Chen, Chen, Zhang, Chen and Zhang, "Beyond Banditron: a conservative
    and efficient reduction for online multiclass prediction with bandit setting
    model", ICDM 2009.

    Guarantee: none without exploration; it may play the same wrong label forever.

    >>> from onebit import Agent
    >>> agent = Agent("cova", labels=["tea", "coffee"], base="pa", seed=1)
    >>> for _ in range(5):
    ...     choice = agent.decide({"morning": 1})
    ...     agent.learn(choice, correct=choice.label == "coffee")
    >>> agent.predict({"morning": 1})
    'coffee'
    """

    votes: Annotated[Floats, Axes("labels", 1, role=SCRATCH)]
    unit_weight: Annotated[Floats, Axes(1, first=1.0, role=CONSTANT)]
    base: Annotated[Any, WeakLearner(), "the binary learner"] = "perceptron"
    rule: Annotated[
        int,
        OneOf(("all-if-correct", "played-only")),
        "which labels learn if the played one is right",
    ] = "all-if-correct"  # type: ignore[assignment]

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: dict[str, Any]) -> Cova:
        """Return the first state, with a bank of one copy per label."""
        base = make_bank(params["base"], sizes, seed, {"n": 1, "reading": "plain"})
        return initial_state(cls, sizes, {**params, "base": base})


@implements(score, Cova)
def _(learner: Cova, x: Row, out: Floats) -> None:
    vote(learner.base, x, learner.votes)
    for k in range(out.shape[0]):
        out[k] = learner.votes[k, 0]


@implements(learn, Cova)
def _(learner: Cova, x: Row, scores: Floats, played: Played, feedback: Bit) -> None:
    train_labels(learner, x, scores.shape[0], played.label, feedback.correct)


@kernel
def train_labels(learner: Cova, x: Row, labels: int, played: int, correct: bool) -> None:
    """Train the binary learners whose label is known to be right or wrong."""
    if correct and learner.rule == ALL_IF_CORRECT:
        for k in range(labels):
            train(learner.base, x, k, 1.0 if k == played else -1.0, learner.unit_weight)
    else:
        train(learner.base, x, played, 1.0 if correct else -1.0, learner.unit_weight)
