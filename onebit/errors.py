"""The exceptions and warnings of onebit, for users to catch.

Every exception is a `BadInput`, which is a `ValueError`, and has a `code` that does not change
between versions, so that a service can map it to a status. The message is one sentence: what
refuses, which value, what is allowed, and what was given.
"""

from __future__ import annotations

__all__ = [
    "BadBlock", "BadFile", "BadInput", "BadLabel", "BadParameter", "BadRow", "Conflict",
    "DamagedLog", "DamagedSnapshot", "Forbidden", "Gone", "LostEvents", "Remark", "Unavailable",
    "UnknownAgent", "UnknownChoice", "UnknownName", "UsedChoice", "WrongFeedback",
]  # fmt: skip


class BadInput(ValueError):  # noqa: N818  it is not the program's error
    """An argument, a file or a name cannot be used; the message says why.

    Examples
    --------
    >>> from onebit import Agent
    >>> try:
    ...     Agent("banditron", labels=["tea"])
    ... except BadInput as error:
    ...     print(error.code)
    bad_label
    """

    code = "bad_input"


class UnknownName(BadInput):
    """No learner, explorer, stream, format or class of hypotheses has this name."""

    code = "unknown_name"


class BadParameter(BadInput):
    """A parameter is unknown, or its value is not allowed."""

    code = "bad_parameter"


class BadLabel(BadInput):
    """A label is unknown, repeated, retired, or cannot be a label."""

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
    """A snapshot is damaged, altered, of another format, or not from onebit."""

    code = "damaged_snapshot"


class DamagedLog(BadFile):
    """A log of events does not hold what its chain, its digests or its rules say."""

    code = "damaged_log"


class LostEvents(DamagedLog):
    """A log has less than it is known to have had."""

    code = "lost_events"


class UnknownAgent(BadInput):
    """A service has no agent of this name."""

    code = "unknown_agent"


class Conflict(BadInput):
    """A service was told something else under the same name or id before."""

    code = "conflict"


class Gone(BadInput):
    """The window of a decision has ended, or the decision was archived."""

    code = "gone"


class Forbidden(BadInput):
    """A service was called without a token, or with one that does not allow the call."""

    code = "forbidden"


class Unavailable(BadInput):
    """A service cannot do this now: too many requests wait, or its disk is full; try it again."""

    code = "unavailable"


class UnknownChoice(BadInput):
    """A choice was not made by this agent, was altered, or is no longer open."""

    code = "unknown_choice"


class UsedChoice(UnknownChoice):
    """A choice was already learned from."""

    code = "used_choice"


class WrongFeedback(BadInput):
    """The feedback is not what the learner hears: a bit, or the true label."""

    code = "wrong_feedback"


class Remark(UserWarning):
    """A warning: the input can be used, but hardly as intended."""
