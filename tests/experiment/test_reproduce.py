"""Reproducing a tiny paper: selection, verdicts and the report."""

import base64
import csv
import json
import re
import shutil

import pytest
from experiment import tiny
from experiment.reproducing import command, rows

from onebit import BadInput
from onebit.experiment.papers import Cell, Experiment, Number, Paper, papers
from onebit.experiment.report import canvas, curves_figure, terminal
from onebit.experiment.report.summary import computing_seconds
from onebit.experiment.reproduce import selection
from onebit.experiment.reproduce.bound_checks import CheckedBound
from onebit.experiment.reproduce.dataset_sizes import count
from onebit.experiment.reproduce.plan import plan
from onebit.experiment.reproduce.refinement import Refinement, refine
from onebit.experiment.reproduce.sections import build_section, front
from onebit.experiment.run import runner
from onebit.experiment.run.pools import open_pool
from onebit.experiment.run.trial import Result
from onebit.streams.opening import resolve

#: On one worker, which makes the fixtures of this file once.
pytestmark = [pytest.mark.xdist_group("reproduce"), pytest.mark.usefixtures("tiny_papers")]


# Which experiments


def names(*chosen):
    return [experiment.name for _, experiment in selection.select(chosen)]


def test_experiments_are_chosen_by_name_or_paper():
    all_tiny = ["tiny", "tiny-sizes", "tiny-theory", "tiny-picture"]
    assert names() == [*all_tiny, "long"]
    assert names("tiny-paper") == all_tiny
    assert names("long", "tiny", "long") == ["long", "tiny"]
    assert names("tiny", "tiny-paper") == all_tiny
    with pytest.raises(BadInput, match=r"no experiment is called 'tinny' \(did you mean tiny\?\)"):
        selection.select(["tinny"])


def test_a_list_runs_nothing(monkeypatch):
    monkeypatch.setattr(runner, "play_trials", lambda *args: pytest.fail("ran"))
    done = command("--list", "tiny-paper")
    assert done.exit_code == 0
    paper, *listed = done.stdout.splitlines()
    assert paper.startswith("tiny-paper: ")
    assert [line.split()[0] for line in listed] == names("tiny-paper")
    objects = map(json.loads, command("--list", "tiny-paper", "--json").stdout.splitlines())
    assert [each["experiment"] for each in objects] == names("tiny-paper")


def test_every_experiment_has_its_own_name_and_valid_specs():
    """Of the real papers: what cannot run is found here, not after minutes."""
    found = [e for paper in papers().values() for e in paper.experiments]
    assert len({e.name for e in found}) == len(found)
    for experiment in found:
        planned = plan(Paper("", "", ()), experiment)
        something = (*experiment.sizes, *experiment.text, *planned.cells, *planned.checks)
        assert something, experiment.name


# Bounds and sizes


def test_a_bound_holds_up_to_its_value():
    assert CheckedBound(3.0, 3.0, False).holds
    assert not CheckedBound(3.0, 3.1, False).holds


def test_sizes_are_counted():
    assert count(resolve("car")[1]) == (4, 6, 21, 1728)
    assert count(resolve("nursery")[1]) == (5, 8, 27, 12960)


# The report


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    out = tmp_path_factory.mktemp("report")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(selection, "papers", lambda: {"tiny-paper": tiny.paper()})
        done = command("--out", out)
    assert done.exit_code == 0, done.output
    return out


def test_the_page_needs_nothing_else(report):
    page = (report / "report.html").read_text()
    assert not re.search(r"https?://|<link|<script|@import|url\(", page)
    assert set(re.findall(r"src='(.{10})", page)) == {"data:image"}
    assert "A tiny &lt;paper&gt;" in page
    assert "Banditron &amp; kin" in page


