"""Laws about a learner's kernels, parameters and documentation."""

from __future__ import annotations

import doctest
import inspect
import sys
from typing import Any

import numpy as np

from onebit import learners
from onebit.agent.agent import Agent
from onebit.agent.recipe import Recipe, parameters
from onebit.checks.contract import (
    allocations,
    copied,
    decide_and_learn,
    demand,
    demand_same,
    give_feedback,
    law,
    new_agent,
    new_player,
    player_after,
    refused,
    state_arrays,
)
from onebit.checks.easy_streams import (
    FEATURES,
    NOISY_RATES,
    easy_stream,
    noisy_groups,
    small_params,
    stream_sizes,
)
from onebit.kernel import engine
from onebit.kernel.block import Multi, noiseless_block
from onebit.kernel.round import learn, score
from onebit.kernel.rows import DenseRows, as_sparse, row
from onebit.kernel.verbs import has_body
from onebit.naming.params import OneOf, Real, Whole

#: How far an estimate may be from the frequency, on average over a group of rows.
FAR = 0.08


@law()
def it_is_complete(kind: type) -> None:
    """It has both verbs, and a first state."""
    for verb in (score, learn):
        demand(has_body(verb, kind), f"it has no body for {verb.__name__}")
    new_player(kind)


@law()
def python_and_compiled_agree(kind: type) -> None:
    """The same lines give the same bits in Python and compiled."""
    rows, truths = easy_stream(60, kind)
    one, two = new_player(kind), new_player(kind)
    missed = [np.empty(60, np.bool_), np.empty(60, np.bool_)]
    with np.errstate(all="ignore"):
        engine.play.body(one, noiseless_block(rows, truths), 1, missed[0])
    engine.play(two, noiseless_block(rows, truths), 1, missed[1])
    demand_same(one, two, "Python and compiled code differ")
    demand(bool((missed[0] == missed[1]).all()), "Python and compiled code play differently")


@law()
def scoring_changes_nothing(kind: type) -> None:
    """`score` writes to scratch arrays and to its output alone."""
    rows, truths = easy_stream(60, kind)
    player = player_after(kind, rows, truths)
    before, out = copied(player), np.empty(stream_sizes(kind).labels)
    for n in range(60):
        score(player.learner, row(rows, n), out)
    demand_same(player, before, "scoring a row changes what is remembered")


@law("features")
def dense_and_sparse_agree(kind: type) -> None:
    """A row gives the same bits in both forms."""
    rows, truths = easy_stream(300, kind)
    one, two = player_after(kind, rows, truths), player_after(kind, as_sparse(rows), truths)
    demand_same(one, two, "dense and sparse rows differ")


