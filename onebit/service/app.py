"""The ASGI application: decisions and feedback are matched first, all other calls by a router."""

from __future__ import annotations

import asyncio
import sys
import time
import traceback
from collections.abc import AsyncIterator
from typing import Any

import msgspec
from starlette.routing import Match, Route

from onebit.errors import BadInput, Unavailable
from onebit.service.calls import BODY, CALLS, DECODERS, HOT, LINES_BODY, Call, Lines, decoded
from onebit.service.metrics import Metrics
from onebit.service.openapi import document
from onebit.service.problems import TYPE, Refused, problem
from onebit.service.protocol import SECONDS
from onebit.service.security import Guard
from onebit.service.service import Service
from onebit.service.types import Malformed
from onebit.store.exporting import Exporter

PREFIX = "/v1/agents/"
_EVENTS = "/v1/agents/{agent}/events"
JSON, NDJSON = b"application/json", b"application/x-ndjson"
_encode = msgspec.json.Encoder().encode
#: Lines that are read from the log at a time.
_PAGE = 500


class App:
    """The service over HTTP: `active` requests are being answered, at most `most`."""

    def __init__(self, service: Service, guard: Guard, metrics: Metrics) -> None:
        self.service, self.guard, self.metrics = service, guard, metrics
        self.active = 0
        self.most = service.settings.waiting
        every: list[tuple[str, str, Call | None]] = [(c.path, c.method, c) for c in CALLS]
        every += [(path, "GET", None) for path in ("/metrics", "/openapi.json", _EVENTS)]
        self._routes = [(Route(path, lambda: None, methods=[method]), call)
                        for path, method, call in every]  # fmt: skip
        self._document = msgspec.json.encode(document())

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            return
        began, allow = time.perf_counter(), ""
        call: Call | None = None
        self.active += 1
        try:
            call, path = self._find(scope)
            if self.active > self.most and (call is None or call.role is not None):
                raise Unavailable(f"onebit serve: {self.most} requests are being answered.")
            if call is None:
                await self._other(scope, receive, send, **path)
                self.metrics.count("other", 200, time.perf_counter() - began)
                return
            headers = dict(scope["headers"])
            self.guard.check(headers, call.role)
            request = None
            if call.takes is not None:
                body = await read_body(headers, receive, LINES_BODY if call.lines else BODY)
                request = body if call.lines else decoded(DECODERS[call], body)
            answer = await call.handle(self.service, request, **path)
            if isinstance(answer, Lines):
                status, kind, content = 200, NDJSON, answer.content
            else:
                status, kind, content = 200, JSON, _encode(answer)
        except BadInput as error:
            (status, content), kind = problem(error), TYPE
            allow = error.allow if isinstance(error, Refused) else ""
        except asyncio.CancelledError:  # the service ends before this is done
            ends = Unavailable("onebit serve: it ends; try again soon.")
            (status, content), kind = problem(ends), TYPE
        except Exception:
            traceback.print_exc(file=sys.stderr)
            own = Refused(500, "onebit serve: an error of its own, see its standard error.")
            (status, content), kind = problem(own), TYPE
        finally:
            self.active -= 1
        self.metrics.count(call.path if call else "other", status, time.perf_counter() - began)
        await _send(send, status, kind, content, allow)

    def _find(self, scope: Any) -> tuple[Call | None, dict[str, str]]:
        """Return the call of a request and the parts of its path; None for the other pages."""
        path, method = scope["path"], scope["method"]
        if method == "POST" and path.startswith(PREFIX):
            agent, _, rest = path[len(PREFIX) :].partition("/")
            if rest in HOT:
                return HOT[rest], {"agent": agent}
        allowed: set[str] = set()
        for route, call in self._routes:
            match, found = route.matches(scope)
            if match == Match.FULL:
                return call, found["path_params"]
            if match == Match.PARTIAL:
                allowed |= route.methods or set()
        if allowed:
            allow = ", ".join(sorted(allowed))
            why = f"onebit serve: {path[:80]} takes {allow}, got {method[:20]}."
            raise Refused(405, why, allow)
        raise Refused(404, f"onebit serve: there is nothing at {path[:80]}; see /openapi.json.")

    async def _other(self, scope: Any, receive: Any, send: Any, agent: str = "") -> None:
        """Answer what is not a JSON object: metrics, the schema, and the log."""
        path = scope["path"]
        headers = dict(scope["headers"])
        if path == "/openapi.json":
            self.guard.check(headers, None)
            await _send(send, 200, JSON, self._document)
            return
        self.guard.check(headers, "read")
        if path == "/metrics":
            kind, content = self.metrics.page()
            await _send(send, 200, kind, content)
            return
        self.service.agent(agent)
        query = _query(scope["query_string"])
        if scope["method"] == "HEAD":
            query["limit"] = 0
        await _stream(receive, send, self._log(agent, query))

    async def _log(self, agent: str, query: dict[str, int]) -> AsyncIterator[bytes]:
        """Yield the log of an agent as JSON lines, some at a time."""
        exporter = Exporter(self.service.store, agent)
        last = self.service.sequencer.head.seq
        read = exporter.every_event if query["all"] else exporter.rounds
        lines = read(query["after"], last)

        def some() -> bytes:
            found = []
            for line in lines:
                found.append(_encode(line))
                if len(found) == _PAGE:
                    break
            return b"".join(line + b"\n" for line in found)

        left = query["limit"]
        while left > 0 and (content := await asyncio.to_thread(some)):
            count = content.count(b"\n")
            if count > left:
                content = b"".join(content.splitlines(keepends=True)[:left])
            left -= count
            yield content


