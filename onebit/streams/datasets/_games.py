"""Games against deterministic learners: the rows and labels on which each errs most often.

Every function plays its own copy of the victim, which takes the first of equally good labels.
Each label told is that of a hypothesis or of weights that are right in all rounds.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from onebit.errors import BadParameter
from onebit.kernel.rows import Floats
from onebit.theory.littlestone import MAX_SPLITS, version_space_dimensions

#: Rows and their labels.
Game = tuple[Floats, list[int]]
#: What a victim plays, given the sets of hypotheses that predict each label.
Victim = Callable[[list[int]], int]


def against_consistent(size: int) -> Game:
    """Let hypothesis i be wrong in round i only, when it is the first that is left."""
    return np.eye(size)[:-1], [0] * (size - 1)


def against_halving(size: int) -> Game:
    """Split those that are left in two, and let the smaller half be right."""
    left = list(range(size))
    rows, truths = [], []
    while len(left) > 1:
        advice = np.zeros(size)
        half = len(left) // 2
        advice[left[:half]] = 1.0
        left = left[:half]
        rows.append(advice)
        truths.append(1)
    return np.array(rows).reshape(-1, size), truths


def against_bandit_halving(size: int, labels: int) -> Game:
    """Split those that are left evenly among all labels; the last one left is always right."""
    left = np.arange(size)
    rows = []
    while len(left) > 1:
        advice = np.zeros(size)
        advice[left] = np.arange(len(left)) % labels
        played = int(np.bincount(advice[left].astype(int), minlength=labels).argmax())
        left = left[advice[left] != played]
        rows.append(advice)
    found = np.array(rows).reshape(-1, size)
    return found, [int(advice[left[0]]) for advice in found]


def against_version_space(table: Floats, victim: str) -> Game:
    """Find, over all sequences of the table's instances, the most mistakes of a victim.

    The victim keeps the hypotheses that were never wrong; a set of them is an int.
    """
    dimensions = version_space_dimensions("Adversary", table)
    plays: dict[str, Victim] = {
        "consistent": _part_with_first,
        "halving": lambda parts: max(range(len(parts)), key=lambda k: parts[k].bit_count()),
        "soa": lambda parts: max(range(len(parts)), key=lambda k: dimensions.get(parts[k], -1)),
    }
    play = plays[victim]
    labels = int(table.max()) + 1
    columns = [
        [sum(1 << i for i, said in enumerate(column) if said == k) for k in range(labels)]
        for column in table.T.tolist()
    ]
    best: dict[int, tuple[int, int, int]] = {}  # mistakes to come, instance, right label

    def mistakes(space: int) -> int:
        if space not in best:
            if len(best) * len(columns) > MAX_SPLITS:
                raise BadParameter(
                    "Adversary: the table must have fewer version spaces, got more than"
                    f" {len(best):,}."
                )
            best[space] = (0, -1, -1)
            for n, column in enumerate(columns):
                parts = [said & space for said in column]
                if sum(part > 0 for part in parts) > 1:
                    played = play(parts)
                    for truth, part in enumerate(parts):
                        if part:
                            total = (truth != played) + mistakes(part)
                            best[space] = max(best[space], (total, n, truth))
        return best[space][0]

    space, rows, truths = (1 << len(table)) - 1, [], []
    while mistakes(space):
        _, n, truth = best[space]
        rows.append(table[:, n])
        truths.append(truth)
        space &= columns[n][truth]
    return np.array(rows).reshape(-1, len(table)), truths


def _part_with_first(parts: list[int]) -> int:
    """Return the label of the first hypothesis that is left."""
    first = sum(parts) & -sum(parts)
    return next(k for k, part in enumerate(parts) if part & first)


def nested_groups(levels: int) -> Floats:
    """Return a class of small Littlestone dimension on which halving is slow, as a table.

    Groups have 1, 2, 4, ... hypotheses, which say 1 on the instance of their group, 0 on those
    of other groups, and all something else on the last one. The dimension is 2, but most of
    those left say 1 on the instance of the largest group.
    """
    group = np.repeat(np.arange(levels), 2 ** np.arange(levels))
    return np.column_stack([group[:, None] == np.arange(levels), np.arange(len(group))]).astype(
        float
    )


def against_perceptron(margin: float) -> Game:
    """Tell the second label on rows at right angles, about which nothing is known yet.

    With 1 / margin^2 of them, equal weights of norm 1 have that margin on all.
    """
    width = math.floor(1.0 / margin**2 + 1e-9)
    return np.eye(width), [1] * width


def against_winnow(width: int, voters: int, most: int) -> Game:
    """Tell rows on which the weighted sum is wrong by as little as possible.

    The first features vote, equally; the margin is 1 / voters, and Winnow has the best step for
    it. The less a sum is wrong, the less the mistake teaches.
    """
    margin = 1.0 / voters
    step = 0.5 * math.log((1.0 + margin) / (1.0 - margin))
    log_weights = np.zeros((width, 2))
    rows: list[Floats] = []
    truths: list[int] = []
    while len(rows) < most:
        weights = np.exp(log_weights - log_weights.max())
        lean = (weights[:, 0] - weights[:, 1]) / weights.sum()
        moves = [(y, _nearly_right_row(lean, voters, y)) for y in (-1.0, 1.0)]
        wrong = [(y, x) for y, x in moves if y * (x @ lean) < -1e-12 or (y < 0 and not lean.any())]
        if not wrong:
            break
        y, x = max(wrong, key=lambda move: move[0] * (move[1] @ lean))
        log_weights += step * y * np.outer(x, (1.0, -1.0))
        rows.append(x)
        truths.append(0 if y > 0 else 1)
    return np.array(rows).reshape(-1, width), truths


def _nearly_right_row(lean: Floats, voters: int, y: float) -> Floats:
    """Return a row of label y with margin 1 / voters whose sum is below 0 by little, if it can."""
    x = np.full(len(lean), y)
    x[np.argsort(-lean[:voters], kind="stable")[: voters // 2]] = -y
    total = y * float(x[:voters] @ lean[:voters])
    others = voters + np.argsort(-np.abs(lean[voters:]), kind="stable")
    for j in others:  # bring the sum to 0, the heaviest first
        size = abs(float(lean[j]))
        adds = total < 0.0
        x[j] = (y if adds else -y) * (1.0 if lean[j] >= 0.0 else -1.0)
        total += size if adds else -size
    for j in others[::-1]:  # and then below it
        gain = y * float(x[j] * lean[j])
        if total < -1e-12:
            break
        if gain > 0.0:
            x[j] = -x[j]
            total -= 2.0 * gain
    return x
