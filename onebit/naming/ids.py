"""Ids of decisions: UUIDs of version 7 (RFC 9562)."""

from __future__ import annotations

import os

_drawn: list[bytes] = []
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_drawn.clear)  # or both processes would draw the same


def draw_id(time: int) -> bytes:
    """Return an id that cannot be guessed: 48 bits of time, 6 bits that are fixed, 74 random ones.

    Ids of one time lie side by side in a database's index, so that writing many of them changes
    few of its pages.

    Parameters
    ----------
    time : int
        Microseconds since 1970.
    """
    try:
        own = _drawn.pop()
    except IndexError:  # a call of the system for each id would take longer than all else
        many = os.urandom(10 * 64)
        own, *rest = (many[at : at + 10] for at in range(0, len(many), 10))
        _drawn.extend(rest)
    drawn = int.from_bytes(own, "big")
    drawn = drawn & 0x0FFF_3FFF_FFFF_FFFF_FFFF | 0x7000_8000_0000_0000_0000
    return ((time // 1000) % 2**48 << 80 | drawn).to_bytes(16, "big")
