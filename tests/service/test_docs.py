"""The quick start of docs/service.md, word for word but for the port, and deployment files."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import msgspec
import pytest
from running import Server

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "service.md").read_text()


def blocks(kind):
    return re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)


def test_the_quick_start(tmp_path, monkeypatch):
    install, calls = blocks("sh")
    assert install.splitlines()[1] == "onebit serve shop"
    (python,) = blocks("python")
    if shutil.which("curl") is None:
        pytest.skip("there is no curl")
    monkeypatch.chdir(tmp_path)
    with Server("shop") as server:
        here = f"127.0.0.1:{server.port}"
        answers = []
        for line in calls.strip().splitlines():
            command = line.replace("127.0.0.1:8000", here).replace("curl ", "curl -s ", 1)
            done = subprocess.run(
                ["bash", "-c", command], capture_output=True, text=True, check=True
            )
            answers.append(json.loads(done.stdout))
        assert answers[0]["name"] == "drinks"
        assert answers[1]["label"] in ("tea", "coffee")
        assert answers[2] == {"status": "learned"}
        assert answers[3]["right"] == 1
        code = python.replace("127.0.0.1:8000", here).replace("print(", "found.append(")
        found = []
        exec(code, {"found": found})
        assert found == ["sports"]


def test_the_page_names_every_call_and_every_setting():
    from onebit.service.calls import CALLS
    from onebit.service.settings import Settings

    for call in CALLS:
        last = call.path.removeprefix("/v1/agents/{agent}")
        assert call.path in PAGE or f"...{last}" in PAGE, call.path
    (settings,) = blocks("toml")
    assert msgspec.convert(tomllib.loads(settings), Settings).keep == "90d"


def test_the_unit_file():
    tool = shutil.which("systemd-analyze")
    if tool is None:
        pytest.skip("there is no systemd-analyze")
    unit = ROOT / "deploy" / "onebit.service"
    done = subprocess.run([tool, "verify", str(unit)], capture_output=True, text=True, check=False)
    said = [line for line in done.stderr.splitlines() if "is not executable" not in line]
    assert not said, said


def test_the_container_file():
    beside = Path(sys.executable).parent  # the tools of this environment
    tool = shutil.which("hadolint", path=f"{beside}{os.pathsep}{os.environ['PATH']}")
    if tool is None:
        pytest.skip("there is no hadolint")
    subprocess.run([tool, str(ROOT / "Dockerfile")], check=True)
