"""The service without HTTP: all agents of a store, their clock work, start and end."""

from __future__ import annotations

import asyncio
import gc
import importlib
import math
import os
import re
import secrets
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from onebit import __version__, learners
from onebit.agent.labels import label_from_json, labels_to_json
from onebit.agent.recipe import Recipe
from onebit.errors import BadInput, BadParameter, Conflict, TooLarge, Unavailable, UnknownAgent
from onebit.kernel.memory import OverLimit, limited
from onebit.kernel.round import Bit
from onebit.service.archiving import Archiver
from onebit.service.freezing import Frozen
from onebit.service.hosted import Hosted, now
from onebit.service.sequencer import Sequencer
from onebit.service.settings import Settings
from onebit.service.types import AgentRequest
from onebit.store import bodies
from onebit.store.directory import HEAD, write_head
from onebit.store.event import Draft, Event, Kind
from onebit.store.fold import Fold, make_agent, snapshot_content
from onebit.store.recent import Recent
from onebit.store.recovery import recover
from onebit.store.sqlite import SqliteStore

#: Events that are looked through at a time for decisions whose window has ended.
_SCANNED = 20_000
#: Bytes that what an agent learns may take: for each cell of the settings, and in any case.
BYTES_OF_A_CELL, LEAST_BYTES = 32, 1 << 30
_CREATED = int(Kind.CREATED)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


