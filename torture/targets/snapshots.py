"""Snapshots, mutated in bytes, members, header and arrays: refused, or an agent that works."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np

from onebit import Agent
from onebit.errors import BadInput, DamagedSnapshot, TooLarge
from onebit.kernel.round import Bit
from torture.mutations import NUMBERS, mutate, value
from torture.shrinking import without_parts

HEADER = "onebit.json"
LEARNERS = (
    "banditron", "naive-bayes", "exp3", "label-ranking", "perceptron", "auto", "auto:size=light",
    "forest", "pairs", "mlp", "softmax", "softmax:explorer=optimism", "arow", "soba", "newtron",
    "pnewtron", "confidit", "gappletron", "one-vs-all", "halving", "consistent", "pa",
)  # fmt: skip
#: Agents that scale numbers, and agents of a table.
SCALED, TABLE = "perceptron scaled", "banditron table"
WIDTH, LABELS = 4, ["a", "b", "c"]
ROWS = {"size": [1, 2, 9, 8], "colour": [*"rrgg"], "kind": [*"abca"]}


def new_agent(name: str) -> Agent:
    """Return a new agent of a name of LEARNERS, or SCALED or TABLE."""
    if name == TABLE:
        return Agent.from_table(ROWS, "kind", "banditron", seed=3, open=20)
    more: dict[str, Any] = {"columns": [(1, 1, 0)], "scale": True} if name == SCALED else {}
    return Agent(name.split()[0], labels=LABELS, features=WIDTH, seed=3, open=20, **more)


def row(agent: Agent, random: np.random.Generator) -> Any:
    """Return a row that an agent may take."""
    width = agent.features or WIDTH
    return random.integers(0, 2, width) if agent._reads_advice else random.random(width) / 10


def drive(agent: Agent, rounds: int = 3) -> None:
    """Let an agent decide and learn; what it says must be labels with probabilities."""
    random = np.random.default_rng(1)
    assert agent.features is None or agent.features < 10**6
    for n in range(rounds):
        x = row(agent, random)
        try:
            with np.errstate(all="ignore"):
                choice = agent.decide(x)
                assert choice.label in agent.labels
                assert 0 < choice.prob <= 1
                assert 0 < choice.marginal <= 1
                assert abs(sum(agent.probabilities(x).values()) - 1) < 1e-6
                truth = agent.labels[n % len(agent.labels)]
                heard = {"correct": n > 0} if agent._hears is Bit else {"truth": truth}
                agent.learn(choice, **heard)
        except BadInput as error:
            assert str(error).endswith(".")


def parts(content: bytes) -> dict[str, bytes]:
    """Return the members of a snapshot."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def whole(members: dict[str, bytes], compression: int = zipfile.ZIP_STORED) -> bytes:
    """Return a snapshot of members, with right checksums."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", compression) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return made.getvalue()


def npy(array: Any) -> bytes:
    """Return an array as a member holds it."""
    made = io.BytesIO()
    np.lib.format.write_array(made, array, allow_pickle=False)
    return made.getvalue()


class Target:
    """A case is the bytes of a snapshot."""

    def __init__(self) -> None:
        self._saved: dict[str, bytes] = {}

    def _snapshot(self, name: str) -> bytes:
        if name not in self._saved:
            agent = new_agent(name)
            agent.id = "0123456789abcdef"
            drive(agent, 12)
            x = row(agent, np.random.default_rng(2))
            agent.decide(x, among=["a", "c"] if name != "label-ranking" else None)
            members = parts(agent.to_bytes())
            count = len(np.lib.format.read_array(io.BytesIO(members["open.token.npy"])))
            members["open.token.npy"] = npy(np.arange(count, dtype=np.uint64))  # not at random
            self._saved[name] = whole(members)
        return self._saved[name]

    def make(self, random: Random) -> Any:
        """Return a mutated snapshot."""
        name = random.choice([*LEARNERS, SCALED, TABLE])
        content = self._snapshot(name)
        kind = random.random()
        if kind < 0.25:
            return mutate(content, random)
        members = parts(content)
        compression = zipfile.ZIP_DEFLATED if random.random() < 0.03 else zipfile.ZIP_STORED
        for _ in range(random.choice((1, 1, 1, 2, 3))):
            member = random.choice([*members] or [HEADER])
            if kind < 0.5:
                member = HEADER
                members[HEADER] = self._header(members.get(HEADER, b"{}"), random)
            elif kind < 0.6:
                members[member] = mutate(members[member], random)
            elif kind < 0.7:
                members.pop(member, None)
                if random.random() < 0.5:
                    members[random.choice((member, "extra.npy", "learner.weights@rows.npy"))] = npy(
                        np.zeros(3)
                    )
            elif member != HEADER:
                members[member] = self._array(members[member], random)
        return whole(members, compression)

    def _header(self, text: bytes, random: Random) -> bytes:
        """Return a header with another value in one of its fields."""
        try:
            header = json.loads(text)
            inside, field = header, random.choice([*header])
            while (
                random.random() < 0.7 and isinstance(inside[field], dict | list) and inside[field]
            ):
                inside = inside[field]
                field = random.choice([*inside] if isinstance(inside, dict) else range(len(inside)))
            if isinstance(inside, dict) and random.random() < 0.1:
                del inside[field]
            else:
                inside[field] = value(random)
            return json.dumps(header).encode()
        except (TypeError, ValueError, RecursionError):
            return mutate(text, random)

    def _array(self, content: bytes, random: Random) -> bytes:
        """Return an array with other values, of another shape, or of another type."""
        try:
            array = np.lib.format.read_array(io.BytesIO(content))
            with np.errstate(all="ignore"):
                kind = random.randrange(5)
                if kind == 0:
                    array[...] = random.choice(NUMBERS)
                elif kind == 1 and array.size:
                    array.flat[random.randrange(array.size)] = random.choice(NUMBERS)
                elif kind == 2:
                    array = np.concatenate([array, array])
                elif kind == 3:
                    array = array.astype(
                        random.choice(("f4", "f8", "i4", "i8", "u8", "c16", "S3", "?"))
                    )
                else:
                    array = array[None] if random.random() < 0.5 else array[:-1]
            return npy(array)
        except Exception:  # what numpy raises for a member that was mutated before
            return mutate(content, random)

    def run(self, case: Any) -> None:
        """Load the snapshot; an agent that loads must work, and save what loads again."""
        try:
            agent = Agent.from_bytes(case)
        except BadInput as error:
            known = isinstance(error, DamagedSnapshot | TooLarge)
            assert known, f"{type(error).__name__}: {error}"
            raise
        drive(agent)
        try:
            again = agent.to_bytes()
        except BadInput:
            return
        assert Agent.from_bytes(again).to_bytes() == again, "it does not save what it loads"

    def smaller(self, case: Any) -> Iterator[Any]:
        """Yield the snapshot without some members, or with fewer bytes."""
        try:
            members = parts(case)
        except Exception:  # what zipfile raises for bytes that are no archive
            members = {}
        for name in members:
            yield whole({each: made for each, made in members.items() if each != name})
        yield from without_parts(case)
