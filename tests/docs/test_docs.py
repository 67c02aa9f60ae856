"""The documentation is up to date: pages are generated, examples run, commands exist."""

import re
import shlex
from pathlib import Path

import pytest
from generate import generated

from onebit import explorers, learners, streams
from onebit.cli.commands import cli
from onebit.learners import weak
from onebit.streams import formats
from onebit.theory import hypotheses

ROOT = Path(__file__).parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(language):
    for page in PAGES:
        if page.name == "service.md":
            continue  # needs a server: tests/service/test_docs.py
        for block in re.findall(rf"```{language}\n(.*?)```", page.read_text(), re.DOTALL):
            yield page, block


def commands():
    for page, block in blocks("sh"):
        for line in block.splitlines():
            words = shlex.split(line, comments=True)
            if words and words[0] == "onebit":
                yield pytest.param(words[1:], id=f"{page.name}: {line}")


def test_generated_pages_are_up_to_date():
    for path, text in generated().items():
        assert path.exists(), f"run `make docs`: {path} is missing"
        assert path.read_text() == text, f"run `make docs`: {path} is old"


def test_the_readmes_examples_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    example, *others = [block for page, block in blocks("python") if page == ROOT / "README.md"]
    assert len([line for line in example.splitlines() if line]) <= 10
    names = {}
    exec(compile(example, "README.md", "exec"), names)
    assert capsys.readouterr().out == "sports\n"
    assert (tmp_path / "agent.npz").exists()
    assert others
    for block in others:  # each goes on from the one before, and prints what its comments say
        exec(compile(block, "README.md", "exec"), names)
        said = re.findall(r"print\(.*\)  # (.+)$", block, re.MULTILINE)
        assert capsys.readouterr().out.splitlines() == said


def test_other_examples_in_python_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    written = [ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
    for page, block in blocks("python"):
        if page in written and page.name != "api.md":
            exec(compile(block, page.name, "exec"), {"__name__": "example"})


@pytest.mark.parametrize("words", list(commands()))
def test_every_command_in_the_docs_runs(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if words[0] in ("play", "compare"):
        words = [*_without(words, "--rounds", "--seeds"), "--rounds", "300"]
    assert not cli.main(words, standalone_mode=False)


def test_the_changelog_names_everything():
    named = (learners.names(), explorers.names(), hypotheses.names(), weak.names(), streams.names(),
             streams.transform_names(), formats.names(), cli.commands)  # fmt: skip
    words = {word for code in re.findall(r"`([^`]+)`", (ROOT / "CHANGELOG.md").read_text())
            for word in re.split(r"[ :=]", code)}  # fmt: skip
    assert [name for names in named for name in names if name not in words] == []


def _without(words, *options):
    drop = {at + n for at, word in enumerate(words) if word in options for n in (0, 1)}
    return [word for at, word in enumerate(words) if at not in drop]


def test_make_targets_in_the_readme_exist():
    makefile = (ROOT / "Makefile").read_text()
    targets = set(re.findall(r"^make (\w+)", (ROOT / "README.md").read_text(), re.MULTILINE))
    assert targets >= {"demo", "test"}
    for target in targets:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)


def test_links_lead_somewhere():
    for page in PAGES:
        for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / link).exists(), f"{page.name}: {link}"


def test_figures_are_small_and_have_their_dark_twins():
    from figure import FIGURES

    from onebit.experiment.report.canvas import darken

    for name in FIGURES:
        light, dark = ((ROOT / "docs" / f"{name}{kind}.svg").read_text() for kind in ("", "-dark"))
        assert len(light) < 150_000, name
        assert dark == darken(light), name
    for page in PAGES:
        for link in re.findall(r"(?:src|srcset)=\"([^\"]+)\"", page.read_text()):
            assert (page.parent / link).exists(), f"{page.name}: {link}"
    readme = (ROOT / "README.md").read_text()
    assert readme.index("docs/synsep.svg") < readme.index("## ")


def test_the_demo_is_the_main_job():
    makefile = (ROOT / "Makefile").read_text()
    assert "onebit reproduce --out out" in makefile.partition("demo:")[2].partition("\n\n")[0]
