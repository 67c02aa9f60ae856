"""How the requests of a client are made for httpx."""

from __future__ import annotations

from typing import Any

from onebit.client.calls import Send
from onebit.errors import BadParameter


def options(url: str, token: str | None, timeout: float) -> dict[str, Any]:
    """Return how an httpx client is made.

    Raises
    ------
    BadParameter
        If the address is not one of HTTP.
    """
    if not url.startswith(("http://", "https://")):
        raise BadParameter(f"onebit.client: url must begin with http:// or https://, got {url}.")
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    return {"base_url": url, "headers": headers, "timeout": timeout}


def request(send: Send) -> dict[str, Any]:
    """Return the arguments of a request."""
    kind = "application/x-ndjson" if send.lines else "application/json"
    found: dict[str, Any] = {"method": send.method, "url": send.path}
    if send.body is not None:
        found |= {"content": send.body, "headers": {"Content-Type": kind}}
    return found