def test_page_and_markdown_say_the_same(report):
    page, text = ((report / f"report.{kind}").read_text() for kind in ("html", "md"))
    figures = {path.stem for path in (report / "figures").glob("*.png")}
    assert figures == {"tiny-curves", "tiny-grid", "tiny-picture"}
    assert figures == {path.stem for path in (report / "figures").glob("*.svg")}
    assert set(re.findall(r"<img alt='([^']*)'", page)) == figures
    assert set(re.findall(r"!\[(.*?)\]\(figures/(.*?)\.png\)", text)) == {(f, f) for f in figures}
    cells = [c.strip() for line in text.splitlines() if line[:1] == "|" for c in line.split("|")]
    cells = [cell for cell in cells if cell.strip("-")]
    assert len(cells) > 60
    shown = re.sub(r"<t[dh][^>]*>", "\n", re.sub(r"</?b\b[^>]*>", "", page))
    shown = shown.replace("&#x27;", "'").replace("&amp;", "&")
    for cell in cells:
        assert f"\n{cell}<" in shown, cell


def test_every_single_result_is_in_the_csv(report):
    found = rows(report)
    # one has a grid of two, which is drawn wider until its best point is inside
    wider = {row["point"] for row in found} - {"", "gamma=0.1", "gamma=0.3"}
    assert wider
    tiny_cells = len([*tiny.paper().experiments[0].cells]) + 1 + len(wider)
    checks = tiny.paper().experiments[2].bound_checks
    assert len(found) == tiny_cells * tiny.SEEDS + sum(check.seeds for check in checks)
    for row in found:
        assert float(row["error"]) == int(row["mistakes"]) / int(row["rounds"])


def test_counts_add_up_to_the_published_numbers(report):
    numbers = [c for e in tiny.paper().experiments for c in e.cells if c.published]
    text = (report / "report.md").read_text()
    counted = re.search(r"Of (\d+) published numbers: ([^.]*)\. .* about ([0-9.]+) of the", text)
    total = sum(int(part.split()[0]) for part in counted[2].split(", "))
    assert int(counted[1]) == total == len(numbers)
    assert 0 < float(counted[3]) < total


def test_a_number_is_judged_on_its_own_grid_alone(report):
    """Wider points are drawn, and may be better: the row is about the points of the paper."""
    table = [line for line in (report / "report.md").read_text().splitlines() if "& kin" in line]
    assert "gamma=0.1" in table[0] or "gamma=0.3" in table[0]


def test_orders_are_added_until_our_mean_is_as_exact(tmp_path):
    cells = (
        Cell("Exact", "car", "perceptron", "", Number(0.2, 0.001)),
        Cell("Rough", "car", "perceptron", "", Number(0.28, 0.1)),
        Cell("Beside", "car", "perceptron:ties=first", "", Number(0.2, 0.001), judged=False),
    )
    planned = plan(Paper("", "", ()), Experiment("e", "E", "", cells, 10, 300, most_seeds=40))
    found = {}
    while trials := [trial for trial in planned.trials if trial not in found]:
        with open_pool(2) as pool:
            results, _ = runner.run_all(trials, pool, lambda progress: None)
        found.update(zip(trials, results, strict=True))
        planned = refine(planned, found)
    exact, rough, beside = build_section(planned, found, tmp_path).rows
    assert (exact.summary.runs, rough.summary.runs, beside.summary.runs) == (40, 10, 10)
    assert (beside.verdict, rough.verdict) == ("", "reproduced")
    assert exact.summary.se > 0.001 / 10**0.5
    assert exact.verdict != "reproduced"


def test_a_wider_point_has_as_many_runs_as_its_cell():
    cell = Cell("Few", "car", "banditron", "gamma=0.3,0.5", seeds=2)
    planned = plan(Paper("", "", ()), Experiment("e", "E", "", (cell,), 4, 300))
    with open_pool(1) as pool:
        results, _ = runner.run_all(planned.trials, pool, lambda progress: None)
    work = Refinement([planned])
    found = dict(zip(work.trials, results, strict=True))
    more = work.further_trials(found)
    assert more[: len(found)] == list(found)
    assert [trial.seed for trial in more[len(found) :]] == [0, 1]
    assert work.plans[0].cells[0].judged == ["gamma=0.3", "gamma=0.5"]


