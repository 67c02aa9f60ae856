"""Auto: several learners on conditioned rows, combined and calibrated, with nothing to tune."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from onebit.kernel.exploration import began_anew
from onebit.kernel.rng import key, uniform
from onebit.kernel.round import Bit, Played, conditioned, learn, score
from onebit.kernel.rows import Floats, Row, Starts
from onebit.kernel.sizes import Sizes
from onebit.kernel.state import SCRATCH, Axes, initial_state, lanes
from onebit.kernel.verbs import implements
from onebit.learners import learner
from onebit.learners.shared import monitor as monitoring
from onebit.learners.shared.alarm import ALARMS, SINCE, Alarm, world_changed
from onebit.learners.shared.conditioned import Conditioned
from onebit.learners.shared.conditioning import (
    Conditioning,
    column_statistics,
    made_row,
    make_row,
    remember_row,
)
from onebit.learners.shared.expert_list import (
    COSTS,
    SIZES,
    ExpertNames,
    make_experts,
    names_of,
    plans,
)
from onebit.learners.shared.experts import (
    first_logit,
    forget_each,
    learn_each,
    learners_of,
    plan_draws,
    score_each,
)
from onebit.learners.shared.monitor import Monitor, count_replay, observe
from onebit.learners.shared.ring import (
    CORRECT,
    NEXT,
    OLDEST,
    Ring,
    recall,
    remembered_rounds,
    store,
)
from onebit.learners.shared.stack import Stack, combine, learn_bit
from onebit.naming.params import OneOf

#: The most weights of a linear expert (columns times labels).
MOST_WEIGHTS = 2**22
#: With more labels the tables of other experts would have a few rows each: only the first is used.
MANY_LABELS = 2**17
#: Random numbers that a round may take.
DRAWS = 64


@learner(hears=Bit, explorer="optimism", estimates=True, scales_rows=True)
class Auto(NamedTuple):
    """Several learners on conditioned rows, weighted by how well they predict the bits.

    Nothing has to be tuned or scaled. Each row is conditioned: numbers are centred and divided by
    their deviation, rare features count more. Experts estimate the probability that each label is
    right: `softmax`, and in tables `pairs` and `forest`. Their estimates are calibrated and
    stacked by the bits of played labels, so that the final estimate is close to how often a label
    is right. After each round the experts also learn from a few remembered ones. The explorer
    `optimism` plays the best label, and seldom others, with known probabilities.

    `size=light` takes two thirds of the time; `size=full` two to three times as much, and has
    more experts. `experts=softmax|pairs` combines other learners that estimate being right, also
    your own. It takes at most 280 MB (`size=full` 460) with any numbers of features and labels:
    of very many, some share weights, and beyond 2^17 labels only the first expert is used. Feedback
    that comes late is learned on the row as it is conditioned when it comes, with all that is known
    of the columns by then.

    Its results depend on the platform's exp and log in the last bits.

    Units: numbers are centred and scaled, so that their unit hardly matters: only 1e-8 is added to
    their variance, and in text, values that were not declared numeric count as they are.

    Reference: none as a whole. Filters for calibration as in Penny and Roberts, "Dynamic
    logistic regression", IJCNN 1999; weights with a fixed share by Herbster and Warmuth,
    "Tracking the best expert", Machine Learning 32 (1998).

    Guarantee: none known.

    >>> from onebit import Agent
    >>> agent = Agent("auto", labels=["tea", "coffee"], seed=1)
    >>> for degrees in range(0, 30_000, 1_000):
    ...     choice = agent.decide([1, degrees])
    ...     agent.learn(choice, correct=choice.label == "coffee")
    >>> agent.predict([1, 20_000])
    'coffee'
    """

    estimates: Annotated[Floats, Axes("members", "labels", role=SCRATCH)]
    draws: Annotated[Starts, Axes("members", dtype="int64", role=SCRATCH)]
    size: Annotated[int, OneOf(SIZES), "how much time a round may take"] = "standard"  # type: ignore[assignment]
    experts: Annotated[Any, ExpertNames(), "the learners to combine; auto: by the size"] = "auto"
    conditioning: Conditioning = ()  # type: ignore[assignment]
    stack: Stack = ()  # type: ignore[assignment]
    ring: Ring = ()  # type: ignore[assignment]
    alarm: Alarm = ()  # type: ignore[assignment]
    monitor: Monitor = ()  # type: ignore[assignment]
    cost: float = 0.0
    key: int = 0

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: dict[str, Any]) -> Auto:
        """Return the first state: untrained experts, an empty ring."""
        width = lanes(sizes.begun_labels)
        columns = min(sizes.features + 1, max(MOST_WEIGHTS // width, 2))
        planned = plans(params["size"], params["experts"])
        if width > MANY_LABELS and params["experts"] == "auto":
            planned = planned[:1]
        inner = Sizes(columns, sizes.labels, begun=sizes.begun)
        experts = make_experts(planned, inner, seed)
        lengths = {"members": len(planned), "most_columns": columns}
        stack = Stack.begin(sizes, seed, lengths)
        for i, each in enumerate(learners_of(experts)):
            stack.first_logits[i] = first_logit(each, sizes.labels)
        state = initial_state(cls, sizes, {**params, **lengths})
        return state._replace(
            experts=experts,
            conditioning=Conditioning.begin(sizes, seed, lengths),
            stack=stack,
            ring=Ring.begin(sizes, seed, lengths),
            alarm=initial_state(Alarm, sizes, {}),
            monitor=Monitor.begin(sizes, seed, lengths),
            cost=COSTS[params["size"]] / width,
            key=key(seed, "replay"),
        )

    def diagnostics(self) -> dict[str, Any]:
        """Return weights, calibration and drift over time, as plain data.

        `experts` with their `beliefs` (Bayes' weights) and `stack_weights` at some `rounds`, and
        the `mistakes` and `explorations` up to then; `calibration`, how often labels of an estimate
        were right; `explored`, the share of rounds in which another label than the best was played;
        `kind` of rows, `numbers` (features that are used as numbers), `remembered` rounds, and
        `replay`, how many of them each expert learned from in a round; `alarms` of drift, and the
        round of the last one.
        """
        means = self.alarm.means
        alarms, seen = int(means[ALARMS]), int(self.monitor.progress[monitoring.SEEN])
        return {
            **monitoring.report(self.monitor, names_of(self.experts)),
            **column_statistics(self.conditioning),
            "remembered": remembered_rounds(self.ring),
            "alarms": alarms,
            "last_alarm": seen - int(means[SINCE]) if alarms else None,
        }


@implements(score, Auto)
def _(learner: Auto, x: Row, out: Floats) -> None:
    make_row(learner.conditioning, x)
    row = made_row(learner.conditioning)
    for i in range(learner.draws.shape[0]):
        learner.draws[i] = 0
    score_each(learner.experts, row, -1, learner.draws, learner.estimates, 0)
    combine(learner.stack, learner.estimates, out)


@implements(conditioned, Auto)
def _(learner: Auto, x: Row) -> Conditioned:
    row = made_row(learner.conditioning)  # here without its bias
    return Conditioned(
        row.indices[1:],
        row.values[1:],
        row.numeric[1:],
        row.scale,
        row.has_numbers,
        row.in_table,
    )


@implements(began_anew, Auto)
def _(learner: Auto) -> bool:
    means = learner.alarm.means
    return means[SINCE] == 0.0 and means[ALARMS] > 0.0  # type: ignore[no-any-return]


@implements(learn, Auto)
def _(learner: Auto, x: Row, scores: Floats, played: Played, feedback: Bit) -> None:
    label, correct, ring = played.label, feedback.correct, learner.ring
    observe(learner.monitor, learner.stack, scores, label, correct)
    if world_changed(learner.alarm, correct):
        forget_each(learner.experts)
        ring.ends[OLDEST] = ring.ends[NEXT]
    row = made_row(learner.conditioning)
    first = DRAWS * int(learner.monitor.progress[monitoring.SEEN])
    u = uniform(learner.key, first)
    plan_draws(learner.experts, row, learner.alarm.means[SINCE], learner.cost, u, learner.draws, 0)
    learn_bit(learner.stack, label, correct)
    oldest, count = ring.ends[OLDEST], remembered_rounds(ring)
    draws = 0
    for i in range(learner.draws.shape[0]):
        draws = max(draws, learner.draws[i]) if count > 0 else 0
    for n in range(draws + 1):  # this round, then remembered ones
        learn_each(learner.experts, row, learner.estimates, played, feedback, 0)
        if n < draws:
            number = oldest + int(uniform(learner.key, first + 1 + n) * count)
            row = recall(ring, number)
            at = number % ring.starts.shape[0]
            score_each(learner.experts, row, n, learner.draws, learner.estimates, 0)
            count_replay(learner.monitor, learner.estimates)
            played = Played(ring.labels[at], ring.labels[at], 1.0)
            feedback = Bit(ring.kinds[at] & CORRECT != 0)
    store(ring, made_row(learner.conditioning), label, correct)
    remember_row(learner.conditioning, x)
