"""The exceptions and warnings of onebit, for users to catch.

Every exception is a `BadInput`, which is a `ValueError`, and has a `code` that does not change
between versions, so that a service can map it to a status. The message is one sentence: what
refuses, which value, what is allowed, and what was given.
"""

from __future__ import annotations

import errno
import re

__all__ = [
    "BadBlock", "BadFile", "BadInput", "BadLabel", "BadParameter", "BadRow", "Conflict",
    "DamagedLog", "DamagedSnapshot", "Forbidden", "Gone", "LostEvents", "MachineFailed", "Remark",
    "TooLarge", "Unavailable", "UnknownAgent", "UnknownChoice", "UnknownName", "UsedChoice",
    "WrongFeedback",
]  # fmt: skip

#: Characters of a message; the middle of a longer one is left out.
LONGEST = 1000
#: Characters that a terminal obeys or that reorder a line: controls but newline and tab, marks of
#: direction, line separators, and surrogates, which no terminal can be sent.
CONTROLS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


def printable(text: str) -> str:
    """Return a text in which characters that a terminal would obey are escaped."""
    return CONTROLS.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


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

    def __str__(self) -> str:
        sentence = printable(super().__str__()).replace("\n", "\\n")
        if len(sentence) <= LONGEST:
            return sentence
        return f"{sentence[: LONGEST // 2]}...{sentence[-LONGEST // 2 :]}"


class UnknownName(BadInput):
    """No learner, explorer, stream, format or class of hypotheses has this name."""

    code = "unknown_name"


class BadParameter(BadInput):
    """A parameter is unknown, or its value is not allowed."""

    code = "bad_parameter"


class TooLarge(BadParameter):
    """The numbers of a learner do not fit into memory; the message says what would."""

    code = "too_large"


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


class MachineFailed(BadFile):
    """The machine failed: a full disk, a broken device, too little memory."""

    code = "machine_failed"


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
    """A service has another content under the same name or id."""

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
    """A choice was not made by this agent, was changed, or is no longer open."""

    code = "unknown_choice"


class UsedChoice(UnknownChoice):
    """A choice was already learned from."""

    code = "used_choice"


class WrongFeedback(BadInput):
    """The feedback is not what the learner hears: a bit, or the true label."""

    code = "wrong_feedback"


class Remark(UserWarning):
    """A warning: the input can be used, but hardly as intended."""


#: Errors of the system that no other input would avoid.
_OF_THE_MACHINE = {
    errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.ENOMEM, errno.EMFILE, errno.ENFILE, errno.EFBIG,
    errno.EAGAIN,
}  # fmt: skip


def file_error(what: str, error: OSError) -> BadFile:
    """Return the error for a file, where `what` says which cannot be read or written."""
    kind = MachineFailed if error.errno in _OF_THE_MACHINE else BadFile
    return kind(f"{what}: {str(error.strerror or error).rstrip('.')}.")
