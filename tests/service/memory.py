"""Memory of a server with many open decisions, and with a long log.

`python tests/service/memory.py 1000000 1000000 5000000 10000000`: decisions without a bit, whose
window has ended when the server starts, then the lengths of a log that grows.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx
from load import resident
from running import Server

from bench.serve.log_of import write_log

#: Folds a whole log without its snapshots; prints its events, seconds and megabytes.
FOLD = """
import json, resource, sys, time
from pathlib import Path
from onebit.store.recent import Recent
from onebit.store.recovery import recover
from onebit.store.sqlite import SqliteStore

class Whole(SqliteStore):
    def snapshots(self, agent):
        return iter(())

store = Whole(Path(sys.argv[1]), writing=False)
began = time.perf_counter()
fold = recover(store, Recent())["bench"]
found = {"events": fold.seq, "digests": fold.compared, "seconds": time.perf_counter() - began}
found["megabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
print(json.dumps(found))
"""


def watch(directory, until):
    """Serve a directory until a condition on its agent holds; return memory, seconds and state.

    The memory is in megabytes, the seconds are those from the command to ready.
    """
    found, began = [], time.monotonic()
    with Server(directory) as server, httpx.Client(base_url=server.url, timeout=60) as web:
        seconds = time.monotonic() - began
        while True:
            found.append(resident(server))
            state = web.get("/v1/agents/bench").json()
            if until(state):
                break
            time.sleep(0.2)
        for n in range(200):
            web.post("/v1/agents/bench/decisions", json={"x": {"a": n}}).raise_for_status()
        found.append(resident(server))
        code, printed, _ = server.stop()
        assert (code, printed) == (0, "onebit serve: ready\n"), printed
    return max(found), round(seconds, 1), state


def memory(decisions, *lengths):
    """Return what a server takes with few events, with open decisions, and with a long log."""
    report = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_log(folder / "few", 1000, features=3)
        report["few events"] = watch(folder / "few", lambda state: True)[:2]
        write_log(folder / "open", decisions, bits=False, features=3)
        *found, state = watch(folder / "open", lambda state: state["open"] == 0)
        report[f"{decisions:,} open decisions that expire"] = tuple(found)
        assert state["expired"] == state["decisions"] >= decisions - 1
    with tempfile.TemporaryDirectory() as name:
        for events in lengths:
            began = time.monotonic()
            write_log(Path(name), events, features=3)
            print(f"{events:,} events written in {time.monotonic() - began:.0f} s", flush=True)
            found = watch(Path(name), lambda state: True)[:2]
            report[f"{events:,} events"] = found
            print(f"{events:,} events: {found}", flush=True)
        size = (Path(name) / "onebit.sqlite").stat().st_size >> 20
        command = [sys.executable, "-c", FOLD, str(Path(name) / "onebit.sqlite")]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        folded = json.loads(done.stdout)
        print(f"folded from the start, {size} MB on the disk: {folded}", flush=True)
    report[f"a fold of {folded['events']:,} events"] = folded["megabytes"], folded["seconds"]
    return report


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:]]
    report = memory(*(numbers or [1_000_000, 1_000_000, 5_000_000, 10_000_000]))
    print(report)
    few = report.pop("few events")[0]
    assert all(megabytes < few + 100 for megabytes, _ in report.values()), report
