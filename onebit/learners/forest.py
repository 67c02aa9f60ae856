"""Forest: logistic regression on the nodes of random trees, from one bit."""

from __future__ import annotations

import math
from typing import Annotated, Any, NamedTuple

import numpy as np

from onebit.kernel.rng import key, subkey, uniform
from onebit.kernel.round import Bit, Played, learn, score
from onebit.kernel.rows import Floats, Ints, Row, feature
from onebit.kernel.sizes import Sizes
from onebit.kernel.state import COUNTS, SCRATCH, Axes, initial_state, lanes
from onebit.kernel.verbs import implements, kernel
from onebit.learners import learner
from onebit.learners.shared.conditioned import first_entry, in_table, is_number, scale_of
from onebit.learners.shared.experts import awake, effort, first_logit, forget
from onebit.learners.shared.table import Lanes, add_row, set_rows_to_zero, step_label
from onebit.naming.params import Real, Whole

#: The most nodes, and the most weights (nodes times labels).
NODES, MOST_WEIGHTS = 2**17, 2**22
#: The spread of thresholds for numbers: the logistic distribution nearest to the normal one.
SPREAD = 0.55
#: The threshold of what is no number: present or not.
PRESENT = 1e-6
#: Larger values are clipped, so that they fit into a float32.
LARGEST = 1e30
ONE = np.float32(1.0)


