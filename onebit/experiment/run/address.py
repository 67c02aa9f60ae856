"""The address of a trial: a hash of everything that could change its result.

These are its specs, seed and rounds, the contents of files that its stream reads, the
sources of onebit that results depend on, and those of every class of another package that
takes part: stream, file format, transform, hypotheses, learner, explorer, weak learner.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from typing import Any

from onebit.experiment.run.trial import Trial
from onebit.kernel.cache import COMPILED, plugin_digest, source_digest

#: Folders of the package whose sources results depend on.
RESULT_SOURCES = (*COMPILED, "agent", "experiment/run")


def trial_address(trial: Trial) -> str:
    """Return the hash that names the file of a trial."""
    return _hash(stream_address(trial), trial.learner_spec, _digests(trial.learner.kinds))


def stream_address(trial: Trial) -> str:
    """Return a hash of everything that determines the rows of a trial.

    A stream that reads files has a method `digest` that returns a hash of their contents.
    """
    sources = [source for _, source in (trial.stream, *trial.transforms)]
    classes = [kind for source in sources for kind in _classes_in(source)]
    read = [source.digest() for source in sources if hasattr(source, "digest")]
    return _hash(*trial.stream_key, _digests(classes), read, source_digest(RESULT_SOURCES))


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
