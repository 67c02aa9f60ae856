"""Writing any rows in each format, for tests that read them back."""

import csv
import io
import json

import numpy as np


def dense(stream):
    """All rows of a stream as a matrix, and its labels as the user would write them."""
    rows, labels = [], []
    for block in stream.blocks():
        for i in range(block.rounds):
            start, stop = block.rows.starts[i : i + 2]
            row = np.zeros(stream.features)
            columns = block.rows.indices[start:stop]
            assert (np.diff(columns) > 0).all()
            row[columns] = block.rows.values[start:stop]
            rows.append(row)
            labels.append(stream.labels[block.truths.labels[i]])
    return np.array(rows).reshape(len(rows), stream.features), labels


def svmlight(rows, labels, base=1):
    lines = []
    for row, label in zip(rows, labels, strict=True):
        pairs = " ".join(f"{j + base}:{v!r}" for j, v in enumerate(row) if v)
        lines.append(f"{label} {pairs}\n")
    return "".join(lines)


def vw(rows, labels):
    lines = []
    for row, label in zip(rows, labels, strict=True):
        pairs = " ".join(f"f{j}:{v!r}" for j, v in enumerate(row) if v)
        lines.append(f"{label} |n {pairs}\n")
    return "".join(lines)


def separated(rows, labels, **style):
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n", **style)
    writer.writerow([*(f"f{j}" for j in range(len(rows[0]))), "label"])
    for row, label in zip(rows, labels, strict=True):
        writer.writerow([*map(repr, row), label])
    return out.getvalue()


def jsonl(rows, labels):
    pairs = zip(rows, labels, strict=True)
    return "".join(json.dumps({"x": list(row), "y": label}) + "\n" for row, label in pairs)
