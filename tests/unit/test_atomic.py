"""A file is written whole, or stays as it was."""

import doctest
import os
import threading

import pytest

from onebit.kernel import atomic
from onebit.kernel.atomic import write_atomically


def test_the_example_is_right():
    assert doctest.testmod(atomic).failed == 0


def test_a_file_is_replaced_only_when_it_is_whole(tmp_path):
    path = tmp_path / "a.bin"
    path.write_bytes(b"old")

    def cut_short():
        with write_atomically(path) as file:
            file.write(b"ne")
            file.flush()
            assert path.read_bytes() == b"old"
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cut_short()
    assert path.read_bytes() == b"old"
    with write_atomically(path) as file:
        file.write(b"new")
    assert path.read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["a.bin"]


def test_threads_do_not_meet(tmp_path):
    path = tmp_path / "a.bin"
    texts = [bytes([65 + n]) * 100_000 for n in range(8)]
    together = threading.Barrier(len(texts))

    def write(text):
        together.wait()
        with write_atomically(path) as file:
            for start in range(0, len(text), 1000):
                file.write(text[start : start + 1000])

    threads = [threading.Thread(target=write, args=(text,)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert path.read_bytes() in texts
    assert os.listdir(tmp_path) == ["a.bin"]


def test_errors_of_the_system_pass_unchanged(tmp_path):
    with pytest.raises(FileNotFoundError), write_atomically(tmp_path / "none" / "a.bin"):
        pass
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "b.bin").touch()
    with pytest.raises(OSError, match="folder"), write_atomically(tmp_path / "folder") as file:
        file.write(b"x")
    assert os.listdir(tmp_path) == ["folder"]
