"""The streams that come with the package, against their published files and facts."""

import importlib
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from streams.reading import original, read, whole

from onebit import streams
from onebit.experiment.run.playing import play_trials
from onebit.experiment.run.trial import Trial
from onebit.kernel.rng import key, permutation, uniform
from onebit.streams.datasets import car, connect4, nursery
from onebit.streams.opening import open_stream

COUNTS = {
    "car": {"unacc": 1210, "acc": 384, "good": 69, "vgood": 65},
    "nursery": {
        "not_recom": 4320,
        "priority": 4266,
        "spec_prior": 4044,
        "very_recom": 328,
        "recommend": 2,
    },
    "dna": {"ei": 767, "ie": 765, "n": 1654},
    "connect4": {"win": 44473, "loss": 16635, "draw": 6449},
}


@pytest.mark.parametrize("name", COUNTS)
def test_label_counts_and_facts(name):
    opened = open_stream(name, 0)
    facts = streams.traits(streams.find(name))
    assert (facts.rows, facts.labels, facts.features) == (
        opened.length,
        len(opened.labels),
        opened.features,
    )
    rounds = whole(name)
    counts = Counter(opened.labels[k] for k in rounds.truths.labels.tolist())
    assert counts == COUNTS[name]
    assert rounds.rounds == facts.rows
    assert rounds.rows.indices.max() < facts.features
    assert (rounds.rows.values == 1.0).all()
    assert not rounds.signals.any()


@pytest.mark.parametrize("name", COUNTS)
def test_columns_cover_the_features_and_each_sets_one_at_most(name):
    opened = open_stream(name, 0)
    width = 0
    for column in opened.columns:
        assert column.first == width
        assert column.values in (column.width, column.width + 1)
        width += column.width
    assert width == opened.features
    rows = whole(name).rows
    dense = np.zeros((len(rows.starts) - 1, width), np.int8)
    dense[np.repeat(np.arange(len(dense)), np.diff(rows.starts)), rows.indices] = 1
    for column in opened.columns:
        ones = dense[:, column.first : column.first + column.width].sum(axis=1)
        assert set(ones.tolist()) == ({1} if column.values == column.width else {0, 1})


@pytest.mark.parametrize("name", COUNTS)
def test_shuffled_rows_are_the_file_rows_in_the_seeds_order(name):
    in_file = read(f"{name}:order=file")
    source = key(3, f"{name} order")
    order = sorted(range(len(in_file)), key=lambda i: uniform(source, i))
    assert read(name, seed=3) == [in_file[i] for i in order]
    assert read(name, seed=3) != read(name, seed=4)


def test_permutation_is_fair():
    # 24 orders of 4, 2,400 draws: 100 each; 5 standard deviations are 49
    seen = Counter(tuple(permutation(key(seed, "test"), 4).tolist()) for seed in range(2400))
    assert len(seen) == 24
    assert all(51 <= count <= 149 for count in seen.values())


@pytest.mark.parametrize(("module", "file"), [(car, "car.data.gz"), (nursery, "nursery.data.gz")])
def test_tables_equal_the_published_file_in_its_order(module, file):
    lines = original(file)
    name = file.partition(".")[0]
    features = [f"{column}={v}" for column, names in module.COLUMNS.items() for v in names]
    made = [
        (*(features[j].partition("=")[2] for j in row), module.LABELS[label])
        for row, label, _ in read(f"{name}:order=file")
    ]
    assert made == [tuple(line.split(",")) for line in lines]


def test_dna_equals_the_published_file_in_its_order():
    made = [(sorted(row), label) for row, label, _ in read("dna:order=file")]
    published = []
    for line in original("dna.scale.gz"):
        label, *entries = line.split()
        published.append(([int(e.partition(":")[0]) - 1 for e in entries], int(label) - 1))
    assert made == published


def test_connect4_equals_the_published_file_as_a_set():
    made = [
        (*(connect4.VALUES[j % 3] for j in row), connect4.LABELS[label])
        for row, label, _ in read("connect4:order=file")
    ]
    published = [tuple(line.split(",")) for line in original("connect-4.data.gz")]
    assert set(made) == set(published)
    assert len(made) == len(set(made)) == len(published)
    assert made[:2014] == published[:2014]


