"""The exceptions and warnings of onebit, for users to catch.

Every exception is a `BadInput`, which is a `ValueError`, and has a `code` that never changes, so
that a service can map it to a status. The message is one sentence: who, which, what is allowed,
what came.
"""

from __future__ import annotations

__all__ = [
    "BadBlock", "BadFile", "BadInput", "BadLabel", "BadParameter", "BadRow", "DamagedSnapshot",
    "Remark", "UnknownChoice", "UnknownName", "UsedChoice", "WrongFeedback",
]  # fmt: skip


class BadInput(ValueError):  # noqa: N818  it is not the program's error
    """What the user gave cannot be used. The message is one sentence that says why."""

    code = "bad_input"


class UnknownName(BadInput):
    """No learner, explorer, stream, format or class of hypotheses has this name."""

    code = "unknown_name"


class BadParameter(BadInput):
    """A parameter is unknown, or its value is not allowed."""

    code = "bad_parameter"


class BadLabel(BadInput):
    """A label is unknown, there twice, retired, or cannot be a label."""

    code = "bad_label"


class BadRow(BadInput):
    """A row is of the wrong kind or width, or holds values that are not finite numbers."""

    code = "bad_row"


class BadBlock(BadInput):
    """A block of a stream does not fit the agent that is to play it."""

    code = "bad_block"


class BadFile(BadInput):
    """A file is missing, malformed, damaged or cannot be written."""

    code = "bad_file"


class DamagedSnapshot(BadFile):
    """A snapshot is damaged, doctored, of a newer version, or none of onebit."""

    code = "damaged_snapshot"


class UnknownChoice(BadInput):
    """A choice was not made by this agent, was altered, or is no longer open."""

    code = "unknown_choice"


class UsedChoice(UnknownChoice):
    """A choice was learned from already."""

    code = "used_choice"


class WrongFeedback(BadInput):
    """The feedback is not what the learner hears: a bit, or the true label."""

    code = "wrong_feedback"


class Remark(UserWarning):
    """What the user gave can be used, but hardly as meant. One sentence that says why."""
