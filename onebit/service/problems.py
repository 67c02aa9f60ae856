"""Errors as answers: a status for every class, one sentence, after RFC 9457."""

from __future__ import annotations

from http import HTTPStatus

import msgspec

from onebit.errors import (
    BadInput,
    Conflict,
    Forbidden,
    Gone,
    Unavailable,
    UnknownAgent,
    UnknownChoice,
)
from onebit.service.types import Malformed, Problem

TYPE = b"application/problem+json"


class Refused(BadInput):
    """A request is refused for a reason of HTTP alone: its status says which.

    `allow` are the methods that a path takes.
    """

    code = "refused"

    def __init__(self, status: int, why: str, allow: str = "") -> None:
        super().__init__(why)
        self.status, self.allow = status, allow


_STATUS: list[tuple[type[BadInput], int]] = [
    (Malformed, 400), (UnknownAgent, 404), (UnknownChoice, 404), (Conflict, 409), (Gone, 410),
    (Forbidden, 403), (Unavailable, 503), (BadInput, 422),
]  # fmt: skip


def status_of(error: BadInput) -> int:
    """Return the status of an error."""
    if isinstance(error, Refused):
        return error.status
    return next(status for kind, status in _STATUS if isinstance(error, kind))


def problem(error: BadInput) -> tuple[int, bytes]:
    """Return the status and the body that say what is wrong."""
    status = status_of(error)
    title = HTTPStatus(status).phrase
    return status, msgspec.json.encode(Problem(title, status, str(error), error.code))
