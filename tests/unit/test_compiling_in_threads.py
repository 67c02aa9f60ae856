"""Compiling is safe under threads, also with an empty cache that all of them write to."""

import os
import subprocess
import sys

import pytest

from onebit import explorers
from onebit.kernel import verbs
from onebit.naming.catalog import Catalog

CODE = """
import threading
from onebit import Agent
names = ["banditron", "perceptron", "exp3", "cova"]
start, done = threading.Barrier(8), []

def work(n):
    agent = Agent(names[n % 4], labels=["a", "b"], features=2 + n, seed=1)
    start.wait()
    choice = agent.decide([1.0] * (2 + n))
    agent.learn(choice, **({"truth": "a"} if names[n % 4] == "perceptron" else {"correct": True}))
    done.append(n)

threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
assert sorted(done) == list(range(8)), done
"""


def test_what_is_declared_meanwhile_does_not_disturb_a_thread_that_registers(monkeypatch):
    """An import in another thread declares learners and verbs while they are looked through."""
    known = []

    def declare(*args, **options):
        if len(known) < 4:
            verbs.verb(lambda thing: None)
        known.append(args)
        return lambda body: body

    monkeypatch.setattr("numba.extending.overload", declare)
    for name, empty in (("_verbs", {}), ("_kernels", []), ("_known_to_numba", set())):
        monkeypatch.setattr(verbs, name, empty)
    for _ in range(2):
        verbs.verb(lambda thing: None)
    verbs._register_overloads()
    assert len(known) == 4

    class Meta(type):
        @property
        def __module__(cls):
            catalog.declare(type("Other", (), {}), None)
            return "elsewhere"

    catalog = Catalog("onebit.explorers", "explorer")
    first = Meta("First", (), {})
    catalog._declared = {first: None, **explorers._catalog._declared}
    assert catalog.find("greedy") is explorers.find("greedy")


@pytest.mark.compiled
@pytest.mark.long
def test_eight_threads_compile_at_once(tmp_path):
    env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    for _ in range(2):  # with an empty cache, and with what the first run left there
        run = subprocess.run([sys.executable, "-c", CODE], env=env, capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
