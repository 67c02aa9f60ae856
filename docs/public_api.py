"""The public API of onebit: its modules, what is public in them, and their documentation."""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import textwrap
from collections.abc import Iterator
from typing import Any, NamedTuple

from onebit.kernel.verbs import Entry
from onebit.theory.bounds import theorems

#: The public modules. What `__all__` of these lists is public, and nothing else.
MODULES = (
    "onebit",
    "onebit.errors",
    "onebit.learners",
    "onebit.learners.weak",
    "onebit.explorers",
    "onebit.theory.hypotheses",
    "onebit.theory.hypotheses.callables",
    "onebit.theory.hypotheses.grid",
    "onebit.theory.hypotheses.linear",
    "onebit.theory.hypotheses.stumps",
    "onebit.theory.hypotheses.table",
    "onebit.theory.hypotheses.thresholds",
    "onebit.streams",
    "onebit.streams.opening",
    "onebit.streams.formats",
    "onebit.streams.reading.batch",
    "onebit.theory.bounds",
    "onebit.checks",
    "onebit.client",
    "onebit.kernel.rows",
    "onebit.kernel.round",
    "onebit.kernel.exploration",
    "onebit.kernel.sizes",
    "onebit.kernel.state",
    "onebit.kernel.verbs",
    "onebit.kernel.rng",
    "onebit.kernel.block",
    "onebit.naming.params",
    "onebit.naming.spec",
)

#: Classes that are public, but made by onebit alone: their constructors are not.
NOT_CONSTRUCTED = ("Choices", "Entry")
#: The sections of a docstring that list names.
_FIELDS = ("Parameters", "Attributes")


class Entity(NamedTuple):
    """Something public: its full name, itself, and the module that lists it.

    `name` is that of a class and a member for methods and properties: "Agent.decide".
    """

    module: str
    name: str
    value: Any

    @property
    def full_name(self) -> str:
        """The module and the name."""
        return f"{self.module}.{self.name}"

    @property
    def is_data(self) -> bool:
        """Whether it is a constant or a type alias, which has a comment and no docstring."""
        return not (isinstance(self.value, type | property) or _is_function(self.value))


def entities(module: str) -> Iterator[Entity]:
    """Yield what a public module lists, each class followed by its methods and properties."""
    found = importlib.import_module(module)
    for name in found.__all__:
        value = getattr(found, name)
        yield Entity(module, name, value)
        if isinstance(value, type):
            for member in _members(value):
                yield Entity(module, f"{name}.{member}", inspect.getattr_static(value, member))


def _members(kind: type) -> list[str]:
    """Return the names of the public methods and properties that a class of onebit defines."""
    ours = [base for base in kind.__mro__ if base.__module__.startswith("onebit")]
    names = dict.fromkeys(name for base in ours for name in vars(base) if name[0] != "_")
    static = {name: inspect.getattr_static(kind, name) for name in names}
    return [n for n, v in static.items() if isinstance(v, property) or _is_function(v)]


def _is_function(value: Any) -> bool:
    return inspect.isroutine(value) or isinstance(value, Entry | classmethod | staticmethod)


def _function(value: Any) -> Any:
    """Return the Python function that something callable is made of."""
    if isinstance(value, classmethod | staticmethod):
        return value.__func__
    return inspect.unwrap(value.body if isinstance(value, Entry) else value)


def docstring(entity: Entity) -> str:
    """Return the documentation of an entity: its docstring, or the comment before a constant."""
    if entity.is_data:
        return _comment(entity.module, entity.name)
    value = entity.value
    if isinstance(value, type):
        return inspect.cleandoc(vars(value).get("__doc__") or "")
    text = value.__doc__ if isinstance(value, property | Entry) else _documented(value)
    return inspect.cleandoc(text or "")


def _documented(value: Any) -> str | None:
    return value.__func__.__doc__ if hasattr(value, "__func__") else value.__doc__


def _comment(module: str, name: str) -> str:
    """Return the `#:` comment before the assignment of a name, in the module that makes it."""
    source, node = _assignment(module, name)
    lines, at = [], node.lineno - 2
    while at >= 0 and source[at].startswith("#:"):
        lines.insert(0, source[at][2:].strip())
        at -= 1
    return "\n".join(lines)


def assignment(module: str, name: str) -> str:
    """Return the line that assigns a constant or a type alias."""
    return name if name.startswith("__") else ast.unparse(_assignment(module, name)[1])


@functools.cache
def _assignment(module: str, name: str) -> tuple[list[str], ast.Assign | ast.AnnAssign]:
    """Return the lines of the module that assigns a name, and the assignment."""
    source = inspect.getsource(importlib.import_module(module))
    for node in ast.parse(source).body:
        if isinstance(node, ast.ImportFrom) and name in {a.asname or a.name for a in node.names}:
            return _assignment(node.module or "", name)
        if isinstance(node, ast.Assign | ast.AnnAssign) and name in _targets(node):
            return source.splitlines(), node
    raise LookupError(f"{module} does not assign {name}")


