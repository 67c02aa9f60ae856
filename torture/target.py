"""What a target is: it makes cases from random numbers, runs them, and makes them smaller."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from random import Random
from typing import Any, Protocol

from onebit.errors import CONTROLS, BadInput
from torture import targets


class Target(Protocol):
    """Input of one kind.

    A case is made of what `repr` writes and `ast.literal_eval` reads: texts, bytes, numbers, lists,
    tuples and dicts of these.
    """

    def make(self, random: Random) -> Any:
        """Return a case."""

    def run(self, case: Any) -> None:
        """Run a case; whatever it raises but BadInput is a finding."""

    def smaller(self, case: Any) -> Iterator[Any]:
        """Yield cases that are simpler, the simplest first."""


def names() -> list[str]:
    """Return the names of all targets."""
    return sorted(each.name for each in pkgutil.iter_modules(targets.__path__))


def find(name: str) -> Target:
    """Return a target by its name; with a dot in it, it is a module anywhere."""
    module = name if "." in name else f"torture.targets.{name}"
    return importlib.import_module(module).Target()  # type: ignore[no-any-return]


def case_of(target: Target, name: str, number: int) -> Any:
    """Return the case of a number."""
    return target.make(Random(f"{name} {number}"))


def attempt(target: Target, case: Any) -> str:
    """Run a case and return the finding, "" if there is none: the error and where it was raised."""
    try:
        target.run(case)
    except BadInput as error:
        return _complaint(str(error))
    except Exception as error:  # that is what is looked for
        trace, where = error.__traceback__, ""
        while trace is not None:
            code = trace.tb_frame.f_code
            if "/onebit/" in code.co_filename or not where:
                where = f"{code.co_filename.rpartition('/onebit/')[2]}:{trace.tb_lineno}"
            trace = trace.tb_next
        return f"{type(error).__name__} at {where}: {error}"
    return ""


def _complaint(sentence: str) -> str:
    """Return what is wrong with the sentence of an error, "" if nothing is."""
    if "\n" in sentence or not sentence.endswith("."):
        return f"not one sentence: {sentence!r}"
    if len(sentence) > 2000:
        return f"a sentence of {len(sentence)} characters: {sentence[:100]!r}"
    return f"not printable: {sentence!r}" if CONTROLS.search(sentence) else ""
