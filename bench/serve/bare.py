"""The ceiling: the same server with an ASGI application that answers a constant."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import uvicorn
import uvloop

from onebit.service.protocol import protocol

_ANSWER = (
    b'{"id":"7d4448409dc011d1b2455ffdce74fad2","label":"a","greedy":"a","prob":0.9625,'
    b'"marginal":0.9625,"round":1}'
)
_HEADERS = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(_ANSWER))]


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Read the request and answer."""
    await receive()
    await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
    await send({"type": "http.response.body", "body": _ANSWER})


def main() -> None:
    """Serve on a free port."""
    sock = socket.socket()
    sock.bind(("127.0.0.1", 0))
    print(f"http://127.0.0.1:{sock.getsockname()[1]}", flush=True)
    config = uvicorn.Config(
        app, http=protocol(4096), lifespan="off", interface="asgi3", access_log=False,
        proxy_headers=False, log_level="critical", server_header=False, date_header=False,
    )  # fmt: skip
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(uvicorn.Server(config).serve(sockets=[sock]))


if __name__ == "__main__":
    main()
