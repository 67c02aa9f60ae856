"""Starting and ending: what cannot be served is refused in one sentence, and nothing is damaged."""

import contextlib
import hashlib
import os
import socket
import sqlite3
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import httpx
import pytest
from running import Server

from onebit.store.directory import STORE, open_for_writing

SHOP = {"learner": "banditron", "labels": ["a", "b"]}


def refused(*arguments, cwd=None):
    done = subprocess.run(
        [sys.executable, "-m", "onebit.cli", "serve", *map(str, arguments)],
        capture_output=True, text=True, timeout=60, cwd=cwd, check=False,
    )  # fmt: skip
    assert done.returncode == 2, done.stderr
    assert done.stderr.count("\n") == 1
    return done.stderr


def test_an_empty_directory_is_served_with_nothing_configured(tmp_path):
    with Server(tmp_path / "new") as server:
        assert server.url.startswith("http://127.0.0.1:")
        code, printed, seconds = server.stop()
    assert (code, printed) == (0, "onebit serve: ready\n")
    assert seconds < 5


def test_sigterm_answers_what_is_under_way_and_goes_on_later(tmp_path):
    with Server(tmp_path) as server:
        httpx.put(f"{server.url}/v1/agents/shop", json=SHOP, timeout=300).raise_for_status()
        path = f"{server.url}/v1/agents/shop/decisions"
        made = [httpx.post(path, json={"x": {"a": n}}).json() for n in range(20)]
        code, _, seconds = server.stop()
        assert code == 0
        assert seconds < 5
        server.start()
        for each in made:
            body = {"id": each["id"], "correct": True}
            heard = httpx.post(f"{server.url}/v1/agents/shop/feedback", json=body)
            assert heard.json() == {"status": "learned"}
        state = httpx.get(f"{server.url}/v1/agents/shop").json()
        assert (state["decisions"], state["right"], state["round"]) == (20, 20, 20)


def test_a_used_port(tmp_path):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        said = refused(tmp_path, "--port", other.getsockname()[1])
    assert "cannot be used: Address already in use" in said


def test_a_second_server_on_the_same_store(tmp_path):
    with Server(tmp_path):
        assert "is in use by another onebit serve" in refused(tmp_path, "--port", 0)


def test_foreign_and_newer_stores(tmp_path):
    store = tmp_path / "onebit.sqlite"
    store.write_bytes(b"not a database at all" * 100)
    before = store.read_bytes()
    assert "not a store of onebit" in refused(tmp_path, "--port", 0)
    assert store.read_bytes() == before
    store.unlink()
    with sqlite3.connect(store) as db:
        db.execute("PRAGMA application_id = 828533108")
        db.execute("PRAGMA user_version = 9")
        db.execute("CREATE TABLE event (x)")
    assert "of format 9, written by a newer onebit" in refused(tmp_path, "--port", 0)


def test_a_saved_agent(tmp_path):
    (tmp_path / "agent.npz").write_bytes(b"")
    assert "a directory, got a file; an agent that was saved" in refused(tmp_path / "agent.npz")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_directory(tmp_path):
    tmp_path.chmod(0o500)
    assert "must be a directory that can be written" in refused(tmp_path, "--port", 0)


def test_a_read_only_store(tmp_path):
    """SQLite opens such a file for reading, and every call would find the disk full."""
    with open_for_writing(tmp_path):
        pass
    path = str(tmp_path / STORE)
    if subprocess.run(["mount", "--bind", path, path], check=False).returncode:
        pytest.skip("a file cannot be mounted here")
    try:
        subprocess.run(["mount", "-o", "remount,bind,ro", path], check=True)
        assert f"{STORE} must be a file that can be written" in refused(tmp_path, "--port", 0)
    finally:
        subprocess.run(["umount", path], check=True)


