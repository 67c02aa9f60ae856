"""The plainest store: a list of events. The oracle of the conformance suite."""

from onebit.store.base import Fenced, StoredSnapshot
from onebit.store.event import EMPTY, OUTCOMES, Head, Kind, chained


class MemoryStore:
    """All events in a list, snapshots in a dict."""

    def __init__(self):
        self.base, self._events, self._archived = EMPTY, [], set()
        self._snapshots, self._kept = {}, {}

    def head(self):
        return Head(self._events[-1].seq, self._events[-1].chain) if self._events else self.base

    def append(self, drafts, expect):
        if expect != self.head():
            raise Fenced("another head")
        events = chained(expect, drafts)
        every = self._events + events
        for rule in ((Kind.CREATED,), (Kind.DECISION,), OUTCOMES):
            keys = [(e.agent, e.decision) for e in every if e.kind in rule]
            if len(set(keys)) < len(keys):
                raise Fenced("twice")
        self._events = every
        return events

    def read(self, after, limit, through=None):
        last = 2**62 if through is None else through
        return [e for e in self._events if after < e.seq <= last][:limit]

    read_fields = read

    def decision(self, agent, id):
        found = [e for e in self._events if (e.agent, e.decision) == (agent, id)]
        return sorted(found, key=lambda e: e.kind)

    def is_archived(self, agent, id):
        return (agent, id) in self._archived

    def created(self):
        return [e for e in self._events if e.kind == Kind.CREATED]

    def setup(self, agent):
        about = (Kind.DECISION, *OUTCOMES)
        return [e for e in self._events if e.agent == agent and e.kind not in about]

    def unanswered(self, agent, after, through, limit):
        ended = {(e.agent, e.decision) for e in self._events if e.kind in OUTCOMES}
        return [
            e for e in self._events
            if e.kind == Kind.DECISION and e.agent == agent and after < e.seq <= through
            and (agent, e.decision) not in ended
        ][:limit]  # fmt: skip

    def last_at(self, time):
        return max((e.seq for e in self._events if e.time <= time), default=self.base.seq)

    def probe(self):
        pass

    def write_snapshot(self, agent, seq, content):
        self._snapshots[agent, seq] = content
        mine = sorted(s for a, s in self._snapshots if a == agent)
        for old in mine[:-2]:
            if self._kept.get(agent) != old:
                del self._snapshots[agent, old]
        yield

    def snapshots(self, agent):
        for seq in self.snapshot_seqs().get(agent, []):
            yield StoredSnapshot(agent, seq, self._snapshots[agent, seq])

    def snapshot_seqs(self):
        found = {}
        for agent, seq in sorted(self._snapshots, reverse=True):
            if seq >= self.base.seq:
                found.setdefault(agent, []).append(seq)
        return found

    def drop_snapshots(self, after):
        self._snapshots = {key: it for key, it in self._snapshots.items() if key[1] <= after}

    def archive(self, through):
        self._kept = {agent: seqs[0] for agent, seqs in self.snapshot_seqs().items()}
        old = [e for e in self._events if e.seq <= through]
        self.base = Head(old[-1].seq, old[-1].chain)
        ended = {(e.agent, e.decision) for e in old if e.kind in OUTCOMES}
        gone = [e for e in old if e.kind != Kind.DECISION or (e.agent, e.decision) in ended]
        self._archived |= {(e.agent, e.decision) for e in gone if e.kind == Kind.DECISION}
        self._events = [e for e in self._events if e not in gone]
        yield

    def close(self):
        pass
