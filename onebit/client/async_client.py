"""The client for asyncio."""

from __future__ import annotations

import asyncio
from typing import Any, Self

import httpx

from onebit.client.calls import Send, Steps, Wait
from onebit.client.methods import Methods
from onebit.client.requests import options, request


class AsyncClient(Methods):
    """A client for asyncio; its methods are those of `Client`, to be awaited.

    Parameters
    ----------
    url : str
        The address of the service.
    token : str, optional
        The token to send.
    agent : str, default "agent"
        The name of the agent.
    timeout : float, default 10.0
        Seconds to wait for an answer before the same is sent again.
    patience : float, default 30.0
        Seconds to try again where there is no answer, or the service asks for it.
    """

    def __init__(
        self, url: str, token: str | None = None, *, agent: str = "agent", timeout: float = 10.0,
        patience: float = 30.0,
    ) -> None:  # fmt: skip
        super().__init__(agent, patience)
        self._http = httpx.AsyncClient(**options(url, token, timeout))
        self._sending: set[asyncio.Task[httpx.Response]] = set()

    async def _run(self, steps: Steps) -> Any:
        given: Any = None
        try:
            while True:
                step = steps.send(given)
                if isinstance(step, Wait):
                    await asyncio.sleep(step.seconds)
                    given = None
                    continue
                try:
                    given = await self._send(step)
                except httpx.TransportError as error:
                    given = error
        except StopIteration as stop:
            return stop.value

    async def _send(self, step: Send) -> httpx.Response:
        """Send a request; where the caller is cancelled it goes on by itself.

        Else the pool of httpx would keep some of its connections for ever, up to the last one.
        """
        sending = asyncio.create_task(self._http.request(**request(step)))
        self._sending.add(sending)
        sending.add_done_callback(self._sent)
        return await asyncio.shield(sending)

    def _sent(self, sending: asyncio.Task[httpx.Response]) -> None:
        self._sending.discard(sending)
        if not sending.cancelled():
            sending.exception()  # no caller may be waiting for it

    async def close(self) -> None:
        """Close the connections."""
        left = list(self._sending)
        for sending in left:
            sending.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()
