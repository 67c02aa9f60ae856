"""A file is written whole, or stays as it was."""

import doctest
import os
import subprocess
import sys
import threading

import pytest

from onebit.kernel import atomic
from onebit.kernel.atomic import remove_leftovers, write_atomically


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


def test_what_a_killed_process_left_is_removed(tmp_path):
    """A process is killed while it writes; the next one that writes there removes what it left."""
    code = (
        "import os, signal, sys\nfrom pathlib import Path\n"
        "from onebit.kernel.atomic import write_atomically\n"
        "with write_atomically(Path(sys.argv[1]) / 'agent.npz') as file:\n"
        "    file.write(b'half')\n    file.flush()\n    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False)
    (left,) = tmp_path.iterdir()
    assert left.name.endswith(".tmp")
    (tmp_path / ".mine.tmp").touch()
    with write_atomically(tmp_path / "other.bin") as file:
        file.write(b"x")
        remove_leftovers(tmp_path)  # of this process nothing, for it still writes
    assert sorted(os.listdir(tmp_path)) == [".mine.tmp", "other.bin"]
    remove_leftovers(tmp_path / "none")


def test_a_link_stays_and_nothing_but_a_file_is_replaced(tmp_path):
    link, file = tmp_path / "link", tmp_path / "file"
    file.write_bytes(b"old")
    link.symlink_to(file)
    with write_atomically(link) as opened:
        opened.write(b"new")
    assert (link.is_symlink(), file.read_bytes()) == (True, b"new")
    os.mkfifo(tmp_path / "pipe")
    for other in (tmp_path / "pipe", tmp_path):
        with pytest.raises(OSError, match="it is not a regular file"), write_atomically(other):
            pass
    assert (tmp_path / "pipe").is_fifo()


def test_a_long_name_can_be_written(tmp_path):
    for name in ("x" * 250, "\u8a9e" * 84):  # of 252 bytes
        with write_atomically(tmp_path / name) as file:
            file.write(b"")
        os.remove(tmp_path / name)
    with write_atomically(tmp_path / ("x" * 250)) as file:
        file.write(b"x")
    assert os.listdir(tmp_path) == ["x" * 250]
