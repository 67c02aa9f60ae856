"""How much memory there is, and how much of it the states that are made may take."""

from __future__ import annotations

import contextlib
import functools
import math
import os
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any

#: The bytes that arrays may still take, as a list of one number; None if there is no limit.
_allowed: ContextVar[list[float] | None] = ContextVar("_allowed", default=None)
#: The bytes that `room_for` gave, and those that are taken of them.
_room: ContextVar[list[float] | None] = ContextVar("_room", default=None)
#: The bytes that the agents of each run of this process take, by the run.
_held: dict[Any, int] = {}


class OverLimit(Exception):  # noqa: N818  the caller of `limited` reports it
    """A state would take more memory than `limited` allows; it says with which array."""


@contextlib.contextmanager
def limited(size: float) -> Iterator[None]:
    """Let states that are made inside take so many bytes; OverLimit is raised before more are.

    Arrays over features that start as zeros do not count: their pages take no memory until a
    feature is learned.
    """
    before = _allowed.set([size])
    try:
        yield
    finally:
        _allowed.reset(before)


def spend(shape: tuple[int, ...], size: int) -> None:
    """Take an array of a size in bytes from what `limited` allows; raise OverLimit beyond it."""
    allowed = _allowed.get()
    if allowed is None:
        return
    allowed[0] -= size
    if allowed[0] < 0.0:
        raise OverLimit(describe(shape, size))


@contextlib.contextmanager
def room_for(size: float) -> Iterator[None]:
    """Let all arrays of states that are made inside take so many bytes, those of zeros too."""
    before = _room.set([size, 0.0])
    try:
        yield
    finally:
        _room.reset(before)


def take(shape: tuple[int, ...], size: int) -> str:
    """Count an array before it is made; return words for what does not fit into memory, or ""."""
    room = _room.get()
    if size > memory_in_bytes():
        return describe(shape, size)
    if room is None:
        return ""
    room[1] += size
    return f"arrays of at least {room[1] / 1e9:,.1f} GB" if room[1] > room[0] else ""


def hold(run: Any, size: int) -> None:
    """Record that the agents of a run take so many bytes; 0 when it ends."""
    _held.pop(run, None)
    if size:
        _held[run] = size


def held_in_bytes() -> int:
    """Return how many bytes the agents of runs take."""
    return sum(list(_held.values()))


def describe(shape: tuple[int, ...], size: int) -> str:
    """Return words for an array of a size in bytes, however large."""
    if size >= 10**18:
        return f"an array of more than 10^{int(math.log10(size))} bytes"
    lengths = " x ".join(f"{length:,}" for length in shape)
    return f"an array of {lengths} ({size / 1e9:,.1f} GB)"


@functools.cache
def memory_in_bytes() -> float:
    """Return the memory that this process may use: of the machine, or of its container."""
    limits = [math.inf]
    with contextlib.suppress(AttributeError, ValueError, OSError):
        limits.append(float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")))
    with contextlib.suppress(ValueError, OSError), open("/sys/fs/cgroup/memory.max") as limit:
        limits.append(float(limit.read()))
    return min(limits)
