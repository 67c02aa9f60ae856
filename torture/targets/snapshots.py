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
from onebit.errors import BadInput, DamagedSnapshot
from torture.mutations import NUMBERS, mutate, value
from torture.shrinking import without_parts

HEADER = "onebit.json"
LEARNERS = {"banditron": "bit", "naive-bayes": "label", "exp3": "bit", "label-ranking": "bit",
            "perceptron": "label"}  # fmt: skip
WIDTH, LABELS = 4, ["a", "b", "c"]


def drive(agent: Agent, hears: str, rounds: int = 3) -> None:
    """Let an agent decide and learn; what it says must be labels with probabilities."""
    random = np.random.default_rng(1)
    assert agent.features is None or agent.features < 10**6
    for n in range(rounds):
        x = random.random(agent.features or WIDTH) / 10
        try:
            with np.errstate(all="ignore"):
                choice = agent.decide(x)
                assert choice.label in agent.labels
                assert 0 < choice.prob <= 1
                assert 0 < choice.marginal <= 1
                assert abs(sum(agent.probabilities(x).values()) - 1) < 1e-6
                truth = agent.labels[n % len(agent.labels)]
                agent.learn(
                    choice, **({"truth": truth} if hears == "label" else {"correct": n > 0})
                )
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
    """A case is how the learner hears, and the bytes."""

    def __init__(self) -> None:
        self._saved: dict[str, bytes] = {}

    def _snapshot(self, name: str) -> bytes:
        if name not in self._saved:
            agent = Agent(name, labels=LABELS, features=WIDTH, seed=3, open=20)
            agent.id = "0123456789abcdef"
            drive(agent, LEARNERS[name], 12)
            agent.decide([0.1] * WIDTH, among=["a", "c"] if name != "label-ranking" else None)
            members = parts(agent.to_bytes())
            count = len(np.lib.format.read_array(io.BytesIO(members["open.token.npy"])))
            members["open.token.npy"] = npy(np.arange(count, dtype=np.uint64))  # not at random
            self._saved[name] = whole(members)
        return self._saved[name]

    def make(self, random: Random) -> Any:
        """Return a mutated snapshot."""
        name = random.choice([*LEARNERS])
        content = self._snapshot(name)
        kind = random.random()
        if kind < 0.25:
            return LEARNERS[name], mutate(content, random)
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
        return LEARNERS[name], whole(members, compression)

    def _header(self, text: bytes, random: Random) -> bytes:
        """Return a header with another value in one of its fields."""
        try:
            header = json.loads(text)
            field = random.choice([*header, "more"])
            if random.random() < 0.3 and isinstance(header.get(field), list) and header[field]:
                header[field][random.randrange(len(header[field]))] = value(random)
            else:
                header[field] = value(random)
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
        hears, content = case
        try:
            agent = Agent.from_bytes(content)
        except BadInput as error:
            assert isinstance(error, DamagedSnapshot), f"{type(error).__name__}: {error}"
            raise
        drive(agent, hears)
        try:
            again = agent.to_bytes()
        except BadInput:
            return
        assert Agent.from_bytes(again).to_bytes() == again, "it does not save what it loads"

    def smaller(self, case: Any) -> Iterator[Any]:
        """Yield the snapshot without some members, or with fewer bytes."""
        hears, content = case
        try:
            members = parts(content)
        except Exception:  # what zipfile raises for bytes that are no archive
            members = {}
        for name in members:
            yield hears, whole({each: made for each, made in members.items() if each != name})
        for less in without_parts(content):
            yield hears, less
