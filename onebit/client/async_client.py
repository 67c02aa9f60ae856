"""The client for asyncio."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Self

import httpx

from onebit.client.calls import Calls, Decided, Steps, Wait
from onebit.client.requests import options, request


class AsyncClient:
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
        self._http = httpx.AsyncClient(**options(url, token, timeout))
        self._calls = Calls(agent, patience)

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
                    given = await self._http.request(**request(step))
                except httpx.TransportError as error:
                    given = error
        except StopIteration as stop:
            return stop.value

    async def create(
        self, learner: str, labels: Iterable[Hashable], **settings: Any
    ) -> dict[str, Any]:
        """Create the agent; see `Client.create`.

        Parameters
        ----------
        learner : str
            A learner's spec.
        labels : iterable
            Its labels.
        **settings
            `features`, `seed`, `window` and `then`.

        Returns
        -------
        dict
            Its state.
        """
        return await self._run(self._calls.create(learner, labels, settings))  # type: ignore[no-any-return]

    async def state(self) -> dict[str, Any]:
        """Return the agent as it is now.

        Returns
        -------
        dict
            Its labels, settings and counts.
        """
        return await self._run(self._calls.state())  # type: ignore[no-any-return]

    async def change(self, **changes: Any) -> dict[str, Any]:
        """Change the agent.

        Parameters
        ----------
        **changes
            As of `Client.change`.

        Returns
        -------
        dict
            Its state.
        """
        return await self._run(self._calls.change(changes))  # type: ignore[no-any-return]

    async def decide(self, x: Any, *, among: Iterable[Hashable] | None = None) -> Decided:
        """Play a label for a row.

        Parameters
        ----------
        x : mapping or sequence
            A row.
        among : iterable, optional
            The labels that may be played.

        Returns
        -------
        Decided
            What was played.
        """
        return await self._run(self._calls.decide(x, among))  # type: ignore[no-any-return]

    async def learn(self, choice: Decided | str, *, correct: bool) -> str:
        """Send the bit of a decision.

        Parameters
        ----------
        choice : Decided or str
            What `decide` returned, or its id.
        correct : bool
            Whether the label was right.

        Returns
        -------
        str
            As of `Client.learn`.
        """
        return await self._run(self._calls.learn(choice, correct))  # type: ignore[no-any-return]

    async def decide_many(self, x: Iterable[Any]) -> list[Decided]:
        """Play a label for each row, in few requests.

        Parameters
        ----------
        x : iterable
            Rows.

        Returns
        -------
        list of Decided
            What was played.
        """
        return await self._run(self._calls.decide_many(x))  # type: ignore[no-any-return]

    async def learn_many(
        self, choices: Sequence[Decided | str], correct: Sequence[bool]
    ) -> list[str]:
        """Send many bits, in few requests.

        Parameters
        ----------
        choices : sequence
            What `decide_many` returned.
        correct : sequence of bool
            A bit for each.

        Returns
        -------
        list of str
            As of `learn`.
        """
        return await self._run(self._calls.learn_many(choices, correct))  # type: ignore[no-any-return]

    async def predict(self, x: Any) -> Any:
        """Return the best label for a row; changes nothing.

        Parameters
        ----------
        x : mapping or sequence
            A row.

        Returns
        -------
        object
            The label.
        """
        return next(iter(await self._run(self._calls.look(x))))

    async def probabilities(self, x: Any) -> dict[Any, float]:
        """Return the probability of each label; changes nothing.

        Parameters
        ----------
        x : mapping or sequence
            A row.

        Returns
        -------
        dict
            As of `Client.probabilities`.
        """
        return await self._run(self._calls.look(x))  # type: ignore[no-any-return]

    async def rank(self, x: Any, k: int | None = None) -> list[Any]:
        """Return the best labels for a row, best first; changes nothing.

        Parameters
        ----------
        x : mapping or sequence
            A row.
        k : int, optional
            How many; all by default.

        Returns
        -------
        list
            Labels.
        """
        return list(await self._run(self._calls.look(x)))[:k]

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()
