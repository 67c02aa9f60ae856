"""Ctrl-C: one sentence and exit code 130 within a second, whatever the program is doing.

A thread waits for the signal, so that nothing is raised in the middle of an import, a write or a
compilation. It ends the process at once; while trials run, the first Ctrl-C only asks for an end,
so that their results so far can be printed, and the second ends the process.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from typing import NoReturn

#: The exit code of a command that Ctrl-C ended.
EXIT_CODE = 130

_ask: list[Callable[[], object]] = []
_asked = threading.Event()


def watch() -> None:
    """Let Ctrl-C end the process from now on; call it first, in the main thread."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a job in the background of a shell
        return
    reader, writer = socket.socketpair()  # pipes do not do on Windows
    writer.setblocking(False)
    signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    signal.signal(signal.SIGINT, lambda number, frame: None)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_ignore)
    threading.Thread(
        target=_wait, args=(reader, writer), name="onebit-interrupts", daemon=True
    ).start()


def hand_over() -> None:
    """Let Ctrl-C raise KeyboardInterrupt again, for a command that handles signals itself."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGINT, signal.default_int_handler)


def ignore() -> None:
    """Let Ctrl-C do nothing: the work is done, and all is printed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextlib.contextmanager
def asking(action: Callable[[], object]) -> Iterator[None]:
    """Let the first Ctrl-C call `action`, in a thread, instead of ending the process."""
    _ask.append(action)
    try:
        yield
    finally:
        _ask.remove(action)


def asked() -> bool:
    """Return whether Ctrl-C has asked for an end."""
    return _asked.is_set()


def leave(code: int) -> NoReturn:
    """End the process, also where threads or processes still work."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    _leave(code)


def _wait(reader: socket.socket, writer: socket.socket) -> None:
    while True:
        for number in reader.recv(64):
            if number != signal.SIGINT:
                continue
            if _ask and not _asked.is_set():
                _asked.set()
                _ask[-1]()
            else:
                with contextlib.suppress(OSError):
                    os.write(2, b"onebit: interrupted.\n")
                _leave(EXIT_CODE)


def _leave(code: int) -> NoReturn:
    processes = sys.modules.get("multiprocessing.process")
    for child in processes.active_children() if processes else ():
        child.terminate()
    os._exit(code)


def _ignore() -> None:
    """Let a forked process leave Ctrl-C to the one that forked it."""
    signal.set_wakeup_fd(-1)
    ignore()
