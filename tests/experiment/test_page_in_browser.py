"""The report in a real browser, wide and as narrow as a phone, if one is installed."""

import json
import re
import shutil
import subprocess

import pytest
from experiment import tiny

from onebit.experiment.report.pages import write_pages
from onebit.experiment.reproduce.plan import plan
from onebit.experiment.reproduce.sections import build_section, front
from onebit.experiment.run import pools, runner

#: On one worker, which makes the fixtures of this file once.
pytestmark = pytest.mark.xdist_group("the page in a browser")

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--hide-scrollbars",
    "--virtual-time-budget=5000",
]  # fmt: skip
#: The report's copy in a frame: no window can be as narrow as a phone.
FRAME = """<!doctype html><meta charset=utf-8>
<iframe id=frame style="border:0" width=WIDTH height=900 src="copy.html"></iframe><script>
addEventListener('load', () => { const inner = document.getElementById('frame').contentDocument;
  document.body.innerHTML = inner.getElementById('measures').outerHTML; });</script>"""
#: Goes into the report's copy: errors from the start on, then measures when all is loaded.
LISTEN = """<script>const said = [];
addEventListener('error', e => said.push(e.message || e.target.tagName), true);
addEventListener('unhandledrejection', e => said.push(String(e.reason)));
for (const kind of ['error', 'warn']) console[kind] = (...words) => said.push(words.join(' '));
addEventListener('load', () => { const images = [...document.images];
  const found = JSON.stringify({ said, inner: innerWidth,
    scroll: document.documentElement.scrollWidth, images: images.length,
    loaded: images.filter(i => i.complete && i.naturalWidth > 0).length,
    wide: images.filter(i => i.getBoundingClientRect().right > innerWidth).length });
  document.body.innerHTML = '<pre id=measures>' + found + '</pre>';
});</script>"""


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    if BROWSER is None:
        pytest.skip("no chromium is installed")
    out = tmp_path_factory.mktemp("page")
    paper = tiny.paper()
    plans = [plan(paper, experiment) for experiment in paper.experiments]
    trials = [trial for planned in plans for trial in planned.trials]
    with pools.open_pool(2) as pool:
        results, failures = runner.run_all(trials, pool, lambda progress: None)
    assert not failures
    found = dict(zip(trials, results, strict=True))
    sections = [build_section(planned, found, out) for planned in plans]
    write_pages(sections, out, front(sections))
    return out


def measure(report, width, tmp_path, change=lambda text: text):
    """Return what the page measures of itself in a window of a width."""
    text = change((report / "report.html").read_text())
    (tmp_path / "copy.html").write_text(text.replace("<head>", f"<head>{LISTEN}", 1))
    (tmp_path / "frame.html").write_text(FRAME.replace("WIDTH", str(width)))
    done = subprocess.run(
        [BROWSER, *FLAGS, f"--user-data-dir={tmp_path / 'profile'}", "--window-size=1600,1000",
         "--allow-file-access-from-files", "--dump-dom", (tmp_path / "frame.html").as_uri()],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    (found,) = re.findall(r"<pre id=.measures.>(\{.*?\})</pre>", done.stdout)
    return json.loads(found)


@pytest.mark.parametrize("width", [1400, 400])
def test_nothing_overflows_and_every_figure_is_there(report, width, tmp_path):
    found = measure(report, width, tmp_path)
    assert found["inner"] == width
    assert found["scroll"] <= width
    assert found["wide"] == 0
    assert found["images"] == found["loaded"] == 3
    assert found["said"] == []


def test_what_is_wrong_is_seen(report, tmp_path):
    """The measures detect a wide box, a broken figure and an error."""

    def spoil(text):
        wrong = "<p style='width:3000px'>x</p><img src='data:image/png;base64,AAAA'>"
        return text.replace("</body>", f"{wrong}<script>console.error('no')</script></body>")

    found = measure(report, 400, tmp_path, spoil)
    assert found["scroll"] > 400
    assert found["loaded"] < found["images"]
    assert "no" in found["said"]
