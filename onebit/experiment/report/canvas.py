"""Empty figures in the common style, their files, and their colours on light and dark pages."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

from onebit.errors import BadInput

#: Okabe and Ito's colours, distinguishable for most colour-blind readers.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
#: Colours that are replaced on a dark page; the others are visible as they are.
DARK = {"#ffffff": "#16181c", "#000000": "#e6e6e6", "#0072b2": "#2b8fd6"}

NO_MATPLOTLIB = "onebit: figures need matplotlib, install it with: pip install 'onebit[plots]'."


def new_figure() -> tuple[Any, Any]:
    """Return an empty figure and its axes, in the common style.

    Raises
    ------
    BadInput
        If matplotlib is not installed.

    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise BadInput(NO_MATPLOTLIB) from None
    figure = Figure(figsize=(6.4, 5), dpi=150, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.grid(alpha=0.25, which="major")
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def without_math(text: str) -> str:
    """Return a text for a figure in which a dollar sign is one, and does not begin a formula."""
    return text.replace("$", r"\$")


def save_figure(figure: Any, path: Path) -> list[Path]:
    """Write a figure as PNG and SVG, with the same bytes each time, and return the files."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    path.parent.mkdir(parents=True, exist_ok=True)
    files = [path.with_suffix(ending) for ending in (".png", ".svg")]
    with warnings.catch_warnings(), rc_context({"svg.hashsalt": path.name}):
        warnings.filterwarnings("ignore", "Glyph .* missing")  # in the name of a file
        figure.get_layout_engine().execute(figure)
        figure.set_layout_engine("none")  # the layout is computed once for both files
        figure.canvas.print_png(files[0])
        canvas: Any = FigureCanvasSVG(figure)
        canvas.print_svg(files[1], metadata={"Date": None})
    return files


def darken(svg: str) -> str:
    """Return an SVG figure in the colours for a dark page; elements without a colour are black."""
    svg = svg.replace("<svg ", f'<svg fill="{DARK["#000000"]}" ', 1)
    return re.sub("#[0-9a-f]{6}", lambda colour: DARK.get(colour[0], colour[0]), svg)
