"""The command line as users run it: in a process of its own."""

import json
import logging
import os
import pty
import re
import signal
import subprocess
import sys

import pytest
from cli.inside import is_wait

from onebit.cli.progress import ProgressBar

ONEBIT = [sys.executable, "-m", "onebit.cli"]

BAD = {
    "play synsep banditorn": "no learner is called 'banditorn' (did you mean banditron?)",
    "play synsap banditron": "no stream is called 'synsap' (did you mean synsep?)",
    "play synsep banditron:gama=1": "no parameter is called 'gama' (did you mean gamma?)",
    "play synsep:noize=1 banditron": "no parameter is called 'noize' (did you mean noise?)",
    "play synsep banditron:gamma=0": "Banditron: gamma must be a number in (0, 1), got 0.",
    "play synsep banditron:gamma=1.5": "Banditron: gamma must be a number in (0, 1), got 1.5.",
    "play synsep banditron:gamma=nan": "Banditron: gamma must be a number in (0, 1), got nan.",
    "play synsep banditron:gamma=x": "Banditron: gamma must be a number in (0, 1), got x.",
    "play synsep banditron:": "a spec is name or name:key=value",
    "play synsep banditron --rounds 0": "a whole number from 1 to 1000000000000000, got 0.",
    "play synsep banditron --rounds ten": "a whole number from 1 to 1000000000000000, got ten.",
    "play synsep banditron --seed -1": "seed must be a whole number, at least 0, got -1.",
    "play synsep banditron --with tkae": "no transform is called 'tkae' (did you mean take?)",
    "play synsep banditron --with take:n=5 --rounds 6": "--with repeat",
    "play synsep banditron --with repeat": "an endless stream cannot be repeated",
    "play synsep label-ranking:r=9": "Swap: r must be below the number of labels, 9, got 9.",
    "play synsep label-ranking:r=0": "LabelRanking: r must be a whole number, at least 1, got 0.",
    "play synsep winnow": "Winnow: it takes 2 labels, got 9.",
    "play vote:voters=4 winnow": "Vote: voters must be an odd number below width=100, got 4.",
    "play vote winnow:margin=1": "Winnow: margin must be below radius=1, got 1.",
    "play vote winnow:radius=0.5": "Winnow: no |x_j| may be above radius=0.5, got 1;",
    "play": "Missing argument 'STREAM'",
    "play synsep banditron --nope": "No such option '--nope'",
    "play synsep banditron --gamma 1": "No such option '--gamma'; parameters follow a name, as in",
    "compare synsep": "Missing argument 'LEARNER...'",
    "compare synsep banditron --workers 0": "workers must be a whole number from 1 to 1000, got 0.",
    "compare synsep banditron --seeds 0": "seeds must be a whole number, at least 1, got 0.",
    "learners nobody": "no learner is called 'nobody'",
    "streams nothing": "no stream is called 'nothing'",
    "play synsep no.such.Learner": "learner no.such.Learner cannot be imported",
    "play synsep json.JSONDecoder": "json.JSONDecoder is not a learner",
    "play synsep exp4": "Exp4: it reads advice, and the rows of synsep:noise=0.0 are features;",
    "play synsep halving --rounds 9000 --with advise:class=thresholds": "Halving: no hypothesis is"
    " left after round ",
    "play synsep exp4 --with advise:class=stump": "Advise: class must be one of grid, stumps,",
    "play synsep exp4 --with advise:class=grid": "Grid: a class must have at most 1,000,000 hyp",
    "play synsep exp3 --with arms": "Arms: the rows must be advice; put advise before it.",
    "play synsep cover-halving": "must have at most 20,000,000 points, got about 1e",
    "hypotheses stump": "no class of hypotheses is called 'stump' (did you mean stumps?)",
    "nonsense": "No such command 'nonsense'",
    "ply synsep": "No such command 'ply'. Did you mean 'play'?\n",
    "play synsep uniform --save no/a.npz": "no/a.npz cannot be written: No such file or directory",
    "play synsep uniform --no-replay": "--no-replay leaves rounds out of --save AGENT.npz, got no",
    "play synsep uniform --save .": "onebit: . cannot be written: Is a directory.",
    "bound banditorn": "no bound is called 'banditorn' (did you mean banditron?)",
    "bound banditron labels=9": "banditron: it needs rounds, gamma, complexity.",
    "bound lemma-5 gamma=0.7 labels=2 hit=0": "gamma must be a number in (0, 0.5]",
    "bound halving --fit": "--stream and --fit go together",
    "bound halving size=8 --out a": "No such option '--out'",
    "bound halving size": "onebit: bound takes a NAME and then KEY=VALUE, got size.",
    "bound halving size=1 size=2": "a spec is name or name:key=value",
    "compare synsep banditron --bound theorem-7:labels=2": "cannot be drawn as a bound",
}


