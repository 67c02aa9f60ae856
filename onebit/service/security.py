"""Who may call what: tokens and their roles, and names that requests may be addressed to."""

from __future__ import annotations

import hashlib
import hmac

from onebit.errors import Forbidden
from onebit.service.problems import Refused
from onebit.service.settings import LOOPBACK, Settings


class Guard:
    """Checks the headers of a request."""

    def __init__(self, settings: Settings) -> None:
        self._tokens = [(token.sha256, set(map(str, token.roles))) for token in settings.tokens]
        names = settings.hosts or (list(LOOPBACK) if settings.host in LOOPBACK else [])
        self._hosts = {name.lower().encode() for name in names}

    def check(self, headers: dict[bytes, bytes], role: str | None) -> None:
        """Raise if a request is addressed to another host, or may not do this.

        Raises
        ------
        Refused
            With status 421 if the host is another, 401 if there is no valid token.
        Forbidden
            If the token has another role.
        """
        if self._hosts and _without_port(headers.get(b"host", b"")) not in self._hosts:
            raise Refused(421, "onebit serve: it is not served under this host name.")
        if role is not None and self._tokens:
            roles = self._roles(headers.get(b"authorization", b""))
            if roles is None:
                raise Refused(401, "onebit serve: a valid token is needed: Authorization: Bearer.")
            if role not in roles and "admin" not in roles:
                raise Forbidden(f"onebit serve: this token does not have the role {role}.")

    def _roles(self, presented: bytes) -> set[str] | None:
        """Return the roles of a token; all tokens are compared, each in constant time."""
        kind, _, token = presented.partition(b" ")
        found = hashlib.sha256(token.strip()).hexdigest()
        roles: set[str] | None = None
        for sha256, its in self._tokens:
            if hmac.compare_digest(sha256, found) and kind.lower() == b"bearer":
                roles = its
        return roles


def _without_port(host: bytes) -> bytes:
    """Return the name of a Host header: `name:8000` or `[::1]:8000`."""
    if host.startswith(b"["):
        return host[1:].partition(b"]")[0].lower()
    return host.partition(b":")[0].lower()
