"""Compiled code is called without numba where it lies on the disk; else numba takes over."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from onebit.kernel import machine_code
from onebit.kernel.cache import cache_directory
from onebit.kernel.rows import SparseRows
from onebit.kernel.validation import sparse_rows_are_sound
from onebit.streams.reading.word_table import find_words, new_word_table

pytestmark = [
    pytest.mark.compiled,
    pytest.mark.skipif(not machine_code._IS_KNOWN, reason="numba loads the code there"),
]
ROWS = SparseRows(np.array([0, 2, 3]), np.array([0, 4, 1], np.int32), np.array([1.0, -2.0, 3.0]))
PLAY = """\
import sys
from onebit.cli.main import main
try:
    main()
finally:
    print("numba" in sys.modules, file=sys.stderr)
"""


NUMBA_AFTER = """\
import sys
from onebit.cli.main import main
try:
    main()
except SystemExit:
    pass
assert "numba" not in sys.modules
import numba, numpy
print(numba.njit(lambda x: numpy.append(x, 7.0).sum())(numpy.ones(5)), file=sys.stderr)
"""


def found(entry, *args):
    return machine_code.find(cache_directory(), entry.body, args)


def play(path, **variables):
    """The result of a play in a process of its own, and whether that imported numba."""
    command = [sys.executable, "-c", PLAY, "play", str(path), "banditron", "--json"]
    done = subprocess.run(
        command, capture_output=True, check=True, text=True, env={**os.environ, **variables}
    )
    result = json.loads(done.stdout)
    return (result["mistakes"], result["curve"]), done.stderr.split()[-1] == "True"


def test_a_command_whose_code_is_on_the_disk_imports_no_numba_and_plays_the_same(tmp_path):
    path = tmp_path / "a.svm"
    path.write_text("".join(f"{n % 3} {n % 7 + 1}:1 {n % 5 + 9}:0.5\n" for n in range(300)))
    play(path)  # compiles what is not there yet
    by_numba, imported = play(path, NUMBA_WARNINGS="0")  # whoever sets numba's options gets numba
    assert imported
    assert play(path) == (by_numba, False)


def test_numba_finds_its_own_functions_after_code_that_was_loaded_without_it(tmp_path):
    path = tmp_path / "a.svm"
    path.write_text("1 1:1\n2 2:1\n")
    play(path)
    command = [sys.executable, "-c", NUMBA_AFTER, "play", str(path), "banditron"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr.split()[-1:]) == (0, ["12.0"]), done.stderr


@pytest.mark.parametrize("features", [5, 4])
def test_code_returns_what_numba_returns(features):
    args = (*ROWS, features, 1e100)
    by_numba = sparse_rows_are_sound(*args)
    assert found(sparse_rows_are_sound, *args)() is by_numba is (features == 5)


def test_code_writes_into_the_arrays_it_is_given():
    table, text = new_word_table(8, 8), np.frombuffer(b"a\n", np.uint8)
    places = np.array([0]), np.array([1])
    find_words(table, text, *places, np.empty(1, np.int32))
    out = np.zeros(1, np.int32)
    assert found(find_words, table, text, *places, out)() is None
    assert out.tolist() == [-1]


@pytest.mark.parametrize(
    "other",
    [None, "text", 2**63, np.float32(1.0), np.array(["a"]), np.array(1.0), [1.0]],
    ids=repr,
)
def test_arguments_of_other_types_are_left_to_numba(other):
    assert found(sparse_rows_are_sound, *ROWS, 5, other) is None


def test_other_layouts_are_other_code():
    sparse_rows_are_sound(*ROWS, 5, 1e100)
    spread = np.repeat(ROWS.values, 2)[::2]
    assert found(sparse_rows_are_sound, *ROWS[:2], spread, 5, 1e100) is None


def test_a_damaged_file_is_left_to_numba(tmp_path):
    sparse_rows_are_sound(*ROWS, 5, 1e100)
    name = f"{sparse_rows_are_sound.body.__module__}.sparse_rows_are_sound-*.code"
    whole = next(cache_directory().glob(name)).read_bytes()
    words = len(json.loads(whole.partition(b"\n")[0])["words"])
    path = tmp_path / "a.code"
    path.write_bytes(whole)
    assert machine_code._load(path, words) is not None
    assert machine_code._load(path, words + 1) is None
    heads = (b"[]\n", b"{}\n", b'{"returns": "none"}\n', b'{"returns": [], "unused": 5}\n')
    for part in (b"", *heads, whole[:20], whole[:-1], whole[:-5] + b"12345"):
        path.write_bytes(part)
        assert machine_code._load(path, words) is None
    assert machine_code._load(tmp_path / "none.code", words) is None


def test_code_for_arrays_of_records_is_left_to_numba():
    from numba import from_dtype, types

    kind = types.Array(from_dtype(np.dtype([("a", "f8"), ("b", "i8")])), 1, "C")
    assert not machine_code._flatten_type(kind, [])
    assert machine_code._flatten_type(types.Array(types.float64, 1, "C"), [])


def test_code_that_needs_numba_itself_is_not_kept():
    module = (
        "declare i32 @numba_helper(i64)\ndeclare double @exp(double)\n"
        "define i32 @f() {{\n  call i32 {}(i64 1)\n  ret i32 0\n}}\n"
        "define i32 @_ZN7cpython1fE() {{\n  call i32 @numba_helper(i64 1)\n  ret i32 0\n}}\n"
    )
    assert machine_code._only_used_by_wrappers(module.format("@exp"), "f") == ["numba_helper"]
    assert machine_code._only_used_by_wrappers(module.format("@numba_helper"), "f") is None
