"""Figures of errors: their axes can be read, whatever the errors and the name of the file are."""

import warnings

import pytest

from onebit.experiment.report.canvas import new_figure, save_figure
from onebit.experiment.report.curves_figure import _log_errors, _title


@pytest.mark.parametrize(
    "ends", [(0.022, 0.97), (0.11, 0.95), (0.03, 0.9), (1e-5, 0.5), (0.3, 0.4)]
)
def test_an_axis_of_errors_has_several_numbers(ends):
    figure, axes = new_figure()
    axes.set_ylim(*ends)
    _log_errors(axes)
    figure.canvas.draw()
    ticks = [*axes.yaxis.get_major_ticks(), *axes.yaxis.get_minor_ticks()]
    shown = [t.label1.get_text() for t in ticks if ends[0] <= t.get_loc() <= ends[1]]
    assert len([text for text in shown if text]) >= 2


def test_a_name_that_the_font_has_no_letters_for_is_no_warning(tmp_path):
    figure, axes = new_figure()
    _title(axes, "\u6570\u636e $x$.csv", {1})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(save_figure(figure, tmp_path / "a")) == 2
