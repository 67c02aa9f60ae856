"""A file is the same rows, and the same error, wherever it is cut and by however many threads."""

import gc
import gzip
import itertools
import threading
import time

import numpy as np
import pytest
from files.reading import play, refusal
from pace import some

from onebit import BadInput
from onebit.streams.file import with_options
from onebit.streams.opening import open_stream
from onebit.streams.reading import bad_lines as bad
from onebit.streams.reading import side_by_side
from onebit.streams.reading import source as source_file
from onebit.streams.reading.side_by_side import map_side_by_side

SVM = (
    "\ufeff# a comment\r\nrotgrün qid:3 1:2 2:.5 # more\r\n\r\n  b\t3:1e2  \nrotgrün # none\n"
    "b 7:-0 2:0.1234567890123456789012 3:1 2:-4e-3\nb 12:1"
)
VW = (
    "rotgrün 2 'tag |wörter a:0.25 b |n:0.5 c:1.5\r\n\r\nb |n c:.123456789012345678901 \t d\n"
    "  b 1 0 | längere_Namen:1e-3 x\nrotgrün |n\n"
)


def blocks(spec):
    """Every row of a file with its label, as text, so that they compare bit for bit."""
    found = []
    for block in open_stream(spec, 0).blocks():
        starts, indices, values = block.rows
        for i, label in enumerate(block.truths.labels.tolist()):
            part = slice(starts[i], starts[i + 1])
            found.append((label, indices[part].tolist(), values[part].tobytes()))
    return found


@pytest.fixture(params=[1, 2, 5])
def threads(request, monkeypatch):
    monkeypatch.setattr(side_by_side, "cores", lambda: request.param)
    return request.param


@pytest.mark.parametrize(("name", "text"), [("a.svm", SVM), ("a.vw", VW)])
def test_a_boundary_at_any_byte_changes_nothing(put, monkeypatch, threads, name, text):
    path = put(name, text)
    whole, played = blocks(path), play(path)
    for size in range(1, len(text.encode()) + 1, some(1, 7) if threads == 2 else 11):
        monkeypatch.setattr(source_file, "CHUNK", size)
        assert blocks(with_options(path, {"labels": ("b", "rotgrün")})) == whole
        if size % 9 == 1:  # with the labels found, and the width
            again = play(path)
            assert (again.curve, again.features) == (played.curve, played.features)


@pytest.mark.parametrize(
    ("name", "good", "wrong"),
    [
        ("a.svm", "1 1:1\r\n2 2:1\n# c\n\n", ["1 x", "1 1:1e109", "\x01 1:1", "1 99999999999:1"]),
        ("a.vw", "1 |n a\r\n2 |n b:2\n\n", ["1 | a:x", "1 | a:1e109", "1|n a", "1:0:.5 | a"]),
    ],
)
def test_the_same_line_is_refused_wherever_the_file_is_cut(put, monkeypatch, name, good, wrong):
    for n, (one, other) in enumerate(itertools.permutations(wrong, 2)):
        path = put(f"{n}{name}", f"{good}{one}\n{good}{other}\n1 {wrong[0][2:]}\n")
        sentences = set()
        for size, cores in itertools.product((7, 20, 1000), (1, 3)):
            monkeypatch.setattr(source_file, "CHUNK", size)
            monkeypatch.setattr(side_by_side, "cores", lambda cores=cores: cores)
            sentences.add(refusal(path))
            with pytest.raises(BadInput) as error:
                play(path)  # read once, if it can be
            sentences.add(str(error.value))
        assert len(sentences) == 1
        assert f"line {good.count(chr(10)) + 1} must " in sentences.pop()


def test_skipped_lines_are_the_same_wherever_the_file_is_cut(put, monkeypatch, threads, capsys):
    path = put("a.svm", "1 1:1\nx:1\n2 1:1\n3 y\n1 2:1e109\n2 7:1\n" * 3) + ":bad=skip"
    told = set()
    for size in range(1, 60, some(3, 13)):
        monkeypatch.setattr(source_file, "CHUNK", size)
        bad._notified.clear()
        assert (play(path).rounds, play(path).features) == (9, 7)
        told.add(capsys.readouterr().err.splitlines()[-1])
    assert len(told) == 1
    assert "9 bad lines were skipped; the first: line 2 must start" in told.pop()