def onebit(*args, **more):
    run = subprocess.run([*ONEBIT, *args], capture_output=True, text=True, **more)
    lines = run.stderr.splitlines(keepends=True)
    run.stderr = "".join(line for line in lines if not is_wait(line))
    return run


def check_sentence(run, command, tmp_path):
    assert run.returncode == 2
    assert run.stdout == ""
    assert run.stderr.count("\n") == 1
    assert BAD[command] in run.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", BAD)
def test_bad_input_is_one_sentence_and_exit_code_2(command, inside, tmp_path):
    check_sentence(inside(*command.split()), command, tmp_path)


@pytest.mark.parametrize("command", ["play synsep banditorn", "play", "play vote winnow:margin=1"])
def test_the_same_ends_a_process(command, tmp_path):
    check_sentence(onebit(*command.split(), cwd=tmp_path), command, tmp_path)


@pytest.mark.parametrize("group", [[], ["log"]])
def test_a_command_without_a_name_lists_all_with_whole_sentences(group):
    run = onebit(*group)
    assert run.returncode == 2
    assert run.stderr.startswith("Usage: ")
    commands = run.stderr.partition("Commands:\n")[2].splitlines()
    assert commands
    assert all(line.endswith(".") and not line.endswith("...") for line in commands)


def test_debug_shows_the_traceback():
    run = onebit("--debug", "play", "synsep", "banditron:gamma=7")
    assert "Traceback" in run.stderr


FIELDS = ["stream", "learner", "rounds", "seed", "mistakes", "error", "seconds", "compile_seconds",
          "us_per_round", "labels", "features", "curve"]  # fmt: skip


def test_play_json_is_one_line_with_all_fields():
    run = onebit("play", "synsep", "banditron", "--rounds", "2000", "--json", "--seed", "4")
    assert run.returncode == 0
    assert run.stdout.count("\n") == 1
    assert run.stderr == ""
    result = json.loads(run.stdout)
    assert list(result)[: len(FIELDS)] == FIELDS
    assert result["stream"] == "synsep:noise=0.0"
    assert result["learner"] == "banditron:update=paper,gamma=0.05,explorer=epsilon,ties=random"
    assert (result["rounds"], result["seed"], result["labels"], result["features"]) == (
        2000,
        4,
        9,
        400,
    )
    assert result["error"] == result["mistakes"] / 2000
    points = [point for point, _ in result["curve"]]
    assert points == [*sorted({round(10 ** (i / 10)) for i in range(34)}), 2000]
    assert [m for _, m in result["curve"]] == sorted(m for _, m in result["curve"])
    assert 0 < result["us_per_round"] * 2000 / 1e6 <= result["seconds"]
    again = onebit(
        "play", result["stream"], result["learner"], "--rounds", "2000", "--json", "--seed", "4"
    )
    timing = ("seconds", "compile_seconds", "us_per_round")
    assert {k: v for k, v in json.loads(again.stdout).items() if k not in timing} == {
        k: v for k, v in result.items() if k not in timing
    }


def test_compare_json_has_one_object_per_learner_and_seed_whatever_the_workers():
    def run(workers):
        out = onebit("compare", "synnonsep", "banditron", "perceptron", "--rounds", "1500",
                     "--seeds", "3", "--workers", workers, "--json").stdout  # fmt: skip
        return [
            (r["learner"].split(":")[0], r["seed"], r["mistakes"], r["curve"])
            for r in map(json.loads, out.splitlines())
        ]

    one, two = run("1"), run("2")
    assert one == two
    assert [r[:2] for r in one] == [(n, s) for n in ("banditron", "perceptron") for s in range(3)]


