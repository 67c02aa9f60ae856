"""The calls of both clients, as users see them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

from onebit.client.calls import Calls, Decided, Steps


class Methods(ABC):
    """The methods of an Agent, and a few more; `_run` takes the steps of a call.

    What a method returns is what `_run` does: the result, or an awaitable of it.
    """

    def __init__(self, agent: str, patience: float) -> None:
        self._calls = Calls(agent, patience)

    @abstractmethod
    def _run(self, steps: Steps) -> Any:
        """Take the steps of a call."""

    def create(self, learner: str, labels: Iterable[Hashable], **settings: Any) -> Any:
        """Create the agent; if it is there with the same recipe, nothing happens.

        Parameters
        ----------
        learner : str
            A learner's spec.
        labels : iterable
            Its labels.
        **settings
            `features`, `seed`, `window` (seconds, None for no end) and `then`.

        Returns
        -------
        dict
            Its state.
        """
        return self._run(self._calls.create(learner, labels, settings))

    def state(self) -> Any:
        """Return the agent as it is now.

        Returns
        -------
        dict
            Its labels, settings and counts.
        """
        return self._run(self._calls.state())

    def change(self, **changes: Any) -> Any:
        """Change the agent.

        Parameters
        ----------
        **changes
            `add`, `retire` and `restore` (lists of labels), `paused`, `window`, `then`.

        Returns
        -------
        dict
            Its state.
        """
        return self._run(self._calls.change(changes))

    def decide(self, x: Any, *, among: Iterable[Hashable] | None = None) -> Any:
        """Play a label for a row.

        Parameters
        ----------
        x : mapping or sequence
            Named features, or numbers.
        among : iterable, optional
            The labels that may be played.

        Returns
        -------
        Decided
            What was played; it is in the service's log.

        Raises
        ------
        BadInput
            If the service refuses it, with the class of the error in Python; `Unavailable` if
            there was no answer in time.
        """
        return self._run(self._calls.decide(x, among))

    def learn(self, choice: Decided | str, *, correct: bool) -> Any:
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
            "learned", "logged" while learning is paused, or "duplicate".
        """
        return self._run(self._calls.learn(choice, correct))

    def decide_many(self, x: Iterable[Any]) -> Any:
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
        return self._run(self._calls.decide_many(x))

    def learn_many(self, choices: Sequence[Decided | str], correct: Sequence[bool]) -> Any:
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
        return self._run(self._calls.learn_many(choices, correct))

    def predict(self, x: Any) -> Any:
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
        return self._run(self._calls.predict(x))

    def probabilities(self, x: Any) -> Any:
        """Return the probability with which `decide` would play each label; changes nothing.

        Parameters
        ----------
        x : mapping or sequence
            A row.

        Returns
        -------
        dict
            The probability of each label that is not retired, best label first.
        """
        return self._run(self._calls.look(x))

    def rank(self, x: Any, k: int | None = None) -> Any:
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
        return self._run(self._calls.rank(x, k))
