"""What a client sends and how it reads answers, apart from how bytes travel.

A call is a generator: it yields a `Send` and is given the response or the error of the transport,
or it yields a `Wait`; what it returns is the result.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Generator, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote

from onebit import errors
from onebit.errors import BadInput, BadRow, Unavailable, WrongFeedback
from onebit.naming.ids import draw_id

#: Statuses that a later try may change.
_AGAIN = (408, 425, 429, 500, 502, 503, 504)
#: Seconds that the first agent of a learner may take, which compiles it.
_CREATING = 300.0
#: Lines of a batch, and its bytes.
_LINES, _BYTES = 1000, 8 << 20
_KINDS = {
    kind.code: kind
    for kind in (getattr(errors, name) for name in errors.__all__)
    if issubclass(kind, BadInput)
}


class Decided(NamedTuple):
    """A decision of the service, to be given back with its feedback.

    Attributes
    ----------
    id : str
        Its id, under which its bit is sent.
    label : object
        The label that was played.
    greedy : object
        The label around which was explored.
    prob : float
        The probability of `label` given that `greedy` was the greedy label.
    marginal : float
        The probability of `label` over everything that was drawn.
    round : int
        The number of the round.
    """

    id: str
    label: Any
    greedy: Any
    prob: float
    marginal: float
    round: int


class Send(NamedTuple):
    """A request to send."""

    method: str
    path: str
    body: bytes | None = None
    lines: bool = False


class Wait(NamedTuple):
    """Seconds to wait."""

    seconds: float


Steps = Generator[Send | Wait, Any, Any]


class Calls:
    """The calls of a client for one agent."""

    def __init__(self, agent: str, patience: float) -> None:
        self.path, self.patience = f"/v1/agents/{quote(agent, safe='')}", patience

    def _answer(self, send: Send) -> Steps:
        """Send a request until there is an answer, or patience ends."""
        patience = max(self.patience, _CREATING) if send.method == "PUT" else self.patience
        end, pause = time.monotonic() + patience, 0.05
        while True:
            response = yield send
            failed = isinstance(response, Exception)
            if not failed and response.status_code not in _AGAIN:
                return _read(response)
            if time.monotonic() + pause > end:
                if not failed:
                    return _read(response)
                raise Unavailable(f"onebit.client: no answer: {response}.") from response
            yield Wait(pause * (0.5 + random.random()))
            pause = min(2 * pause, 2.0)

    def _json(self, method: str, path: str, body: Any = None) -> Steps:
        content = None if body is None else _encode(body)
        response = yield from self._answer(Send(method, f"{self.path}{path}", content))
        return response

    def create(self, learner: str, labels: Iterable[Hashable], settings: Any) -> Steps:
        """Create the agent."""
        body = {"learner": learner, "labels": list(labels), **settings}
        return (yield from self._json("PUT", "", body))

    def state(self) -> Steps:
        """Return the agent's state."""
        return (yield from self._json("GET", ""))

    def change(self, changes: Any) -> Steps:
        """Change the agent."""
        return (yield from self._json("PATCH", "", changes))

    def decide(self, x: Any, among: Iterable[Hashable] | None) -> Steps:
        """Decide a row."""
        found = yield from self._json("POST", "/decisions", _decision(x, among))
        return _decided(found)

    def learn(self, choice: Decided | str, correct: Any) -> Steps:
        """Send a bit."""
        body = _bit(choice, correct)
        return (yield from self._json("POST", "/feedback", body))["status"]

    def look(self, x: Any) -> Steps:
        """Return the labels of a row by rank, and their probabilities."""
        found = yield from self._json("POST", "/predict", {"x": _row(x)})
        return {
            _label(label): prob
            for label, prob in zip(found["ranking"], found["probabilities"], strict=True)
        }

    def rank(self, x: Any, k: int | None) -> Steps:
        """Return the best labels of a row."""
        return list((yield from self.look(x)))[:k]

    def predict(self, x: Any) -> Steps:
        """Return the best label of a row."""
        return (yield from self.rank(x, 1))[0]

    def decide_many(self, rows: Iterable[Any]) -> Steps:
        """Decide rows in batches."""
        bodies = [_decision(x, None) for x in rows]
        found = yield from self._batches("/decisions/batch", bodies)
        return [_decided(each) for each in found]

    def learn_many(self, choices: Sequence[Decided | str], correct: Sequence[bool]) -> Steps:
        """Send bits in batches."""
        bits = list(correct)
        if len(bits) != len(choices):
            raise WrongFeedback(
                f"onebit.client: there must be one bit for each of {len(choices)} choices, got"
                f" {len(bits)}."
            )
        bodies = [_bit(choice, bit) for choice, bit in zip(choices, bits, strict=True)]
        found = yield from self._batches("/feedback/batch", bodies)
        return [each["result"] for each in found]

    def _batches(self, path: str, bodies: list[Any]) -> Steps:
        """Send bodies as lines; those that could not be taken are sent again."""
        answers: list[Any] = []
        for some in _cut(list(map(_encode, bodies))):
            found: list[Any] = [None] * len(some)
            left, end, pause = list(range(len(some))), time.monotonic() + self.patience, 0.05
            while left:
                content = b"\n".join(some[n] for n in left)
                send = Send("POST", f"{self.path}{path}", content, lines=True)
                lines = yield from self._answer(send)
                for n, line in zip(left, lines, strict=True):
                    found[n] = line
                left = [n for n in left if found[n]["status"] in _AGAIN]
                if left and time.monotonic() + pause > end:
                    break
                if left:
                    yield Wait(pause)
                    pause = min(2 * pause, 2.0)
            answers += found
        for answer in answers:
            if answer["status"] != 200:
                raise _error(answer)
        return answers


