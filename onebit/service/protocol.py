"""HTTP as the service takes it: short headers, sent in time, on a bounded number of connections."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any, Protocol

import msgspec
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from onebit.service.types import Problem

#: Bytes of a request's line and headers.
HEADERS = 16 << 10
#: Seconds in which a request must have been sent.
SECONDS = 10.0
#: Seconds that a connection may be idle.
IDLE = 75.0
_PROBLEM = b"application/problem+json"
_OK = b"HTTP/1.1 200 OK\r\ncontent-type: %b\r\ncontent-length: %d\r\n\r\n%b"
_LONG = "onebit serve: headers must be at most 16 kB."


class TooLong(Exception):  # noqa: N818
    """The headers of a request are too long; ends the parser."""


class Taker(Protocol):
    """Answers requests that arrive whole; see `onebit.service.direct`."""

    def take(self, connection: Any, data: bytes) -> int:
        """Begin to answer a request by `connection.reply`: 0, the bytes that it lacks, or -1."""

    def remember(self, data: bytes, url: bytes, headers: list[tuple[bytes, bytes]]) -> None:
        """Take note of a request that was read by the parser."""


def protocol(most: int, direct: Taker | None = None) -> type[HttpToolsProtocol]:
    """Return a protocol class that takes at most so many connections.

    Requests that are not for `direct` are answered by the application.
    """

    class Narrow(HttpToolsProtocol):
        """The usual protocol with limits."""

        began: float | None = None
        size = 0  # of headers that are not complete
        messages = 0  # that began
        too_long = in_headers = in_message = False
        part = b""  # of a request that `direct` may take
        taken = False  # a request by `direct`; it is not answered yet
        ends = False  # after that answer
        idle: float | None = None  # since `direct` answered
        stuck: float | None = None  # since the caller does not read
        half = False  # the caller sends no more, and waits for answers

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self.began = self.loop.time()
            if len(self.connections) > most:
                self.refuse(503, "onebit serve: there are too many connections.")

        def data_received(self, data: bytes) -> None:
            if self.transport.is_closing() or not (data or self.part):
                return
            waited = bool(self.part)
            if waited:
                data, self.part = self.part + data, b""
            if self.taken:  # the next request has to wait
                self.part = data
                self.flow.pause_reading()
                return
            unanswered = self.cycle is not None and not self.cycle.response_complete
            if direct is None or self.in_message or unanswered or self.flow.write_paused:
                self.read(data)
                return
            missing = direct.take(self, data)
            if missing == 0:
                self.taken, self.began, self.idle = True, None, None
                if self.timeout_keep_alive_task is not None:
                    self._unset_keepalive_if_required()
            elif missing > 0 and not waited:  # often the body comes alone
                self.part, self.began = data, self.loop.time()
            else:
                self.read(data)

        def read(self, data: bytes) -> None:
            """Give the parser what came."""
            self.idle = None
            before, alone = self.messages, self.messages + (not self.in_message)
            super().data_received(data)
            if self.in_headers and self.messages == alone:  # no part of it is of other messages
                self.size += len(data)
                if self.size > HEADERS:
                    self.refuse(431, _LONG)
            elif direct is not None and self.messages == alone > before and not self.in_message:
                direct.remember(data, self.url, self.headers)

        def reply(self, status: int, kind: bytes, content: bytes) -> None:
            """Answer the request that `direct` took."""
            self.taken, self.idle = False, self.loop.time()
            if self.transport.is_closing():
                return
            if status == 200 and not self.ends:
                self.transport.write(_OK % (kind, len(content), content))
            else:
                self.transport.write(_head(status, kind, content, close=self.ends) + content)
            if self.ends:
                self.transport.close()
            elif self.part:
                self.flow.resume_reading()
                self.loop.call_soon(self.data_received, b"")
            elif self.half:
                self.transport.close()

        def shutdown(self) -> None:
            """Close the connection, once what it asked for is answered."""
            self.ends = True
            if not self.taken:
                super().shutdown()

        def eof_received(self) -> bool:  # type: ignore[override]
            """Keep the connection of a caller that waits for the answer to a whole request."""
            unanswered = self.cycle is not None and not self.cycle.response_complete
            self.half = self.taken or (unanswered and not self.in_message)
            return self.half

        def on_response_complete(self) -> None:
            super().on_response_complete()
            if self.half and not self.pipeline and self.cycle.response_complete:
                self.transport.close()

        def pause_writing(self) -> None:
            self.stuck = self.loop.time()
            super().pause_writing()

        def resume_writing(self) -> None:
            self.stuck = None
            super().resume_writing()

        def on_message_begin(self) -> None:
            super().on_message_begin()
            self.in_headers = self.in_message = True
            self.size, self.began = 0, self.loop.time()
            self.messages += 1

        def on_headers_complete(self) -> None:
            self.in_headers = False
            size = len(self.url)
            for name, value in self.headers:
                size += len(name) + len(value)
            if size > HEADERS:
                self.too_long = True
                raise TooLong
            super().on_headers_complete()
            if self.parser.should_upgrade():  # to nothing: the parser reads no further request
                self.cycle.keep_alive = False

        def on_message_complete(self) -> None:
            self.in_message, self.began = False, None
            super().on_message_complete()

        def send_400_response(self, msg: str) -> None:
            if self.too_long:
                self.refuse(431, _LONG)
            else:
                self.refuse(400, "onebit serve: this is not a request of HTTP/1.1.")

        def refuse(self, status: int, why: str) -> None:
            """Answer with one sentence and close the connection."""
            if self.transport.is_closing():
                return
            title = HTTPStatus(status).phrase
            body = msgspec.json.encode(Problem(title, status, why, "refused"))
            self.transport.write(_head(status, _PROBLEM, body, close=True) + body)
            self.transport.close()

    return Narrow


def _head(status: int, kind: bytes, body: bytes, close: bool) -> bytes:
    """Return the head of an answer."""
    wait = "retry-after: 1\r\n" if status == 503 else ""
    end = "connection: close\r\n" if close else ""
    return (
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\ncontent-type: {kind.decode()}\r\n"
        f"content-length: {len(body)}\r\n{wait}{end}\r\n"
    ).encode()


async def close_slow(connections: set[Any]) -> None:
    """Close, once a second, connections that are slow or idle.

    These are connections whose request was not sent in time, whose answer is not read, and those on
    which nothing is asked.
    """
    loop = asyncio.get_running_loop()
    while True:
        await asyncio.sleep(1.0)
        for each in list(connections):
            began, idle = each.began, each.idle
            if began is not None and loop.time() - began > SECONDS:
                each.refuse(408, f"onebit serve: a request must be sent within {SECONDS:g} s.")
            elif each.stuck is not None and loop.time() - each.stuck > IDLE:
                each.transport.abort()
            elif idle is not None and not each.taken and loop.time() - idle > IDLE:
                each.transport.close()