def test_compare_prints_a_table_and_writes_its_files(tmp_path):
    run = onebit("compare", "synsep", "uniform", "perceptron", "--rounds", "1000", "--seeds", "2",
                 "--out", str(tmp_path / "out"))  # fmt: skip
    assert run.returncode == 0, run.stderr
    lines = run.stdout.splitlines()
    assert lines[1].split() == ["learner", "seeds", "mean", "sd", "median", "slope", "us/round"]
    assert [line.split()[0] for line in lines[2:4]] == ["perceptron", "uniform"]
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {"results.jsonl", "table.txt", "curves.png", "curves.svg", "report.html",
                     "report.md", "results.csv", "trials"}  # fmt: skip
    page = (tmp_path / "out/report.md").read_text()
    assert page.index("| perceptron |") < page.index("| uniform |")  # best first
    assert (tmp_path / "out/curves.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert (tmp_path / "out/results.jsonl").read_text().count("\n") == 4


def test_an_out_without_matplotlib_is_refused_before_anything_is_played(tmp_path):
    code = (
        "from onebit.cli import main, options\noptions.find_spec = lambda name: None\nmain.main()"
    )
    args = ["play", "synsep", "uniform", "--rounds", "10", "--out", str(tmp_path / "out")]
    run = subprocess.run([sys.executable, "-c", code, *args], capture_output=True, text=True)
    assert (run.returncode, run.stdout) == (2, "")
    assert "figures need matplotlib" in run.stderr
    assert not (tmp_path / "out").exists()


def test_an_out_that_is_a_file_is_one_sentence(tmp_path):
    (tmp_path / "out").write_text("")
    run = onebit("play", "synsep", "uniform", "--rounds", "10", "--out", str(tmp_path / "out"))
    assert run.returncode == 2
    assert "cannot be written" in run.stderr.splitlines()[-1]


def test_a_remark_is_printed_once_on_stderr():
    run = onebit("compare", "vote:values=bits", "winnow:signed=no", "--rounds", "300",
                 "--seeds", "3", "--json")  # fmt: skip
    assert run.returncode == 0
    assert run.stdout.count("\n") == 3
    assert run.stderr.startswith("Winnow: no row so far has a negative value, so signed=no can")
    assert run.stderr.count("\n") == 1


@pytest.mark.parametrize("columns", ["20", "200"])
def test_lists_print_each_name_whole_on_a_line_of_its_own(columns):
    from onebit import learners, streams

    env = {**os.environ, "COLUMNS": columns}
    listed = onebit("learners", env=env).stdout
    names = [line.split()[0] for line in listed.splitlines() if line.startswith("  ")]
    assert sorted(names) == sorted(learners.names())
    listed = onebit("streams", env=env).stdout
    for name in streams.names():
        assert re.search(rf"^{name}\s", listed, re.MULTILINE)


@pytest.mark.parametrize(
    ("command", "more"),
    [
        (["--help"], "numpy"),
        (["play", "--help"], "numpy"),
        (["learners"], "sklearn"),
        (["streams"], "sklearn"),
        (["learners", "banditron"], "sklearn"),
        (["explorers"], "sklearn"),
    ],
)
def test_lists_and_help_import_no_heavy_module(command, more):
    code = (
        "import sys; sys.argv[1:] = sys.argv[1:]\n"
        "from onebit.cli.main import main\n"
        "try:\n main()\nexcept SystemExit: pass\n"
        f"heavy = {{'numba', 'matplotlib', 'rich', 'scipy', {more!r}}} & set(sys.modules)\n"
        "sys.exit(f'imported {heavy}' if heavy else 0)"
    )
    run = subprocess.run([sys.executable, "-c", code, *command], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


#: The command line where rich is not installed.
WITHOUT_RICH = (
    "import sys; sys.modules['rich'] = None\n"
    "from onebit.cli.main import main\n"
    "if __name__ == '__main__': main()"
)


class Terminal:
    """A command whose stderr is a terminal."""

    def __init__(self, *args, command=ONEBIT):
        self.screen, child = pty.openpty()
        env = {**os.environ, "TERM": "xterm", "COLUMNS": "140"}
        self.process = subprocess.Popen(
            [*command, *args],
            stdin=child,
            stdout=subprocess.PIPE,
            stderr=child,
            env=env,
            # tests that run in the background inherit that Ctrl-C is ignored
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )
        os.close(child)
        self.seen = b""

    def read_until(self, pattern):
        """Read the screen until the pattern is there, or the command ends."""
        while not re.search(pattern, self.seen):
            try:
                part = os.read(self.screen, 4096)
            except OSError:
                break
            if not part:
                break
            self.seen += part

    def end(self):
        """Read on until the command has ended; return its stdout."""
        self.read_until(rb"never on screen")
        out, _ = self.process.communicate()
        os.close(self.screen)
        return out


PROGRESS = rb"of [\d,]+ rounds\s+[\d,]+/s\s+error 0\.\d+"


def test_ctrl_c_ends_cleanly_with_what_was_done():
    terminal = Terminal("play", "synsep", "banditron", "--rounds", "1e12", "--json")
    terminal.read_until(PROGRESS)
    terminal.process.send_signal(signal.SIGINT)
    result = json.loads(terminal.end())
    assert terminal.process.returncode == 130
    assert b"Traceback" not in terminal.seen
    assert b"interrupted; the results are what was done so far" in terminal.seen
    assert 0 < result["rounds"] < 1e12
    assert result["interrupted"] is True
    assert result["error"] == result["mistakes"] / result["rounds"]


def test_a_terminal_sees_progress_and_a_pipe_does_not():
    run = onebit("play", "synsep", "uniform", "--rounds", "1e6", "--json")
    assert run.stderr == ""
    terminal = Terminal("play", "synsep", "banditron", "--rounds", "3e6")
    out = terminal.end()
    assert terminal.process.returncode == 0
    assert re.search(PROGRESS, terminal.seen)
    assert b"3,000,000 rounds" in out


def test_the_library_logs_that_it_compiles_except_where_a_bar_says_so(inside):
    log = logging.getLogger("onebit")
    assert inside("learners").returncode == 0
    assert log.isEnabledFor(logging.WARNING)  # such as for `inspect`, which has no bar
    with ProgressBar():
        assert not log.isEnabledFor(logging.WARNING)
    assert log.isEnabledFor(logging.WARNING)


def test_without_rich_a_terminal_shows_one_line_that_is_cleared():
    command = [sys.executable, "-c", WITHOUT_RICH]
    terminal = Terminal("play", "synsep", "banditron", "--rounds", "3e6", command=command)
    out = terminal.end()
    assert terminal.process.returncode == 0
    assert b"3,000,000 rounds" in out
    assert re.search(rb"playing  \d+%  [\d,]+ " + PROGRESS, terminal.seen)
    assert b"\n" not in terminal.seen
    assert b"\x1b" not in terminal.seen
    assert re.search(rb"\r *\r$", terminal.seen)  # cleared


def test_without_rich_a_pipe_shows_nothing():
    command = [sys.executable, "-c", WITHOUT_RICH, "play", "synsep", "uniform", "--rounds", "1e6"]
    assert subprocess.run(command, capture_output=True, text=True).stderr == ""


def test_a_closed_pipe_is_quiet():
    run = subprocess.run(
        f"{sys.executable} -m onebit.cli learners | true",
        shell=True,
        capture_output=True,
        text=True,
    )
    assert run.stderr == ""


@pytest.mark.parametrize("closed", [">&-", ">&- 2>&-"])
def test_a_closed_output_is_no_error(closed):
    run = subprocess.run(
        f"{sys.executable} -m onebit.cli learners {closed}",
        shell=True,
        capture_output=True,
        text=True,
    )
    assert (run.returncode, run.stderr) == (0, "")


def test_bounds_are_evaluated_alone_and_for_a_run():
    listed = onebit("bound").stdout
    assert re.search(r"^banditron\s", listed, re.MULTILINE)
    assert "up to a constant" in listed
    objects = [json.loads(line) for line in onebit("bound", "--json").stdout.splitlines()]
    assert [each["theorem"] for each in objects] == re.findall(r"^(\S+)", listed, re.MULTILINE)
    value = onebit(
        "bound", "banditron", "labels=9", "rounds=1e6", "gamma=2^-6", "complexity=81", "--json"
    )
    assert json.loads(value.stdout)["value"] == 15625 + 139968
    seen = onebit(
        "bound", "perceptron", "--stream", "synsep", "--fit", "--rounds", "20000", "--json"
    )
    values = json.loads(seen.stdout)
    assert values["mistakes"] <= values["bound"] == values["complexity"]
    assert values["vacuous"] is False
    vacuous = onebit("bound", "banditron", "--stream", "synsep", "--fit", "--rounds", "20000")
    assert re.search(r"vacuous\s+True", vacuous.stdout)


def test_a_bound_can_be_drawn_beside_the_curves(tmp_path):
    bound = "banditron:labels=9,gamma=0.05,complexity=1"
    run = onebit(
        "compare",
        "synsep",
        "banditron",
        "--rounds",
        "500",
        "--bound",
        bound,
        "--out",
        str(tmp_path),
    )
    assert run.returncode == 0
    assert "bound banditron" in (tmp_path / "curves.svg").read_text()
