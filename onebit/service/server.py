"""Running the service: a socket, signals, start and end."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import uvicorn

from onebit.errors import BadInput, BadParameter
from onebit.service.app import App
from onebit.service.direct import Direct
from onebit.service.metrics import Metrics
from onebit.service.protocol import IDLE, close_slow, protocol
from onebit.service.security import Guard
from onebit.service.service import Service
from onebit.service.settings import Settings
from onebit.store.directory import open_for_writing

#: Seconds that requests have to end after SIGTERM.
_GRACE = 3
#: Open files that are not connections, such as those of the store.
_FILES = 100
#: Seconds after which the thread that writes may take the interpreter from a busy event loop.
_SWITCH = 0.001


class _Server(uvicorn.Server):
    """Ends at SIGTERM and SIGINT without passing the signal on."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Ask for an end at a signal."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self._end)
        yield

    def _end(self) -> None:
        self.should_exit = True


def run(
    directory: Path, settings: Settings, accept_loss: bool, announce: Callable[[str], None]
) -> None:
    """Serve a directory until SIGTERM; `announce` is given the address once it is bound.

    Raises
    ------
    BadInput
        If the directory, its store or the address cannot be used.
    """
    sys.setswitchinterval(_SWITCH)
    with _bound(settings) as sock, open_for_writing(directory, accept_loss) as store:
        service = Service(store, directory, settings)
        host, port = sock.getsockname()[:2]
        announce(f"http://{f'[{host}]' if ':' in host else host}:{port}")
        with asyncio.Runner(loop_factory=_loop) as runner:
            error = runner.run(_serve(service, settings, sock))
    if error is not None:
        raise error


def _loop() -> asyncio.AbstractEventLoop:
    try:
        import uvloop

        return uvloop.new_event_loop()
    except ImportError:  # where there is none, as on Windows
        return asyncio.new_event_loop()


@contextlib.contextmanager
def _bound(settings: Settings) -> Iterator[socket.socket]:
    """A listening socket."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            sock.bind((settings.host, settings.port))
        except (OSError, UnicodeError) as error:
            why = getattr(error, "strerror", None) or "it is not the name of a host"
            raise BadParameter(
                f"onebit serve: {settings.host}:{settings.port} cannot be used: {why}."
            ) from None
        yield sock
    finally:
        sock.close()


def _allowed(connections: int) -> int:
    """Return how many connections there may be: each is an open file, and a process has a limit."""
    try:
        import resource
    except ImportError:  # where there is none, as on Windows
        return connections
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + _FILES
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return max(10, min(connections, max(soft, wanted) - _FILES))


async def _serve(service: Service, settings: Settings, sock: socket.socket) -> BadInput | None:
    app = App(service, Guard(settings), Metrics(service))
    config = uvicorn.Config(
        app, http=protocol(_allowed(settings.connections), Direct(app)), ws="none", lifespan="off",
        interface="asgi3", access_log=False, proxy_headers=False, log_level="critical",
        server_header=False, date_header=False, timeout_keep_alive=int(IDLE),
        timeout_graceful_shutdown=_GRACE, backlog=2048,
    )  # fmt: skip
    server = _Server(config)
    starting = asyncio.create_task(service.start())
    starting.add_done_callback(lambda task: _started(task, server))
    slow = asyncio.create_task(close_slow(server.server_state.connections))
    await server.serve(sockets=[sock])
    slow.cancel()
    early = not starting.done()
    if early:  # a signal while the log is being read
        starting.cancel()
        await asyncio.gather(starting, return_exceptions=True)
    await service.stop()
    if early or service.compiling:  # a thread still reads or compiles, for no caller
        os._exit(0)
    error = None if starting.cancelled() else starting.exception()
    if error is not None and not isinstance(error, BadInput):
        raise error
    return error


def _started(task: asyncio.Task[None], server: _Server) -> None:
    if task.cancelled():
        return
    if task.exception() is not None:
        server.should_exit = True
    else:
        print("onebit serve: ready", file=sys.stderr, flush=True)
