"""Downloads: whole, broken and resumed, changed, missing."""

import hashlib

import pytest
from streams.web import serving

from onebit.errors import BadInput
from onebit.streams import download as module
from onebit.streams.download import Remote, fetch, record_checksum, terminal_progress

CONTENT = bytes(range(256)) * 40
SUM = hashlib.sha256(CONTENT).hexdigest()


@pytest.fixture
def web(monkeypatch):
    monkeypatch.setattr(module, "_CHUNK", 1000)
    for name in ("http_proxy", "HTTP_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with serving() as web:
        web.files["a.gz"] = CONTENT
        yield web


def remote(web, sum=SUM):
    return Remote("a.gz", web.url + "a.gz", sum)


def test_a_file_comes_once(web, tmp_path):
    told = []
    assert fetch(remote(web), tmp_path, told.append) == SUM
    assert (tmp_path / "a.gz").read_bytes() == CONTENT
    assert fetch(remote(web), tmp_path, told.append) == SUM
    assert web.asked == [("a.gz", None)]
    assert told[-1] == "fetching a.gz: 0.0 MB of 0.0 (100%)"
    assert len(told) >= 11


def test_a_broken_download_goes_on_where_it_stopped(web, tmp_path):
    web.breaks["a.gz"] = 4321
    with pytest.raises(BadInput, match=r"cannot be downloaded \(.*\); what came is kept") as error:
        fetch(remote(web), tmp_path, print)
    assert "\n" not in str(error.value)
    assert (tmp_path / "a.gz.part").stat().st_size == 4321
    assert not (tmp_path / "a.gz").exists()
    fetch(remote(web), tmp_path, print)
    assert web.asked == [("a.gz", None), ("a.gz", "bytes=4321-")]
    assert (tmp_path / "a.gz").read_bytes() == CONTENT
    assert not (tmp_path / "a.gz.part").exists()


def test_a_server_that_cannot_resume_sends_all_again(web, tmp_path):
    (tmp_path / "a.gz.part").write_bytes(b"something else")
    web.resumes = False
    fetch(remote(web), tmp_path, print)
    assert (tmp_path / "a.gz").read_bytes() == CONTENT


def test_a_part_that_is_whole_is_taken(web, tmp_path):
    (tmp_path / "a.gz.part").write_bytes(CONTENT)
    assert fetch(remote(web), tmp_path, print) == SUM


def test_a_wrong_sum_is_refused_and_removed(web, tmp_path):
    other = "0" * 64
    with pytest.raises(BadInput, match=f"must have the sha256 sum {other}, got {SUM}; what came"):
        fetch(remote(web, other), tmp_path, print)
    assert list(tmp_path.iterdir()) == []


def test_without_a_published_sum_the_first_one_is_held_to(web, tmp_path):
    assert fetch(remote(web, None), tmp_path, print) == SUM
    record_checksum(remote(web, None), tmp_path, SUM)
    (tmp_path / "a.gz").unlink()
    web.files["a.gz"] = CONTENT[:-1]
    with pytest.raises(BadInput, match=f"must have the sha256 sum {SUM}"):
        fetch(remote(web, None), tmp_path, print)
    (tmp_path / "a.gz").write_bytes(b"changed")
    with pytest.raises(BadInput, match="it was changed since it came"):
        fetch(remote(web, None), tmp_path, print)


def test_what_is_not_there_is_one_sentence(web, tmp_path):
    with pytest.raises(BadInput, match=r"b.gz cannot be downloaded \(HTTP Error 404: Not Found\)"):
        fetch(Remote("b.gz", web.url + "b.gz"), tmp_path, print)
    with pytest.raises(BadInput, match="cannot be downloaded"):
        fetch(Remote("b.gz", "http://127.0.0.1:1/b.gz"), tmp_path, print)


def test_progress_is_for_terminals(capsys, monkeypatch):
    terminal_progress()("half of it")
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    progress = terminal_progress()
    progress("half of it")
    progress("too soon")
    assert capsys.readouterr().err == "onebit: half of it\n"
