"""Writes logs as the service does, but one event after another."""

import msgspec
import numpy as np

from onebit.store import bodies
from onebit.store.event import Draft, Kind, pack_row
from onebit.store.fold import Fold, draw_number
from onebit.store.recent import Recent

CREATED = bodies.Created(
    learner="banditron:gamma=0.2", labels=["a", "b", "c"], features=256, seed=3, secret="ab" * 16,
    window=60.0, then="ignore", digest_every=50, onebit="0",
)  # fmt: skip


def encode(body):
    return bodies.encode(body)


class Writer:
    """One agent, its fold, and every kind of event."""

    def __init__(self, store, name="shop", created=CREATED, seed=0):
        self.store, self.name, self.created = store, name, created
        self.chance = np.random.default_rng(seed)
        self.now = 1_000_000
        self.open = []
        event = self.append(Kind.CREATED, body=created)
        self.fold = Fold.begin(event, store, Recent())
        self.digests = []
        self.fold.at_digest = lambda fold: self.digests.append(
            (fold.counts.learned, fold.agent.digest().hex())
        )

    def append(self, kind, id=None, body=None, row=None):
        self.now += 1000
        draft = Draft(self.name, kind, id, self.now, encode(body), row)
        (event,) = self.store.append([draft], self.store.head())
        return event

    def add(self, kind, id=None, body=None, row=None):
        event = self.append(kind, id, body, row)
        self.fold.apply(event)
        self.fold.flush()
        while self.digests:
            self.add(Kind.DIGEST, body=bodies.Digest(*self.digests.pop()))
        return event

    def decide(self, x=None, among=None, text=None):
        if x is None:
            x = {f"f{self.chance.integers(9)}": float(self.chance.normal()) for _ in range(4)}
        agent, id = self.fold.agent, self.chance.bytes(16)
        row = agent.row_of(x)
        agent.round = self.fold.round
        number, (greedy, label, prob, marginal), allowed = agent.decide_row(
            row, among, draw_number(self.created.secret, id)
        )
        body = bodies.Decided(
            x=msgspec.Raw(encode(x) if text is None else text), round=number, greedy=greedy,
            label=label, prob=prob, marginal=marginal, version=self.fold.seq,
            asked=among is not None, among=None if allowed is None else allowed.tolist(),
        )  # fmt: skip
        self.add(Kind.DECISION, id, body, pack_row(row))
        self.open.append((id, label))
        return id

    def hear(self, correct=None):
        id, label = self.open.pop(int(self.chance.integers(len(self.open))))
        correct = bool(label == 0 or self.chance.random() < 0.1) if correct is None else correct
        self.add(Kind.FEEDBACK, id, bodies.Heard(correct))
        return id

    def expire(self, wrong):
        id, _ = self.open.pop(0)
        self.add(Kind.EXPIRED, id, bodies.Expired(wrong))
        return id

    def some(self, count):
        """Append about so many events of all kinds."""
        for _ in range(count):
            u = self.chance.random()
            if u < 0.5 or not self.open:
                self.decide(among=["c", "a"] if u < 0.05 else None)
            elif u < 0.9:
                self.hear()
            elif u < 0.97:
                self.expire(wrong=u < 0.93)
            elif u < 0.98:
                retired = set(self.fold.agent.labels) - set(self.fold.agent.active_labels)
                kind = Kind.LABEL_RESTORED if "b" in retired else Kind.LABEL_RETIRED
                self.add(kind, body=bodies.LabelChange("b"))
            elif u < 0.985:
                self.add(Kind.LABEL_ADDED, body=bodies.LabelChange(len(self.fold.agent.labels)))
            else:
                paused = self.fold.paused_at is None
                self.add(Kind.SETTING, body=bodies.Setting(paused=paused))
