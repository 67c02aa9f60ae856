"""What the events of each kind say: the bodies of the log, as JSON."""

from __future__ import annotations

from typing import Any

import msgspec


class Created(msgspec.Struct, frozen=True):
    """An agent begins: all that its learner, its labels and its random numbers depend on."""

    learner: str
    labels: list[Any]
    features: int
    seed: int
    secret: str
    window: float | None
    then: str
    digest_every: int
    onebit: str


class Decided(msgspec.Struct, frozen=True, omit_defaults=True):
    """A decision, in label numbers; `version` is the last event that the state had learned."""

    x: msgspec.Raw
    round: int
    greedy: int
    label: int
    prob: float
    marginal: float
    version: int
    among: list[int] | None = None
    #: Whether the caller gave `among`; else these are the labels that were not retired.
    asked: bool = False


class Played(msgspec.Struct, frozen=True):
    """The part of `Decided` that learning needs, without the row."""

    round: int
    greedy: int
    label: int
    prob: float
    marginal: float
    version: int
    among: list[int] | None = None


class Heard(msgspec.Struct, frozen=True):
    """The bit of a decision."""

    correct: bool


class Expired(msgspec.Struct, frozen=True):
    """The end of a decision's window: `wrong` if that counts as a wrong bit."""

    wrong: bool


class LabelChange(msgspec.Struct, frozen=True):
    """A label that is added, retired or restored."""

    label: Any


class Setting(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings that change; those that are not there stay.

    `learn_through` is for a pause: the bits that came up to this event are learned, and it goes on.
    """

    paused: bool | None = None
    window: float | msgspec.UnsetType | None = msgspec.UNSET
    then: str | None = None
    learn_through: int = 0

    def pause(self, before: int | None, seq: int) -> int | None:
        """Return up to which event bits are learned after this change, which is the event `seq`.

        `before` is the same before it; None where learning is not paused.
        """
        if before is None:
            return seq if self.paused else None
        return None if self.paused is False else max(before, self.ends_pause_at(seq))

    def ends_pause_at(self, seq: int) -> int:
        """Return up to which event a pause is over by this change, which is the event `seq`."""
        return seq if self.paused is False else min(self.learn_through, seq)


class Digest(msgspec.Struct, frozen=True):
    """The digest of the state after so many learned events."""

    learned: int
    digest: str


encode = msgspec.json.Encoder().encode
#: The bodies of both bits.
HEARD = {correct: encode(Heard(correct)) for correct in (False, True)}
BITS = {body: correct for correct, body in HEARD.items()}
read_created = msgspec.json.Decoder(Created).decode
read_decided = msgspec.json.Decoder(Decided).decode
read_played = msgspec.json.Decoder(Played).decode
read_heard = msgspec.json.Decoder(Heard).decode
read_expired = msgspec.json.Decoder(Expired).decode
read_label = msgspec.json.Decoder(LabelChange).decode
read_setting = msgspec.json.Decoder(Setting).decode
read_digest = msgspec.json.Decoder(Digest).decode
