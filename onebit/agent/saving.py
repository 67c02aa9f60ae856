"""Saving an agent and loading it: to a file, to bytes, by copy and by pickle."""

from __future__ import annotations

import io
import math
from os import PathLike
from typing import Any, BinaryIO, Self, TypeVar

import numpy as np

from onebit import learners
from onebit.agent import snapshot
from onebit.agent.adviser import row_is_advice
from onebit.agent.base import AgentBase, checked_flag
from onebit.agent.labels import Labels, label_from_json, labels_to_json
from onebit.agent.open_arrays import open_arrays, read_open
from onebit.errors import BadInput, BadParameter, DamagedSnapshot, MachineFailed, TooLarge
from onebit.kernel.memory import OverLimit, limited
from onebit.kernel.sizes import Column
from onebit.kernel.state import is_sound, walk
from onebit.naming.params import short_repr
from onebit.streams.tables.plain import from_plain, to_plain

#: The bytes that a snapshot may make an agent take beyond what is in the file.
MEMORY = 2**30
#: More bytes than any machine has.
_MOST_MEMORY = 2**63

SavingAgent = TypeVar("SavingAgent", bound="Saving")


class Saving(AgentBase):
    """The methods of an agent that write it and read it."""

    def save(self, target: str | PathLike[str] | BinaryIO, *, replay: bool = True) -> None:
        """Write the whole agent, open decisions too, so that `Agent.load` goes on from here.

        Parameters
        ----------
        target : path or binary file object
            A path is replaced atomically, through symbolic links.
        replay : bool, default True
            Whether the past rounds that the learner learns from again (those of `auto`) are
            written. Without them the file is smaller, and the agent that is loaded from it goes
            on otherwise than this one: it replays only what comes then. Its repr says since when.

        Raises
        ------
        BadFile
            If it cannot be written.
        BadInput
            If a label is not a string, a number, None or a tuple of these.

        Examples
        --------
        >>> import io
        >>> from onebit import Agent
        >>> agent, file = Agent("banditron", labels=["tea", "coffee"], seed=1), io.BytesIO()
        >>> agent.save(file)
        >>> Agent.load(io.BytesIO(file.getvalue())).labels
        ('tea', 'coffee')
        """
        snapshot.write(target, self.to_bytes(replay=replay))

    @classmethod
    def load(
        cls,
        source: str | PathLike[str] | BinaryIO,
        *,
        hypotheses: Any = None,
        memory: float = MEMORY,
    ) -> Self:
        """Read an agent that `save` wrote; never executes code from the file.

        Parameters
        ----------
        source : path or binary file object
            What to read.
        hypotheses : object, optional
            The class of hypotheses, which is not in the file; without it rows must be advice.
        memory : float, default 2**30
            How many bytes a file may make the agent take beyond four times its own length: a small
            file may declare a learner with any number of features.

        Returns
        -------
        Agent
            An agent that goes on where the saved one stopped. Choices that were open then are open
            now; those that another copy made since are refused.

        Raises
        ------
        BadFile
            If it cannot be read; `DamagedSnapshot` if it is not a valid snapshot.
        TooLarge
            If the agent would take more than `memory`, or than the machine has.
        """
        memory = _checked_memory(memory)
        with snapshot.open_source(source) as file:
            found = snapshot.Snapshot(file, snapshot.name_of(source))
            return cls._restored(found, hypotheses, memory)

    def to_bytes(self, *, replay: bool = True) -> bytes:
        """Return what `save` writes.

        Parameters
        ----------
        replay : bool, default True
            As for `save`.

        Returns
        -------
        bytes
            A snapshot; equal agents give equal bytes.

        Raises
        ------
        BadInput
            If a label is not a string, a number, None or a tuple of these.
        """
        replay = checked_flag("replay", replay)
        with self._lock:
            core = self._core
            header = {
                "learner": str(self.recipe.spec),
                "labels": labels_to_json("Agent.save", self._labels.names),
                "retired": sorted(self._labels.retired),
                "features": None if core is None else core.sizes.features,
                "raw_features": None if self._adviser is None else self._adviser.width,
                "columns": self._columns,
                "begun": self._begun,
                "named": self._named,
                "scale": self._scale,
                "encoder": None if self._encoder is None else to_plain(self._encoder),
                "seed": self.seed,
                "open": self._open.most,
                "forgotten": self._open.forgotten,
                "round": self.round,
                "agent": self.id,
                "replay": replay,
                "replay_since": self._replay_since,
            }
            arrays: snapshot.Arrays = {}
            if core is not None:
                if not (is_sound(core.player.learner) and is_sound(core.player.explorer)):
                    raise BadInput(
                        f"Agent.save: {self._who} has weights beyond the range of floats, from rows"
                        " of values that are too large, and cannot be saved."
                    )
                arrays |= snapshot.state_arrays("learner", core.player.learner, replay)
                arrays |= snapshot.state_arrays("explorer", core.player.explorer)
                arrays |= open_arrays(self._open)
            return snapshot.to_bytes(header, arrays)

    @classmethod
    def from_bytes(cls, content: bytes, *, hypotheses: Any = None, memory: float = MEMORY) -> Self:
        """Read an agent from what `to_bytes` returned.

        Parameters
        ----------
        content : bytes
            A snapshot.
        hypotheses : object, optional
            As for `load`.
        memory : float, default 2**30
            As for `load`.

        Returns
        -------
        Agent
            As `load`.

        Raises
        ------
        DamagedSnapshot
            If it is not a valid snapshot.
        TooLarge
            If the agent would take more than `memory`, or than the machine has.
        """
        memory = _checked_memory(memory)
        if not isinstance(content, bytes | bytearray | memoryview):
            raise DamagedSnapshot(
                f"Agent.from_bytes: it takes bytes that to_bytes made, got {short_repr(content)}."
            )
        return cls._restored(
            snapshot.Snapshot(io.BytesIO(bytes(content)), "the snapshot"), hypotheses, memory
        )

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return _unpickled(type(self), self.to_bytes(), self._hypotheses)

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (type(self), self.to_bytes(), self._hypotheses)

    @property
    def _hypotheses(self) -> Any:
        return None if self._adviser is None else self._adviser.hypotheses

    @classmethod
    def _restored(cls, found: snapshot.Snapshot, hypotheses: Any, memory: float) -> Self:
        """Return the agent that a snapshot is of."""
        try:
            agent = cls._from_header(found, memory + 4 * found.size)
            agent._fill(found)
        except (DamagedSnapshot, TooLarge):  # a sound file may be too large for this machine
            raise
        except MemoryError:
            raise MachineFailed(
                f"Agent.load: {found.name} needs more memory than there is left."
            ) from None
        except OverLimit as error:
            raise TooLarge(
                f"Agent.load: {found.name}, of {found.size:,} bytes, must declare an agent that"
                f" takes at most {memory / 1e9:,.1f} GB more (memory=), got {error}."
            ) from None
        except BadInput as error:
            raise DamagedSnapshot(
                f"Agent.load: {found.name} holds what cannot be an agent: {error}"
            ) from None
        except Exception as error:  # whatever a learner or an encoder raises for what is no agent
            raise found.damaged() from error
        if hypotheses is not None:
            core = agent._core
            size = agent._use_hypotheses(hypotheses, found.header["raw_features"])
            if core is not None and size not in (None, core.sizes.features):
                raise BadParameter(
                    f"Agent.load: hypotheses must be the {core.sizes.features} that the agent was"
                    f" saved with, got {size}."
                )
        return agent

    @classmethod
    def _from_header(cls, found: snapshot.Snapshot, allowed: float) -> Self:
        """Return a new agent as the header declares it, which takes so many bytes at most."""
        header, encoder = found.header, None
        if header.get("encoder") is not None:
            encoder = from_plain(header["encoder"])
            if encoder.scale != header["scale"]:
                raise found.damaged()
        learners.check_imported(header["learner"])
        with limited(allowed):
            agent = cls(
                header["learner"],
                [label_from_json(label) for label in header["labels"]],
                features=header["features"],
                columns=[Column(*column) for column in header["columns"]],
                scale=header.get("scale", False),
                encoder=encoder,
                seed=header["seed"],
                open=header["open"],
            )
        agent._labels = Labels(agent._labels.names, header["retired"])
        if len(header["retired"]) >= len(agent._labels):
            raise found.damaged()
        agent._begun = header.get("begun", 0)  # absent in snapshots of earlier versions
        if agent._begun and agent._core is not None:
            width, agent._core = agent._core.sizes.features, None
            with limited(allowed):
                agent._core = agent._core_for(width)
        agent.round, agent.id = header["round"], header["agent"]
        agent._named = header.get("named")
        agent._open.forgotten = min(header["forgotten"], agent.round)
        agent._replay_since = min(header.get("replay_since", 0), agent.round)
        return agent

    def _fill(self, found: snapshot.Snapshot) -> None:
        """Take over what was learned, and the open decisions."""
        core, replay = self._core, found.header.get("replay", True)
        used: set[str] = set()
        if core is not None:
            if not replay and has_optional(core.player.learner):
                self._replay_since = self.round
            used |= snapshot.fill(found, "learner", core.player.learner, replay)
            used |= snapshot.fill(found, "explorer", core.player.explorer)
            used |= read_open(found, self._open, core.sizes, self.round)
            if self._reads_advice:
                for each in self._open.decisions():
                    if not row_is_advice(each.row, len(self._labels)):
                        raise found.damaged()
        found.check_members(used)


def has_optional(state: Any) -> bool:
    """Return whether a snapshot may leave out some of what a learner remembers."""
    return any(held.axes.optional for held in walk(state))


def _unpickled(kind: type[SavingAgent], content: bytes, hypotheses: Any) -> SavingAgent:
    """Return an agent from trusted bytes."""
    return kind.from_bytes(content, hypotheses=hypotheses, memory=math.inf)


def _checked_memory(memory: Any) -> float:
    """Return a number of bytes, or raise BadParameter."""
    whole = isinstance(memory, int | float | np.integer | np.floating)
    whole = whole and not isinstance(memory, bool | np.timedelta64)
    if not (whole and memory >= 0):
        raise BadParameter(
            f"Agent.load: memory must be a number of bytes, not negative, got {short_repr(memory)}."
        )
    return float(min(memory, _MOST_MEMORY))
