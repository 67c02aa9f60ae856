"""Draw the README's figure, for light pages and for dark ones: the report's SYNSEP curves.

    onebit reproduce synsep && python docs/figure.py

takes it from the report in `out`, or in the directory that is named.
"""

import sys
from pathlib import Path

from onebit.experiment.report.canvas import darken

HERE = Path(__file__).parent


def main(out: Path) -> None:
    """Copy the figure out of a report, and its dark twin."""
    svg = (out / "figures" / "synsep-curves.svg").read_text()
    for name, text in (("synsep.svg", svg), ("synsep-dark.svg", darken(svg))):
        (HERE / name).write_text(text)
        print(f"wrote {HERE / name}, {len(text) / 1000:.0f} kB")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "out"))
