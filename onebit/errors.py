"""The exceptions and warnings of onebit, for users to catch."""

from __future__ import annotations


class BadInput(ValueError):  # noqa: N818  it is not the program's error
    """What the user gave cannot be used. The message is one sentence that says why."""


class Remark(UserWarning):
    """What the user gave can be used, but hardly as meant. One sentence that says why."""
