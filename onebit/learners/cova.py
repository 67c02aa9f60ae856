"""C-OVA: one binary learner a label, which never explores and learns what it can be sure of."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from onebit.kernel.round import Bit, Played, learn, score
from onebit.kernel.rows import Floats, Row
from onebit.kernel.state import Axes, Sizes, initial_state
from onebit.kernel.verbs import implements, kernel, no_refcount
from onebit.learners import learner
from onebit.learners.weak import WeakLearner, bank_of, complaint_of, refusal_of, train, vote
from onebit.naming.params import OneOf

ALL_IF_CORRECT = 0


@learner(hears=Bit)
class Cova(NamedTuple):
    """Conservative one-versus-all: a binary learner for each label, told only what is sure.

    It plays the label with the largest margin. If that was right, every label's
    learner knows what was true and learns (`rule=played-only`: only the played
    one); if it was wrong, only the played label's learner does. Nothing is
    explored, no parameter needs tuning, and it is strong where it does not lock in
    on a label early; naive Bayes often does.

    Reference: Chen, Chen, Zhang, Chen and Zhang, "Beyond Banditron: a conservative
    and efficient reduction for online multiclass prediction with bandit setting
    model", ICDM 2009.

    Guarantee: none without exploration; it may play one wrong label for ever.

    >>> from onebit import Agent
    >>> agent = Agent("cova", labels=["tea", "coffee"], base="pa", seed=1)
    >>> for _ in range(5):
    ...     choice = agent.decide({"morning": 1})
    ...     agent.learn(choice, correct=choice.label == "coffee")
    >>> agent.predict({"morning": 1})
    'coffee'
    """

    votes: Annotated[Floats, Axes("labels", 1, kept=False)]
    whole: Annotated[Floats, Axes(1, first=1.0, kept=False)]
    base: Annotated[Any, WeakLearner(), "the binary learner"] = "perceptron"
    rule: Annotated[
        int, OneOf(("all-if-correct", "played-only")), "which labels learn from a hit"
    ] = "all-if-correct"  # type: ignore[assignment]

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: dict[str, Any]) -> Cova:
        """Return a learner with a bank of one copy a label."""
        base = bank_of(params["base"], sizes, seed, {"n": 1, "reading": "plain"})
        return initial_state(cls, sizes, {**params, "base": base})

    def complaint(self) -> str | None:
        """Pass on what the binary learners have to say."""
        return complaint_of(self.base)

    def refusal(self) -> str | None:
        """Pass on why the binary learners cannot vote on a row."""
        return refusal_of(self.base)


@implements(score, Cova)
def _(learner: Cova, x: Row, out: Floats) -> None:
    vote(learner.base, x, learner.votes)
    for k in range(out.shape[0]):
        out[k] = learner.votes[k, 0]


@implements(learn, Cova)
def _(learner: Cova, x: Row, scores: Floats, played: Played, feedback: Bit) -> None:
    tell(learner, x, scores.shape[0], played.label, feedback.correct)


@no_refcount
@kernel
def tell(learner: Cova, x: Row, labels: int, played: int, correct: bool) -> None:
    """Tell the binary learners of a round what is sure."""
    if correct and learner.rule == ALL_IF_CORRECT:
        for k in range(labels):
            train(learner.base, x, k, 1.0 if k == played else -1.0, learner.whole)
    else:
        train(learner.base, x, played, 1.0 if correct else -1.0, learner.whole)
