"""Finished trials, kept in a directory as one file each.

A file is named after the trial's address, written under a temporary name and renamed. So a
crash leaves no partial file, and two runs may share a directory. It has a checksum: what was
edited or damaged is not used, and the trial is run again.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from onebit.errors import file_error
from onebit.experiment.run.address import stream_address, trial_address
from onebit.experiment.run.bound_fit import fit_comparator
from onebit.experiment.run.trial import Result, Trial
from onebit.kernel.atomic import remove_leftovers, write_atomically
from onebit.theory.comparator import Measure

__all__ = ["Store"]


class Store:
    """The finished trials of a directory, and the comparators fitted to their streams.

    Parameters
    ----------
    directory
        The directory of `--out`; files go into its folder `trials`.

    Raises
    ------
    BadInput
        If the directory cannot be made.

    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory / "trials"
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise file_error(f"onebit: {directory} cannot be written", error) from None
        remove_leftovers(self.directory)

    def find(self, trial: Trial) -> Result | None:
        """Return the kept result of a trial; None if there is none or its file is damaged."""
        try:
            fields = self._read(self._path(trial))
            curve = [(int(point), int(mistakes)) for point, mistakes in fields["curve"]]
            result = Result(**{**fields, "curve": curve})
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None
        same = (result.stream, result.learner, result.seed) == (
            trial.stream_spec,
            trial.learner_spec,
            trial.seed,
        )
        return result if same and not result.interrupted else None

    def keep(self, trial: Trial, result: Result) -> None:
        """Keep the result of a finished trial."""
        self._write(self._path(trial), result._asdict())

    def comparator_measure(self, trial: Trial) -> Measure:
        """Return the measure of weights fitted to a trial's stream, once for all learners."""
        found = self._find_fit(trial)
        if found is None:
            found = fit_comparator(trial)
            self._write(self._fit_path(trial), found._asdict())
        return found

    def has_comparator(self, trial: Trial) -> bool:
        """Return whether weights were fitted to a trial's stream before."""
        return self._find_fit(trial) is not None

    def _find_fit(self, trial: Trial) -> Measure | None:
        try:
            return Measure(**self._read(self._fit_path(trial)))
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None

    def _fit_path(self, trial: Trial) -> Path:
        """Return the file of the comparator of a stream; it does not depend on the learner."""
        return self.directory / f"{stream_address(trial)}-fit.json"

    def _write(self, path: Path, fields: dict[str, Any]) -> None:
        text = json.dumps({"sha256": _checksum(path, fields), "content": fields})
        try:
            with write_atomically(path) as file:
                file.write(text.encode())
        except OSError as error:
            raise file_error(f"onebit: {path} cannot be written", error) from None

    def _read(self, path: Path) -> Any:
        """Return the fields of a file; raise ValueError if they are not those written."""
        found = json.loads(path.read_bytes())
        if found["sha256"] != _checksum(path, found["content"]):
            raise ValueError
        return found["content"]

    def _path(self, trial: Trial) -> Path:
        return self.directory / f"{trial_address(trial)}.json"


def _checksum(path: Path, fields: Any) -> str:
    """Return a checksum of what a file holds and of its name, the address."""
    return hashlib.sha256(f"{path.name} {json.dumps(fields)}".encode()).hexdigest()