def _cut(lines: list[bytes]) -> Iterator[list[bytes]]:
    """Yield lines in batches that the service takes."""
    some: list[bytes] = []
    size = 0
    for line in lines:
        if some and (len(some) == _LINES or size + len(line) > _BYTES):
            yield some
            some, size = [], 0
        some.append(line)
        size += len(line) + 1
    if some:
        yield some


def _decision(x: Any, among: Iterable[Hashable] | None) -> dict[str, Any]:
    body: dict[str, Any] = {"x": _row(x), "id": draw_id(time.time_ns() // 1000).hex()}
    return body if among is None else {**body, "among": list(among)}


def _bit(choice: Decided | str, correct: Any) -> dict[str, Any]:
    if not isinstance(correct, bool) and type(correct).__name__ not in ("bool", "bool_"):
        raise WrongFeedback(f"onebit.client: correct must be True or False, got {correct!r:.60}.")
    return {"id": choice if isinstance(choice, str) else choice.id, "correct": bool(correct)}


def _row(x: Any) -> Any:
    """Return a row as JSON holds it."""
    if isinstance(x, Mapping):
        for name in x:
            if not isinstance(name, str):
                raise BadRow(f"onebit.client: a feature's name must be a string, got {name!r:.60}.")
        return dict(x)
    if hasattr(x, "indptr"):
        raise BadRow("onebit.client: a row must be a dict or a list of numbers, got a CSR row.")
    return x.tolist() if hasattr(x, "tolist") else list(x)


def _encode(body: Any) -> bytes:
    try:
        return json.dumps(body, default=_plain, allow_nan=False).encode()
    except (TypeError, ValueError) as error:
        raise BadInput(f"onebit.client: it cannot be written as JSON: {error}.") from None


def _plain(value: Any) -> Any:
    if hasattr(value, "item"):
        return value.item()
    raise TypeError(f"{value!r:.60} is neither a number nor a string")


def _label(label: Any) -> Any:
    return tuple(map(_label, label)) if isinstance(label, list) else label


def _decided(found: dict[str, Any]) -> Decided:
    return Decided(
        found["id"], _label(found["label"]), _label(found["greedy"]), found["prob"],
        found["marginal"], found["round"],
    )  # fmt: skip


def _read(response: Any) -> Any:
    """Return the content of an answer, or raise the error that it tells of."""
    kind, done = response.headers.get("content-type", ""), response.status_code == 200
    content = None
    try:
        if done and "ndjson" in kind:
            return [json.loads(line) for line in response.content.splitlines() if line]
        content = json.loads(response.content)
    except ValueError:  # as of a proxy
        pass
    if not isinstance(content, dict):
        if done:
            raise BadInput("onebit.client: the answer must be that of onebit serve, got another.")
        content = {}
    if done:
        return content
    raise _error({"status": response.status_code, **content})


def _error(content: dict[str, Any]) -> BadInput:
    """Return the error of a problem, of the class that it has in Python."""
    kind: type[BadInput] = _KINDS.get(content.get("code", ""), BadInput)
    return kind(content.get("detail") or f"onebit.client: the answer was {content['status']}.")
