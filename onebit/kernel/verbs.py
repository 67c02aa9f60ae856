"""Verbs: functions whose body is chosen by the type of their first argument.

A verb is declared once, with its arguments, and gets one body per type:

    @verb
    def score(learner, x, out): ...

    @implements(score, Banditron)
    def _(learner, x, out): ...

Called from Python, `score(learner, x, out)` looks the body up by
`type(learner)`. Called from compiled code, the same lookup happens once, while
compiling, through numba's public `@overload`: the composed loop is as fast as
one written by hand. Declaring a verb or a body only records it; numba is
imported at the first compile, so that listing learners never waits for it.

A `kernel` is an ordinary function that bodies may call, in Python and compiled.
An `entry` is a function that Python calls and that runs compiled: a loop.
"""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable
from typing import Any

from onebit.kernel.cache import compile_cached

Body = Callable[..., Any]

_verbs: dict[Body, dict[type, Body]] = {}
_kernels: list[Body] = []
_known_to_numba: set[Body] = set()
_no_refcount: set[Body] = set()

#: Kernels divide like numpy (inf, nan).
_OPTIONS: Any = {"error_model": "numpy"}
#: Bodies become part of the loop that calls them: a call of one would pass 40 words a round.
_INLINE: Any = {**_OPTIONS, "forceinline": True}


def no_refcount(function: Body) -> Body:
    """Compile a verb or kernel without counting who else holds its arrays.

    For bodies that branch and loop over many arrays, where counting costs more than
    the work. Such a body makes no array and returns none.
    """
    _no_refcount.add(function)
    return function


def verb(declaration: Body) -> Body:
    """Make a verb of a function that declares its arguments and has no body."""
    bodies: dict[type, Body] = {}

    @functools.wraps(declaration)
    def call(*args: Any) -> Any:
        return _find(bodies, type(args[0]))(*args)

    _verbs[call] = bodies
    return call


def implements(verb: Body, kind: type) -> Callable[[Body], Body]:
    """Record the decorated function as the body of `verb` for `kind`.

    The body for `object` serves every type that has none of its own.
    """

    def record(body: Body) -> Body:
        bodies = _verbs[verb]
        if kind in bodies:
            raise TypeError(f"{verb.__name__}: a body for {kind.__name__} is already there.")
        want, got = (list(inspect.signature(f).parameters) for f in (verb, body))
        if want != got:
            raise TypeError(
                f"{verb.__name__}: the body for {kind.__name__} must take"
                f" ({', '.join(want)}), got ({', '.join(got)})."
            )
        bodies[kind] = body
        return body

    return record


def has_body(verb: Body, kind: type) -> bool:
    """Say whether `verb` has a body of its own for `kind`."""
    return kind in _verbs[verb]


def _find(bodies: dict[type, Body], kind: type) -> Any:
    return bodies.get(kind) or bodies.get(object)


def kernel(function: Body) -> Body:
    """Let compiled code call `function`; in Python it stays what it is."""
    _kernels.append(function)
    return function


class Entry:
    """A function that Python calls and that runs compiled.

    `entry(...)` runs compiled, `entry.body(...)` runs the same lines in Python.
    """

    def __init__(self, body: Body) -> None:
        self.body = body
        self._twins: dict[bool, Any] = {}
        functools.update_wrapper(self, body)

    def __call__(self, *args: Any) -> Any:
        """Run compiled."""
        return _retry_without_cache(self.dispatcher(args), *args)

    def dispatcher(self, args: tuple[Any, ...]) -> Body:
        """Return numba's dispatcher for arguments like `args`; the plain body if numba is off.

        Types from outside the package are compiled without the disk cache,
        which could not notice a change in their source.
        """
        if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
            return self.body
        cached = all(map(_is_from_onebit, args))
        if cached not in self._twins or len(_known_to_numba) < len(_verbs) + len(_kernels):
            with _compiling():
                _register_overloads()
                self._twins.setdefault(cached, _jit(self.body, cached))
        return self._twins[cached]  # type: ignore[no-any-return]

    def exact(self, *args: Any) -> Body:
        """Return the machine code for arguments of exactly the types of `args`.

        It skips numba's look at every argument's type, which takes longer than a
        decision itself, so the caller must never hand it anything else.
        """
        dispatcher = self.dispatcher(args)
        if dispatcher is self.body:
            return self.body
        import numba

        types = tuple(map(numba.typeof, args))
        _retry_without_cache(dispatcher.compile, types)  # type: ignore[attr-defined]
        return dispatcher.get_overload(types)  # type: ignore[attr-defined,no-any-return]


def _compiling() -> Any:
    """Return the lock that numba compiles under: one thread at a time tells it of new verbs."""
    from numba.core.compiler_lock import global_compiler_lock

    return global_compiler_lock


def _retry_without_cache(compiles: Body, *args: Any) -> Any:
    """Call something that may compile; a cache that cannot be written costs only time.

    numba keeps the compiled code before it writes it to the disk, and a kernel
    touches no files: after an OSError nothing has run, and the code is there.
    """
    try:
        return compiles(*args)
    except OSError:
        return compiles(*args)


def entry(body: Body) -> Entry:
    """Compile `body` when it is first called."""
    return Entry(body)


def _is_from_onebit(value: Any) -> bool:
    """Say whether `value`, and what it holds, is of types that ship with onebit."""
    if not isinstance(value, tuple):
        return True
    kind = type(value)
    ours = kind is tuple or kind.__module__.partition(".")[0] == "onebit"
    return ours and all(map(_is_from_onebit, value))


def _jit(body: Body, cached: bool) -> Body:
    import numba

    jit = numba.njit(nogil=True, **_OPTIONS)
    return compile_cached(jit, body) if cached else jit(body)  # type: ignore[no-any-return]


def _register_overloads() -> None:
    """Register every verb and kernel that numba has not heard of."""
    from numba.extending import overload

    def teach(function: Body, find: Callable[..., Body | None]) -> None:
        if function not in _known_to_numba:
            options: Any = {**_INLINE, "_nrt": False} if function in _no_refcount else _INLINE
            overload(function, jit_options=options, strict=False)(find)
            _known_to_numba.add(function)

    for function in _kernels:
        teach(function, lambda *args, body=function: body)
    for function, bodies in _verbs.items():

        def find(*args: Any, bodies: dict[type, Body] = bodies) -> Body | None:
            return _find(bodies, getattr(args[0], "instance_class", object))  # type: ignore[no-any-return]

        teach(function, find)