@law("widens")
def widths_agree(kind: type) -> None:
    """A width that grows with the rows gives the same bits as the whole width from the start."""
    rows, truths = easy_stream(200, kind)
    used = rows.values.copy()
    used[:100, FEATURES // 2 :] = 0.0
    half, sizes = as_sparse(DenseRows(used[:100])), stream_sizes(kind)
    rest = as_sparse(DenseRows(used[100:]))
    grown, whole = (
        Agent(kind, range(sizes.labels), features=width, seed=5, **small_params(kind))
        for width in (FEATURES // 2, FEATURES)
    )
    for agent in (grown, whole):
        agent.play(noiseless_block(half, truths[:100]))
    grown.widen(FEATURES)
    for agent in (grown, whole):
        agent.play(noiseless_block(rest, truths[100:]))
    demand_same(grown._player, whole._player, "it learns otherwise in another width")


@law("sets")
def sets_of_one_label_agree(kind: type) -> None:
    """A set of one right label teaches what the label teaches, in a stream and in events."""
    rows, truths = easy_stream(100, kind)
    one, two, three = (new_agent(kind) for _ in range(3))
    block = noiseless_block(rows, truths)
    one.play(block)
    two.play(block._replace(truths=Multi(np.arange(101), truths)))
    for n in range(100):
        three.learn(three.decide(row(rows, n).values), truth={int(truths[n])})
    for other in (two, three):
        demand_same(one._player, other._player, "a set of one label differs from the label")


@law()
def blocks_and_whole_agree(kind: type) -> None:
    """It does not matter where a stream is cut into blocks."""
    rows, truths = easy_stream(200, kind)
    cut = new_player(kind)
    for at, stop in ((0, 1), (1, 77), (77, 200)):
        part = DenseRows(rows.values[at:stop])
        engine.play(
            cut, noiseless_block(part, truths[at:stop]), at + 1, np.empty(stop - at, np.bool_)
        )
    demand_same(cut, player_after(kind, rows, truths), "blocks and the whole differ")


@law("bit")
def it_never_peeks(kind: type) -> None:
    """Changing the true label of missed rounds changes nothing."""
    rows, truths = easy_stream(150, kind)
    agent = new_agent(kind)
    labels = decide_and_learn(agent, rows, truths)
    others = truths.copy()
    for n, (played, truth) in enumerate(zip(labels, truths.tolist(), strict=True)):
        if played != truth:
            others[n] = next(
                (k for k in range(stream_sizes(kind).labels) if k not in (played, truth)), truth
            )
    one, two = player_after(kind, rows, truths), player_after(kind, rows, others)
    demand_same(one, two, "the true label of a missed round leaks into the state")


@law()
def the_seed_decides(kind: type) -> None:
    """The same seed gives the same bits, whatever else draws random numbers."""
    rows, truths = easy_stream(100, kind)
    np.random.seed(1)  # a state that no learner may touch
    one = player_after(kind, rows, truths)
    np.random.seed(2)
    two = player_after(kind, rows, truths)
    demand_same(one, two, "two runs under one seed differ")


@law()
def memory_is_constant(kind: type) -> None:
    """More rounds take no more memory, and a round allocates nothing."""
    rows, truths = easy_stream(400, kind)
    short, long = new_player(kind), new_player(kind)
    block = noiseless_block(rows, truths)
    with allocations() as few:
        engine.play(short, block.head(100), 1, np.empty(100, np.bool_))
    with allocations() as many:
        engine.play(long, block, 1, np.empty(400, np.bool_))
    demand(many == few, f"300 more rounds allocate {many[0] - few[0]} times")
    bytes_of = [[array.nbytes for array in state_arrays(player)] for player in (short, long)]
    demand(bytes_of[0] == bytes_of[1], "the state grows with the rounds")


@law()
def bad_parameters_are_refused(kind: type) -> None:
    """Every parameter refuses what its rule does not allow, and takes its default."""
    name = learners.name_of(kind)
    for param in parameters(kind):
        bad: list[Any] = ["x", float("nan"), float("inf"), None, [], "", -1e300]
        if isinstance(param.rule, Real | Whole | OneOf):
            for value in bad:
                with refused(f"{param.name}={value!r}"):
                    Recipe.parse(name, **{param.name: value})
        Recipe.parse(name, **{param.name: param.default})
    with refused("an unknown parameter"):
        Recipe.parse(name, no_such_parameter=1)


@law("rows")
def error_falls(kind: type) -> None:
    """It learns: on an easy stream, the later half is played well."""
    rows, truths = easy_stream(1500, kind)
    missed = np.empty(len(truths), np.bool_)
    engine.play(new_player(kind), noiseless_block(rows, truths), 1, missed)
    error, chance = missed[len(missed) // 2 :].mean(), 1 - 1 / stream_sizes(kind).labels
    demand(error < chance / 2, f"its error on an easy stream stays at {error:.2f}")


@law("features")
def units_are_told(kind: type) -> None:
    """Rows in another unit are played the same, or the docstring has a paragraph "Units:"."""
    if "Units:" in (inspect.getdoc(kind) or ""):
        return
    rows, truths = easy_stream(300, kind)
    truths[::4] = truths[1::4]  # some are wrong, so that margins stay small
    played = []
    for unit in (1.0, 2.0**-8, 2.0**8):  # powers of 2 round nothing
        played.append(np.empty(len(truths), np.bool_))
        block = noiseless_block(DenseRows(unit * rows.values), truths)
        engine.play(new_player(kind), block, 1, played[-1])
    same = all(bool((each == played[0]).all()) for each in played)
    demand(same, "it plays rows in another unit differently, and its docstring has no 'Units:'")


@law("estimates")
def scores_are_estimates(kind: type) -> None:
    """Its scores are in [0, 1], and that of the played label is close to how often it is right."""
    rows, truths = noisy_groups(4000, stream_sizes(kind).labels)
    agent = new_agent(kind)
    agent.play(noiseless_block(DenseRows(rows.values[:2000]), truths[:2000]))
    sums = np.zeros((len(NOISY_RATES), 3))
    for n in range(2000, 4000):
        choice = agent.decide(rows.values[n])
        scores = agent._player.scores
        demand(bool(((scores >= 0.0) & (scores <= 1.0)).all()), "a score is not in [0, 1]")
        group = int(rows.values[n].argmax())
        sums[group] += 1.0, scores[choice.label], choice.label == truths[n]
        give_feedback(agent, choice, truths[n])
    for count, estimated, right in sums:
        found = f"it estimates {estimated / count:.2f} where {right / count:.2f} is right"
        demand(abs(estimated - right) <= FAR * count, found)


@law()
def it_is_documented(kind: type) -> None:
    """The docstring names its source and its guarantee, and its example runs."""
    text = inspect.getdoc(kind) or ""
    for part in ("Reference:", "Guarantee:", ">>> "):
        demand(part in text, f"its docstring has no {part.strip()!r}")
    module = dict(vars(sys.modules[kind.__module__]))
    example = doctest.DocTestParser().get_doctest(text, module, kind.__name__, None, 0)
    report: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(example, out=report.append)
    demand(result.failed == 0, "its example fails: " + "".join(report))
