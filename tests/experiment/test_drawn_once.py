"""A figure is drawn again only if what it shows, or how it is drawn, has changed."""

import matplotlib as mpl
import pytest

from onebit.experiment.report import drawn_once
from onebit.experiment.report.curves_figure import draw_grids

GRID = ({"one": {"0.1": [0.2, 0.3, 0.25], "0.3": [0.1, 0.2, 0.15]}}, "a title", "gamma")


class Figure:
    """A figure in a directory, and how often it was drawn."""

    def __init__(self, directory):
        self.path, self.drawn = directory / "figures" / "grid", 0
        self.records = directory / "trials"
        self.records.mkdir()

    def files(self, data=GRID):
        grids, title, axis_label = data

        def draw():
            self.drawn += 1
            return draw_grids(grids, self.path, title, axis_label)

        return drawn_once.draw_once(self.path, (*data, self.path), draw, self.records)


@pytest.fixture
def figure(tmp_path):
    made = Figure(tmp_path)
    made.first = {file: file.read_bytes() for file in made.files()}
    assert made.drawn == 1
    return made


def check_drawn_again(figure, data=GRID):
    files = figure.files(data)
    assert figure.drawn == 2
    assert files == list(figure.first)


def test_what_is_the_same_is_not_drawn_again(figure):
    assert figure.files() == list(figure.first)
    assert figure.drawn == 1
    assert {file.suffix for file in figure.first} == {".png", ".svg"}
    assert {file: file.read_bytes() for file in figure.files()} == figure.first


@pytest.mark.parametrize(
    "data",
    [
        ({"one": {"0.1": [0.2, 0.3, 0.25], "0.3": [0.1, 0.2, 0.16]}}, *GRID[1:]),
        ({"two": GRID[0]["one"]}, *GRID[1:]),
        (GRID[0], "another title", "gamma"),
    ],
)
def test_other_data_are_drawn(figure, data):
    check_drawn_again(figure, data)
    assert {file: file.read_bytes() for file in figure.first} != figure.first


@pytest.mark.parametrize("ending", [".png", ".svg"])
@pytest.mark.parametrize("harm", ["removed", "damaged"])
def test_a_file_that_is_not_what_was_drawn_is_drawn_again(figure, ending, harm):
    file = figure.path.with_suffix(ending)
    file.unlink() if harm == "removed" else file.write_bytes(file.read_bytes()[:-1])
    check_drawn_again(figure)
    assert {file: file.read_bytes() for file in figure.first} == figure.first


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"drawn_from": "x", "files": {}}', "\xff"])
def test_a_damaged_record_is_no_record(figure, text):
    (record,) = figure.records.iterdir()
    record.write_text(text, "latin-1")
    check_drawn_again(figure)


def test_other_sources_draw_again(figure, monkeypatch):
    monkeypatch.setattr(drawn_once, "source_digest", lambda folders: "edited")
    check_drawn_again(figure)


@pytest.mark.parametrize("library", drawn_once.LIBRARIES)
def test_another_version_of_a_library_draws_again(figure, monkeypatch, library):
    real = drawn_once.version
    changed = lambda name: "0.0" if name == library else real(name)  # noqa: E731
    monkeypatch.setattr(drawn_once, "version", changed)
    drawn_once._versions.cache_clear()
    check_drawn_again(figure)
    drawn_once._versions.cache_clear()


def test_other_settings_of_matplotlib_draw_again(figure):
    with mpl.rc_context({"font.size": 12.5}):
        check_drawn_again(figure)
