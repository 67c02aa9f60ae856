"""Random changes to bytes and values: flips, cuts, copies, and what has broken programs before."""

from __future__ import annotations

from random import Random
from typing import Any

#: Texts that are put into files and commands.
TOKENS = (
    b"nan", b"inf", b"-inf", b"1e400", b"-1e-400", b"1e101", b"0x10", b"1_000", b"\xff",
    b"\xc0\x80",
    b"\0", b"\x1d", b"\x1b[31m", b"\xe2\x80\xae", b"\xed\xa0\x80", b"\r", b"\r\n", b"\n", b"\n\n",
    b'"',
    b"'", b",", b"\t", b"|", b":", b"#", b" ", b"%2C", b"-", b"+", b".", b"1", b"0", b"-1", b"007",
    b"9" * 20, b"9" * 400, b"0." + b"0" * 400 + b"1", b"2147483647", b"2147483648", b"4294967296",
    b"9223372036854775807", b"9223372036854775808", b"18446744073709551616", b"true", b"null",
    b"{", b"}", b"[", b"]", b"[" * 2000, b'{"x":' * 1500, b"\\u0000", b"\\ud800", b"qid:1",
    b"a" * 200,
    b"\xef\xbb\xbf", b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b"PAR1", b"ARROW1", b"\x89onebit\n",
)  # fmt: skip
#: Numbers that are put into parameters, headers and arrays.
NUMBERS = (
    0, 1, 2, 3, -1, 7, 255, 256, 10**4, 10**6, 10**9, 10**12, 2**31 - 1, 2**31, 2**32, 2**53,
    2**62, 2**63 - 1, 2**63, 2**64, 10**24, 10**400, -(2**31), -(2**63), 0.5, -0.5, 0.0, -0.0,
    1e-300,
    5e-324, 1e100, 1e101, 1e308, -1e308, float("inf"), float("-inf"), float("nan"),
)  # fmt: skip
#: Values of the wrong kind.
THINGS: tuple[Any, ...] = (
    None, True, False, "", "a", "\x1b[31mred", "\ud800", "x" * 1000, [], [1], [[1]], {}, {"a": 1},
    b"",
    b"1", (), (1, 2), 1j, "auto", "1e5", "2^-3", "-1",
)  # fmt: skip


def mutate(content: bytes, random: Random, most: int = 4) -> bytes:
    """Return bytes after a few random changes, mostly one."""
    made = bytearray(content)
    for _ in range(1 + int(random.random() ** 2 * most)):
        at = random.randrange(len(made) + 1)
        length = min(1 << random.randrange(8), len(made))
        kind = random.randrange(8)
        if kind == 0 and made:
            made[at % len(made)] ^= 1 << random.randrange(8)
        elif kind == 1:
            made[at:at] = random.choice(TOKENS)
        elif kind == 2:
            made[at : at + length] = b""
        elif kind == 3:
            made[at:at] = made[at : at + length] * random.choice((1, 1, 2, 50))
        elif kind == 4:
            made[at : at + length] = random.randbytes(length)
        elif kind == 5:
            del made[at:]
        elif kind == 6:
            other = random.randrange(len(made) + 1)
            made[at : at + length] = made[other : other + length]
        else:
            made[at : at + length] = random.choice(TOKENS)
    return bytes(made)


def value(random: Random) -> Any:
    """Return a number or a thing of the wrong kind."""
    return random.choice(NUMBERS if random.random() < 0.6 else THINGS)
