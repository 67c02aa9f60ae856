"""The settings of a service: options, a TOML file, and tokens with their roles."""

from __future__ import annotations

import hashlib
import re
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from onebit.errors import BadFile, BadParameter

Count = Annotated[int, msgspec.Meta(ge=1)]
Role = Literal["decide", "feedback", "read", "admin"]
LOOPBACK = ("127.0.0.1", "localhost", "::1")
#: The longest time, in seconds: a thousand years.
_LONGEST = 1000 * 366 * 86400
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


class Token(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A token that callers send, as its SHA-256 in hexadecimal, and what it allows."""

    sha256: str
    roles: list[Role]


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How a service runs; each field is a key of the TOML file.

    `hosts` are the names that requests may be addressed to, `keep` how long events stay in the
    store, `plugins` modules to import for their learners, `cells` the most labels x features of
    an agent, `waiting` the most requests, `events` the most events and `connections` the most
    connections at a time, `recent` the bytes of decisions in memory; a digest of a state is
    logged every `digest_events`, a snapshot written after `snapshot_events` or `snapshot_seconds`.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    hosts: list[str] = []
    tokens: list[Token] = []
    keep: str | None = None
    archive: Literal["jsonl", "parquet"] = "jsonl"
    plugins: list[str] = []
    cells: Count = 2**27
    waiting: Count = 1000
    events: Count = 20_000
    connections: Count = 4096
    recent: Annotated[int, msgspec.Meta(ge=0)] = 64 << 20
    digest_events: Count = 10_000
    snapshot_events: Count = 100_000
    snapshot_seconds: Annotated[float, msgspec.Meta(gt=0)] = 60.0


def read_settings(config: Path | None, token_file: Path | None, **given: Any) -> Settings:
    """Return the settings of a file, with those that were given as options instead.

    Raises
    ------
    BadFile
        If a file cannot be read or says something else.
    BadParameter
        If the settings cannot be served with.
    """
    found: dict[str, Any] = {}
    if config is not None:
        try:
            found = tomllib.loads(_text(config))
        except tomllib.TOMLDecodeError as error:
            raise BadFile(f"onebit serve: {config} must be TOML: {error}.") from None
    found |= {name: value for name, value in given.items() if value is not None}
    try:
        settings = msgspec.convert(found, Settings)
    except msgspec.ValidationError as error:
        raise BadFile(f"onebit serve: {config or 'an option'} cannot be used: {error}.") from None
    if token_file is not None:
        tokens = [*settings.tokens, *_read_tokens(token_file)]
        settings = msgspec.structs.replace(settings, tokens=tokens)
    _check(settings)
    return settings


def _check(settings: Settings) -> None:
    if settings.host not in LOOPBACK and not settings.tokens:
        raise BadParameter(
            f"onebit serve: host {settings.host} can be reached by others, so callers need tokens:"
            " give --token-file FILE, or stay on 127.0.0.1."
        )
    if not 0 <= settings.port < 65536:
        raise BadParameter(f"onebit serve: port must be in 0..65535, got {settings.port}.")
    for token in settings.tokens:
        if not re.fullmatch("[0-9a-f]{64}", token.sha256):
            raise BadParameter("onebit serve: a token's sha256 must be 64 hexadecimal digits.")
        if token.sha256 == hashlib.sha256(b"").hexdigest():
            raise BadParameter("onebit serve: a token must not be empty.")
    if settings.keep is not None:
        seconds_of("onebit serve: keep", settings.keep)


def _read_tokens(path: Path) -> list[Token]:
    """Return the tokens of a file: on each line a SHA-256 and roles with commas between them."""
    tokens = []
    for number, line in enumerate(_text(path).splitlines(), 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        try:
            token = {"sha256": words[0], "roles": words[1].split(",")}
            tokens.append(msgspec.convert(token, Token))
        except (IndexError, msgspec.ValidationError):
            raise BadFile(
                f"onebit serve: line {number} of {path} must be a SHA-256 and roles such as"
                " decide,feedback (also read, admin)."
            ) from None
    if not tokens:
        raise BadFile(f"onebit serve: {path} must have a token, got none.")
    return tokens


def seconds_of(who: str, text: str) -> float:
    """Return the seconds of a text such as 90d, 12h, 30m or 10s."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([smhd])", text)
    seconds = 0.0 if found is None else float(found[1]) * _UNITS[found[2]]
    if not 0 < seconds <= _LONGEST:
        raise BadParameter(f"{who} must be a time such as 90d, 12h, 30m or 10s, got {text[:40]}.")
    return seconds


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise BadFile(f"onebit serve: {path} cannot be read: {why}.") from None
