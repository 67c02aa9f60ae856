"""Kills a real server again and again while clients call it, and counts what became of it all.

`python tests/service/kills.py 100` kills it a hundred times; `... 60 10` every ten seconds.
"""

import asyncio
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from running import Server

from onebit.client import AsyncClient
from onebit.store.directory import open_for_reading
from onebit.store.event import Kind
from onebit.store.recent import Recent
from onebit.store.recovery import read_chained, recover
from onebit.store.verifying import verify

CONFIG = "snapshot_events = 1500\nsnapshot_seconds = 2.0\ndigest_events = 50\n"


class Report(NamedTuple):
    """What clients were told, and what the log says."""

    kills: int
    acknowledged: int
    lost: int
    doubled: int
    different_answers: int
    digests_equal: int
    digests_compared: int
    right: tuple[int, int]
    wrong: tuple[int, int]


class Caller:
    """A client that decides and sends bits, and remembers all that was acknowledged."""

    def __init__(self, url, number):
        self.client = AsyncClient(url, agent="shop", timeout=10.0, patience=1200.0)
        self.chance = random.Random(number)
        self.decided, self.heard = {}, {}

    async def run(self, ended):
        waiting = []
        while not ended.is_set():
            if waiting and self.chance.random() < 0.55:
                choice, correct = waiting.pop(self.chance.randrange(len(waiting)))
                await self.client.learn(choice, correct=correct)
                self.heard[choice.id] = correct
            else:
                k = self.chance.randrange(5)
                row = {"k": str(k), "bias": 1, "u": self.chance.random()}
                choice = await self.client.decide(row)
                self.decided[choice.id] = choice.label
                if self.chance.random() < 0.9:
                    waiting.append((choice, choice.label == "abcde"[k]))
        await self.client.close()


def check(directory, callers):
    """Return what of the acknowledged is lost, doubled or different in a log, and its digests."""
    store = open_for_reading(directory)
    made, ended, labels = Counter(), Counter(), {}
    from onebit.store import bodies

    for event in read_chained(store, store.base, store.head()):
        id = (event.decision or b"").hex()
        if event.kind == Kind.DECISION:
            made[id] += 1
            labels[id] = "abcde"[bodies.read_played(event.body).label]
        elif event.kind == Kind.FEEDBACK:
            ended[id] += 1
            labels[id, "bit"] = bodies.read_heard(event.body).correct
    decided = {id: label for caller in callers for id, label in caller.decided.items()}
    heard = {id: bit for caller in callers for id, bit in caller.heard.items()}
    lost = sum(not made[id] for id in decided) + sum(not ended[id] for id in heard)
    doubled = sum(n > 1 for n in made.values()) + sum(n > 1 for n in ended.values())
    different = sum(labels.get(id) != label for id, label in decided.items())
    different += sum(labels.get((id, "bit")) != bit for id, bit in heard.items())
    whole = verify(store)
    start = {name: fold.agent.digest().hex() for name, fold in recover(store, Recent()).items()}
    counts = Counter(value for key, value in labels.items() if isinstance(key, tuple))
    store.close()
    same = whole.digests == start
    return lost, doubled, different, same, whole.compared, counts, len(decided) + len(heard)


async def kill_often(directory, kills, seconds, callers=8, check_each=True):
    """Let clients call a server that is killed so often, after about so many seconds each."""
    directory.mkdir(exist_ok=True, parents=True)
    (directory / "config.toml").write_text(CONFIG)
    server = Server(directory, "--config", str(directory / "config.toml"))
    chance, ended = random.Random(7), asyncio.Event()
    async with AsyncClient(server.url, agent="shop") as client:
        await client.create("banditron:gamma=0.1", list("abcde"), features=2**10)
    every = [Caller(server.url, n) for n in range(callers)]
    running = [asyncio.create_task(caller.run(ended)) for caller in every]
    equal = 0
    try:
        for _ in range(kills):
            await asyncio.sleep(seconds * (0.5 + chance.random()))
            await asyncio.to_thread(server.kill)
            if check_each:
                found = await asyncio.to_thread(check, directory, every)
                assert found[:3] == (0, 0, 0), found
                equal += found[3]
            await asyncio.to_thread(server.start)
        await asyncio.sleep(seconds)
        ended.set()
        await asyncio.gather(*running)
        code, printed, _ = await asyncio.to_thread(server.stop)
        assert code == 0, printed
    finally:
        if server.process.poll() is None:
            server.kill()
    lost, doubled, different, same, compared, counts, told = check(directory, every)
    bits = Counter(bit for caller in every for bit in caller.heard.values())
    return Report(
        kills, told, lost, doubled, different, equal + same, compared,
        (bits[True], counts[True]), (bits[False], counts[False]),
    )  # fmt: skip


if __name__ == "__main__":
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 1.0
    with tempfile.TemporaryDirectory() as directory:
        report = asyncio.run(kill_often(Path(directory), kills, seconds))
    print(report)
    sound = (report.lost, report.doubled, report.different_answers) == (0, 0, 0)
    counted = report.right[0] == report.right[1] and report.wrong[0] == report.wrong[1]
    sys.exit(not (sound and counted and report.digests_equal == kills + 1))
