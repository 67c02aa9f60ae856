"""Copy the README's figure, the SYNSEP curves, from a report, for light and dark pages.

    onebit reproduce synsep && python docs/figure.py

The report is in the directory `out`, or in the one given as an argument.
"""

import sys
from pathlib import Path

from onebit.experiment.report.canvas import darken

HERE = Path(__file__).parent


def main(out: Path) -> None:
    """Copy the figure, and write it in the colours for dark pages."""
    svg = (out / "figures" / "synsep-curves.svg").read_text()
    for name, text in (("synsep.svg", svg), ("synsep-dark.svg", darken(svg))):
        (HERE / name).write_text(text)
        print(f"wrote {HERE / name}, {len(text) / 1000:.0f} kB")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "out"))
