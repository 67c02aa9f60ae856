"""Decisions and bits without ASGI: what arrives whole is answered by its connection.

A task, a scope and messages for each request would take more time than the decision itself.
Anything unusual, errors included, is left to the application, to which nothing has happened yet.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, Protocol

import msgspec

from onebit.errors import BadInput, Unavailable
from onebit.service.app import JSON, NDJSON, PREFIX, App
from onebit.service.calls import BODY, DECODERS, HOT
from onebit.service.hosted import Hosted
from onebit.service.problems import TYPE, problem

_encode = msgspec.json.Encoder().encode
#: Heads that are remembered at most, and how long they may be.
_HEADS, _LONGEST = 4096, 1024
_DECISIONS, _FEEDBACK = HOT["decisions"].path, HOT["feedback"].path
#: Headers that change how a request is read, or how it is answered.
_UNUSUAL = {b"expect", b"transfer-encoding", b"upgrade"}


class Connection(Protocol):
    """What a connection offers."""

    def reply(self, status: int, kind: bytes, content: bytes) -> None:
        """Answer the request that was taken."""


class _Known(NamedTuple):
    """A head that was read before: how the body is read and answered, and how long it is."""

    decode: Callable[[bytes], Any]
    begin: Callable[[Connection, float, Hosted, Any], bool]
    agent: str
    length: int


class Direct:
    """Answers the hot calls of an application."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._heads: dict[bytes, _Known] = {}
        self._begin = {"decisions": self._decide, "feedback": self._hear}

    def take(self, connection: Connection, data: bytes) -> int:
        """Begin to answer a request.

        Returns 0 if it is taken, the number of bytes that it lacks, or -1 if it is for the
        application: then nothing has happened.
        """
        began = time.perf_counter()
        end = data.find(b"\r\n\r\n") + 4
        known = self._heads.get(data[:end])
        if known is None:
            return -1
        decode, begin, agent, length = known
        missing = end + length - len(data)
        if missing:
            return max(missing, -1)
        app = self._app
        if app.active >= app.most:
            return -1
        try:
            if not begin(connection, began, app.service.agent(agent), decode(data[end:])):
                return -1
        except Exception:  # the application will say what is wrong
            return -1
        app.active += 1
        return 0

    def _decide(self, connection: Connection, began: float, hosted: Hosted, request: Any) -> bool:
        begun = hosted.begin_decision(request)
        if begun is None:
            return False
        draft, answer = begun
        hosted.log_decision(draft, partial(self._decided, connection, began, _encode(answer)))
        return True

    def _hear(self, connection: Connection, began: float, hosted: Hosted, request: Any) -> bool:
        draft = hosted.begin_bit(request)
        if draft is None:
            return False
        hosted.log_bit(draft, request.correct, partial(self._heard, connection, began, hosted))
        return True

    def _decided(
        self, connection: Connection, began: float, content: bytes, error: Unavailable | None
    ) -> None:
        self._answer(connection, _DECISIONS, began, content, error)

    def _heard(
        self, connection: Connection, began: float, hosted: Hosted, error: Unavailable | None
    ) -> None:
        content = b"" if error else _encode(hosted.learned())
        self._answer(connection, _FEEDBACK, began, content, error)

    def _answer(
        self, connection: Connection, path: str, began: float, content: bytes,
        error: Unavailable | None,
    ) -> None:  # fmt: skip
        app, status, kind = self._app, 200, JSON
        if error is not None:
            (status, content), kind = problem(error), TYPE
        app.active -= 1
        app.metrics.count(path, status, time.perf_counter() - began)
        connection.reply(status, kind, content)

    def remember(self, data: bytes, url: bytes, headers: list[tuple[bytes, bytes]]) -> None:
        """Remember the head of a request that the parser has read: the same bytes mean the same.

        `data` is the request as it came, whole and alone, `url` and `headers` are what it says.
        A head with a token that is not valid is not remembered.
        """
        end, found = data.find(b"\r\n\r\n") + 4, dict(headers)
        agent, _, rest = url.decode("latin-1").removeprefix(PREFIX).partition("/")
        call, length = HOT.get(rest), found.get(b"content-length", b"")
        usual = (
            data.startswith(b"POST " + url + b" HTTP/1.1\r\n")
            and url.startswith(PREFIX.encode())
            and not {*"%?#"} & {*agent}
            and len(found) == len(headers)
            and not _UNUSUAL & found.keys()
            and found.get(b"connection", b"keep-alive").lower() == b"keep-alive"
            and found.get(b"content-type") in (JSON, NDJSON)
        )
        if call is None or not usual or end > _LONGEST or not length.isdigit():
            return
        if int(length) > BODY or end + int(length) != len(data):
            return
        try:
            self._app.guard.check(found, call.role)
        except BadInput:
            return
        if len(self._heads) >= _HEADS:
            self._heads.clear()
        self._heads[data[:end]] = _Known(DECODERS[call], self._begin[rest], agent, int(length))
