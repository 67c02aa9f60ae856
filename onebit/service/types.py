"""What callers send and what they get: JSON objects, checked by their types."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from onebit.errors import BadInput

#: A label: a string, a number, null, or a list of labels.
Label = str | int | float | None | list[Any]
#: Labels to change in one call: each that is added moves what was learned of all others.
SomeLabels = Annotated[list[Label], msgspec.Meta(max_length=1000)]
#: A row: named features, whose values are numbers or words, or a list of numbers.
Row = dict[str, float | str | bool] | list[float]
#: An id; see `read_id`.
_ID = "^[0-9a-fA-F]{8}(-?[0-9a-fA-F]{4}){3}-?[0-9a-fA-F]{12}$"
Id = Annotated[str, msgspec.Meta(extra_json_schema={"pattern": _ID})]
Then = Literal["ignore", "wrong"]
Seconds = Annotated[float, msgspec.Meta(gt=0, le=10 * 365 * 86400)]


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A body that callers send."""


class DecisionRequest(Request, frozen=True):
    """Which label for this row? The same id again gets the same answer."""

    x: msgspec.Raw
    id: Id | None = None
    among: list[Label] | None = None


class Decision(msgspec.Struct, frozen=True, omit_defaults=True):
    """A label, played with this probability; `id` is to be sent with the bit."""

    id: str
    label: Label
    greedy: Label
    prob: float
    marginal: float
    round: int
    replayed: bool = False


class FeedbackRequest(Request, frozen=True):
    """The bit of a decision."""

    id: Id
    correct: bool


class Feedback(msgspec.Struct, frozen=True, omit_defaults=True):
    """What became of a bit: it was learned, it waits for the end of a pause, or it was known."""

    status: Literal["learned", "logged", "duplicate"]
    complaint: str | None = None


class PredictionRequest(Request, frozen=True):
    """A row to look at."""

    x: msgspec.Raw


class Prediction(msgspec.Struct, frozen=True):
    """The best label, and for each label that may be played its probability, by rank."""

    label: Label
    ranking: list[Label]
    probabilities: list[float]


class AgentRequest(Request, frozen=True):
    """An agent to create."""

    learner: str
    labels: list[Label]
    features: Annotated[int, msgspec.Meta(ge=1, lt=2**31)] = 2**18
    seed: Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)] = 0
    window: Seconds | None = 7 * 86400.0
    then: Then = "ignore"


class AgentChange(Request, frozen=True):
    """What is to change about an agent."""

    add: SomeLabels = []
    retire: SomeLabels = []
    restore: SomeLabels = []
    paused: bool | None = None
    window: Seconds | msgspec.UnsetType | None = msgspec.UNSET
    then: Then | None = None


class AgentState(msgspec.Struct, frozen=True):
    """An agent as it is now; `open` decisions wait for their bit, `seq` is its last event."""

    name: str
    learner: str
    labels: list[Label]
    active_labels: list[Label]
    features: int
    seed: int
    window: float | None
    then: Then
    paused: bool
    round: int
    decisions: int
    open: int
    right: int
    wrong: int
    expired: int
    learned: int
    seq: int
    bytes: int
    complaint: str | None


class Agents(msgspec.Struct, frozen=True):
    """All agents."""

    agents: list[AgentState]


class Story(msgspec.Struct, frozen=True, omit_defaults=True):
    """One decision, with its row and what became of it."""

    id: str
    agent: str
    seq: int
    time: float
    x: msgspec.Raw
    label: Label
    greedy: Label
    prob: float
    marginal: float
    round: int
    version: int
    status: Literal["open", "learned", "logged", "expired", "wrong"]
    among: list[Label] | None = None
    correct: bool | None = None
    closed: float | None = None
    closed_seq: int | None = None


class Problem(msgspec.Struct, frozen=True):
    """What is wrong with a request, after RFC 9457."""

    title: str
    status: int
    detail: str
    code: str


class Health(msgspec.Struct, frozen=True):
    """Whether the service runs, or is ready."""

    status: str


class Malformed(BadInput):
    """A body is not the JSON that a call takes."""

    code = "malformed"


_row = msgspec.json.Decoder(Row)


def read_x(raw: msgspec.Raw) -> Any:
    """Return the row of a request."""
    try:
        return _row.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise Malformed(
            "onebit serve: x must be an object of features, each a number or a string, or a list"
            " of numbers, in UTF-8."
        ) from None


def read_id(text: str) -> bytes:
    """Return the 16 bytes of an id: 32 hexadecimal digits, as a UUID has them, with dashes or not.

    Raises
    ------
    Malformed
        If it is something else.
    """
    digits = text.replace("-", "") if len(text) == 36 else text
    try:
        if len(digits) == 32 and digits.isalnum():
            return bytes.fromhex(digits)
    except ValueError:
        pass
    raise Malformed(
        "onebit serve: an id must be 32 hexadecimal digits, such as those of a UUID, got"
        f" {msgspec.json.encode(text[:60]).decode()}."
    )