@learner(hears=Bit, explorer="fastcb", estimates=True)
class Forest(NamedTuple):
    """Logistic regression for each label on the nodes of random trees that a row passes.

    A node tests one entry of the row that came there first: against a random threshold if it is
    a number, else whether it is there. Trees are not built from labels; weights are learned for
    each node, for the played label alone, by AdaGrad. Finds what needs several features at once.

    Units: thresholds for numbers are drawn for values that were centred and divided by their
    deviation; a value of 1 is taken for a category that is there.

    Reference: completely random trees as in Liu, Ting and Fan, "Maximizing tree diversity by
    building complete-random decision trees", PAKDD 2005; here grown as rows come.

    Guarantee: none known.

    >>> from onebit import Agent
    >>> agent = Agent("forest", labels=["same", "different"], seed=1)
    >>> for n in range(400):
    ...     x = {"left": "ab"[n % 2], "right": "ab"[n // 2 % 2]}
    ...     choice = agent.decide(x)
    ...     agent.learn(choice, correct=(choice.label == "same") == (x["left"] == x["right"]))
    >>> agent.predict({"left": "b", "right": "b"})
    'same'
    """

    tests: Annotated[Ints, Axes("nodes", dtype="int32", within="[0, 4e18]")]
    thresholds: Annotated[Lanes, Axes("nodes", dtype="float32")]
    weights: Annotated[Lanes, Axes("rows", "lanes", dtype="float32")]
    squares: Annotated[Lanes, Axes("rows", "lanes", dtype="float32", within="[0, inf)")]
    rounds: Annotated[Floats, Axes(1, within=COUNTS)]
    paths: Annotated[Ints, Axes("trees", "depth", dtype="int32", role=SCRATCH)]
    dense: Annotated[Lanes, Axes("features", dtype="float32", role=SCRATCH)]
    entries: Annotated[Ints, Axes("most_entries", dtype="int32", role=SCRATCH)]
    logits: Annotated[Lanes, Axes("lanes", dtype="float32", role=SCRATCH)]
    trees: Annotated[int, Whole(1, 1000), "random trees"] = 20
    depth: Annotated[int, Whole(1, 30), "tests from the root to a leaf"] = 12
    rate: Annotated[float, Real("(0, inf)"), "step size of AdaGrad"] = 0.05
    floor: Annotated[float, Real("(0, inf)"), "added to the sums of squared gradients"] = 1e-10
    first: float = 0.0
    key: int = 0

    @classmethod
    def begin(cls, sizes: Sizes, seed: int, params: dict[str, Any]) -> Forest:
        """Return the first state: trees without nodes."""
        nodes = max(min(NODES, MOST_WEIGHTS // lanes(sizes.begun_labels)), 2)
        entries = min(sizes.features, 2**22)
        lengths = {"nodes": nodes, "rows": nodes + 1, "most_entries": entries}
        state = initial_state(cls, sizes, {**params, **lengths})
        return state._replace(first=-math.log(sizes.labels), key=key(seed, "forest"))

    def is_sound(self) -> bool:
        """Return whether every test is of a feature."""
        return bool((self.tests <= len(self.dense)).all())


@implements(awake, Forest)
def _(learner: Forest, x: Row) -> bool:
    return in_table(x)  # type: ignore[no-any-return]


@implements(effort, Forest)
def _(learner: Forest, x: Row) -> int:
    return learner.paths.shape[0] * learner.paths.shape[1] + 1  # type: ignore[no-any-return]


@implements(first_logit, Forest)
def _(learner: Forest, labels: int) -> float:
    return learner.first


@implements(score, Forest)
def _(learner: Forest, x: Row, out: Floats) -> None:
    scatter(learner, x)
    trees, depth = learner.paths.shape
    logits, bias = learner.logits, learner.weights.shape[0] - 1
    for k in range(logits.shape[0]):
        logits[k] = 0.0
    add_row(learner.weights, bias, ONE, logits)
    for tree in range(trees):
        path = 1
        for _ in range(depth):
            node = node_of(learner, tree, path)
            if learner.tests[node] == 0:
                break  # weights below are zero
            path = next_path(learner, node, path)
            add_row(learner.weights, node_of(learner, tree, path), ONE, logits)
    clear(learner, x)
    for k in range(out.shape[0]):
        out[k] = 1.0 / (1.0 + math.exp(-learner.first - np.float64(logits[k])))


@implements(learn, Forest)
def _(learner: Forest, x: Row, scores: Floats, played: Played, feedback: Bit) -> None:
    label, trees = played.label, learner.paths.shape[0]
    count = scatter(learner, x)
    for tree in range(trees):
        grow_path(learner, x, tree, count)
    clear(learner, x)
    learner.rounds[0] += 1.0
    rate, floor = np.float32(learner.rate), np.float32(learner.floor)
    g = np.float32(scores[label] - (1.0 if feedback.correct else 0.0))
    bias = learner.weights.shape[0] - 1
    step_label(learner.weights, learner.squares, bias, label, g, rate, floor)
    if count > 0:
        for tree in range(trees):
            for d in range(learner.paths.shape[1]):
                node = learner.paths[tree, d]
                step_label(learner.weights, learner.squares, node, label, g, rate, floor)


@implements(forget, Forest)
def _(learner: Forest) -> None:
    set_rows_to_zero(learner.weights, learner.weights.shape[0])
    set_rows_to_zero(learner.squares, learner.weights.shape[0])


@kernel
def node_of(learner: Forest, tree: int, path: int) -> int:
    """Return the node at the end of a path: 1 is the root, 2p and 2p + 1 the children of p."""
    return np.int64(subkey(learner.key, (tree << 32) + path)) % learner.tests.shape[0]  # type: ignore[no-any-return]


@kernel
def next_path(learner: Forest, node: int, path: int) -> int:
    """Return the path after the test of a node."""
    value = learner.dense[learner.tests[node] - 1]
    return 2 * path + (1 if value > learner.thresholds[node] else 0)


@kernel
def grow_path(learner: Forest, x: Row, tree: int, count: int) -> None:
    """Follow a row to the leaf, and give a test to each node that has none."""
    depth, path = learner.paths.shape[1], 1
    draw = (int(learner.rounds[0]) * learner.paths.shape[0] + tree) * depth
    for d in range(depth):
        node = node_of(learner, tree, path)
        if learner.tests[node] == 0:
            if count == 0:
                break
            n = learner.entries[int(uniform(learner.key, 2 * (draw + d)) * count)]
            learner.tests[node] = feature(x, n) + 1
            learner.thresholds[node] = PRESENT
            if is_number(x, n):
                u = uniform(learner.key, 2 * (draw + d) + 1)
                learner.thresholds[node] = SPREAD * math.log((u + 0.001) / (1.001 - u))
        path = next_path(learner, node, path)
        learner.paths[tree, d] = node_of(learner, tree, path)


@kernel
def scatter(learner: Forest, x: Row) -> int:
    """Write the values of a row, before its scale, by feature; list and count its entries."""
    count, scale = 0, scale_of(x)
    for n in range(first_entry(x), x.values.shape[0]):
        if x.values[n] != 0.0 and count < learner.entries.shape[0]:
            learner.dense[feature(x, n)] = min(max(x.values[n] / scale, -LARGEST), LARGEST)
            learner.entries[count] = n
            count += 1
    return count


@kernel
def clear(learner: Forest, x: Row) -> None:
    """Undo `scatter`."""
    for n in range(first_entry(x), x.values.shape[0]):
        learner.dense[feature(x, n)] = 0.0
