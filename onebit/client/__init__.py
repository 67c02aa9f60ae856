"""A client of `onebit serve` that may be used in place of an Agent.

Every decision has an id that the client draws, and every call that got no answer is sent again
under the same id, so that a lost answer, a restart or an overload is harmless: nothing is decided
or learned twice.
"""

try:
    import httpx  # noqa: F401  said here once, for the modules below
except ImportError:
    raise ImportError("onebit.client needs httpx: pip install 'onebit[client]'.") from None

from onebit.client.async_client import AsyncClient
from onebit.client.calls import Decided
from onebit.client.client import Client

__all__ = ["AsyncClient", "Client", "Decided"]
