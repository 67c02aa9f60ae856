"""Writes a long log quickly, as a service would have written it: for starts, replays and memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from onebit.kernel.rows import Row
from onebit.naming.ids import draw_id
from onebit.store import bodies
from onebit.store.directory import open_for_writing
from onebit.store.event import EMPTY, Draft, Head, Kind, pack_row
from onebit.store.fold import Fold, draw_number, snapshot_content
from onebit.store.recent import Recent
from onebit.store.recovery import recover

CREATED = bodies.Created(
    learner="banditron:gamma=0.05", labels=["a", "b", "c", "d"], features=2**18, seed=0,
    secret="00" * 32, window=3600.0, then="ignore", digest_every=10_000, onebit="bench",
)  # fmt: skip
#: Different rows of a log.
_ROWS = 5000


class _Sent(NamedTuple):
    """A row as a caller sends it, as it is read, and as it is logged."""

    x: msgspec.Raw
    row: Row
    packed: bytes


def write_log(
    directory: Path,
    events: int,
    snapshot_every: int = 100_000,
    bits: bool = True,
    features: int = 20,
) -> None:
    """Write a log of decisions of named features, each with its bit unless `bits` is false.

    A log that is there already goes on until it has so many events.
    """
    with open_for_writing(directory) as store:
        if store.head() == EMPTY:
            store.append([Draft("bench", Kind.CREATED, None, 1, bodies.encode(CREATED))], EMPTY)
        fold, head = recover(store, Recent())["bench"], store.head()
        digests: list[Any] = []
        fold.at_digest = lambda fold: digests.append(
            bodies.Digest(fold.counts.learned, fold.agent.digest().hex())
        )
        chance, snapshot_at = np.random.default_rng(head.seq), head.seq
        time, rows = store.read(head.seq - 1, 1)[0].time, _rows(fold, chance, features)
        while head.seq < events:
            version, drafts = head.seq, []
            for number in chance.integers(0, _ROWS, 500).tolist():
                time += 100
                drafts.append(_decision(fold, rows[number], version, time))
                if bits:
                    body = bodies.HEARD[number % 2 == 0]
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


def _rows(fold: Fold, chance: np.random.Generator, features: int) -> list[_Sent]:
    made = []
    for _ in range(_ROWS):
        names, values = chance.integers(0, 1000, features), chance.random(features)
        both = zip(names.tolist(), values.tolist(), strict=True)
        x = {f"feature_{n}": round(v, 3) for n, v in both}
        row = fold.agent.row_of(x)
        made.append(_Sent(msgspec.Raw(msgspec.json.encode(x)), row, pack_row(row)))
    return made


def _decision(fold: Fold, sent: _Sent, version: int, time: int) -> Draft:
    id = draw_id(time)
    number, made, _ = fold.agent.decide_row(sent.row, None, draw_number(CREATED.secret, id))
    greedy, label, prob, marginal = made
    body = bodies.Decided(
        x=sent.x, round=number, greedy=greedy, label=label, prob=prob, marginal=marginal,
        version=version,
    )  # fmt: skip
    return Draft("bench", Kind.DECISION, id, time, bodies.encode(body), sent.packed)
