"""onebit learns the right label from one bit of feedback: right or wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from onebit.errors import BadInput, Remark

if TYPE_CHECKING:
    from onebit.agent.agent import Agent
    from onebit.agent.choice import Choice, Choices, Offer

__all__ = ["Agent", "BadInput", "Choice", "Choices", "Offer", "Remark", "__version__"]
#: The version of onebit.
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Import the Agent when it is first asked for, so that `onebit --help` is instant."""
    if name == "Agent":
        from onebit.agent.agent import Agent

        return Agent
    if name in ("Choice", "Choices", "Offer"):
        from onebit.agent import choice

        return getattr(choice, name)
    raise AttributeError(f"module 'onebit' has no attribute {name!r}")
