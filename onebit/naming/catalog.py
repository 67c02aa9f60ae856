"""Finding classes by name: one file in a folder of the package is one name.

`learners/banditron.py` is `banditron`; an underscore in the name of the file is a hyphen, and a
file whose name begins with one has no name. Other packages add names by entry points of the group
`onebit.<folder>`, and any declared class can be given as `package.module.Class`. An entry point
that cannot be imported affects its own name alone.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint, entry_points

from onebit.errors import BadInput, UnknownName
from onebit.naming.params import short_repr
from onebit.naming.suggesting import did_you_mean


class Catalog:
    """The declared classes of one folder, such as the learners."""

    def __init__(
        self,
        package: str,
        word: str,
        *,
        group: str | None = None,
        see: str | None = None,
        mark: str | None = None,
    ) -> None:
        self.package, self.group = package, group or package
        self.word, self.see, self.mark = word, see or f"{word}s", mark or word
        self._declared: dict[type, object] = {}

    def declare(self, kind: type, traits: object) -> None:
        """Record a class and its declared traits."""
        self._declared[kind] = traits

    def traits(self, kind: type) -> object:
        """Return what `kind` was declared with."""
        if not isinstance(kind, type) or kind not in self._declared:
            raise self._undeclared(kind)
        return self._declared[kind]

    def names(self) -> list[str]:
        """Return every name, built in or from another package's entry point.

        Returns
        -------
        list of str
            The names, sorted.
        """
        return sorted({*self._built_in(), *self._plugged_in()})

    def importable(self, on_error: Callable[[BadInput], object]) -> Iterator[tuple[str, type]]:
        """Iterate over everything that can be imported.

        Parameters
        ----------
        on_error : callable
            Called with the BadInput of each that cannot be imported.

        Yields
        ------
        name : str
            A name.
        kind : type
            Its class.
        """
        for name in self.names():
            try:
                kind = self.find(name)
            except BadInput as broken:
                on_error(broken)
            else:
                yield name, kind

    def find(self, name: str) -> type:
        """Return the class that a name stands for.

        Parameters
        ----------
        name : str
            A name, or the dotted path package.module.Class of anything that is declared.

        Returns
        -------
        type
            The class.

        Raises
        ------
        UnknownName
            If there is none of this name, or if it cannot be imported.
        """
        if "." in name:
            return self._import(name)
        if name in self._built_in():
            module = importlib.import_module(f"{self.package}.{name.replace('-', '_')}")
            return next(kind for kind in list(self._declared) if kind.__module__ == module.__name__)
        if name in self._plugged_in():
            path = self._plugged_in()[name]
            return self._import(path, f"{name} ({path})")
        near = did_you_mean(name, self.names())
        raise UnknownName(
            f"onebit: no {self.word} is called {short_repr(name)!r}{near}; see `onebit {self.see}`."
        )

    def check_imported(self, name: str) -> None:
        """Raise UnknownName if a name from a file is in a module that is not imported yet."""
        if "." in name and name.rpartition(".")[0] not in sys.modules:
            raise UnknownName(f"onebit: {name} is not part of onebit; import its module first.")

    def name(self, kind: type) -> str:
        """Return the name of a class, the inverse of `find`.

        Parameters
        ----------
        kind : type
            A class.

        Returns
        -------
        str
            Its name, or its dotted path if it has none.
        """
        module, _, file = kind.__module__.rpartition(".")
        if module == self.package:
            return file.replace("_", "-")
        path = f"{kind.__module__}.{kind.__qualname__}"
        return next((name for name, its in self._plugged_in().items() if its == path), path)

    def _import(self, path: str, called: str | None = None) -> type:
        module, _, attribute = path.rpartition(".")
        who = f"onebit: {self.word} {short_repr(called or path)}"
        if not all(part.isidentifier() for part in path.split(".")):
            raise UnknownName(f"{who} cannot be imported: it is no path package.module.Class.")
        try:
            kind = getattr(importlib.import_module(module), attribute)
        except (ImportError, AttributeError, ValueError) as error:
            raise UnknownName(f"{who} cannot be imported: {short_repr(str(error))}.") from None
        except (Exception, SystemExit) as error:  # whatever the user's module does
            why = f"{type(error).__name__}: {short_repr(str(error))}"
            raise UnknownName(f"{who} cannot be imported: {why}.") from error
        if not isinstance(kind, type) or kind not in self._declared:
            raise self._undeclared(called or path)
        return kind

    def _undeclared(self, what: object) -> BadInput:
        return UnknownName(
            f"onebit: {short_repr(what)} is not a {self.word};"
            f" decorate its class with @{self.mark}(...)."
        )

    @functools.cached_property
    def _files(self) -> list[str]:
        package = importlib.import_module(self.package)
        found = pkgutil.iter_modules(package.__path__)
        shown = [m.name for m in found if not m.ispkg and not m.name.startswith("_")]
        return [name.replace("_", "-") for name in shown]

    def _built_in(self) -> list[str]:
        return self._files

    @functools.cache  # noqa: B019  a catalog lives as long as the program
    def _plugged_in(self) -> dict[str, str]:
        """Return the dotted path for the name of every entry point."""
        return {p.name: _path(p) for p in entry_points(group=self.group)}


def _path(point: EntryPoint) -> str:
    """Return an entry point's class as package.module.Class, as written if it is malformed."""
    try:
        return f"{point.module}.{point.attr}" if point.attr else point.module
    except AttributeError:
        return point.value
