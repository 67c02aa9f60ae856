"""A real `onebit serve` in a process of its own, for tests that call, kill and restart it."""

import os
import re
import signal
import socket
import subprocess
import sys
import time

import httpx


class Server:
    """A server on a free port of the loopback; `kill` is kill -9."""

    def __init__(self, directory, *options, env=None, wait=True):
        self.directory, self.options, self.env = directory, options, env
        self.port = 0
        self.start(wait)

    def start(self, wait=True):
        command = [sys.executable, "-m", "onebit.cli", "serve", str(self.directory)]
        self.process = subprocess.Popen(
            [*command, "--port", str(self.port), *self.options], text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, **(self.env or {})},
        )  # fmt: skip
        self.url = ""
        for line in self.process.stdout:
            if found := re.search(r"at (http://\S+)", line):
                self.url = found[1]
                self.port = int(self.url.rpartition(":")[2])
                break
        if wait and self.url:
            self.wait()

    def wait(self, seconds=300.0):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise AssertionError(self.process.stderr.read())
            try:
                if httpx.get(f"{self.url}/ready").status_code == 200:
                    return
            except httpx.TransportError:
                pass
            time.sleep(0.05)
        raise AssertionError("the server is not ready")

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self._reap()

    def stop(self):
        """Send SIGTERM; return the exit code, what was printed, and the seconds that it took."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        printed = self._reap()
        return self.process.returncode, printed, time.monotonic() - began

    def raw(self, content, seconds=15.0):
        """Send bytes, return all that comes back until the server closes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=seconds) as sock:
            try:
                sock.sendall(content)
                found = b""
                while part := sock.recv(65536):
                    found += part
            except (ConnectionError, TimeoutError):
                pass
            return found

    def _reap(self):
        _, printed = self.process.communicate(timeout=30)
        return printed

    def __enter__(self):
        return self

    def __exit__(self, *error):
        if self.process.poll() is None:
            self.kill()
