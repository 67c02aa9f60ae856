"""Finished trials, kept in a directory and found again by what they are.

A trial's address is a hash of its specs, its seed, its rounds, what its stream
reads from disk, and the sources that it is played by: whatever could change its
result changes its address. Each result is one file, written under another name
and renamed, so that a crash leaves it whole or not at all, and two runs in one
directory do each other no harm.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from onebit.errors import BadInput
from onebit.experiment.run.bound_fit import fit_comparator
from onebit.experiment.run.trial import Result, Trial
from onebit.kernel.cache import COMPILED, plugin_digest, source_digest
from onebit.theory.comparator import Measure

#: Folders of the package that decide a result.
DECISIVE = (*COMPILED, "agent", "experiment/run")


class Store:
    """The finished trials of a directory."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory / "trials"
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadInput(f"onebit: {directory} cannot be written: {error.strerror}.") from None

    def find(self, trial: Trial) -> Result | None:
        """Return the result of a trial that was finished before; a damaged file is none."""
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
        """Return the measures of weights fitted to a trial's stream, once for all learners."""
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
        """Return the file for the weights fitted to a stream, which no learner changes."""
        return self.directory / f"{_stream_address(trial)}-fit.json"

    def _write(self, path: Path, fields: dict[str, Any]) -> None:
        half = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.half")
        with open(half, "w") as file:
            json.dump(fields, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(half, path)

    def _path(self, trial: Trial) -> Path:
        return self.directory / f"{address(trial)}.json"


def address(trial: Trial) -> str:
    """Return the hash that names the file of a trial."""
    return _hash(_stream_address(trial), trial.learner_spec, _digests(trial.learner.kinds))


def _stream_address(trial: Trial) -> str:
    """Return a hash of everything that decides the rows of a trial.

    A stream that reads files has a method `digest` that returns a hash of their contents.
    """
    sources = [source for _, source in (trial.stream, *trial.transforms)]
    classes = [kind for source in sources for kind in _classes_in(source)]
    read = [source.digest() for source in sources if hasattr(source, "digest")]
    return _hash(*trial.stream_key, _digests(classes), read, source_digest(DECISIVE))


def _classes_in(value: Any) -> Iterator[type]:
    """Yield the class of an object and those of the objects that it holds in fields.

    So a file's format and the hypotheses of `advise` are found.
    """
    if type(value).__module__ == "builtins":
        return
    yield type(value)
    held = [*getattr(value, "__dict__", {}).values()]
    for inner in (*value, *held) if isinstance(value, tuple) else held:
        yield from _classes_in(inner)


def _digests(classes: Iterable[type]) -> list[str]:
    """Return the digests of the files of classes from other packages, of their bases too."""
    found = dict.fromkeys(base for kind in classes for base in kind.__mro__)
    return [plugin_digest(base) for base in found if base.__module__ != "builtins"]


def _hash(*parts: object) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]
