"""Other packages on the same rows, each used as in its own documentation.

Vowpal Wabbit also learns from one bit (`--cbify` hides the labels). It is run over a file
by its own C++ driver, which parses in a second thread, and over examples that were parsed
before, with one Python call each. river has no bandit that reads rows of this width in
reasonable time (its documentation of LinUCB says so), so its one-vs-rest perceptron is
measured, which learns from the true label. contextualbandits is left out: it comes as
source only and needs a compiler.
"""

from __future__ import annotations

import importlib.util
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench import datasets
from bench.timing import Case, step_seconds

AGAINST = "banditron, sparse"
VOWPAL = f"--cbify {datasets.SIZES.labels} --cb_type mtr --epsilon 0.05 --quiet"


def missing() -> list[str]:
    """Return the peers that are not installed, by the name of their package."""
    return [name for name in ("vowpalwabbit", "river") if importlib.util.find_spec(name) is None]


def cases(rows: int, python_rows: int) -> Iterator[Case]:
    """Yield the cases of the peers that are installed."""
    away = missing()
    if "vowpalwabbit" not in away:
        yield _vowpal_file(rows)
        yield _vowpal_parsed(python_rows)
    if "river" not in away:
        yield _river(python_rows)


def _lines(rows: int) -> list[str]:
    """Return rows as Vowpal Wabbit reads them, labels from 1."""
    return [f"{truth + 1} | {' '.join(map(str, words))}" for words, truth in _examples(rows)]


def _examples(rows: int) -> list[tuple[list[int], int]]:
    blocks = datasets.dataset("sparse", rows).blocks
    pairs = [
        pair
        for b in blocks
        for pair in zip(datasets.nonzero_features(b), datasets.labels(b), strict=True)
    ]
    return pairs[:rows]


def _vowpal_file(rows: int) -> Case:
    from vowpalwabbit import Workspace

    text = "\n".join(_lines(rows)) + "\n"

    def run() -> list[float]:
        with tempfile.TemporaryDirectory() as directory:
            file = Path(directory) / "rows.vw"
            file.write_text(text)
            start = time.perf_counter(), time.process_time()
            Workspace(f"{VOWPAL} --data {file}").finish()
            # A run is one long part. Wall time is the smaller one on an idle machine (its threads
            # overlap); on a busy machine CPU time leaves out the time spent waiting.
            return [min(time.perf_counter() - start[0], time.process_time() - start[1])]

    return Case("peers", "Vowpal Wabbit cbify, from a file", rows, run, None, AGAINST)


def _vowpal_parsed(rows: int) -> Case:
    from vowpalwabbit import Workspace

    workspace = Workspace(VOWPAL)
    examples = [workspace.example(line) for line in _lines(rows)]

    def run() -> list[float]:
        return step_seconds(map(workspace.learn, examples))

    return Case("peers", "Vowpal Wabbit cbify, parsed before", rows, run, None, AGAINST)


def _river(rows: int) -> Case:
    from river.linear_model import Perceptron
    from river.multiclass import OneVsRestClassifier

    examples = [(dict.fromkeys(words, 1.0), truth) for words, truth in _examples(rows)]

    def run() -> list[float]:
        model = OneVsRestClassifier(Perceptron())
        return step_seconds((model.predict_one(x), model.learn_one(x, y)) for x, y in examples)

    return Case("peers", "river perceptron (told the label)", rows, run, None, AGAINST)
