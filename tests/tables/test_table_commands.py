"""A user's own table on the command line: inspect, play without a learner, compare all, save."""

import json

import pytest
from click.testing import CliRunner
from pace import some
from tables.tickets import as_csv, tickets

from onebit import Agent
from onebit.cli.commands import cli
from onebit.errors import BadInput
from onebit.experiment.run import candidates
from onebit.experiment.run.candidates import OTHERS, one_bit_learners
from onebit.experiment.run.playing import play_trials
from onebit.learners import DEFAULT
from onebit.streams.opening import open_stream
from onebit.streams.reading import bad_lines
from onebit.streams.reading.stdin import interrupted

#: On one worker, which makes the fixtures of this file once.
pytestmark = pytest.mark.xdist_group("table commands")

RECORDS = tickets(some(1500, 200))


@pytest.fixture(autouse=True)
def _nothing_told():
    bad_lines._notified.clear()


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("commands") / "tickets.csv"
    path.write_text(as_csv(RECORDS))
    return str(path)


def call(*args):
    result = CliRunner().invoke(cli, args)
    assert result.exit_code == 0, (result.output, result.exception)
    return result


def test_inspect_says_what_is_in_a_file(path, tmp_path):
    result = call("inspect", path, "--out", str(tmp_path / "page"))
    text = result.stdout
    assert [line.split()[0] for line in result.stderr.splitlines()] == ["wrote", "wrote"]
    assert f"csv, {len(RECORDS):,} rows," in text
    assert "rows are sorted by time, column created; 0 duplicates among" in text
    lines = {line.split()[0]: line for line in text.splitlines() if line.startswith("  ")}
    for name, kind in {"ticket": "id", "created": "date", "premium": "yes/no", "spent": "number",
                       "subject": "text", "queue": "label"}.items():  # fmt: skip
        assert lines[name].split()[1] == kind
    gaps = sum(record["spent"] is None for record in RECORDS)
    assert f" {gaps} " in lines["spent"]
    assert text.splitlines()[-4:] == [
        "try next:", f"  onebit play {path}", f"  onebit compare {path} all",
        f"  onebit play {path} --save agent.npz",
    ]  # fmt: skip
    page = (tmp_path / "page" / "report.html").read_text()
    assert "What is in" in page
    assert "<code>onebit compare" in page
    lines = (tmp_path / "page" / "report.md").read_text().splitlines()
    assert {line.count(" | ") for line in lines if line.startswith("| ")} == {5, 2}
    assert not any("Run just this one" in line for line in lines)  # there is nothing to run
    found = json.loads(call("inspect", path, "--json").stdout)
    assert sum(found["labels"].values()) == found["rows"] == len(RECORDS)
    assert [c["name"] for c in found["columns"]][:2] == ["ticket", "created"]


def test_inspect_finds_leaks_duplicates_and_rows_that_are_sorted(tmp_path):
    rows = [
        f"{n * 7 % 11},{y}x,{10 * 'abc'.index(y) + n % 3},{y}\n" for y in "abc" for n in range(60)
    ]
    path = tmp_path / "a.csv"
    path.write_text("noise,code,level,kind\n" + "".join(rows) + rows[-1])
    text = call("inspect", str(path), "--label-column", "kind").stdout
    assert "looks like a leak: code alone predicts the label in 100.0%" in text
    assert "looks like a leak: level alone predicts the label in 100.0%" in text
    assert "leak: noise" not in text
    assert "rows are sorted by label; " in text
    assert f"onebit play {path} --label-column kind --with shuffle" in text
    duplicates = len(rows) + 1 - len(set(rows))
    assert f"; {duplicates} duplicates among 181 records" in text


def test_inspect_finds_leaks_in_numbers_with_gaps_or_marks(tmp_path):
    path = tmp_path / "a.csv"
    lines = ["gaps,price,noise,kind\n"]
    for n in range(900):
        level = 1000 * (n * 7 % 3) + n / 10
        gap = "" if n % 100 == 0 else level
        lines.append(f'{gap},"{level:,.2f} EUR",{n * n % 101 / 7:.3f},{"abc"[n * 7 % 3]}\n')
    path.write_text("".join(lines))
    text = call("inspect", str(path)).stdout
    assert "looks like a leak: gaps alone predicts the label in 9" in text
    assert "looks like a leak: price alone predicts the label in 9" in text
    assert "leak: noise" not in text


