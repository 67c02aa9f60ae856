"""The arguments that several theorems take: what each allows, and what it is."""

from __future__ import annotations

from typing import Annotated

from onebit.naming.params import Real, Whole

Labels = Annotated[int, Whole(2), "number of labels, K"]
Rounds = Annotated[int, Whole(1), "number of rounds, T"]
Size = Annotated[int, Whole(1), "number of hypotheses in the class, |H|"]
Features = Annotated[int, Whole(1), "number of features, d"]
Complexity = Annotated[float, Real("[0, inf)"), "complexity of the comparator, D = 2 ||W||^2"]
Loss = Annotated[float, Real("[0, inf)"), "total hinge loss of the comparator, L"]
Gamma = Annotated[float, Real("(0, 0.5]"), "share of rounds that explore; the proof needs <= 1/2"]
Delta = Annotated[float, Real("(0, 1)"), "probability with which the bound may fail"]
Radius = Annotated[float, Real("(0, inf)"), "largest norm of a row, R"]
Margin = Annotated[float, Real("(0, inf)"), "margin of the comparator"]