class Service:
    """Agents by name, one sequencer, and what happens by the clock."""

    def __init__(
        self, store: SqliteStore, directory: Path, settings: Settings,
        clock: Callable[[], int] = now,
    ) -> None:  # fmt: skip
        self.store, self.directory, self.settings, self._clock = store, directory, settings, clock
        self.agents: dict[str, Hosted] = {}
        self.recent = Recent(settings.recent)
        self.ready = False
        self.replayed = 0
        self._time = 0
        self._frozen: dict[str, Frozen] = {}
        self._snapshot_at, self._snapshot_time = 0, time.monotonic()
        self._tasks: list[asyncio.Task[None]] = []
        self._creating, self.compiling = asyncio.Lock(), 0
        self._archiver = Archiver(store, directory, settings)
        self._most_bytes = max(BYTES_OF_A_CELL * settings.cells, LEAST_BYTES)
        self.sequencer: Sequencer

    def clock(self) -> int:
        """Return the time of an event, never before that of the one before."""
        self._time = max(self._time, self._clock())
        return self._time

    async def start(self) -> None:
        """Fold the log, in a thread, then serve."""
        self._import_plugins()
        folds = await asyncio.to_thread(self._recover)
        self.sequencer = Sequencer(
            self.store, self._applied, self._dropped, self._fail, self.settings.events
        )
        last = self.store.read(self.sequencer.head.seq - 1, 1)
        self._time = last[0].time if last else 0
        for fold in folds.values():
            self._host(fold)
        self._snapshot_at = min(
            (seqs[0] for seqs in self.store.snapshot_seqs().values()), default=0
        )
        gc.freeze()  # looking through what was imported and compiled stops everything for 0.1 s
        self.ready = True
        for work, seconds in ((self._head_file, 1.0), (self._expire, 1.0), (self._snapshot, 1.0),
                              (self._archive, 600.0)):  # fmt: skip
            self._tasks.append(asyncio.create_task(self._repeat(work, seconds)))

    def _import_plugins(self) -> None:
        """Import the modules of learners of other packages, which only the operator may name."""
        for name in self.settings.plugins:
            try:
                importlib.import_module(name)
            except ImportError as error:
                raise BadParameter(
                    f"onebit serve: plugin {name} cannot be imported: {error}."
                ) from None

    def _recover(self) -> dict[str, Fold]:
        folds = recover(self.store, self.recent, lambda seq: setattr(self, "replayed", seq))
        for fold in folds.values():
            warm_up(fold.created, math.inf)
        return folds

    def _host(self, fold: Fold) -> Hosted:
        fold.at_digest = self._digest
        hosted = self.agents[fold.name] = Hosted(fold, self.sequencer, self.clock)
        self._frozen[fold.name] = Frozen()
        return hosted

    def agent(self, name: str) -> Hosted:
        """Return an agent.

        Raises
        ------
        UnknownAgent
            If there is none of this name.
        Unavailable
            If the log is still being read.
        """
        found = self.agents.get(name)
        if found is None:
            self.check_ready()
            raise UnknownAgent(f"onebit serve: there is no agent {name[:64]!r}.")
        return found

    def _compile(self, created: bodies.Created) -> None:
        """Try a recipe; the thread goes on also if the call for it is cancelled."""
        self.compiling += 1
        try:
            warm_up(created, self._most_bytes)
        finally:
            self.compiling -= 1

    def check_ready(self) -> None:
        """Raise Unavailable while the log is being read."""
        if not self.ready:
            raise Unavailable(
                f"onebit serve: the log is being read, {self.replayed:,} events so far."
            )

    def _applied(self, events: list[Event]) -> None:
        """Apply events that are on the disk."""
        agents = self.agents
        for event in events:
            if event.kind == _CREATED:
                self._host(Fold.begin(event, self.store, self.recent))
                continue
            hosted = agents[event.agent]
            hosted.fold.apply(event)
            hosted.settled(event)
        for name in {event.agent for event in events}:
            agents[name].fold.flush()

    def _dropped(self, drafts: list[Draft]) -> None:
        for draft in drafts:
            if draft.kind != Kind.CREATED:
                self.agents[draft.agent].settled(draft)

    def _fail(self, error: Exception) -> None:
        """End the process: what is on the disk is not known, or cannot be applied."""
        print(f"onebit serve: {error}; start it again.", file=sys.stderr, flush=True)
        os._exit(1)

    async def create(self, name: str, request: AgentRequest) -> Hosted:
        """Create an agent, or find it as it was created or as it is now.

        Raises
        ------
        BadInput
            If it cannot be created; `Conflict` if the name has another recipe.
        """
        self.check_ready()
        if _NAME.fullmatch(name) is None:
            raise BadParameter(
                "onebit serve: an agent's name must be 1 to 64 letters, digits, dots, dashes or"
                f" underscores, and begin with a letter or digit, got {name[:64]!r}."
            )
        created = self._created(request)
        if name not in self.agents:
            async with self._creating:  # the same request may have come twice
                if name not in self.agents:
                    self.check_cells(len(created.labels), created.features)
                    await asyncio.to_thread(self._compile, created)
                    gc.freeze()
                    draft = Draft(name, Kind.CREATED, None, self.clock(), bodies.encode(created))
                    await self.sequencer.add([draft])
        return self._same(self.agents[name], created)

    def _same(self, found: Hosted, asked: bodies.Created) -> Hosted:
        """Return an agent if it is the one that was asked for."""
        begun, fold = found.fold.created, found.fold
        spec = str(Recipe.parse(begun.learner).spec)  # parameters that are newer have defaults
        begun = msgspec.structs.replace(begun, learner=spec)
        current = msgspec.structs.replace(
            begun, labels=found.labels(), window=fold.window, then=fold.then
        )
        ours = msgspec.structs.replace(
            asked, secret=begun.secret, digest_every=begun.digest_every, onebit=begun.onebit
        )
        if ours not in (begun, current):
            raise Conflict(
                f"onebit serve: agent {found.name} is there already, as {begun.learner} with other"
                " labels or settings; PATCH changes it."
            )
        return found

    def _created(self, request: AgentRequest) -> bodies.Created:
        """Return a checked recipe."""
        labels_to_json("onebit serve", list(map(label_from_json, request.labels)))
        learners.check_imported(request.learner)
        recipe = Recipe.parse(request.learner)
        if learners.traits(recipe.kind).hears is not Bit:
            raise BadParameter(
                f"{recipe.kind.__name__}: it hears the true label, and a service gives one bit."
            )
        return bodies.Created(
            learner=str(recipe.spec), labels=list(request.labels), features=request.features,
            seed=request.seed, secret=secrets.token_hex(32), window=request.window,
            then=request.then, digest_every=self.settings.digest_events, onebit=__version__,
        )  # fmt: skip

    def check_cells(self, labels: int, features: int) -> None:
        """Raise BadParameter if an agent would be too large."""
        if labels * features > self.settings.cells:
            raise BadParameter(
                f"onebit serve: labels x features must be at most {self.settings.cells:,}, got"
                f" {labels:,} x {features:,}."
            )

    def check_growth(self, created: bodies.Created, labels: int) -> None:
        """Raise BadParameter if an agent would be too large with so many labels."""
        self.check_cells(labels, created.features)
        larger = msgspec.structs.replace(created, labels=list(range(labels)))
        warm_up(larger, self._most_bytes, compiles=False)

    def _digest(self, fold: Fold) -> None:
        """Log the digest of a state, computed from a copy in another thread."""
        frozen = self._frozen[fold.name]
        copy, learned = frozen.take(fold), fold.counts.learned
        if copy is None:
            return

        async def digest() -> None:
            try:
                found = await asyncio.to_thread(copy.digest)
            finally:
                frozen.busy = False
            body = bodies.encode(bodies.Digest(learned, found.hex()))
            try:
                await self.sequencer.add([Draft(fold.name, Kind.DIGEST, None, self.clock(), body)])
            except Unavailable:
                return  # the next one will do

        self._tasks.append(asyncio.create_task(digest()))

    async def _snapshot(self, at_end: bool = False) -> None:
        """Write a snapshot of every agent, if there is enough that is new."""
        self._tasks = [task for task in self._tasks if not task.done()]
        seq = self.sequencer.head.seq
        new, age = seq - self._snapshot_at, time.monotonic() - self._snapshot_time
        due = new >= self.settings.snapshot_events or age >= self.settings.snapshot_seconds
        if not new or not (due or at_end) or self.sequencer.in_background:
            return
        self._snapshot_at, self._snapshot_time = seq, time.monotonic()
        for name, hosted in list(self.agents.items()):
            frozen = self._frozen[name]
            while (copy := frozen.take(hosted.fold)) is None:
                await asyncio.sleep(0.01)
            header, seq = hosted.fold.header(), self.sequencer.head.seq
            try:
                content = snapshot_content(header, await asyncio.to_thread(copy.to_bytes))
            finally:
                frozen.busy = False
            self.sequencer.run_in_background(self.store.write_snapshot(name, seq, content))

    async def _head_file(self) -> None:
        """Write where the log ends."""
        await asyncio.to_thread(write_head, self.directory / HEAD, self.sequencer.head)

    async def _expire(self) -> None:
        """Close the decisions whose window has ended."""
        for hosted in list(self.agents.values()):
            while hosted.fold.window is not None and await self._expire_some(hosted):
                pass

    async def _expire_some(self, hosted: Hosted) -> bool:
        """Close some decisions of an agent; return whether there may be more."""
        window, most = hosted.fold.window, max(1, self.settings.events // 10)
        assert window is not None
        until = self.clock() - int(window * 1e6)
        # No bit is taken any more for a decision made before `until`. Those that were taken are
        # on their way, or in the log before it is read here.
        on_their_way = set(hosted.hearing)
        after = max(hosted.fold.closed, self.store.base.seq)
        last = await asyncio.to_thread(self.store.last_at, until)
        through = min(after + _SCANNED, last)
        if through <= after:
            return False
        found = await asyncio.to_thread(self.store.unanswered, hosted.name, after, through, most)
        if hosted.fold.window != window:
            return True
        open_ = [event for event in found if event.decision not in on_their_way]
        await hosted.expire(open_)
        if len(open_) < len(found):
            return False  # look again later: their commit may have failed
        hosted.fold.closed = found[-1].seq if len(found) == most else through
        return True

    async def _archive(self) -> None:
        """Move old events out of the store."""
        if self.settings.keep is not None and not self.sequencer.in_background:
            paused = [h.fold.paused_at for h in self.agents.values() if h.fold.paused_at]
            first = min(paused, default=None)
            work = await asyncio.to_thread(self._archiver.write, self.clock(), first)
            if work is not None:
                self.sequencer.run_in_background(work)

    async def _repeat(self, work: Callable[[], Any], seconds: float) -> None:
        while True:
            try:
                await work()
            except (Unavailable, OSError, BadInput) as error:
                _say(error)
            except Exception:  # it must not be the last time
                traceback.print_exc(file=sys.stderr)
            await asyncio.sleep(seconds)

    async def stop(self) -> None:
        """Commit everything, write a snapshot and where the log ends."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if not self.ready:
            return
        self.sequencer.drop_background()
        await self.sequencer.drain()
        for frozen in self._frozen.values():
            frozen.busy = False
        try:
            await self._snapshot(at_end=True)
        except BadInput as error:
            _say(error)
        await self.sequencer.drain()
        self.sequencer.stop()
        try:
            write_head(self.directory / HEAD, self.sequencer.head)
        except OSError as error:  # as on a full disk
            _say(error)


def _say(error: Exception) -> None:
    text = f"{error.strerror}." if isinstance(error, OSError) else str(error)
    print(f"onebit serve: {text.removeprefix('onebit serve: ')}", file=sys.stderr, flush=True)


def warm_up(created: bodies.Created, most: float, compiles: bool = True) -> None:
    """Make an agent once, so that all it needs is checked, and compiled if asked for.

    Raises
    ------
    BadParameter
        If it cannot be made; `TooLarge` if what it learns may take more bytes than `most`.
    """
    try:
        with limited(most):
            agent = make_agent(created)
        if agent.most_bytes > most:
            raise OverLimit(f"{agent.most_bytes / 1e9:,.1f} GB")
        if compiles:
            agent.warm_up()
    except OverLimit as error:
        raise TooLarge(
            f"onebit serve: what {created.learner} learns must take at most {most / 1e9:,.1f} GB,"
            f" got {error}."
        ) from None
    except MemoryError:
        raise BadParameter(
            f"onebit serve: there is no memory for {len(created.labels):,} labels and"
            f" {created.features:,} features."
        ) from None