def test_a_damaged_end_does_not_hide_an_error_before_it(put, monkeypatch, threads):
    whole = gzip.compress(b"1 1:1\n2 x\n" + b"1 1:1\n" * 50_000)
    monkeypatch.setattr(source_file, "CHUNK", 100)
    assert "line 2 must have pairs" in refusal(put("a.svm.gz", whole[:-20]))
    for name, line in (("b.svm.gz", b"1:1"), ("b.vw.gz", b"| a")):
        good = gzip.compress(b"1 %s\n2 %s\n" % (line, line) * 50)
        assert "Incorrect length of data" in refusal(put(name, good[:-4] + b"!!!!"))


def test_results_come_in_order_and_few_wait(threads):
    running, most, done = set(), [0], []

    def work(n):
        time.sleep(0.002 * (n % 3))
        running.add(n)
        return n

    def items():
        for n in range(60):
            most[0] = max(most[0], n - len(done))
            yield n

    for n in map_side_by_side(work, items()):
        done += [n]
    assert done == list(range(60))
    assert len(running) == 60
    assert most[0] <= 2 * threads + 1


def test_an_error_comes_in_its_place_and_the_threads_end(threads):
    def items():
        yield from range(10)
        raise BadInput("no more.")

    def fails_at_7(n):
        if n == 7:
            raise ValueError(n)
        return n

    for function, error, before in ((fails_at_7, ValueError, 7), (int, BadInput, 10)):
        taken = map_side_by_side(function, items())
        assert [next(taken) for _ in range(before)] == list(range(before))
        with pytest.raises(error):
            next(taken)
    taken = map_side_by_side(int, itertools.count())
    assert next(taken) == 0
    taken.close()
    assert_soon(no_thread_reads_pieces)


def test_the_garbage_collector_does_not_wait_for_the_threads(threads):
    """It may run in any thread, under any lock: once it hung as another thread was starting."""
    going_on = threading.Event()
    if threads == 1:
        going_on.set()
    holder = [map_side_by_side(lambda n: n == 0 or going_on.wait(), itertools.count())]
    holder.append(holder)
    assert next(holder[0])
    del holder
    gc.collect()
    assert no_thread_reads_pieces() == (threads == 1)
    going_on.set()
    assert_soon(no_thread_reads_pieces)


def no_thread_reads_pieces():
    return not any(thread.name.startswith("onebit-piece") for thread in threading.enumerate())


def assert_soon(condition):
    latest = time.monotonic() + 5
    while not condition():
        assert time.monotonic() < latest
        time.sleep(0.01)


@pytest.mark.parametrize("base", ["", ":base=0", ":base=1"])
@pytest.mark.parametrize("learner", ["banditron", "pa", "softmax", "exp3", "arow", "soba"])
def test_a_file_read_once_plays_as_one_that_was_surveyed(put, monkeypatch, base, learner):
    monkeypatch.setattr(source_file, "CHUNK", 200)
    lines = [f"{n % 3} 1:1 {n // 3 + 2}:{n % 7} {n + 5}:-1.5\n" for n in range(some(300, 60))]
    path = put("a.svm", "".join([*lines, "1 2000:0\n"])) + base  # a zero counts for the width
    once, surveyed = play(path, learner), play(path, learner, rounds=len(lines) + 1)
    assert once.features == surveyed.features == 2000 + (base == ":base=0")
    assert once.curve == surveyed.curve
    assert once.rounds == surveyed.rounds
    assert play(with_options(path, {"labels": ("0", "1", "2")}), learner).curve == once.curve


def test_learners_that_need_the_width_get_a_first_pass(put, capsys):
    path = put("a.svm", "1 1:1\n2 5:1\n" * 20)
    assert play(path, "winnow").features == 5
    assert "a first pass found 40 rows, 5 features and 2 labels" in capsys.readouterr().err
    bad._notified.clear()
    assert play(path).features == 5
    assert "a scan of the labels found 40 rows and 2 labels: 1, 2\n" in capsys.readouterr().err


def test_a_width_that_does_not_fit_into_memory_is_refused(put):
    path = put("a.svm", "1 1:1\n2 2147483646:1\n")
    with pytest.raises(BadInput, match="must fit into memory, got an array of"):
        play(path, "softmax")  # two arrays of 34 GB


def test_labels_are_found_behind_long_lines(put):
    pairs = " ".join(f"{j}:1" for j in range(1, 300))
    path = put("a.vw", f"b | {pairs}\n\n  a | {pairs}\n" * 5 + "c | x")
    stream = open_stream(path, 0)
    assert (stream.labels, stream.length) == (["a", "b", "c"], 11)
    assert np.concatenate([b.truths.labels for b in stream.blocks()]).tolist() == [1, 0] * 5 + [2]
