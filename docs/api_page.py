"""The page docs/api.md: the public API as Markdown, from docstrings and signatures."""

from __future__ import annotations

import importlib
import inspect
import textwrap

from public_api import (
    MODULES,
    Entity,
    Section,
    assignment,
    docstring,
    entities,
    sections,
    signature,
)

_INTRO = """# The public API

Generated from the docstrings by `make docs`: do not edit. What is listed here is public: it is in
`__all__` of a public module, and changes to it are listed in the changelog. All other names may
change without notice. Learners, explorers, streams and formats have pages by their command-line
names: [learners](learners/README.md), [explorers](explorers/README.md),
[hypotheses](hypotheses/README.md), [streams](streams/README.md), [weak learners](weak/README.md),
[formats](files.md).
"""


def api_page() -> str:
    """Return the page."""
    links = [f"- [{name}](#{anchor(name)}): {_first_line(name)}" for name in MODULES]
    return "\n\n".join([_INTRO + "\n" + "\n".join(links), *map(_module, MODULES)]) + "\n"


def anchor(heading: str) -> str:
    """Return the anchor that GitHub gives a heading."""
    return "".join(c for c in heading.lower() if c.isalnum() or c in "_-")


def _first_line(module: str) -> str:
    return (importlib.import_module(module).__doc__ or "").partition("\n")[0]


def _module(name: str) -> str:
    text = inspect.cleandoc(importlib.import_module(name).__doc__ or "")
    return "\n\n".join([f"## {name}", _prose(text), *map(_entity, entities(name))])


def _entity(entity: Entity) -> str:
    """Return the heading, the signature and the documentation of one entity."""
    called, parts = signature(entity), []
    if "." in entity.name:
        parts.append(f"#### {entity.name}")
    else:
        parts.append(f"### {entity.full_name}")
    short = entity.name.rpartition(".")[2]
    if entity.is_data:
        parts.append(_code(assignment(entity.module, entity.name)))
    elif isinstance(entity.value, type) and issubclass(entity.value, BaseException):
        bases = ", ".join(base.__name__ for base in entity.value.__bases__)
        code = f"; code `{entity.value.code}`" if hasattr(entity.value, "code") else ""
        parts.append(f"A subclass of `{bases}`{code}.")
    elif isinstance(entity.value, property):
        return "\n\n".join([*parts, f"A property. {_prose(docstring(entity))}"])
    elif called is not None:
        parts.append(_code(_wrapped(f"{short}{called.text}")))
    return "\n\n".join([*parts, *map(_section, sections(docstring(entity)))])


def _code(text: str) -> str:
    language = "python" if text.startswith(">>> ") else ""  # a signature is no code to format
    return f"```{language}\n{text}\n```"


def _wrapped(call: str) -> str:
    """Return a signature on lines of at most 100 characters."""
    return "\n".join(textwrap.wrap(call, 100, subsequent_indent="    ", break_long_words=False))


def _section(section: Section) -> str:
    """Return a section of a docstring as Markdown: examples as code, lists of names as lists."""
    if not section.title:
        return _prose(section.text)
    if section.title == "Examples":
        return f"**Examples**\n\n{_code(section.text.strip())}"
    lines = [f"**{section.title}**", ""]
    for head, body in section.items:
        name, colon, kind = head.partition(" : ")
        if colon:
            names = ", ".join(f"`{each.strip()}`" for each in name.split(","))
            lines.append(f"- {names} ({kind}): {_flat(body)}")
        else:
            lines.append(f"- `{name}`: {_flat(body)}" if body else f"- `{name}`")
    return "\n".join(lines)


def _prose(text: str) -> str:
    """Return paragraphs with indented lines, and examples at the end, as blocks of code."""
    done: list[str] = []
    for part in text.split("\n\n"):
        if part.startswith("    ") or part.startswith(">>> "):
            done.append(_code(textwrap.dedent(part)))
        elif part.strip():
            done.append(part)
    return "\n\n".join(done)


def _flat(body: str) -> str:
    return " ".join(body.split())
