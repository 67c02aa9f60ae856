"""More clients than a server can serve, and requests that make no sense.

`python tests/service/load.py overload 60`, `... fuzz 10000`, and `... schema 100`, which needs
schemathesis: so many requests for each call, made from the OpenAPI document.
"""

import asyncio
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import httpx
from running import Server

SHOP = {"learner": "banditron", "labels": ["a", "b", "c"]}


class Report(NamedTuple):
    """Answers by status, one answer after the load, decisions in the log, and the memory in MB."""

    statuses: Counter
    after: int
    counted: int
    megabytes: list


def resident(server):
    """Return the memory of a server in megabytes."""
    text = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(text.partition("VmRSS:")[2].split()[0]) // 1024


async def overload(directory, seconds, connections, waiting):
    """Call a server that takes `waiting` requests at a time over so many connections at once.

    It keeps few decisions in memory, so that it soon has the size that it is to stay at.
    """
    directory.mkdir(exist_ok=True, parents=True)
    (directory / "config.toml").write_text(f"waiting = {waiting}\nrecent = 2000000\n")
    statuses, megabytes = Counter(), []
    with Server(directory, "--config", str(directory / "config.toml")) as server:
        async with httpx.AsyncClient(base_url=server.url, timeout=300) as web:
            (await web.put("/v1/agents/shop", json=SHOP)).raise_for_status()
            now = asyncio.get_running_loop().time
            end = now() + seconds

            async def watch():
                while now() < end:
                    megabytes.append(resident(server))
                    await asyncio.sleep(seconds / 10)

            callers = [_call_without_pause(server.port, end, statuses) for _ in range(connections)]
            await asyncio.gather(watch(), *callers)
            counted = (await web.get("/v1/agents/shop")).json()["decisions"]
            after = (await web.post("/v1/agents/shop/decisions", json={"x": {}})).status_code
        code, printed, _ = await asyncio.to_thread(server.stop)
        assert (code, printed) == (0, "onebit serve: ready\n"), printed
    return Report(statuses, after, counted, megabytes)


async def _call_without_pause(port, end, statuses):
    """Send decisions over one connection, each as soon as the last is answered."""
    content = b'{"x": {"n": 1, "bias": 1}}'
    request = (
        b"POST /v1/agents/shop/decisions HTTP/1.1\r\nHost: localhost\r\n"
        b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(content)
    ) + content
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    while asyncio.get_running_loop().time() < end:
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        status = int(head.split(b" ", 2)[1])
        length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
        await reader.readexactly(length)
        statuses[status] += 1
        if status == 503:
            assert b"retry-after: 1" in head.lower()
    writer.close()
    await writer.wait_closed()


WORDS = ["a", "", "shop", "é", "\u0000", "a" * 300, "7d4448409dc011d1b2455ffdce74fad2", "0" * 32,
         "None", "../../etc/passwd", "%00", "-1", "banditron", "os.system", "1e999",
         "\ud800"]  # fmt: skip
NUMBERS = [0, 1, -1, 1e308, -1e-308, 2**63, 10**30, 0.1, 3.5]
FIELDS = ["x", "id", "among", "correct", "learner", "labels", "features", "seed", "window", "then",
          "add", "retire", "restore", "paused", "other"]  # fmt: skip


def value(chance, depth=0):
    """Return any JSON value."""
    kinds = 7 if depth < 3 else 5
    kind = chance.randrange(kinds)
    if kind == 0:
        return None
    if kind == 1:
        return chance.random() < 0.5
    if kind == 2:
        return chance.choice(NUMBERS)
    if kind in (3, 4):
        return chance.choice(WORDS)
    if kind == 5:
        return [value(chance, depth + 1) for _ in range(chance.randrange(4))]
    return {chance.choice(WORDS): value(chance, depth + 1) for _ in range(chance.randrange(4))}


def body(chance):
    """Return a body: nearly right, any JSON, or any bytes."""
    u = chance.random()
    if u < 0.2:
        return json.dumps({"x": {"a": 1.0}, **chance.choice([{}, {"id": "0" * 32}])}).encode()
    if u < 0.3:
        known = [{"id": "0" * 32, "correct": True}, {"id": "0" * 32, "correct": False},
                 {"add": [value(chance)]}, {"retire": ["a"]}, {"paused": False},
                 {"x": {"a": 1}, "among": [value(chance)]}, {"x": value(chance)}]  # fmt: skip
        return json.dumps(chance.choice(known)).encode()
    if u < 0.75:
        fields = chance.sample(FIELDS, chance.randrange(1, 4))
        return json.dumps({name: value(chance) for name in fields}).encode()
    if u < 0.85:
        return json.dumps(value(chance)).encode()
    if u < 0.95:
        whole = json.dumps({"x": value(chance)}).encode()
        return whole[: chance.randrange(len(whole) + 1)]
    return chance.randbytes(chance.randrange(200))


