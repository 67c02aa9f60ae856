"""The grammar of specs: `name` or `name:key=value,key=value`.

Learners, streams, files and transforms are all named by specs. A value of several words has `|`
between them. A character that the grammar uses itself, a blank or a control is written as `%` and
the two hexadecimal digits of its UTF-8 bytes: `%2C` is a comma.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from onebit.errors import CONTROLS, BadParameter
from onebit.naming.params import short_repr

__all__ = ["Spec"]

#: Characters that are escaped in a name and in a value, beside blanks.
_IN_NAMES, _IN_VALUES = "%:", "%:,=|"
_ESCAPES = re.compile("(?:%[0-9A-Fa-f]{2})+")


class Spec(NamedTuple):
    """A name and its parameters.

    `str(spec)` writes a spec and `Spec.parse` reads it back: the same name, and every value as
    text, or as a tuple of texts if it has several words. A tuple of one word is written as that
    word; neither a value nor a name can be empty.

    Attributes
    ----------
    name : str
        What is named: a learner, a stream, a transform, or the path of a file.
    params : mapping of str to object
        Values by the name of their parameter: texts, numbers, or tuples of these.

    Examples
    --------
    >>> Spec.parse("banditron:gamma=0.1").params
    {'gamma': '0.1'}
    >>> str(Spec("my file.csv", {"labels": ("yes", "no, never"), "hashed": 1024}))
    'my%20file.csv:labels=yes|no%2C%20never,hashed=1024'
    """

    name: str
    params: Mapping[str, Any]

    @classmethod
    def parse(cls, text: str) -> Spec:
        """Read a spec; its values stay text until the rule of their parameter reads them.

        Parameters
        ----------
        text : str
            A name, or a name, a colon, and pairs key=value with commas between them.

        Returns
        -------
        Spec
            The name and the values, unescaped.

        Raises
        ------
        BadInput
            If the text has no name, a pair is not key=value, or a key comes twice.

        Examples
        --------
        >>> Spec.parse("clicks.csv:labels=yes|no%2C%20never")
        Spec(name='clicks.csv', params={'labels': ('yes', 'no, never')})
        """
        name, colon, rest = text.strip().partition(":")
        params: dict[str, str | tuple[str, ...]] = {}
        for pair in rest.split(",") if colon else ():
            key, equals, value = (part.strip() for part in pair.partition("="))
            if not (name and key and equals and value) or key in params:
                raise BadParameter(
                    "onebit: a spec is name or name:key=value,key=value with each key once,"
                    f" got {short_repr(text)}."
                )
            words = tuple(_unescaped(word) for word in value.split("|"))
            params[key] = words if len(words) > 1 else words[0]
        if not name:
            raise BadParameter(f"onebit: a spec must start with a name, got {short_repr(text)}.")
        return cls(_unescaped(name), params)

    def __str__(self) -> str:
        """Write the spec so that `parse` reads it back."""
        pairs = ",".join(f"{key}={_written(value)}" for key, value in self.params.items())
        name = _escaped(self.name, _IN_NAMES)
        return f"{name}:{pairs}" if pairs else name


def _written(value: Any) -> str:
    words = value if isinstance(value, tuple | list) else (value,)
    return "|".join(_escaped(str(word), _IN_VALUES) for word in words)


def _escaped(text: str, special: str) -> str:
    def escape(found: re.Match[str]) -> str:
        return "".join(f"%{byte:02X}" for byte in found[0].encode(errors="surrogateescape"))

    return re.sub(rf"[{special}\s]|{CONTROLS.pattern}", escape, text)


def _unescaped(text: str) -> str:
    def unescape(found: re.Match[str]) -> str:
        return bytes.fromhex(found[0].replace("%", "")).decode(errors="surrogateescape")

    try:  # bytes that are escaped and bytes that are not may make a character together
        found = _ESCAPES.sub(unescape, text).encode(errors="surrogateescape")
    except UnicodeEncodeError:
        raise BadParameter(
            f"onebit: a spec must be text of Unicode, got {short_repr(text)}."
        ) from None
    return found.decode(errors="surrogateescape")
