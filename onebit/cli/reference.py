"""Reference pages of learners, streams and so on, from docstrings and declared parameters."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping

from onebit import explorers, learners, streams
from onebit.agent.recipe import offers, parameters
from onebit.kernel.round import Bit
from onebit.kernel.state import Axes, remembered_axes
from onebit.learners import weak
from onebit.naming.params import Param, declared_params
from onebit.theory import hypotheses

#: A bar inside of a Markdown table.
BAR = r"\|"
#: Arrays of a state that are listed one by one.
_MOST_ARRAYS = 10


def first_line(kind: type) -> str:
    """Return the first line of a class's docstring."""
    return (inspect.getdoc(kind) or "").partition("\n")[0]


def learner_page(name: str) -> str:
    """Return the page of a learner, as Markdown."""
    kind = learners.find(name)
    traits = learners.traits(kind)
    hears = (
        "one bit (right or wrong)" if traits.hears is Bit else "the true label (full information)"
    )
    lines = [
        f"# {learners.name_of(kind)}",
        _text(kind),
        f"Hears {hears}. Reads {traits.row}. {_state(remembered_axes(kind))}"
        + (f" Takes {traits.labels} labels." if traits.labels else "")
        + (f" Offers {explorers.NEEDS['estimates']}." if offers(kind, "estimates") else "")
        + (f" Offers {explorers.NEEDS['widths']}." if offers(kind, "widths") else ""),
        _table(parameters(kind)),
    ]
    return "\n\n".join(lines) + "\n"


def explorer_page(name: str) -> str:
    """Return the page of an explorer, as Markdown."""
    kind = explorers.find(name)
    lines = [f"# {name}", _text(kind), _table(declared_params(kind))]
    needs = explorers.traits(kind).needs
    if needs != "scores":
        offering = [each for each in learners.names() if offers(learners.find(each), needs)]
        lines.insert(2, f"Needs {explorers.NEEDS[needs]}. Learners: {', '.join(offering)}.")
    return "\n\n".join(lines) + "\n"


def hypotheses_page(name: str) -> str:
    """Return the page of a class of hypotheses, as Markdown."""
    kind = hypotheses.find(name)
    named = name in hypotheses.names_for_specs()
    use = f"By name: `--with advise:class={name}`." if named else "Made in Python alone."
    table = _table(declared_params(kind)) if named else "No parameters on the command line."
    return "\n\n".join([f"# {name}", _text(kind), use, table]) + "\n"


def weak_page(name: str) -> str:
    """Return the page of a weak learner, as Markdown."""
    kind = weak.find(name)
    return "\n\n".join([f"# {name}", _text(kind), _state(remembered_axes(kind))]) + "\n"


def stream_page(name: str) -> str:
    """Return the page of a stream or a transform, as Markdown."""
    if name in streams.transform_names():
        change = streams.find_transform(name)
        return "\n\n".join([f"# {name}", _text(change), _table(declared_params(change))]) + "\n"
    kind = streams.find(name)
    traits = streams.traits(kind)
    size = f"{traits.rows:,} rows" if traits.rows else "endless"
    lines = [
        f"# {streams.name_of(kind)}",
        _text(kind),
        f"{size}, {traits.labels} labels, {traits.features:,} features."
        f" Source: {traits.source}. Licence: {traits.licence}.",
        _table(declared_params(kind)),
    ]
    return "\n\n".join(lines) + "\n"


def format_page(name: str) -> str:
    """Return the page of a format of files, as Markdown."""
    from onebit.streams import formats
    from onebit.streams.file import common_parameters

    kind = formats.find(name)
    endings = ", ".join(f"`{ending}`" for ending in formats.traits(kind).endings)
    params = (*common_parameters(kind), *declared_params(kind))
    lines = [f"# {name}", _text(kind), f"Endings: {endings}.", _table(params)]
    return "\n\n".join(lines) + "\n"


def _state(arrays: Mapping[str, Axes]) -> str:
    """Return a sentence with the arrays of the state, their axes and types.

    If they are many, which are of states inside, these are named alone.
    """
    if len(arrays) > _MOST_ARRAYS:
        inside = dict.fromkeys(f"`{field.partition('.')[0]}`" for field in arrays)
        return f"Remembers {len(arrays)} arrays, in {', '.join(inside)}."
    described = [
        f"`{field}` ({' x '.join(map(str, axes.axes))}, {axes.dtype})"
        for field, axes in arrays.items()
    ]
    return f"Remembers {', '.join(described) or 'nothing'}."


def _text(kind: type) -> str:
    """Return the docstring, with its example as a code block."""
    text, prompt, example = (inspect.getdoc(kind) or "").partition("\n>>> ")
    return f"{text.rstrip()}\n\n```python\n>>> {example}\n```" if prompt else text


def _table(params: Iterable[Param]) -> str:
    cells = [(f"`{p.name}`", str(p.default), str(p.rule), p.help) for p in params]
    rows = [f"| {' | '.join(text.replace('|', BAR) for text in row)} |" for row in cells]
    if not rows:
        return "No parameters."
    return "\n".join(
        ["| parameter | default | allowed | what it does |", "| --- | --- | --- | --- |", *rows]
    )
