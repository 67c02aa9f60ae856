"""`make bench-serve`: durable requests a second, beside what they could be at best and at worst.

Needs wrk. Writes docs/service_benchmark.md.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

from bench.machine import load as machine_load
from bench.machine import machine
from bench.serve.log_of import write_log

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "service_benchmark.md"
SECONDS = int(os.environ.get("SECONDS", "10"))
CONNECTIONS = (1, 64, 256)


class Server:
    """A server in a process of its own."""

    def __init__(self, *command: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, *command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert self.process.stdout is not None
        self.url = ""
        for line in self.process.stdout:
            if found := re.search(r"(http://\S+)", line):
                self.url = found[1]
                break
        while True:
            try:
                urllib.request.urlopen(f"{self.url}/ready")
                return
            except OSError:
                time.sleep(0.05)

    def call(self, method: str, path: str, body: Any = None) -> None:
        """Send one request."""
        request = urllib.request.Request(
            f"{self.url}{path}", json.dumps(body).encode(), {"Content-Type": "application/json"},
            method=method,
        )  # fmt: skip
        urllib.request.urlopen(request)

    def stop(self) -> None:
        """End it."""
        self.process.terminate()
        self.process.wait(timeout=30)


def load(server: Server, connections: int) -> dict[str, Any]:
    """Return what wrk measures: half decisions of 20 named features, half their bits."""
    done = subprocess.run(
        ["wrk", "-t1", f"-c{connections}", f"-d{SECONDS}s", "-s", str(HERE / "mixed.lua"),
         server.url], capture_output=True, text=True, check=True,
    )  # fmt: skip
    found: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return {**found, "rate": found["requests"] / found["seconds"]}


def measure(name: str, *command: str) -> list[dict[str, Any]]:
    """Return the figures of a server for each number of connections."""
    server = Server(*command)
    try:
        recipe = {"learner": "banditron", "labels": ["a", "b", "c", "d"]}
        server.call("PUT", "/v1/agents/bench", recipe)
        load(server, 8)  # everything is warm
        found = [{"what": name, "connections": n, **load(server, n)} for n in CONNECTIONS]
    finally:
        server.stop()
    for each in found:
        print(each, flush=True)
    return found


def sync_time(directory: Path) -> float:
    """Return the median time of an fsync of 4 kB, in milliseconds."""
    handle = os.open(directory / "sync", os.O_WRONLY | os.O_CREAT)
    times = []
    for _ in range(200):
        os.write(handle, bytes(4096))
        began = time.perf_counter()
        os.fsync(handle)
        times.append(time.perf_counter() - began)
    os.close(handle)
    return 1e3 * statistics.median(times)


def agent_rate() -> float:
    """Return decisions and bits a second of a plain Agent, in the same proportion."""
    from onebit import Agent

    agent = Agent("banditron", ["a", "b", "c", "d"], seed=0)
    rows = [{f"feature_{(n * 37 + k * 7) % 1000}": 0.5 for n in range(20)} for k in range(2000)]
    for row in rows[:100]:
        agent.learn(agent.decide(row), correct=True)
    began = time.perf_counter()
    for row in rows:
        agent.learn(agent.decide(row), correct=True)
    return 2 * len(rows) / (time.perf_counter() - began)


def replay_rate(directory: Path) -> float:
    """Return the events a second of folding a log of 200,000 events from its start."""
    from onebit.store.directory import open_for_reading
    from onebit.store.recent import Recent
    from onebit.store.recovery import recover

    write_log(directory, 200_000, snapshot_every=10**9)
    store = open_for_reading(directory)
    recover(store, Recent())  # everything is warm
    began = time.perf_counter()
    recover(store, Recent())
    rate = store.head().seq / (time.perf_counter() - began)
    store.close()
    return rate


def start_time(directory: Path) -> float:
    """Return the seconds from the command to `ready`, with a million events in the log."""
    write_log(directory, 1_000_000 + 50_000, snapshot_every=100_000)
    began = time.perf_counter()
    server = Server("-m", "onebit.cli", "serve", str(directory), "--port", "0")
    seconds = time.perf_counter() - began
    server.stop()
    return seconds


def main() -> None:
    """Measure all, print it, and write the page."""
    if shutil.which("wrk") is None:
        sys.exit("bench-serve: it needs wrk, such as from the package wrk of Debian.")
    about, before = machine(), machine_load()
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as name:
        folder = Path(name)
        sync = sync_time(folder)
        serve = ["-m", "onebit.cli", "serve"]
        rows = measure("onebit serve", *serve, str(folder / "group"), "--port", "0")
        rows += measure("one commit per request", "-m", "bench.serve.one_commit",
                        str(folder / "one"))  # fmt: skip
        rows += measure("a constant answer (bare ASGI)", "-m", "bench.serve.bare")
        agent = agent_rate()
        replayed = replay_rate(folder / "replay")
        start = start_time(folder / "start")
    lines = [f"| {r['what']} | {r['connections']} | {r['rate']:,.0f} | {r['p50_ms']:.1f} |"
             f" {r['p99_ms']:.1f} | {r['errors']} |" for r in rows]  # fmt: skip
    rate = {(r["what"], r["connections"]): r["rate"] for r in rows}
    ours, alone = rate["onebit serve", 256], rate["one commit per request", 256]
    bare = rate["onebit serve", 64] / rate["a constant answer (bare ASGI)", 64]
    page = "\n".join([
        "# The service, measured", "",
        f"Written by `make bench-serve` on {about['cores']} cores of {about['cpu']}, Python"
        f" {about['python']}, at a load of {before:.1f}, the load generator (wrk) on the same"
        f" machine, {SECONDS} s each. Half of the requests are decisions of 20 named features among"
        " 4 labels, half are bits; each is on the disk before it is answered. An fsync of 4 kB"
        f" takes {sync:.2f} ms here.", "",
        "| server | connections | requests/s | p50 ms | p99 ms | errors |",
        "| --- | ---: | ---: | ---: | ---: | ---: |", *lines, "",
        f"- {ours / alone:.1f} times one commit per request at 256 connections;"
        f" {bare:.2f} of the bare application's rate at 64.",
        f"- A plain `Agent` in Python: {agent:,.0f} calls/s, half decide, half learn.",
        f"- Replay of a log from its start: {replayed:,.0f} events/s.",
        f"- From the command to ready with 1,050,000 events in the log: {start:.1f} s.", "",
    ])  # fmt: skip
    print(page)
    PAGE.write_text(page)


if __name__ == "__main__":
    main()
