"""Writes a long log quickly, as a service would have written it: for starts, replays and memory."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from onebit.store import bodies
from onebit.store.directory import open_for_writing
from onebit.store.event import Draft, Head, Kind, pack_row
from onebit.store.fold import Fold, draw_number, snapshot_content
from onebit.store.recent import Recent

CREATED = bodies.Created(
    learner="banditron:gamma=0.05", labels=["a", "b", "c", "d"], features=2**18, seed=0,
    secret="00" * 32, window=3600.0, then="ignore", digest_every=10_000, onebit="bench",
)  # fmt: skip


def write_log(
    directory: Path,
    events: int,
    snapshot_every: int = 100_000,
    bits: bool = True,
    features: int = 20,
) -> None:
    """Write a log of decisions of named features, each with its bit unless `bits` is false."""
    with open_for_writing(directory) as store:
        first = Draft("bench", Kind.CREATED, None, 1, bodies.encode(CREATED))
        (event,) = store.append([first], store.head())
        head, recent = Head(event.seq, event.chain), Recent()
        fold = Fold.begin(event, store, recent)
        digests: list[Any] = []
        fold.at_digest = lambda fold: digests.append(
            bodies.Digest(fold.counts.learned, fold.agent.digest().hex())
        )
        chance, time, snapshot_at = np.random.default_rng(0), 1, 0
        while head.seq < events:
            version, drafts = head.seq, []
            for _ in range(500):
                time += 100
                drafts.append(_decision(fold, chance, features, version, time))
                if bits:
                    correct = bool(chance.random() < 0.5)
                    body = bodies.encode(bodies.Heard(correct))
                    drafts.append(Draft("bench", Kind.FEEDBACK, drafts[-1].decision, time, body))
            drafts += [Draft("bench", Kind.DIGEST, None, time, bodies.encode(d)) for d in digests]
            digests.clear()
            done = store.append(drafts, head)
            head = Head(done[-1].seq, done[-1].chain)
            for each in done:
                fold.apply(each)
            fold.flush()
            if head.seq - snapshot_at >= snapshot_every:
                snapshot_at = head.seq
                content = snapshot_content(fold.header(), fold.agent.to_bytes())
                for _ in store.write_snapshot("bench", head.seq, content):
                    pass


def _decision(
    fold: Fold, chance: np.random.Generator, features: int, version: int, time: int
) -> Draft:
    names, values = chance.integers(0, 1000, features).tolist(), chance.random(features).tolist()
    x = {f"feature_{n}": round(v, 3) for n, v in zip(names, values, strict=True)}
    agent, id = fold.agent, os.urandom(16)
    row = agent.row_of(x)
    agent.round = fold.round
    number, made, _ = agent.decide_row(row, None, draw_number(CREATED.secret, id))
    greedy, label, prob, marginal = made
    body = bodies.Decided(
        x=msgspec.Raw(msgspec.json.encode(x)), round=number, greedy=greedy, label=label,
        prob=prob, marginal=marginal, version=version,
    )  # fmt: skip
    return Draft("bench", Kind.DECISION, id, time, bodies.encode(body), pack_row(row))