def _targets(node: ast.Assign | ast.AnnAssign) -> set[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return {part.id for each in targets for part in ast.walk(each) if isinstance(part, ast.Name)}


class Signature(NamedTuple):
    """The parameters to document, how the call is written, and whether it returns something."""

    parameters: list[str]
    text: str
    returns: bool
    raises: bool


def signature(entity: Entity) -> Signature | None:
    """Return the signature of a class or function; None if it is not called."""
    value = entity.value
    if entity.is_data or isinstance(value, property):
        return None
    if isinstance(value, type):
        return _class_signature(value)
    theorem = theorems.get(entity.name.replace("_", "-"))
    if entity.module == "onebit.theory.bounds" and theorem is not None:
        function = theorem.function
        given = [p.replace(annotation=p.empty) for p in _parameters(function, method=False)]
        return Signature([p.name for p in given], f"(*, {_joined(given)})", True, True)
    function = _function(value)
    bound = "." in entity.name and not isinstance(value, staticmethod)
    parameters = _parameters(function, bound)
    result = inspect.signature(function).return_annotation
    returns = result not in (None, "None", inspect.Signature.empty)
    text = f"({_joined(parameters)})" + (f" -> {result}" if returns else "")
    return Signature(_names(parameters), text, returns, _raises(function))


def _class_signature(kind: type) -> Signature | None:
    if hasattr(kind, "_fields"):
        defaults = kind._field_defaults
        written = [f"{f}={_written(defaults[f])}" if f in defaults else f for f in kind._fields]
        return Signature(list(kind._fields), f"({', '.join(written)})", False, False)
    init = inspect.getattr_static(kind, "__init__")
    if not inspect.isfunction(init) or issubclass(kind, BaseException):
        return None
    if getattr(kind, "_is_protocol", False) or kind.__name__ in NOT_CONSTRUCTED:
        return None
    parameters = _parameters(init, method=True)
    return Signature(_names(parameters), f"({_joined(parameters)})", False, _raises(init))


def _parameters(function: Any, method: bool) -> list[inspect.Parameter]:
    return list(inspect.signature(function).parameters.values())[int(method) :]


def _names(parameters: list[inspect.Parameter]) -> list[str]:
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    return [stars.get(p.kind, "") + p.name for p in parameters]


def _joined(parameters: list[inspect.Parameter]) -> str:
    written, before = [], True
    for p, name in zip(parameters, _names(parameters), strict=True):
        if p.kind is p.KEYWORD_ONLY and before:
            written.append("*")
        before = before and p.kind not in (p.KEYWORD_ONLY, p.VAR_POSITIONAL)
        typed = name if p.annotation is p.empty else f"{name}: {p.annotation}"
        equals = " = " if p.annotation is not p.empty else "="
        written.append(typed if p.default is p.empty else f"{typed}{equals}{_written(p.default)}")
    return ", ".join(written)


def _written(value: Any) -> str:
    """Return a default value as it is written."""
    if isinstance(value, type):
        return value.__name__
    return repr(value)


def _raises(function: Any) -> bool:
    """Return whether there is a raise statement with an exception in a function's source."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    return any(isinstance(node, ast.Raise) and node.exc for node in ast.walk(tree))


class Section(NamedTuple):
    """A section of a numpydoc docstring: its items by heading, or its text."""

    title: str
    text: str

    @property
    def items(self) -> list[tuple[str, str]]:
        """The headings of the items, such as "x, y : float", and their texts."""
        found: list[tuple[str, list[str]]] = []
        for line in self.text.splitlines():
            if line and not line.startswith(" "):
                found.append((line, []))
            elif found:
                found[-1][1].append(line)
        return [(head, textwrap.dedent("\n".join(lines)).strip()) for head, lines in found]

    @property
    def names(self) -> list[str]:
        """The names of the items, without their types."""
        heads = [head.partition(" : ")[0] for head, _ in self.items]
        return [name.strip() for head in heads for name in head.split(",")]


def sections(text: str) -> list[Section]:
    """Return the parts of a docstring: the one without a title first."""
    lines, found = text.splitlines(), [("", [])]
    at = 0
    while at < len(lines):
        following = lines[at + 1] if at + 1 < len(lines) else ""
        if lines[at].strip() and following and set(following) == {"-"}:
            found.append((lines[at].strip(), []))
            at += 2
            continue
        found[-1][1].append(lines[at])
        at += 1
    return [Section(title, "\n".join(body).strip("\n")) for title, body in found]


def problems(entity: Entity) -> list[str]:
    """Return what is missing or wrong in the documentation of an entity."""
    text = docstring(entity)
    if not text:
        return [f"{entity.full_name}: it is not documented"]
    called = signature(entity)
    if called is None:
        return []
    found = {section.title: section for section in sections(text)}
    wrong = []
    titles = _FIELDS if hasattr(entity.value, "_fields") else _FIELDS[:1]
    listed = [name for title in titles if title in found for name in found[title].names]
    if sorted(listed) != sorted(called.parameters):
        wrong.append(f"documents {listed}, takes {called.parameters}")
    described = [item for title in _FIELDS if title in found for item in found[title].items]
    wrong += [f"says nothing of {head}" for head, body in described if not body]
    if called.returns and not {"Returns", "Yields"} & set(found):
        wrong.append("has no section Returns")
    if not called.returns and {"Returns", "Yields"} & set(found):
        wrong.append("returns nothing, and has a section Returns")
    if called.raises and "Raises" not in found:
        wrong.append("raises, and has no section Raises")
    return [f"{entity.full_name}: it {each}" for each in wrong]
