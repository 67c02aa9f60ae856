"""What `decide` returns: a choice, many choices, or an offer of several labels."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, overload

from onebit.agent.labels import label_from_json, label_to_json
from onebit.errors import UnknownChoice
from onebit.kernel.rows import Floats
from onebit.naming.params import short_repr

#: The number of characters of a token.
TOKEN = 16


def token_of(secret: bytes, n: int) -> str:
    """Return the token of the n-th choice that was made together with others, from a secret."""
    made = hashlib.blake2b(n.to_bytes(8, "little"), key=secret, digest_size=TOKEN // 2)
    return made.hexdigest()


class Choice(NamedTuple):
    """A decision, to be given back with its feedback.

    It is small and immutable; `to_json` and `from_json` write and read it.

    Attributes
    ----------
    agent : str
        The id of the agent that made it.
    round : int
        The number of the round.
    greedy : object
        The label around which was explored: the one with the best score, or one of the best
        with explorer=swap.
    label : object
        The label that was played.
    prob : float
        The probability of playing `label` given that `greedy` was the greedy label, which the
        learner's update needs.
    marginal : float
        The probability of playing `label` over everything that was drawn, ties included: the
        propensity for estimates from logs.
    token : str
        A random number in hexadecimal that identifies this decision.

    Examples
    --------
    >>> from onebit import Agent
    >>> choice = Agent("uniform", labels=["tea", "coffee"], seed=1).decide([1.0])
    >>> Choice.from_json(choice.to_json()) == choice
    True
    """

    agent: str
    round: int
    greedy: Any
    label: Any
    prob: float
    marginal: float
    token: str

    def to_json(self) -> str:
        """Return the choice as a JSON object.

        Returns
        -------
        str
            What `from_json` reads back.

        Raises
        ------
        BadInput
            If a label is not a string, a number, None or a tuple of these, or the choice is not
            one that `decide` returned.
        """
        labels = {n: label_to_json("Choice.to_json", getattr(self, n)) for n in ("greedy", "label")}
        try:
            return json.dumps({**self._asdict(), **labels})
        except (TypeError, ValueError, RecursionError):
            raise UnknownChoice(
                "Choice.to_json: the choice must be one that decide returned, got"
                f" {short_repr(tuple(self))}."
            ) from None

    @classmethod
    def from_json(cls, text: str | bytes) -> Choice:
        """Read a choice that `to_json` wrote.

        Parameters
        ----------
        text : str or bytes
            The JSON object.

        Returns
        -------
        Choice
            The choice, equal to the one written.

        Raises
        ------
        UnknownChoice
            If the text is not a choice.
        """
        try:
            fields = json.loads(text)
            labels = {name: label_from_json(fields[name]) for name in ("greedy", "label")}
            return cls(**{**fields, **labels})
        except (ValueError, TypeError, KeyError, RecursionError):
            raise UnknownChoice(
                f"Choice.from_json: the text must be what to_json wrote, got {short_repr(text)}."
            ) from None


#: Makes a choice of its fields; calling the class takes twice as long.
new_choice: Callable[[tuple[Any, ...]], Choice] = functools.partial(tuple.__new__, Choice)


class Choices(Sequence[Choice]):
    """The choices of `decide_many`: a sequence of `Choice`, held as arrays.

    Attributes
    ----------
    agent : str
        The id of the agent that made them.
    first : int
        The number of the first round.
    """

    def __init__(
        self, agent: str, first: int, names: Sequence[Any], decisions: Floats, secret: bytes
    ) -> None:
        self.agent, self.first = agent, first
        self._names, self._decisions, self._secret = names, decisions, secret

    @property
    def labels(self) -> list[Any]:
        """The label played in each round."""
        return [self._names[k] for k in self._decisions[:, 1].astype(int).tolist()]

    @property
    def probs(self) -> Floats:
        """The `prob` of each round."""
        return self._decisions[:, 2]

    @property
    def marginals(self) -> Floats:
        """The `marginal` of each round."""
        return self._decisions[:, 3]

    def __len__(self) -> int:
        return len(self._decisions)

    @overload
    def __getitem__(self, at: int) -> Choice: ...
    @overload
    def __getitem__(self, at: slice) -> list[Choice]: ...
    def __getitem__(self, at: int | slice) -> Choice | list[Choice]:
        if isinstance(at, slice):
            return [self._at(n) for n in range(*at.indices(len(self)))]
        return self._at(range(len(self))[at])

    def __iter__(self) -> Iterator[Choice]:
        return map(self._at, range(len(self)))

    def _at(self, n: int) -> Choice:
        greedy, label, prob, marginal = self._decisions[n].tolist()
        token = token_of(self._secret, n)
        greedy, label = self._names[int(greedy)], self._names[int(label)]
        return Choice(self.agent, self.first + n, greedy, label, prob, marginal, token)


class Offer(NamedTuple):
    """Labels to show to a user, and the decision that chose them.

    Attributes
    ----------
    choice : Choice
        The decision.
    shown : tuple
        The labels to show, best first.
    """

    choice: Choice
    shown: tuple[Any, ...]