def call(chance):
    """Return a method and a path: mostly those of a call that exists."""
    if chance.random() < 0.1:
        others = ["/", "/metrics", "/openapi.json", "/health", "/v1/agents", "/nowhere", "//"]
        return chance.choice(["POST", "PUT", "PATCH", "GET", "DELETE"]), chance.choice(others)
    agent = chance.choice(["shop"] * 12 + ["none", "%2e%2e", "x" * 80, "%00"])
    calls = ["POST /decisions", "POST /feedback", "POST /predict", "POST /decisions/batch",
             "POST /feedback/batch", "PATCH ", "GET ", "GET /events", "GET /events?after=1",
             "GET /events?a=b", "GET /decisions/zz", f"GET /decisions/{'0' * 32}"]  # fmt: skip
    method, _, end = chance.choice(calls).partition(" ")
    if chance.random() < 0.05:  # few new agents, for each may be compiled
        return "PUT", f"/v1/agents/{agent}"
    return method, f"/v1/agents/{agent}{end}"


async def fuzz(url, count, seed):
    """Send so many requests that make little sense; return the answers by status."""
    statuses, chance = Counter(), random.Random(seed)
    async with httpx.AsyncClient(base_url=url, timeout=300) as web:
        (await web.put("/v1/agents/shop", json=SHOP)).raise_for_status()
        for _ in range(count):
            method, where = call(chance)
            kind = "application/json" if chance.random() < 0.95 else "text/plain"
            content = None if method == "GET" else body(chance)
            answer = await web.request(
                method, where, content=content, headers={"Content-Type": kind}
            )
            statuses[answer.status_code] += 1
            if answer.status_code >= 400:
                problem = answer.json()
                assert problem["detail"], (method, where, content)
                assert problem["status"] == answer.status_code
            assert answer.status_code != 500, (method, where, content)
        assert (await web.get("/health")).status_code == 200
    return statuses


def check_schema(directory, count):
    """Let schemathesis call a server; return its exit code and what it printed, None without it."""
    beside = Path(sys.executable).parent
    tool = shutil.which("schemathesis", path=f"{beside}{os.pathsep}{os.environ['PATH']}")
    if tool is None:
        return None
    checks = "not_a_server_error,status_code_conformance,content_type_conformance"
    with Server(directory) as server:
        httpx.put(f"{server.url}/v1/agents/0", json=SHOP, timeout=300).raise_for_status()
        done = subprocess.run(
            [tool, "run", f"{server.url}/openapi.json", "-n", str(count), "--request-timeout", "60",
             "--phases", "coverage,fuzzing", "--exclude-path-regex", "batch$",
             "--checks", f"{checks},response_schema_conformance"],
            capture_output=True, text=True, check=False, cwd=directory,
        )  # fmt: skip
        assert server.stop()[:2] == (0, "onebit serve: ready\n")
    return done.returncode, done.stdout


async def _fuzz_a_server(count):
    with tempfile.TemporaryDirectory() as directory, Server(Path(directory)) as server:
        found = await fuzz(server.url, count, seed=0)
        code, printed, _ = server.stop()
        assert (code, printed) == (0, "onebit serve: ready\n"), printed
        return found


if __name__ == "__main__":
    what, much = sys.argv[1], float(sys.argv[2])
    if what == "fuzz":
        print(asyncio.run(_fuzz_a_server(int(much))))
    elif what == "schema":
        with tempfile.TemporaryDirectory() as directory:
            code, printed = check_schema(Path(directory), int(much)) or (0, "no schemathesis here")
        print(printed)
        sys.exit(code)
    else:
        with tempfile.TemporaryDirectory() as directory:
            report = asyncio.run(overload(Path(directory), much, connections=500, waiting=100))
        print(report)
        assert set(report.statuses) == {200, 503}
        assert report.counted == report.statuses[200]
        settled = report.megabytes[len(report.megabytes) // 3 :]
        assert max(settled) - min(settled) < 10, settled
