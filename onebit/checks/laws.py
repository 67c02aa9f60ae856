"""The contract: laws that every learner keeps, built in or yours.

    from onebit.checks import check_learner
    check_learner(MyLearner)

A law is a function of a learner's class that raises `Broken` with a reason. A
law may bind only some kinds of learners (what they hear, what row they read);
no learner is exempt by name.
"""

from __future__ import annotations

import doctest
import importlib
import inspect
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from onebit import learners
from onebit.agent.agent import Agent
from onebit.agent.recipe import Recipe, parameters
from onebit.checks.easy_streams import FEATURES, easy_stream, small_params, stream_sizes
from onebit.errors import BadInput
from onebit.kernel import engine
from onebit.kernel.block import noiseless_block
from onebit.kernel.features import LARGEST
from onebit.kernel.round import Bit, learn, score
from onebit.kernel.rows import DenseRows, Ints, Rows, as_sparse, row
from onebit.kernel.state import Array, remembered_arrays
from onebit.kernel.verbs import has_body
from onebit.naming.params import OneOf, Real, Whole

Law = Callable[[type], None]

_laws: dict[Law, tuple[str, ...]] = {}


class Broken(AssertionError):  # noqa: N818  a law is broken, not the program
    """A learner breaks a law; the message says how."""


def law(*binds: str) -> Callable[[Law], Law]:
    """Declare a law, for all learners or for those of the kinds named.

    "bit" and "label" say what they hear, "features" and "advice" what they read, "rows"
    that they read anything at all.
    """

    def declare(function: Law) -> Law:
        _laws[function] = binds
        return function

    return declare


def laws_for(kind: type) -> list[Law]:
    """Return the laws that bind a learner."""
    facts = learners.traits(kind)
    kinds = {facts.hears.__name__.lower(), *facts.row.split()}
    if facts.row != "nothing":
        kinds.add("rows")
    return [law for law, binds in _laws.items() if kinds.issuperset(binds)]


def check_learner(kind: type) -> None:
    """Hold a learner to every law that binds it; raise `Broken` at the first that it breaks."""
    for each in laws_for(kind):
        each(kind)


@law()
def it_is_complete(kind: type) -> None:
    """It has both verbs, and a first state."""
    for verb in (score, learn):
        _demand(has_body(verb, kind), f"it has no body for {verb.__name__}")
    _player(kind)


@law()
def python_and_compiled_agree(kind: type) -> None:
    """The same lines give the same bits in Python and compiled."""
    rows, truths = easy_stream(60, kind)
    one, two = _player(kind), _player(kind)
    missed = [np.empty(60, np.bool_), np.empty(60, np.bool_)]
    with np.errstate(all="ignore"):
        engine.play.body(one, noiseless_block(rows, truths), 1, missed[0])
    engine.play(two, noiseless_block(rows, truths), 1, missed[1])
    _same(one, two, "Python and compiled code differ")
    _demand(bool((missed[0] == missed[1]).all()), "Python and compiled code play differently")


@law("features")
def dense_and_sparse_agree(kind: type) -> None:
    """A row gives the same bits in both forms."""
    rows, truths = easy_stream(300, kind)
    one, two = _played(kind, rows, truths), _played(kind, as_sparse(rows), truths)
    _same(one, two, "dense and sparse rows differ")


@law()
def events_and_stream_agree(kind: type) -> None:
    """One event at a time gives the same bits as a block."""
    rows, truths = easy_stream(200, kind)
    agent = _agent(kind)
    _live(agent, rows, truths)
    _same(agent._player, _played(kind, rows, truths), "events one at a time and a stream differ")


@law()
def blocks_and_whole_agree(kind: type) -> None:
    """It does not matter where a stream is cut into blocks."""
    rows, truths = easy_stream(200, kind)
    cut = _player(kind)
    for at, stop in ((0, 1), (1, 77), (77, 200)):
        part = DenseRows(rows.values[at:stop])
        engine.play(
            cut, noiseless_block(part, truths[at:stop]), at + 1, np.empty(stop - at, np.bool_)
        )
    _same(cut, _played(kind, rows, truths), "blocks and the whole differ")


@law()
def saved_and_uninterrupted_agree(kind: type) -> None:
    """Save, load and go on is the same as never having stopped."""
    rows, truths = easy_stream(120, kind)
    agent = _agent(kind)
    _live(agent, rows, truths[:60])
    waiting = agent.decide(rows.values[60])
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "agent.npz"
        agent.save(path)
        again = Agent.load(path)
    for each in (agent, again):
        _tell(each, waiting, truths[60])
        _live(each, DenseRows(rows.values[61:]), truths[61:])
    _same(agent._player, again._player, "going on from a snapshot differs")
    _demand(agent.round == again.round, "the round number is lost in a snapshot")