#: A published file, and how to read it with the labels and values of the stream in its order.
AS_EMBEDDED = {
    "car": ("car.data.gz", "labels=unacc|acc|good|vgood,values=seen"),
    "nursery": (
        "nursery.data.gz",
        "labels=recommend|very_recom|priority|spec_prior|not_recom,values=seen",
    ),
    "dna": ("dna.scale.gz", "labels=1|2|3,columns=3/4"),
    "connect4": ("connect-4.data.gz", "labels=win|loss|draw,values=all/x/o/b"),
}


@pytest.mark.parametrize("name", AS_EMBEDDED)
def test_published_files_play_as_the_embedded_streams(name, tmp_path):
    file, params = AS_EMBEDDED[name]
    lines = original(file)
    if name == "connect4":  # the order of its file follows no rule that is known: take the stream's
        found = {line.rpartition(",")[0]: line for line in lines}
        boards = [[connect4.VALUES[j % 3] for j in row] for row, _, _ in read(f"{name}:order=file")]
        lines = [found[",".join(board)] for board in boards]
    path = tmp_path / file.removesuffix(".gz")
    path.write_text("".join(f"{line}\n" for line in lines))
    assert read(f"{path}:{params}") == read(f"{name}:order=file")
    for learner in ("banditron", "cova:base=naive-bayes"):  # the latter reads the columns too
        ours, theirs = (
            play_trials([Trial.parse(text, learner, seed=5)])[0]
            for text in (f"{name}:order=file", f"{path}:{params}")
        )
        assert (theirs.mistakes, theirs.curve) == (ours.mistakes, ours.curve)


def test_connect4_boards_are_those_of_a_depth_first_search():
    """The first boards, found one move at a time by plain recursion on lists."""
    found, met = [], set()

    def wins(board, player):
        return any(
            all(
                0 <= c + n * dc < 7
                and 0 <= r + n * dr < 6
                and board.get((c + n * dc, r + n * dr)) == player
                for n in range(4)
            )
            for c in range(7)
            for r in range(6)
            for dc, dr in ((0, 1), (1, 0), (1, 1), (1, -1))
        )

    def drops(board):
        for c in (3, 2, 4, 1, 5, 0, 6):
            r = sum((c, r) in board for r in range(6))
            if r < 6:
                yield c, r

    def search(board, moves):
        state = frozenset(board.items())
        swapped = frozenset(((6 - c, r), who) for (c, r), who in state)
        if len(found) == 40 or state in met or swapped in met:
            return
        met.add(state)
        if wins(board, "x") or wins(board, "o"):
            return
        if moves == 8:
            if not any(wins(board | {cell: who}, who) for cell in drops(board) for who in "xo"):
                cells = [(c, r) for c in range(7) for r in range(6)]
                found.append([board.get(cell, "b") for cell in cells])
            return
        for cell in drops(board):
            search(board | {cell: "xo"[moves % 2]}, moves + 1)

    search({}, 0)
    made = read("connect4:order=file", rounds=40)
    assert [[connect4.VALUES[j % 3] for j in row] for row, _, _ in made] == found


@pytest.mark.long
def test_connect4_labels_are_what_the_solver_finds(monkeypatch):
    """A random sample of each label is solved anew, by search to the end of the game."""
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "tools")
    solver = importlib.import_module("solve_connect4")
    x, o = connect4.boards()
    truths = connect4.all_rounds().truths.labels
    names = {solver.WIN: "win", solver.DRAW: "draw", solver.LOSS: "loss"}
    order = permutation(key(0, "connect4 sample"), len(x))
    sample = [i for k in range(3) for i in order[truths[order] == k][:5].tolist()]
    solved = [names[solver.solve(int(x[i]), int(o[i]))] for i in sample]
    assert solved == [connect4.LABELS[truths[i]] for i in sample]