def _query(text: bytes) -> dict[str, int]:
    """Return the numbers of a query such as after=10&limit=5&all=1."""
    found = {"after": 0, "limit": 2**62, "all": 0}
    for part in text.decode("latin-1").split("&"):
        name, _, value = part.partition("=")
        if not part:
            continue
        if name not in found or not value.isdecimal() or not value.isascii() or len(value) > 18:
            raise Malformed(
                "onebit serve: the query must be whole numbers after, limit or all, got"
                f" {_encode(part[:40]).decode()}."
            )
        found[name] = int(value)
    return found


async def read_body(headers: dict[bytes, bytes], receive: Any, most: int) -> bytes:
    """Return the body of a request.

    Raises
    ------
    Refused
        If it is not JSON by its type, too long, or not sent in time.
    """
    kind, said = headers.get(b"content-type", b""), headers.get(b"content-length", b"")
    length = int(said) if said.isdigit() else 0
    if kind.partition(b";")[0].strip().lower() not in (JSON, NDJSON):
        raise Refused(415, "onebit serve: a body must have Content-Type: application/json.")
    if length > most:
        raise Refused(413, f"onebit serve: a body must be at most {most:,} bytes, got {length:,}.")
    message = await receive()
    body: bytes = message.get("body", b"")
    if message.get("more_body"):
        parts, size = [body], len(body)
        try:
            async with asyncio.timeout(SECONDS):
                while message.get("more_body") and size <= most:
                    message = await receive()
                    parts.append(message.get("body", b""))
                    size += len(parts[-1])
        except TimeoutError:
            why = f"onebit serve: a request must be sent within {SECONDS:g} s."
            raise Refused(408, why) from None
        body = b"".join(parts)
    if len(body) > most:  # of chunks, which may come in one piece
        raise Refused(413, f"onebit serve: a body must be at most {most:,} bytes.")
    if message["type"] == "http.disconnect":
        raise Refused(400, "onebit serve: the connection ended before the body.")
    return body


async def _send(send: Any, status: int, kind: bytes, content: bytes, allow: str = "") -> None:
    headers = [(b"content-type", kind), (b"content-length", str(len(content)).encode())]
    if status == 503:
        headers.append((b"retry-after", b"1"))
    elif status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    elif status == 405:
        headers.append((b"allow", allow.encode()))
    if status in (408, 413):
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": content})


async def _stream(receive: Any, send: Any, parts: AsyncIterator[bytes]) -> None:
    """Send parts as long as the caller is there."""
    headers = [(b"content-type", NDJSON)]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    gone = asyncio.create_task(_disconnected(receive))
    try:
        async for part in parts:
            if gone.done():
                return
            await send({"type": "http.response.body", "body": part, "more_body": True})
    finally:
        gone.cancel()
    await send({"type": "http.response.body", "body": b""})


async def _disconnected(receive: Any) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