@law()
def deciding_changes_nothing(kind: type) -> None:
    """Deciding takes a round number and opens a decision; looking takes nothing."""
    rows, truths = easy_stream(80, kind)
    agent, quiet = _agent(kind), _agent(kind)
    for n in range(80):
        for x in (rows.values[n], rows.values[0]):
            agent.predict(x), agent.probabilities(x), agent.rank(x)
        choice, other = agent.decide(rows.values[n]), quiet.decide(rows.values[n])
        _demand(choice[1:6] == other[1:6], "looking at a row changes later decisions")
        before = _copy(agent._player)
        agent.decide(rows.values[n])
        _same(agent._player, before, "deciding changes the learner's state")
        quiet.decide(rows.values[n])
        _tell(agent, choice, truths[n])
        _tell(quiet, other, truths[n])
    _same(agent._player, quiet._player, "looking at a row changes the learner's state")


@law("bit")
def it_never_peeks(kind: type) -> None:
    """Changing the true label of missed rounds changes nothing."""
    rows, truths = easy_stream(150, kind)
    agent = _agent(kind)
    labels = _live(agent, rows, truths)
    others = truths.copy()
    for n, (played, truth) in enumerate(zip(labels, truths.tolist(), strict=True)):
        if played != truth:
            others[n] = next(
                (k for k in range(stream_sizes(kind).labels) if k not in (played, truth)), truth
            )
    one, two = _played(kind, rows, truths), _played(kind, rows, others)
    _same(one, two, "the true label of a missed round leaks into the state")


@law()
def the_seed_decides(kind: type) -> None:
    """The same seed gives the same bits, whatever else draws random numbers."""
    rows, truths = easy_stream(100, kind)
    one = _played(kind, rows, truths)
    np.random.seed(1)  # a state that no learner may touch
    two = _played(kind, rows, truths)
    _same(one, two, "two runs under one seed differ")


@law()
def memory_is_constant(kind: type) -> None:
    """More rounds take no more memory, and a round allocates nothing."""
    rows, truths = easy_stream(400, kind)
    short, long = _player(kind), _player(kind)
    block = noiseless_block(rows, truths)
    with _allocations() as few:
        engine.play(short, block.head(100), 1, np.empty(100, np.bool_))
    with _allocations() as many:
        engine.play(long, block, 1, np.empty(400, np.bool_))
    _demand(many == few, f"300 more rounds allocate {many[0] - few[0]} times")
    bytes_of = [[array.nbytes for array in _arrays(player)] for player in (short, long)]
    _demand(bytes_of[0] == bytes_of[1], "the state grows with the rounds")


@law()
def probabilities_are_probabilities(kind: type) -> None:
    """They are not negative, sum to 1, and a choice carries the one it was drawn with."""
    rows, truths = easy_stream(150, kind)
    agent = _agent(kind)
    for n in range(150):
        choice = agent.decide(rows.values[n])
        probs = agent._player.probs
        _demand(bool((probs >= 0).all()), "a probability is negative")
        _demand(abs(probs.sum() - 1) < 1e-12, f"the probabilities sum to {probs.sum()}")
        _demand(choice.prob == probs[choice.label] > 0, "a choice's prob is not its label's")
        _tell(agent, choice, truths[n])


@law()
def extremes_stay_finite(kind: type) -> None:
    """Empty rows, tiny and huge values leave finite numbers, or are refused in a sentence."""
    agent = _agent(kind)
    for size in (0.0, 1e-300, 1.0, LARGEST / FEATURES):
        rows, truths = easy_stream(60, kind)
        with np.errstate(all="ignore"):
            for n in range(60):
                with suppress(BadInput):
                    _tell(agent, agent.decide(rows.values[n] * size), truths[n])
                finite = all(np.isfinite(array).all() for array in _arrays(agent._player))
                _demand(finite, f"rows of size {size:g} leave numbers that are not finite")


@law()
def feedback_may_be_late(kind: type) -> None:
    """Feedback may come late, out of order or never; a second one is refused."""
    rows, truths = easy_stream(60, kind)
    prompt, late = _agent(kind), _agent(kind)
    choice = prompt.decide(rows.values[0])
    _tell(prompt, choice, truths[0])
    waiting = [late.decide(rows.values[n]) for n in range(60)]
    _tell(late, waiting[0], truths[0])
    _same(prompt._player, late._player, "late feedback teaches something else")
    for n in (40, 3, 59, 17):
        _tell(late, waiting[n], truths[n])
    before = _copy(late._player)
    with _refused("a second feedback for one choice"):
        _tell(late, waiting[3], truths[3])
    _same(late._player, before, "a refused feedback changes the state")