@pytest.mark.parametrize(
    ("labels", "is_sorted"),
    [("nynyy", False), ("nyynny", False), ("nnnyyy", True), ("n" * 77 + "y" + "n" * 222, False),
     ("n" * 90 + "y" * 10, True)],
)  # fmt: skip
def test_few_changes_of_label_are_an_order_only_if_there_could_be_more(labels, is_sorted, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("number,label\n" + "".join(f"{n % 7}.5,{y}\n" for n, y in enumerate(labels)))
    found = json.loads(call("inspect", str(path), "--json").stdout)
    assert (found["order"] == "rows are sorted by label") == is_sorted
    assert any("shuffle" in command for command in found["try"]) == is_sorted


def test_inspect_counts_every_right_label_of_rows_with_several(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"x": [1], "y": ["u", "v"]}\n{"x": [2], "y": "u"}\n' * 5)
    found = json.loads(call("inspect", str(path), "--skip-bad", "--json").stdout)
    assert (found["rows"], found["labels"]) == (10, {"u": 10, "v": 5})
    assert found["try"][0] == f"onebit play {path} --skip-bad"


def test_the_page_escapes_what_users_name(tmp_path):
    path = tmp_path / "a.jsonl"
    record = {"\ud800": "x|y", "\x1b[31m": "|", "n": 1.5, "y": "a"}
    path.write_text("".join(f"{json.dumps({**record, 'y': y})}\n" for y in "abab"))
    call("inspect", str(path), "--out", str(tmp_path / "page"))
    page = (tmp_path / "page" / "report.md").read_text()
    assert "| \\ud800 | constant | left out | 0 | 1 | “x\\|y” |" in page
    assert "| \\x1b[31m | constant" in page


def test_inspect_takes_any_file_and_no_stream(tmp_path):
    path = tmp_path / "a.svm"
    path.write_text("1 1:1\n2 2:1\n1 1:1\n")
    assert "svmlight, 3 rows, 2 features" in call("inspect", str(path)).stdout
    error = CliRunner().invoke(cli, ["inspect", "car"]).exception
    assert isinstance(error, BadInput)
    assert str(error) == "onebit: inspect takes a file, got the stream car."


@pytest.mark.parametrize(
    ("file", "options", "error"),
    [
        ("tickts.csv", [], "tickts.csv cannot be read (did you mean tickets.csv?): No such file"),
        ("folder", [], "folder is a directory, not a file."),
        ("folder/", [], "folder/ is a directory, not a file."),
        ("binary.csv", [], "line 1 must be UTF-8 text without NUL bytes, got other bytes."),
        ("tickets.csv", ["--label-column", "Queu"], "got Queu (did you mean queue?)."),
        ("tickets.csv", ["--drop", "age,queue"], "another than the label's, got queue."),
    ],
)
def test_a_mistake_in_a_file_is_named(file, options, error, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tickets.csv").write_text(as_csv(RECORDS[:20]))
    (tmp_path / "folder").mkdir()
    (tmp_path / "binary.csv").write_bytes(b"\x7fELF,\0\r\0,\n1,2\n")
    raised = CliRunner().invoke(cli, ["inspect", file, *options]).exception
    assert isinstance(raised, BadInput)
    assert error in str(raised)


@pytest.fixture(scope="module")
def categories(tmp_path_factory):
    """A table without numbers: its learners are compiled for other tests too."""
    path = tmp_path_factory.mktemp("categories") / "categories.csv"
    rows = [f"{'uvw'[n % 3]},{'xyz'[n * n % 7 % 3]},{'abc'[n % 3]}\n" for n in range(1200)]
    path.write_text("one,two,kind\n" + "".join(rows))
    return str(path)


@pytest.mark.compiled
def test_play_without_a_learner_plays_the_default_and_tells_what_others_cost(categories):
    result = call("play", categories)
    assert result.stdout.startswith(f"categories.csv: {DEFAULT}, seed 0\n1,200 rounds, ")
    assert f"`onebit compare {categories} all --seeds 10`" in result.stdout
    assert "no learner was named; the default, and what others would have cost:" in result.stdout
    lines = [line.split() for line in result.stdout.splitlines() if " us/round  " in line]
    assert [line[0] for line in lines] == list(OTHERS)
    assert lines[-1][-1] == "mistakes"


@pytest.mark.compiled
def test_scaling_is_told_and_so_is_a_learner_that_ends_worse_than_the_majority_label(path):
    result = call("play", path, "cova")
    assert "numbers are scaled for learners that do not scale rows themselves; scale=no" in (
        result.stderr
    )
    unscaled = call("play", f"{path}:scale=no", "cova")
    assert "scaled" not in unscaled.stderr
    assert "worse than the majority label, access, which alone errs 0." in unscaled.stderr
    assert f"try `onebit compare {path}:scale=no all`" in unscaled.stderr


@pytest.mark.compiled
def test_commands_to_try_have_the_options_that_were_given_and_can_be_pasted(tmp_path):
    path = tmp_path / "my file (1).csv"
    path.write_text("id,kind,a\n" + "".join(f"{n},{'yn'[n % 9 == 0]},{n % 2}\n" for n in range(90)))
    given = ["--label-column", "kind", "--drop", "id"]
    result = call("play", str(path), "uniform", *given, "--with", "take:n=80", "--rounds", "70")
    assert result.stdout.startswith("my file (1).csv with take:n=80: uniform, seed 0\n70 rounds, ")
    options = "--label-column kind --drop id"
    assert f"`onebit compare '{path}' all {options} --with take:n=80 --rounds 70`" in result.stderr
    assert f"`onebit inspect '{path}' {options}`" in result.stderr


def test_one_round_and_one_mistake_are_not_plural(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("a,kind\n1,y\n2,n\n")
    found = {
        call("play", str(path), "uniform", "--rounds", "1", "--seed", str(seed))
        .stdout.splitlines()[1]
        .split(", error")[0]
        for seed in range(12)
    }
    assert found == {"1 round, 0 mistakes", "1 round, 1 mistake"}


@pytest.mark.compiled
def test_compare_all_ranks_every_learner_and_stops_the_hopeless(categories, monkeypatch):
    short = call("compare", categories, "all", "--skip-bad", "--with", "take:n=100")
    assert "does not fit: rounds" not in short.stderr  # of a length that is not known before
    assert "stopped" not in short.stderr  # they have played all rounds there are
    assert "\nexp3 " in short.stdout
    assert "one seed: --seeds 10 shows how much is chance" in short.stdout
    monkeypatch.setattr(candidates, "TRIED_ROUNDS", 900)
    result = call("compare", categories, "all", "--rounds", "1000")
    ranked = [line.split(":")[0].split()[0] for line in result.stdout.splitlines()[2:]]
    assert {"cova", "majority", "uniform", "perceptron"} <= set(ranked)
    assert "exp3 is stopped after 900 rounds, error 0." in result.stderr
    assert "exp3" not in ranked
    assert "label-ranking" not in result.output  # it shows several labels
    assert "majority: always the most frequent label; perceptron: told every label" in result.stdout


@pytest.mark.compiled
def test_others_that_ctrl_c_cut_off_are_left_out(categories, monkeypatch):
    def cut(trials):
        (result,) = play_trials(trials[-1:])
        return [result._replace(interrupted=True, rounds=10, mistakes=1)], []

    monkeypatch.setattr("onebit.learners.DEFAULT", "softmax")
    monkeypatch.setattr("onebit.cli.play.run_trials", cut)
    result = CliRunner().invoke(cli, ["play", categories])
    assert result.exit_code == 1
    assert result.output.endswith("Aborted!\n")
    assert "what others would have cost" in result.stdout
    assert OTHERS[-1] not in result.stdout


def test_what_is_read_once_is_played_once(monkeypatch):
    monkeypatch.setattr("onebit.learners.DEFAULT", "majority")
    text = "number,label\n1.5,a\n2.5,b\n3.5,a\n"
    command = ["play", "-", "--format", "csv", "--labels", "a,b"]
    result = CliRunner().invoke(cli, command, input=text)
    assert result.exit_code == 0
    assert "standard input: majority, seed 0\n3 rounds, " in result.stdout
    assert "onebit compare" not in result.output


def test_ctrl_c_while_all_are_tried_ends_it(categories, monkeypatch):
    monkeypatch.setattr("onebit.cli.compare.run_trials", lambda *args: ([], []))
    assert CliRunner().invoke(cli, ["compare", categories, "all"]).output.endswith("Aborted!\n")


def test_ctrl_c_before_the_first_row_is_not_taken_for_an_empty_file(categories):
    opened = open_stream(categories, 0)
    interrupted.set()
    try:
        with pytest.raises(KeyboardInterrupt):
            list(opened.blocks())
    finally:
        interrupted.clear()


def test_a_saved_agent_takes_the_same_records(path, tmp_path):
    saved = str(tmp_path / "agent.npz")
    n = len(RECORDS) // 2
    played = call("play", path, "cova", "--rounds", str(n), "--save", saved, "--json")
    whole = json.loads(call("play", path, "cova", "--json").stdout)
    agent, missed = Agent.load(saved), 0
    for record in RECORDS[n:]:
        choice = agent.decide({name: v for name, v in record.items() if name != "queue"})
        missed += choice.label != record["queue"]
        agent.learn(choice, correct=choice.label == record["queue"])
    assert json.loads(played.stdout)["mistakes"] + missed == whole["mistakes"]
    assert agent.unseen == {}


def test_columns_are_dropped_and_taken_as_text(path):
    found = json.loads(call("inspect", path, "--json", "--drop", "age,created", "--text",
                            "product").stdout)  # fmt: skip
    kinds = {column["name"]: column["kind"] for column in found["columns"]}
    assert (kinds["age"], kinds["created"], kinds["product"]) == ("drop", "drop", "text")
    text = call("inspect", f"{path}:kinds=visits/category", "--drop", "age", "--json").stdout
    kinds = {column["name"]: column["kind"] for column in json.loads(text)["columns"]}
    assert (kinds["age"], kinds["visits"]) == ("drop", "category")


def test_learners_are_listed_by_what_they_hear():
    text = call("learners").stdout
    titles = [line for line in text.splitlines() if line and not line.startswith(" ")]
    assert titles == [
        f"Hear one bit, right or wrong (start here: {DEFAULT})",
        "Told the label (baselines)",
        "Finite classes of hypotheses: read advice, for --with advise",
    ]
    assert text.splitlines()[1].split()[0] == DEFAULT
    assert text.index("\n  perceptron ") > text.index(titles[1])
    assert text.index("\n  exp4 ") > text.index(titles[2])


def test_boosters_are_not_tried_on_wide_rows():
    assert "banditboost" in one_bit_learners(3, 20)[0]
    assert one_bit_learners(8, 2**18)[1] == ["banditboost"]
