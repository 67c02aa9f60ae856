"""What a terminal would obey is shown escaped, wherever it is printed."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from onebit import Agent, BadInput
from onebit.cli import output
from onebit.errors import printable
from onebit.naming.spec import Spec

ONEBIT = (sys.executable, "-m", "onebit.cli")
RED = "\x1b[31m"
ROWS = "x,y\n1,a\n2,b\n3,a\n"


def onebit(*args, **more):
    return subprocess.run([*ONEBIT, *args], capture_output=True, text=True, timeout=120, **more)


def test_controls_are_escaped_and_words_are_not():
    assert printable("über 学习 \u200c ✓\n\tend") == "über 学习 \u200c ✓\n\tend"
    assert printable(f"{RED}\x07\x9b\u202e\u2028\udcff\r") == (
        "\\x1b[31m\\x07\\x9b\\u202e\\u2028\\udcff\\r"
    )


@pytest.mark.parametrize(
    "words",
    [["play", f"none{RED}.csv", "banditron"], ["play", "car", f"ban{RED}ditron"],
     ["play", "car", f"banditron:ga{RED}mma=1"], ["play", "car", f"banditron:gamma={RED}"],
     ["play", f"few{RED}.csv", "uniform"],
     ["play", f"few{RED}.csv", "uniform", "--labels", f"a,b{RED}"],
     [f"pl{RED}ay"], ["play", f"--{RED}"], ["learners", RED], ["bound", RED],
     ["sweep", "car", "banditron", "--over", f"{RED}=1"], ["pack", f"few{RED}.csv"],
     ["compare", f"few{RED}.csv", "uniform", "--out", f"out{RED}"], ["formats", "a\u202eb"],
     ["play", f"columns{RED}.csv:numbers=x{RED}", "uniform"]],
    ids=lambda words: words[0].replace(RED, "") + str(len(words)),
)  # fmt: skip
def test_no_command_prints_what_a_terminal_obeys(words, tmp_path):
    (tmp_path / f"few{RED}.csv").write_text(ROWS)
    (tmp_path / f"columns{RED}.csv").write_text(f"x{RED},y\n1,a\n?{RED},b\n")
    run = onebit(*words, cwd=tmp_path)
    assert run.returncode in (0, 2)
    for text in (run.stdout, run.stderr):
        assert not any(c != "\n" and not c.isprintable() for c in text), text
    assert "1b" in (run.stdout + run.stderr).lower() or "u202e" in run.stderr
    for path in tmp_path.glob("out*/*.*"):
        if path.suffix in (".md", ".html", ".txt", ".csv", ".svg", ".jsonl"):
            assert "\x1b" not in path.read_text("utf-8"), path


def test_file_names_that_are_not_utf8_and_dollars(tmp_path):
    """A name of any bytes can be read, reported and drawn."""
    for name in (b"a\xff.csv", b"$x^$.csv"):
        (tmp_path / name.decode(errors="surrogateescape")).write_text(ROWS)
        run = subprocess.run([*ONEBIT, "compare", name, "uniform", "--out", "out", "--json"],
                             cwd=tmp_path, capture_output=True, timeout=120)  # fmt: skip
        assert run.returncode == 0, run.stderr
        assert json.loads(run.stdout.splitlines()[0])["rounds"] == 3
    spec = Spec("a\udcff b\x1b", {"k": "\x1b"})
    assert str(spec) == "a%FF%20b%1B:k=%1B"
    assert Spec.parse(str(spec)) == spec


def test_errors_are_printable_on_one_line():
    agent = Agent("banditron", labels=["a", "b"], features=2)
    for wrong in (RED, "a\nb", "\udcff", "\u202e"):
        with pytest.raises(BadInput) as error:
            agent.retire(wrong)
        assert str(error.value).isprintable()
        with pytest.raises(BadInput) as error:
            Agent.load(f"/none/{wrong}")
        assert str(error.value).isprintable()


def test_output_that_knows_no_unicode_is_escaped(tmp_path):
    (tmp_path / "a.csv").write_text("x,y\n1,ä\n2,學\n", encoding="utf-8")
    run = onebit("play", "a.csv", "uniform", cwd=tmp_path,
                 env={**os.environ, "PYTHONIOENCODING": "ascii"})  # fmt: skip
    assert run.returncode == 0, run.stderr
    assert "\\xe4" in run.stderr


def test_every_command_prints_by_the_one_way_that_escapes():
    for path in Path(output.__file__).parent.glob("*.py"):
        text = path.read_text()
        assert "click.echo(" not in text or path.name == "output.py", path
        assert "from onebit.cli.output import echo" in text or " print(" not in text, path