def test_a_number_that_was_not_run_is_counted(tmp_path):
    cell = Cell("Perceptron", "reuters4", "perceptron", "", Number(0.053))
    section = build_section(
        plan(Paper("", "", ()), Experiment("r", "R", "", (cell,))), {}, tmp_path
    )
    assert [row.verdict for row in section.rows] == ["not run"]
    assert "Of 1 published numbers: 0 reproduced" in front([section]).intro
    assert "1 not run" in front([section]).intro


def test_a_figure_is_in_the_page_for_light_and_for_dark(report):
    page = (report / "report.html").read_text()
    svg = (report / "figures" / "tiny-curves.svg").read_text()
    for text in (svg, canvas.darken(svg)):
        assert base64.b64encode(text.encode()).decode() in page
    assert canvas.darken(svg) != svg
    assert "#ffffff" in svg
    assert "#ffffff" not in canvas.darken(svg)


def test_figures_are_the_same_bytes_each_time(report, tmp_path):
    shutil.copytree(report / "trials", tmp_path / "trials")
    assert command("tiny", "--out", tmp_path).exit_code == 0
    for name in ("tiny-curves.svg", "tiny-curves.png", "tiny-grid.svg"):
        one, two = ((out / "figures" / name).read_bytes() for out in (report, tmp_path))
        assert one == two, name


def test_notes_stand_below_the_table_and_commands_below_that(report):
    for kind in ("html", "md"):
        text = (report / f"report.{kind}").read_text()
        places = [text.index(part) for part in ("[1]", "[1] at chance.", "onebit reproduce tiny")]
        assert places == sorted(places)


def test_the_time_counts_a_shared_stream_once():
    result = Result("s", "l", 1000, 0, 1, 0.001, 5.0, 0.0, 2000.0, 2, 2, [], [], False, {})
    other = result._replace(learner="m", us_per_round=1000.0, seconds=4.0)
    assert computing_seconds([result]) == pytest.approx(5.0)
    assert computing_seconds([result, other]) == pytest.approx(2.0 + 1.0 + 3.0)
    assert computing_seconds([result, other._replace(seed=1)]) == pytest.approx(9.0)


def test_bounds_are_drawn_along_the_curve(tmp_path, monkeypatch):
    drawn = {}
    cells = (
        Cell("Perceptron", "synsep", "perceptron", bound="perceptron"),
        Cell("Banditron", "synsep", "banditron:gamma=0.5", hidden=True),
    )
    experiment = Experiment("e", "E", "", cells, 1, 2000, True)
    planned = plan(Paper("", "", ()), experiment)
    trials = planned.trials
    with open_pool(1) as pool:
        results, _ = runner.run_all(trials, pool, lambda progress: None)
    monkeypatch.setattr(
        curves_figure,
        "draw_curves",
        lambda groups, *rest: drawn.update(groups=groups, rest=rest) or [],
    )
    found = dict(zip(trials, results, strict=True))
    build_section(planned, found, tmp_path)
    (name,) = drawn["groups"]  # what is hidden is not drawn
    rounds, errors = drawn["rest"][2][name]
    assert rounds == [n for n, _ in results[0].curve]
    mistakes = [m for _, m in results[0].curve]
    assert all(n * error >= seen for n, error, seen in zip(rounds, errors, mistakes, strict=True))
    assert errors[-1] < 1 < errors[0]


# A file in place of a stream


def test_a_file_can_replace_reuters4_and_has_no_verdict(tmp_path):
    file = tmp_path / "few.csv"
    file.write_text("label,x\n" + "a,1\nb,2\n" * 20)
    cell = Cell("Perceptron", "reuters4", "perceptron", "", Number(0.053))
    pairs = [(Paper("", "", ()), Experiment("r", "R", "Text.", (cell,), 2))]
    assert "not here" in plan(*pairs[0]).missing
    assert plan(*pairs[0]).trials == []
    ((_, changed),) = selection.replace_stream(pairs, "reuters4", str(file))
    planned = plan(pairs[0][0], changed)
    assert "few.csv" in planned.missing
    one, two = planned.trials
    assert one.transform_specs == ("shuffle",)
    assert (one.seed, two.seed) == (0, 1)
    with open_pool(1) as pool:
        results, _ = runner.run_all([one, two], pool, lambda progress: None)
    section = build_section(planned, dict(zip([one, two], results, strict=True)), tmp_path)
    published, played = section.rows
    assert (published.verdict, published.published[0]) == ("not run", 0.053)
    assert (played.verdict, played.published) == ("", None)
    assert section.command == f"onebit reproduce r --reuters4 {file}"


