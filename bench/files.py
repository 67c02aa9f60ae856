"""A file from its first byte to the count of mistakes, beside Vowpal Wabbit: wall time and memory.

python -m bench.files [--rows N] [--data FILE.svm] [--write]

Rows of `reuters4shape` are written as svmlight, as Vowpal Wabbit's text and packed, and each is
played by a new process, start included; the files are in the system's cache by then. Vowpal
Wabbit reads its text, and the cache file that it made of it. The programs take turns, so that
noise affects all of them alike. Memory is the most that was private to the process (RssAnon, looked
at every 10 ms): pages of the file, which the system can drop, do not count. `--data` measures a
svmlight file of your own instead.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from bench.machine import load, machine
from bench.page import markdown, write_files
from onebit.kernel.rows import SparseRows
from onebit.streams import Stream
from onebit.streams.formats.packed import pack
from onebit.streams.opening import open_stream

ROWS, REPEATS = 673_768, 5
#: What runs Vowpal Wabbit in a process of its own: the driver of its Python package. It fails if it
#: has read nothing.
VW = """\
import sys
from vowpalwabbit import Workspace
workspace = Workspace(sys.argv[1])
examples = workspace.get_weighted_examples()
workspace.finish()
sys.exit(examples < 1)
"""


class Run(NamedTuple):
    """A program on a file: how to start it, and the run that its time is compared with."""

    name: str
    command: list[str]
    against: str | None = None


class Row(NamedTuple):
    """Median and spread of the seconds of a run, the ratio of the other's, and peak memory."""

    name: str
    seconds: float
    least: float
    most: float
    ratio: float | None
    megabytes: float


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.files", description=__doc__)
    parser.add_argument("--rows", type=int, default=ROWS, help="rows of reuters4shape to write")
    parser.add_argument("--data", help="a svmlight file to measure instead")
    parser.add_argument("--repeats", type=int, default=REPEATS, help="how often each is run")
    parser.add_argument("--write", action="store_true", help="also refresh docs/benchmark.md")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        # in a process of its own: the peak memory of a process counts that of the one it came from
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
            given = options.data or "reuters4shape", directory, options.data or options.rows
            files, labels = pool.submit(made_files, *given).result()
        rows = measure(runs(files, labels), options.repeats)
        text = table(files, rows)
    about = ", ".join(f"{k} {v}" for k, v in {**machine(), "load": f"{load():.1f}"}.items())
    print(f"{text}\n\n{about}")
    if options.write:
        write_files(text, f"Machine: {about}.")


def made_files(spec: str, directory: str, most: int | str) -> tuple[dict[str, Path], int]:
    """Write the files of a stream, at most so many rows; return them, and how many labels."""
    stream = open_stream(spec, 0)
    files = make_files(stream, Path(directory), most if isinstance(most, int) else None)
    return files, len(stream.labels)


def make_files(stream: Stream, directory: Path, most: int | None) -> dict[str, Path]:
    """Write the rows of a stream in each format; labels are numbered from 1, as VW wants."""
    files = {name: directory / f"rows.{name}" for name in ("svm", "vw", "onebit")}
    done = 0
    with files["svm"].open("w") as svm, files["vw"].open("w") as vw:
        for block in stream.blocks():
            assert isinstance(block.rows, SparseRows)
            block = block.head(min(block.rounds, most - done) if most else block.rounds)
            for label, pairs in lines(block.rows, block.truths.labels.tolist()):  # type: ignore[union-attr]
                svm.write(f"{label} {pairs}\n")
                vw.write(f"{label} | {pairs}\n")
            done += block.rounds
            if done == most:
                break
    labels = "|".join(str(k + 1) for k in range(len(stream.labels)))
    spec = f"{files['svm']}:labels={labels},features={stream.features},base=1"
    pack(open_stream(spec, 0), files["onebit"], spec)
    return files


def lines(rows: SparseRows, truths: list[int]) -> Iterator[tuple[int, str]]:
    """Return the label of each row, from 1, and its pairs index:value, indices from 1."""
    starts, indices, values = (array.tolist() for array in rows)
    for i, truth in enumerate(truths):
        part = slice(starts[i], starts[i + 1])
        pairs = zip(indices[part], values[part], strict=True)
        yield truth + 1, " ".join(f"{j + 1}:{value:.6g}" for j, value in pairs)


