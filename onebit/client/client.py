"""The client that waits for each answer."""

from __future__ import annotations

import time
from typing import Any, Self

import httpx

from onebit.client.calls import Steps, Wait
from onebit.client.methods import Methods
from onebit.client.requests import options, request


class Client(Methods):
    """A client of one agent of a service, with the methods of an Agent.

    Parameters
    ----------
    url : str
        The address of the service, such as "http://127.0.0.1:8000".
    token : str, optional
        The token to send.
    agent : str, default "agent"
        The name of the agent.
    timeout : float, default 10.0
        Seconds to wait for an answer before the same is sent again.
    patience : float, default 30.0
        Seconds to try again where there is no answer, or the service asks for it.

    Examples
    --------
    >>> client = Client("http://127.0.0.1:8000", agent="shop")
    >>> client.close()
    """

    def __init__(
        self, url: str, token: str | None = None, *, agent: str = "agent", timeout: float = 10.0,
        patience: float = 30.0,
    ) -> None:  # fmt: skip
        super().__init__(agent, patience)
        self._http = httpx.Client(**options(url, token, timeout))

    def _run(self, steps: Steps) -> Any:
        given: Any = None
        try:
            while True:
                step = steps.send(given)
                if isinstance(step, Wait):
                    time.sleep(step.seconds)
                    given = None
                    continue
                try:
                    given = self._http.request(**request(step))
                except httpx.TransportError as error:
                    given = error
        except StopIteration as stop:
            return stop.value

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
