"""Memory of a server with many open decisions, and with a long log.

`python tests/service/memory.py 1000000 10000000`: decisions without a bit, whose window has ended
when the server starts, then events in a log.
"""

import sys
import tempfile
import time
from pathlib import Path

import httpx
from load import resident
from running import Server

from bench.serve.log_of import write_log


def watch(directory, until):
    """Serve a directory until a condition on its agent holds; return the memory, in megabytes."""
    found = []
    with Server(directory) as server, httpx.Client(base_url=server.url, timeout=60) as web:
        while True:
            found.append(resident(server))
            state = web.get("/v1/agents/bench").json()
            if until(state):
                break
            time.sleep(0.2)
        code, printed, _ = server.stop()
        assert (code, printed) == (0, "onebit serve: ready\n"), printed
    return found, state


def memory(decisions, events):
    """Return what a server takes with few events, with open decisions, and with a long log."""
    report = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_log(folder / "few", 1000, features=3)
        report["few events"] = max(watch(folder / "few", lambda state: True)[0])
        write_log(folder / "open", decisions, bits=False, features=3)
        found, state = watch(folder / "open", lambda state: state["open"] == 0)
        report[f"{decisions} open decisions that expire"] = max(found)
        assert state["expired"] == state["decisions"] >= decisions - 1
    with tempfile.TemporaryDirectory() as name:
        write_log(Path(name) / "long", events, features=3)
        report[f"{events} events"] = max(watch(Path(name) / "long", lambda state: True)[0])
    return report


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:]] or [1_000_000, 10_000_000]
    report = memory(*numbers)
    print(report)
    few = report.pop("few events")
    assert all(megabytes < few + 100 for megabytes in report.values()), report