@law()
def the_wrong_feedback_is_refused(kind: type) -> None:
    """A label for a learner that hears a bit, or the reverse, is one sentence."""
    agent = _agent(kind)
    choice = agent.decide(easy_stream(1, kind).rows.values[0])
    with _refused("the wrong kind of feedback"):
        if learners.traits(kind).hears is Bit:
            agent.learn(choice, truth=0)
        else:
            agent.learn(choice, correct=True)


@law()
def bad_parameters_are_refused(kind: type) -> None:
    """Every parameter refuses what its rule does not allow, and takes its default."""
    name = learners.name_of(kind)
    for param in parameters(kind):
        bad: list[Any] = ["x", float("nan"), float("inf"), None, [], "", -1e300]
        if isinstance(param.rule, Real | Whole | OneOf):
            for value in bad:
                with _refused(f"{param.name}={value!r}"):
                    Recipe.parse(name, **{param.name: value})
        Recipe.parse(name, **{param.name: param.default})
    with _refused("an unknown parameter"):
        Recipe.parse(name, no_such_parameter=1)


@law("rows")
def error_falls(kind: type) -> None:
    """It learns: on an easy stream, the later half is played well."""
    rows, truths = easy_stream(1500, kind)
    missed = np.empty(len(truths), np.bool_)
    engine.play(_player(kind), noiseless_block(rows, truths), 1, missed)
    error, chance = missed[len(missed) // 2 :].mean(), 1 - 1 / stream_sizes(kind).labels
    _demand(error < chance / 2, f"its error on an easy stream stays at {error:.2f}")


@law()
def it_is_documented(kind: type) -> None:
    """The docstring names its source and its guarantee, and its example runs."""
    text = inspect.getdoc(kind) or ""
    for part in ("Reference:", "Guarantee:", ">>> "):
        _demand(part in text, f"its docstring has no {part.strip()!r}")
    module = dict(vars(sys.modules[kind.__module__]))
    example = doctest.DocTestParser().get_doctest(text, module, kind.__name__, None, 0)
    report: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(example, out=report.append)
    _demand(result.failed == 0, "its example fails: " + "".join(report))


def _player(kind: type) -> engine.Player:
    return Recipe.parse(kind, **small_params(kind)).player(stream_sizes(kind), seed=5)


def _agent(kind: type) -> Agent:
    features, labels, _ = stream_sizes(kind)
    return Agent(kind, range(labels), features=features, seed=5, **small_params(kind))


def _played(kind: type, rows: Rows, truths: Ints) -> engine.Player:
    """Return a player after a block of rounds."""
    player = _player(kind)
    engine.play(player, noiseless_block(rows, truths), 1, np.empty(len(truths), np.bool_))
    return player


def _live(agent: Agent, rows: DenseRows, truths: Ints) -> list[int]:
    """Let an agent decide and learn one row at a time; return what it played."""
    labels = []
    for n, truth in enumerate(truths):
        choice = agent.decide(row(rows, n).values)
        _tell(agent, choice, truth)
        labels.append(choice.label)
    return labels


def _tell(agent: Agent, choice: Any, truth: Any) -> None:
    """Give an agent the feedback that it hears."""
    if learners.traits(agent.recipe.kind).hears is Bit:
        agent.learn(choice, correct=bool(choice.label == truth))
    else:
        agent.learn(choice, truth=int(truth))


def _arrays(player: engine.Player) -> list[Array]:
    """Return every array that a player's learner and explorer remember."""
    states = player.learner, player.explorer
    return [array for state in states for array in remembered_arrays(state).values()]


def _copy(player: engine.Player) -> list[Array]:
    return [array.copy() for array in _arrays(player)]


def _same(one: Any, two: Any, reason: str) -> None:
    """Demand that two players, or copies of their arrays, are equal bit for bit."""
    pairs = zip(
        *(each if isinstance(each, list) else _arrays(each) for each in (one, two)), strict=True
    )
    _demand(all(a.tobytes() == b.tobytes() for a, b in pairs), reason)


def _demand(holds: bool, reason: str) -> None:
    if not holds:
        raise Broken(reason)


@contextmanager
def _refused(what: str) -> Iterator[None]:
    """Demand that the body is refused with one sentence."""
    try:
        yield
    except BadInput as error:
        text = str(error)
        _demand(text.endswith(".") and "\n" not in text, f"not one sentence: {text}")
    else:
        raise Broken(f"{what} is accepted")


@contextmanager
def _allocations() -> Iterator[list[int]]:
    """Count the arrays that compiled code allocates meanwhile; plain Python is not counted."""
    runtime: Any = importlib.import_module("numba.core.runtime._nrt_python")

    runtime.memsys_enable_stats()
    before, count = runtime.memsys_get_stats_alloc(), [0]
    yield count
    count[0] = runtime.memsys_get_stats_alloc() - before
