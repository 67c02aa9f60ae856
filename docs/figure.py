"""Copy the figures of the documentation from reports, for light and dark pages (`make figure`).

The reports are in the directory `out`, or in the one given as an argument.
"""

import sys
from pathlib import Path

from onebit.experiment.report.canvas import darken

HERE = Path(__file__).parent
#: Figures by their names here.
FIGURES = {
    "synsep": "figures/synsep-curves.svg",
    "auto-curves": "auto-compared/curves.svg",
    "auto-experts": "auto-connect4/experts.svg",
    "auto-drift": "auto-drift/experts.svg",
}


def main(out: Path) -> None:
    """Copy each figure that is there, and write it in the colours for dark pages."""
    for name, path in FIGURES.items():
        if (out / path).exists():
            svg = (out / path).read_text()
            for file, text in ((f"{name}.svg", svg), (f"{name}-dark.svg", darken(svg))):
                (HERE / file).write_text(text)
                print(f"wrote {HERE / file}, {len(text) / 1000:.0f} kB")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "out"))