def runs(files: dict[str, Path], labels: int) -> list[Run]:
    """Return what is run, ours and Vowpal Wabbit's."""
    play = [sys.executable, "-m", "onebit.cli", "play"]
    given = ["--labels", ",".join(str(k + 1) for k in range(labels))]
    found = [
        Run("svmlight", [*play, str(files["svm"]), "banditron"], "VW text"),
        Run("svmlight, --labels", [*play, str(files["svm"]), "banditron", *given], "VW text"),
        Run("VW's text", [*play, str(files["vw"]), "banditron"], "VW text"),
        Run("VW's text, --labels", [*play, str(files["vw"]), "banditron", *given], "VW text"),
        Run("packed", [*play, str(files["onebit"]), "banditron"], "VW cache"),
    ]
    if importlib.util.find_spec("vowpalwabbit") is None:
        return [run._replace(against=None) for run in found]
    options = f"--cbify {labels} --epsilon 0.05 --quiet"
    cache = files["vw"].with_suffix(".cache")
    read_text = [sys.executable, "-c", VW, f"{options} --data {files['vw']}"]
    read_cache = [*read_text[:3], f"{read_text[3]} --cache_file {cache}"]  # used where it is there
    subprocess.run([*read_text[:3], f"{read_text[3]} --cache_file {cache} -k"], check=True)
    return [*found, Run("VW text", read_text), Run("VW cache", read_cache)]


def measure(runs: list[Run], repeats: int) -> list[Row]:
    """Run each once unmeasured, then take turns; return a row for each."""
    for run in runs:
        timed(run.command)
    taken = [[timed(run.command) for run in runs] for _ in range(repeats)]
    seconds = {run.name: [turn[n][0] for turn in taken] for n, run in enumerate(runs)}
    medians = {name: statistics.median(times) for name, times in seconds.items()}
    return [
        Row(
            run.name, medians[run.name], min(seconds[run.name]), max(seconds[run.name]),
            medians[run.against] / medians[run.name] if run.against else None,
            max(turn[n][1] for turn in taken) / 1e6,
        )
        for n, run in enumerate(runs)
    ]  # fmt: skip


def timed(command: list[str], now: Callable[[], float] = time.perf_counter) -> tuple[float, float]:
    """Return the wall time of a new process, and the most private memory of it, in bytes."""
    start = now()
    out = subprocess.DEVNULL
    process = subprocess.Popen(command, stdout=out, stderr=subprocess.PIPE, env=environment())
    assert process.stderr is not None
    ended, peaks = threading.Event(), [0.0]
    watch = threading.Thread(target=watch_memory, args=(process.pid, ended, peaks))
    watch.start()
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = now() - start
    ended.set()
    watch.join()
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(errors.decode())
    return seconds, peaks[0] or usage.ru_maxrss * 1024.0


def environment() -> dict[str, str]:
    """Return the variables of a process that keeps what it compiles of the modules it imports."""
    return {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


def watch_memory(pid: int, ended: threading.Event, peaks: list[float]) -> None:
    """Note the most private memory of a process, without pages of files; nothing if not Linux."""
    status = Path(f"/proc/{pid}/status")
    while not ended.wait(0.01):
        try:
            found = re.search(r"RssAnon:\s+(\d+) kB", status.read_text())
        except OSError:
            return
        peaks[0] = max(peaks[0], int(found[1]) * 1024.0 if found else 0.0)


def table(files: dict[str, Path], rows: list[Row]) -> str:
    """Return the table as Markdown."""
    sizes = ", ".join(f"{name} {path.stat().st_size / 1e6:.0f} MB" for name, path in files.items())
    head = "file", "seconds", "least", "most", "VW / ours", "private MB"
    body = [
        (
            row.name, f"{row.seconds:.2f}", f"{row.least:.2f}", f"{row.most:.2f}",
            f"{row.ratio:.2f}" if row.ratio else "", f"{row.megabytes:.0f}",
        )
        for row in rows
    ]  # fmt: skip
    return f"{markdown([head, *body])}\n\nSizes: {sizes}."


if __name__ == "__main__":
    main()
