"""Every transform against a plain version of itself, on any rows, in any blocks."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pace import some
from streams.reading import read, rounds_of

from onebit.errors import BadInput
from onebit.kernel.block import LOST, Block, Multi, Single, concatenate_blocks
from onebit.kernel.rng import key, uniform
from onebit.kernel.rows import DenseRows, SparseRows
from onebit.streams import Column, Stream, find_transform
from onebit.streams.opening import open_stream, resolve_transform

D, K = 5, 4
value = st.floats(-9, 9).map(lambda x: round(x, 3))
row = st.lists(st.one_of(st.just(0.0), value), min_size=D, max_size=D)
anything = st.lists(
    st.tuples(row, st.integers(0, K - 1), st.sampled_from([0, 0, LOST, 2])),
    min_size=1, max_size=30,
)  # fmt: skip
quick = settings(max_examples=40, deadline=None)


def block_of(rounds, dense):
    values = np.array([x for x, _, _ in rounds]).reshape(-1, D)
    rows = DenseRows(values)
    if not dense:
        at, columns = np.nonzero(values)
        starts = np.searchsorted(at, np.arange(len(values) + 1)).astype(np.int64)
        rows = SparseRows(starts, columns.astype(np.int32), values[at, columns])
    labels, signals = (np.array([r[n] for r in rounds], np.int32) for n in (1, 2))
    return Block(rows, Single(labels), signals)


def stream_of(rounds, dense=False, cut=7):
    """Return a stream of these rounds, in blocks of `cut`."""

    def blocks():
        for first in range(0, len(rounds), cut):
            yield block_of(rounds[first : first + cut], dense)

    columns = (Column(0, 2, 2), Column(2, 3, 4))
    return Stream("abcd", D, len(rounds), blocks, columns=columns)


def apply(spec, stream, seed=3, number=1):
    return resolve_transform(spec)[1].apply(stream, seed, number)


def play(spec, rounds, dense=False, cut=7):
    """Return the changed rounds; a zero in a row is left out, as in sparse rows."""
    return [
        r for block in apply(spec, stream_of(rounds, dense, cut)).blocks() for r in rounds_of(block)
    ]


def plain(rounds, change=lambda row: row):
    """Return rounds as `play` does, with their rows changed."""
    return [({j: v for j, v in enumerate(change(x)) if v != 0.0}, y, s) for x, y, s in rounds]


@pytest.mark.parametrize(
    "spec", ["unit", "bias:value=2.5", "pairs", "pairs:size=3", "project:n=33"]
)
@quick
@given(rounds=anything, cut=st.integers(1, 31))
def test_rows_do_not_depend_on_their_form_or_their_block(spec, rounds, cut):
    assert play(spec, rounds, dense=True) == play(spec, rounds, dense=False, cut=cut)


@pytest.mark.parametrize(
    "spec", ["noise:q=.5", "flip:q=.5", "drop:q=.5", "drift:at=2+9", "shuffle"]
)
@quick
@given(rounds=anything, cut=st.integers(1, 31))
def test_rounds_do_not_depend_on_their_block(spec, rounds, cut):
    assert play(spec, rounds) == play(spec, rounds, cut=cut)


@quick
@given(rounds=anything)
def test_unit(rounds):
    def unit(x):
        total = 0.0
        for v in x:
            total += v * v
        return [v / math.sqrt(total) for v in x] if total > 0 else x

    assert play("unit", rounds) == plain(rounds, unit)


@quick
@given(rounds=anything)
def test_bias(rounds):
    assert play("bias:value=2.5", rounds) == plain(rounds, lambda x: [*x, 2.5])
    opened = apply("bias", stream_of(rounds))
    assert opened.features == D + 1
    assert opened.columns[-1] == Column(D, 1, 1)


@quick
@given(rounds=anything)
def test_pairs(rounds):
    def pairs(x):
        return [*x, *(x[i] * x[j] for i in range(D) for j in range(i + 1, D))]

    assert play("pairs", rounds) == plain(rounds, pairs)
    opened = apply("pairs", stream_of(rounds))
    assert (opened.features, opened.columns) == (D + 10, ())


@quick
@given(rounds=anything)
def test_pairs_are_hashed_above_a_size(rounds):
    def pairs(x):
        sums, number = [0.0] * 3, 0
        for i in range(D):
            for j in range(i + 1, D):
                sums[int(uniform(key(0, "pairs"), number) * 3)] += x[i] * x[j]
                number += 1
        return [*x, *sums]

    def kept(rounds):  # sums that cancel are stored as zeros, or not at all
        return [({j: v for j, v in x.items() if v != 0.0}, y, s) for x, y, s in rounds]

    assert kept(play("pairs:size=3", rounds)) == plain(rounds, pairs)
    assert apply("pairs:size=3", stream_of(rounds)).features == D + 3


@quick
@given(rounds=anything, n=st.sampled_from([1, 5, 32, 40]))
def test_project(rounds, n):
    source = key(3, "project 1")
    draws = (n + 31) // 32

    def sign(j, c):
        bits = int(uniform(source, j * draws + c // 32) * 2**32)
        return 1.0 if bits >> c % 32 & 1 else -1.0

    def project(x):
        out = []
        for c in range(n):
            total = 0.0
            for j in range(D):
                total += sign(j, c) * (x[j] / math.sqrt(n))
            out.append(total)
        total = 0.0
        for v in out:
            total += v * v
        return [v / math.sqrt(total) for v in out] if total > 1 else out

    assert play(f"project:n={n}", rounds) == plain(rounds, project)
    opened = apply(f"project:n={n}", stream_of(rounds))
    assert (opened.features, opened.columns) == (n, ())


@pytest.mark.compiled
def test_projected_rows_keep_norms_and_margins():
    n = some(300, 60)
    block = next(open_stream("synsep", 0, [f"take:n={n}", "unit", "project:n=2000"]).blocks())
    rows = block.rows.values
    norms = np.sqrt((rows**2).sum(axis=1))
    assert norms.max() <= 1 + 1e-12
    # the squared norm has standard deviation sqrt(2/2000) = .03 about 1 before it is capped
    assert norms.min() > 0.9
    before = next(open_stream("synsep", 0, [f"take:n={n}", "unit"]).blocks()).rows
    dense = np.zeros((n, 400))
    dense[np.repeat(np.arange(n), np.diff(before.starts)), before.indices] = before.values
    # up to 300 x 300 inner products, standard deviation at most sqrt(2/2000) each: 6 of them
    assert np.abs(rows @ rows.T - dense @ dense.T).max() < 0.2


@quick
@given(rounds=anything, q=st.sampled_from([0.0, 0.3, 1.0]))
def test_noise(rounds, q):
    source = key(3, "noise 1")
    expected = []
    for t, (x, y, signal) in enumerate(plain(rounds), 1):
        if uniform(source, 2 * t) < q:
            y = (y + 1 + int(uniform(source, 2 * t + 1) * (K - 1))) % K
        expected.append((x, y, signal))
    assert play(f"noise:q={q}", rounds) == expected
    assert q < 1 or all(a[1] != b[1] for a, b in zip(expected, rounds, strict=True))


@quick
@given(rounds=anything, q=st.sampled_from([0.0, 0.3, 1.0]))
def test_flip(rounds, q):
    source = key(3, "flip 1")
    expected = []
    for t, (x, y, signal) in enumerate(plain(rounds), 1):
        if uniform(source, 2 * t) < q and signal != LOST:
            lie = 1 + int(uniform(source, 2 * t + 1) * (K - 1))
            signal = 0 if signal > 0 else lie
        expected.append((x, y, signal))
    assert play(f"flip:q={q}", rounds) == expected


@quick
@given(rounds=anything, q=st.sampled_from([0.0, 0.3, 1.0]))
def test_drop(rounds, q):
    source = key(3, "drop 1")
    expected = [
        (x, y, LOST if uniform(source, t) < q else signal)
        for t, (x, y, signal) in enumerate(plain(rounds), 1)
    ]
    assert play(f"drop:q={q}", rounds) == expected


@quick
@given(rounds=anything, at=st.lists(st.integers(1, 40), min_size=1, max_size=4, unique=True))
def test_drift(rounds, at):
    at = sorted(at)
    played = play(f"drift:at={'+'.join(map(str, at))}", rounds)
    meanings = []
    for first, stop in zip([1, *at], [*at, 10**9], strict=True):
        meaning = {}
        for t, (before, after) in enumerate(zip(rounds, played, strict=True), 1):
            if first <= t < stop:
                assert meaning.setdefault(before[1], after[1]) == after[1]
        assert len(set(meaning.values())) == len(meaning)
        meanings.append(meaning)
    assert all(y == now for y, now in meanings[0].items())
    for old, new in itertools.pairwise(meanings):
        assert all(old[y] != new[y] for y in old.keys() & new.keys())
    assert [(x, s) for x, _, s in played] == [(x, s) for x, _, s in plain(rounds)]


@quick
@given(rounds=anything)
def test_shuffle(rounds):
    source = key(3, "shuffle 1")
    order = sorted(range(len(rounds)), key=lambda i: uniform(source, i))
    assert play("shuffle", rounds) == [plain(rounds)[i] for i in order]


@quick
@given(anything)
def test_sort(rounds):
    assert play("sort", rounds) == plain(sorted(rounds, key=lambda each: each[1]))


def test_delays_add_up_and_have_their_mean():
    fixed = apply("delay:n=3", stream_of([]))
    assert fixed.delays(5, 4).tolist() == [3, 3, 3, 3]
    both = apply("delay:n=20,kind=geometric", fixed, number=2).delays(1, 100_000)
    assert both.min() == 3
    # mean 20, standard deviation sqrt(20 * 21) = 20.5, so .065 for the mean of 100,000; 5 of them
    assert abs(both.mean() - 23) < 0.33
    # memoryless: of what comes later than 10 rounds, the rest has the same mean
    rest = both[both > 13] - 14
    assert abs(rest.mean() - 20) < 0.45
    assert apply("delay:n=20,kind=geometric", fixed, number=2).delays(501, 7).tolist() == (
        both[500:507].tolist()
    )


@pytest.mark.compiled
def test_places_and_seeds_have_their_own_chance():
    rounds = [([1.0] * D, n % K, 0) for n in range(60)]
    made = {
        (seed, number): str(
            [
                b.signals.tolist()
                for b in apply("drop:q=.5", stream_of(rounds), seed, number).blocks()
            ]
        )
        for seed in (0, 1)
        for number in (0, 1)
    }
    assert len(set(made.values())) == 4
    assert read("synsep", 1, ["take:n=500", "noise:q=.5"]) == read(
        "synsep", 1, ["take:n=500", "noise:q=.5"]
    )


def test_several_right_labels_move_together():
    truths = Multi(np.array([0, 2, 2, 3], np.int64), np.array([0, 2, 1], np.int32))
    block = Block(DenseRows(np.ones((3, D))), truths, np.zeros(3, np.int32))
    stream = Stream("abcd", D, 3, lambda: iter([block]))
    noisy = next(apply("noise:q=1", stream).blocks()).truths
    assert noisy.starts.tolist() == [0, 2, 2, 3]
    moved = (noisy.labels - truths.labels) % K
    assert moved[0] == moved[1] != 0
    assert moved[2] != 0
    drifted = next(apply("drift:at=2", stream).blocks()).truths
    assert drifted.labels[:2].tolist() == [0, 2]
    assert drifted.labels[2] != 1


@quick
@given(rounds=anything, order=st.lists(st.integers(0, 10**6), max_size=40), dense=st.booleans())
def test_picking_and_joining_blocks(rounds, order, dense):
    order = np.array([n % len(rounds) for n in order], np.int64)
    block = block_of(rounds, dense)
    assert rounds_of(block.pick(order)) == [plain(rounds)[n] for n in order]
    assert rounds_of(concatenate_blocks([block, block.pick(order), block])) == [
        *plain(rounds),
        *(plain(rounds)[n] for n in order),
        *plain(rounds),
    ]
    lengths = np.array([n % 3 for n in range(len(rounds))])
    starts = np.concatenate([[0], np.cumsum(lengths)])
    multi = block._replace(truths=Multi(starts, np.arange(starts[-1], dtype=np.int32)))
    both = concatenate_blocks([multi, multi.pick(order)]).truths
    sets = [list(range(starts[n], starts[n + 1])) for n in range(len(rounds))]
    assert [
        both.labels[a:b].tolist() for a, b in zip(both.starts, both.starts[1:], strict=False)
    ] == [
        *sets,
        *(sets[n] for n in order),
    ]


@pytest.mark.parametrize(
    "spec",
    ["drop:q=1.5", "flip:q=x", "noise:q=nan", "drift:at=5+3", "drift:at=0", "drift:at=a",
     "delay:n=-1", "delay:kind=late", "project:n=0", "bias:value=inf", "pairs:size=0"],
)  # fmt: skip
def test_bad_parameters_are_one_sentence(spec):
    with pytest.raises(BadInput, match=r"^[A-Z][a-z]+: \w+ must be .*, got .*\.$"):
        resolve_transform(spec)


def test_impossible_streams_are_one_sentence():
    with pytest.raises(BadInput, match="Shuffle: an endless stream"):
        open_stream("synsep", 0, ["shuffle"])
    with pytest.raises(BadInput, match=r"no transform is called 'shufle' .*see `onebit streams`"):
        open_stream("car", 0, ["shufle"])
    with pytest.raises(BadInput, match="Pairs: size must leave fewer"):
        find_transform("pairs")(10**10).apply(Stream("ab", 10**6, None, tuple), 0, 0)


def test_pairs_come_in_parts_of_bounded_size(monkeypatch):
    monkeypatch.setattr("onebit.streams.transforms.pairs._ENTRIES", 40)
    rounds = [([1.0, 2.0, 3.0, 4.0, 5.0], n % K, 0) for n in range(10)]  # 15 entries a row
    opened = apply("pairs", stream_of(rounds, cut=5))
    assert [block.rounds for block in opened.blocks()] == [2, 2, 1, 2, 2, 1]
    monkeypatch.setattr("onebit.streams.transforms.pairs._ENTRIES", 1)
    assert [block.rounds for block in opened.blocks()] == [1] * 10
    assert play("pairs", rounds) == plain(
        rounds, lambda x: [*x, *(x[i] * x[j] for i in range(D) for j in range(i + 1, D))]
    )
