"""Finished trials, kept in a directory as one file each.

A file is named after the trial's address, written under a temporary name and renamed. So a
crash leaves no partial file, and two runs may share a directory.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from onebit.errors import BadFile
from onebit.experiment.run.address import stream_address, trial_address
from onebit.experiment.run.bound_fit import fit_comparator
from onebit.experiment.run.trial import Result, Trial
from onebit.kernel.atomic import write_atomically
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
            raise BadFile(f"onebit: {directory} cannot be written: {error.strerror}.") from None

    def find(self, trial: Trial) -> Result | None:
        """Return the kept result of a trial; None if there is none or its file is damaged."""
        try:
            fields = json.loads(self._path(trial).read_bytes())
            curve = [(int(point), int(mistakes)) for point, mistakes in fields["curve"]]
            result = Result(**{**fields, "curve": curve})
        except (OSError, ValueError, KeyError, TypeError):
            return None
        same = (result.stream, result.learner, result.seed) == (
            trial.stream_spec,
            trial.learner_spec,
            trial.seed,
        )
        return result if same else None

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
            return Measure(**json.loads(self._fit_path(trial).read_bytes()))
        except (OSError, ValueError, TypeError):
            return None

    def _fit_path(self, trial: Trial) -> Path:
        """Return the file of the comparator of a stream; it does not depend on the learner."""
        return self.directory / f"{stream_address(trial)}-fit.json"

    def _write(self, path: Path, fields: dict[str, Any]) -> None:
        with write_atomically(path) as file:
            file.write(json.dumps(fields).encode())

    def _path(self, trial: Trial) -> Path:
        return self.directory / f"{trial_address(trial)}.json"
