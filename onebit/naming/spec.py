"""The one grammar for naming things: `name` or `name:key=value,key=value`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from onebit.errors import BadInput
from onebit.naming.params import short_repr


class Spec(NamedTuple):
    """A name and its parameters."""

    name: str
    params: Mapping[str, Any]

    @classmethod
    def parse(cls, text: str) -> Spec:
        """Read a spec; the values stay text until their parameter's rule reads them."""
        name, colon, rest = text.strip().partition(":")
        params: dict[str, str] = {}
        for pair in rest.split(",") if colon else ():
            key, equals, value = (part.strip() for part in pair.partition("="))
            if not (name and key and equals and value) or key in params:
                raise BadInput(
                    "onebit: a spec is name or name:key=value,key=value with each key once,"
                    f" got {short_repr(text)}."
                )
            params[key] = value
        if not name:
            raise BadInput(f"onebit: a spec must start with a name, got {short_repr(text)}.")
        return cls(name, params)

    def __str__(self) -> str:
        """Write the spec so that `parse` reads it back."""
        pairs = ",".join(f"{key}={value}" for key, value in self.params.items())
        return f"{self.name}:{pairs}" if pairs else self.name
