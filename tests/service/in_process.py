"""A service on a socket of this process, and clients that say when which bytes are sent."""

import asyncio
import json

import uvicorn
from uvicorn.server import ServerState

from onebit.service.app import App
from onebit.service.direct import Direct
from onebit.service.metrics import Metrics
from onebit.service.protocol import protocol
from onebit.service.security import Guard
from onebit.service.service import Service
from onebit.service.settings import Settings
from onebit.service.types import AgentRequest
from onebit.store.directory import open_for_writing

ROW = b'{"x":{"a":1,"b":0.5}}'


def request(body, path="decisions", more="", head="POST {path} HTTP/1.1"):
    line = head.format(path=f"/v1/agents/shop/{path}")
    lines = [line, "Host: localhost", "Content-Type: application/json", *more.splitlines()]
    return "\r\n".join([*lines, f"Content-Length: {len(body)}", "", ""]).encode() + body


class Serving:
    """A service on a socket of this process; `paths` are those that the application answered."""

    def __init__(self, service, settings):
        self.service, self.paths, self.clients = service, [], []
        self.app = App(service, Guard(settings), Metrics(service))
        self.direct = Direct(self.app)
        self.state = ServerState()

    async def count(self, scope, receive, send):
        self.paths.append(scope["path"])
        await self.app(scope, receive, send)

    async def listen(self):
        kind = protocol(20, self.direct)
        config = uvicorn.Config(
            self.count, http=kind, ws="none", lifespan="off", interface="asgi3", access_log=False,
            log_level="critical", server_header=False, date_header=False,
        )  # fmt: skip
        made = lambda: kind(config=config, server_state=self.state, app_state={})  # noqa: E731
        self.server = await asyncio.get_running_loop().create_server(made, "127.0.0.1", 0)
        self.port = self.server.sockets[0].getsockname()[1]

    async def connect(self):
        self.clients.append(Client(*await asyncio.open_connection("127.0.0.1", self.port)))
        return self.clients[-1]

    async def close(self):
        for client in self.clients:
            client.writer.close()
            await client.writer.wait_closed()
        while self.state.connections:
            await asyncio.sleep(0.01)
        self.server.close()

    async def ask(self, content):
        """Send one request on a connection of its own; return the answer."""
        client = await self.connect()
        client.send(content)
        return await client.answer()


class Client:
    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer

    def send(self, content):
        self.writer.write(content)

    async def answer(self):
        """Return the status, the headers and the body of the next answer."""
        async with asyncio.timeout(30):
            head = (await self.reader.readuntil(b"\r\n\r\n")).decode().lower().split("\r\n")
            headers = dict(line.split(": ", 1) for line in head[1:] if line)
            body = await self.reader.readexactly(int(headers["content-length"]))
        return int(head[0].split()[1]), headers, json.loads(body)


def serve(tmp_path, test, **given):
    async def main():
        settings = Settings(**given)
        with open_for_writing(tmp_path) as store:
            service = Service(store, tmp_path, settings)
            await service.start()
            await service.create("shop", AgentRequest("banditron", ["a", "b"]))
            serving = Serving(service, settings)
            await serving.listen()
            await test(serving)
            await serving.close()
            await service.stop()

    asyncio.run(main())