def test_there_are_as_many_connections_as_there_may_be_files():
    script = """
        import resource
        from onebit.service.server import _allowed
        resource.setrlimit(resource.RLIMIT_NOFILE, (200, 600))
        print(_allowed(50), _allowed(300), _allowed(4096),
              resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["50", "300", "500", "600"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--host", "0.0.0.0"], "callers need tokens"),
        (["--port", "99999"], "port must be in 0..65535"),
        (["--keep", "soon"], "must be a time such as 90d"),
        (["--keep", "9" * 400 + "d"], "must be a time such as 90d"),
        (["--host", "a..b", "--token-file", "token.txt"], "a..b:0 cannot be used: "),
        (["--config", "none.toml"], "none.toml cannot be read: No such file"),
        (["--config", "bad.toml"], "bad.toml cannot be used: Object contains unknown field `prot`"),
        (["--token-file", "bad.toml"], "line 1 of bad.toml must be a SHA-256 and roles"),
        (["--token-file", "empty.txt"], "a token must not be empty"),
        (["--config", "zero.toml"], "zero.toml cannot be used: Expected `int` >= 1"),
    ],
)
def test_options_that_cannot_be_used(tmp_path, options, sentence):
    (tmp_path / "bad.toml").write_text("prot = 5\n")
    (tmp_path / "zero.toml").write_text("waiting = 0\n")
    (tmp_path / "token.txt").write_text(f"{hashlib.sha256(b'x').hexdigest()} admin\n")
    (tmp_path / "empty.txt").write_text(f"{hashlib.sha256(b'').hexdigest()} read\n")
    assert sentence in refused("served", "--port", "0", *options, cwd=tmp_path)


def test_lost_events_are_noticed_at_the_start(tmp_path):
    with Server(tmp_path) as server:
        httpx.put(f"{server.url}/v1/agents/shop", json=SHOP, timeout=300).raise_for_status()
        for n in range(5):
            httpx.post(f"{server.url}/v1/agents/shop/decisions", json={"x": {"a": n}})
        server.stop()
        with sqlite3.connect(tmp_path / "onebit.sqlite") as db:
            db.execute("DELETE FROM event WHERE seq > 4")
            db.execute("DELETE FROM snapshot")
        assert "ends with event 4, but had event 6" in refused(tmp_path, "--port", 0)
        server.options = ("--accept-loss",)
        server.start()
        assert httpx.get(f"{server.url}/v1/agents/shop").json()["decisions"] == 3


def test_tokens_and_roles(tmp_path):
    tokens = {"one": "decide,feedback", "two": "read", "boss": "admin"}
    lines = [f"{hashlib.sha256(t.encode()).hexdigest()} {roles}" for t, roles in tokens.items()]
    (tmp_path / "tokens").write_text("# tokens\n" + "\n".join(lines) + "\n")
    options = ("--host", "0.0.0.0", "--token-file", str(tmp_path / "tokens"))
    with Server(tmp_path / "served", *options, wait=False) as server:
        example = [server.process.stdout.readline() for _ in range(2)][1]
        assert example.startswith("  curl -H 'Authorization: Bearer TOKEN' http://")
        server.url = f"http://127.0.0.1:{server.port}"
        server.wait()

        def call(method, path, token=None, **more):
            headers = {} if token is None else {"Authorization": f"Bearer {token}"}
            return httpx.request(
                method, f"{server.url}{path}", headers=headers, timeout=60, **more
            ).status_code

        shop, row = "/v1/agents/shop", {"json": {"x": {"a": 1}}}
        assert call("PUT", shop, json=SHOP) == 401
        assert call("PUT", shop, "wrong", json=SHOP) == 401
        assert call("PUT", shop, "one", json=SHOP) == 403
        assert call("PUT", shop, "boss", json=SHOP) == 200
        assert call("POST", f"{shop}/decisions", "one", **row) == 200
        assert call("POST", f"{shop}/decisions", "two", **row) == 403
        assert call("GET", shop, "two") == 200
        assert call("GET", shop, "one") == 403
        assert call("GET", "/metrics") == 401
        assert call("GET", f"{shop}/events") == 401
        assert call("GET", "/health") == 200
        assert call("POST", f"{shop}/predict", "boss", **row) == 200


def test_what_is_served_is_counted_while_the_log_is_read(tmp_path):
    """Before the log is read, health is 200 and ready is 503."""
    with Server(tmp_path, wait=False) as server:
        seen = set()
        end = time.monotonic() + 30
        while time.monotonic() < end and 200 not in seen:
            with contextlib.suppress(httpx.TransportError):
                seen.add(httpx.get(f"{server.url}/ready").status_code)
        assert 200 in seen
        assert seen <= {200, 503}


@pytest.mark.long
def test_learners_of_other_packages_are_those_that_the_operator_names(tmp_path):
    env = {"PYTHONPATH": str(Path(__file__).parents[1] / "plugin")}
    recipe = {**SHOP, "learner": "copycat.Copycat"}
    with Server(tmp_path / "served", env=env) as server:
        answer = httpx.put(f"{server.url}/v1/agents/own", json=recipe, timeout=300)
        assert answer.status_code == 422
        assert "import its module first" in answer.json()["detail"]
        server.stop()
        (tmp_path / "config.toml").write_text('plugins = ["copycat"]\n')
        server.options = ("--config", str(tmp_path / "config.toml"))
        server.start()
        httpx.put(f"{server.url}/v1/agents/own", json=recipe, timeout=300).raise_for_status()
        made = httpx.post(f"{server.url}/v1/agents/own/decisions", json={"x": {"a": 1}}).json()
        server.stop()
        server.start()  # from its snapshot
        body = {"id": made["id"], "correct": True}
        heard = httpx.post(f"{server.url}/v1/agents/own/feedback", json=body)
        assert heard.json() == {"status": "learned"}
    (tmp_path / "config.toml").write_text('plugins = ["no_such_module"]\n')
    options = ("--config", str(tmp_path / "config.toml"))
    said = refused(tmp_path / "served", "--port", 0, *options)
    assert "plugin no_such_module cannot be imported" in said
