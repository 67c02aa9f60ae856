"""tsv: a table in text, with tabs between fields."""

from __future__ import annotations

import csv
from typing import Any

from onebit.streams.formats import file_format
from onebit.streams.formats.csv import Csv


@file_format(".tsv", ".tab")
class Tsv(Csv):
    """A table with tabs: one column is the label, what the others are is found out."""

    USUAL_DELIMITER = "tab"

    def csv_options(self, delimiter: str) -> dict[str, Any]:
        """Quotes have no meaning."""
        return {"delimiter": delimiter, "quoting": csv.QUOTE_NONE}
