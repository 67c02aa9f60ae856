"""HTTP as the service takes it: short headers, sent in time, on a bounded number of connections."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any

import msgspec
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from onebit.service.types import Problem

#: Bytes of a request's line and headers.
HEADERS = 16 << 10
#: Seconds in which a request must have been sent.
SECONDS = 10.0
_LONG = "onebit serve: headers must be at most 16 kB."


class TooLong(Exception):  # noqa: N818
    """The headers of a request are too long; ends the parser."""


def protocol(most: int) -> type[HttpToolsProtocol]:
    """Return a protocol class that takes at most so many connections."""

    class Narrow(HttpToolsProtocol):
        """The usual protocol with limits."""

        began: float | None = None
        size = 0  # of headers that are not complete
        messages = 0  # that began
        too_long = in_headers = in_message = False

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self.began = self.loop.time()
            if len(self.connections) > most:
                self.refuse(503, "onebit serve: there are too many connections.")

        def data_received(self, data: bytes) -> None:
            if self.transport.is_closing():
                return
            alone = self.messages + (not self.in_message)
            super().data_received(data)
            if self.in_headers and self.messages == alone:  # no part of it is of other messages
                self.size += len(data)
                if self.size > HEADERS:
                    self.refuse(431, _LONG)

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
            phrase = HTTPStatus(status).phrase
            body = msgspec.json.encode(Problem(phrase, status, why, "refused"))
            head = (
                f"HTTP/1.1 {status} {phrase}\r\ncontent-type: application/problem+json\r\n"
                f"content-length: {len(body)}\r\nretry-after: 1\r\nconnection: close\r\n\r\n"
            )
            self.transport.write(head.encode() + body)
            self.transport.close()

    return Narrow


async def close_slow(connections: set[Any]) -> None:
    """Close, once a second, connections whose request was not sent in time."""
    loop = asyncio.get_running_loop()
    while True:
        await asyncio.sleep(1.0)
        for each in list(connections):
            began = getattr(each, "began", None)
            if began is not None and loop.time() - began > SECONDS:
                each.refuse(408, f"onebit serve: a request must be sent within {SECONDS:g} s.")
