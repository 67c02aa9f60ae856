"""What `--out DIR` writes: the results, the table and the figure."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from onebit.experiment import figure, voters
from onebit.experiment.table import comparison
from onebit.experiment.trial import Result
from onebit.params import BadInput


def write(results: Sequence[Result], directory: Path, bounds: Sequence[str] = ()) -> list[Path]:
    """Write the results into a directory and return the files."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        lines = directory / "results.jsonl"
        lines.write_text("".join(json.dumps(result._asdict()) + "\n" for result in results))
        table = directory / "table.txt"
        table.write_text(comparison(results) + "\n")
        return [
            lines,
            table,
            *figure.draw(results, directory, bounds),
            *voters.draw(results, directory),
        ]
    except OSError as error:
        raise BadInput(f"onebit: {directory} cannot be written: {error.strerror}.") from None