def test_where_data_is_missing_a_stand_in_is_played_and_not_judged(tmp_path):
    cell = Cell("Perceptron", "reuters4", "perceptron", "", Number(0.053))
    other = Cell("Perceptron, stand-in", "reuters4shape", "perceptron", rounds=300)
    experiment = Experiment("r", "R", "", (cell,), stand_ins=(other,), curves=True)
    planned = plan(Paper("", "", ()), experiment)
    with open_pool(1) as pool:
        results, _ = runner.run_all(planned.trials, pool, lambda progress: None)
    section = build_section(planned, dict(zip(planned.trials, results, strict=True)), tmp_path)
    assert [(row.name, row.verdict) for row in section.rows] == [
        ("Perceptron", "not run"),
        ("Perceptron, stand-in", ""),
    ]
    assert [path.name for path in section.figures] == ["r-curves.png", "r-curves.svg"]
    assert "reproduce --download" in section.missing


def test_reuters4_is_never_blank():
    """Of the real papers: what needs its data has something to play without."""
    found = [e for paper in papers().values() for e in paper.experiments]
    needing = [e for e in found if any(cell.stream == "reuters4" for cell in e.cells)]
    assert len(needing) >= 2
    for experiment in needing:
        assert experiment.stand_ins
        assert {cell.stream for cell in experiment.stand_ins} == {"reuters4shape"}
        assert not any(cell.published for cell in experiment.stand_ins)
        assert "one-hot" not in experiment.text.lower()


def test_other_experiments_are_left_alone():
    chosen = selection.select(["tiny"])
    assert selection.replace_stream(chosen, "reuters4", "x.csv") == chosen


# On the terminal


def test_tables_drop_what_there_is_no_room_for():
    header, rows = ("", "paper", "at"), [["Banditron", "29.4", "gamma=0.1"], ["Uniform", "", ""]]
    wide = terminal.columns(header, rows, 80, ("at",))
    assert wide == ["             paper  at", "  Banditron   29.4  gamma=0.1", "  Uniform"]
    narrow = terminal.columns(header, rows, 20, ("at",))
    assert narrow == ["             paper", "  Banditron   29.4", "  Uniform"]


def test_no_line_of_the_real_papers_is_wider_than_a_terminal():
    """Of those that are known before a run: names, titles, and numbers at their widest."""
    number = "100.0 ± 10.0"
    for paper in papers().values():
        for experiment in paper.experiments:
            names = [
                [c.name, number, number, "-10.00", "± 10.00", "", "", "reproduced"]
                for c in experiment.cells
            ]
            printed = (
                terminal.columns(terminal.COLUMNS, names, 80, terminal.OPTIONAL) if names else []
            )
            assert all(len(line) <= 80 for line in printed), experiment.name


def test_a_table_is_printed_for_each_experiment(report, tmp_path):
    shutil.copytree(report / "trials", tmp_path / "trials")
    printed = command("tiny-paper", "--out", tmp_path).stdout.splitlines()
    assert printed[0] == "tiny: Tiny figure (errors in percent)"
    assert any(line.split()[:2] == ["novikoff", "plane"] for line in printed)
    assert any("to be read in the report" in line for line in printed)


def test_tables_are_in_csv_too(report):
    with open(report / "tables" / "tiny-sizes.csv", newline="") as file:
        car, nursery = csv.DictReader(file)
    assert (car["columns"], car["features"], car["rows"]) == ("6", "21", "1728")
    assert (car[""], nursery[""]) == ("as printed", "differs")
    with open(report / "tables" / "tiny-theory.csv", newline="") as file:
        kept, vacuous = csv.DictReader(file)
    assert float(kept["bound"]) == pytest.approx(25.0)
    assert 0 < float(kept["seen"]) <= 25
    assert (kept["kept"], vacuous["kept"][:24]) == ("yes", "yes, but it says nothing")
