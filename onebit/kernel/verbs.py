"""Verbs: functions whose body is chosen by the type of their first argument.

A verb is declared once, with its arguments, and gets one body per type:

    @verb
    def score(learner, x, out): ...

    @implements(score, Banditron)
    def _(learner, x, out): ...

Called from Python, `score(learner, x, out)` finds the body by `type(learner)`. Called from compiled
code, the same lookup happens once, while compiling, through numba's public `@overload`: the loop is
as fast as one written by hand. Declaring a verb or a body only records it; numba is imported at the
first compilation, so that listing learners does not wait for it.

A `kernel` is an ordinary function that bodies may call, in Python and compiled.
An `entry` is a function that Python calls and that runs compiled: a loop.
"""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable
from typing import Any

from onebit.kernel import machine_code
from onebit.kernel.cache import cache_directory, compile_cached

__all__ = ["Entry", "entry", "implements", "kernel", "verb"]

Body = Callable[..., Any]

_verbs: dict[Body, dict[type, Body]] = {}
_kernels: list[Body] = []
_lowered: dict[Body, Callable[[], Body]] = {}
_known_to_numba: set[Body] = set()

#: Kernels divide as numpy does (inf, nan). They create no arrays, so that no references need to be
#: counted, which would take up to half of a short round: numba refuses a kernel that creates one.
_OPTIONS: Any = {"error_model": "numpy", "_nrt": False}
#: Python calls loops, nothing else does.
_LOOP: Any = {**_OPTIONS, "nogil": True, "no_cfunc_wrapper": True}
#: Bodies are inlined into the loop that calls them: a call would pass 40 words each round. Nothing
#: else calls them, and a wrapper for others would double the time that compiling takes.
_INLINE: Any = {**_OPTIONS, "forceinline": True, "no_cfunc_wrapper": True}
#: Bodies of other packages may create arrays.
_FOREIGN: Any = {**_INLINE, "_nrt": True}


def verb(declaration: Body) -> Body:
    """Declare a verb; a decorator.

    Parameters
    ----------
    declaration : callable
        A function with the arguments of the verb, and no body.

    Returns
    -------
    callable
        The verb, which runs the body for the type of its first argument.

    Examples
    --------
    >>> @verb
    ... def area(shape): ...
    >>> @implements(area, int)
    ... def _(shape):
    ...     return shape * shape
    >>> area(3)
    9
    """
    bodies: dict[type, Body] = {}

    @functools.wraps(declaration)
    def call(*args: Any) -> Any:
        return _find(bodies, type(args[0]))(*args)

    _verbs[call] = bodies
    return call


def implements(verb: Body, kind: type) -> Callable[[Body], Body]:
    """Declare the body of a verb for a type; a decorator.

    Parameters
    ----------
    verb : callable
        The verb.
    kind : type
        The type of the first argument; the body for `object` is the default.

    Returns
    -------
    callable
        A decorator that returns the function unchanged.

    Raises
    ------
    TypeError
        If there is a body for this type, or if its arguments are not those of the verb.
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
    """Return whether `verb` has a body for exactly `kind`."""
    return kind in _verbs[verb]


def _find(bodies: dict[type, Body], kind: type) -> Any:
    return bodies.get(kind) or bodies.get(object)


def kernel(function: Body) -> Body:
    """Declare a function that compiled code can call; a decorator.

    Parameters
    ----------
    function : callable
        Any function that numba can compile.

    Returns
    -------
    callable
        The same function, which also runs as plain Python.
    """
    _kernels.append(function)
    return function


def lowered(make: Callable[[], Body]) -> Callable[[Body], Body]:
    """Declare a kernel that is compiled from another body than that of Python; a decorator.

    Parameters
    ----------
    make : callable
        Returns the body, which may use numba; it is called before the first compilation.

    Returns
    -------
    callable
        A decorator that returns the function unchanged.
    """

    def record(function: Body) -> Body:
        _lowered[function] = make
        return kernel(function)

    return record


class Entry:
    """A function that Python calls and that runs compiled.

    `entry(...)` runs compiled, `entry.body(...)` runs the same lines in Python. With the
    environment variable NUMBA_DISABLE_JIT=1 both run in Python.
    """

    def __init__(self, body: Body) -> None:
        self.body = body
        self._twins: dict[bool, Any] = {}
        functools.update_wrapper(self, body)

    def __call__(self, *args: Any) -> Any:
        """Run compiled."""
        if machine_code.is_wanted() and all(map(_is_from_onebit, args)):
            call = machine_code.find(cache_directory(), self.body, args)
            if call is not None:
                return call()
        return _retry_without_cache(self.dispatcher(args), *args)

    def dispatcher(self, args: tuple[Any, ...]) -> Body:
        """Return numba's dispatcher for arguments like `args`.

        Types of other packages are compiled without the disk cache, which would miss a change of
        their source.

        Parameters
        ----------
        args : tuple
            Arguments of the entry.

        Returns
        -------
        callable
            The dispatcher; the Python function if numba is disabled.
        """
        if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
            return self.body
        cached = all(map(_is_from_onebit, args))
        if cached not in self._twins:
            with _compiling():
                self._twins.setdefault(cached, _jit(self.body, cached))
        if not cached or cache_directory() is None:  # code from the disk needs no overloads
            _register_overloads()
        return self._twins[cached]  # type: ignore[no-any-return]

    def exact(self, *args: Any) -> Body:
        """Return the machine code for arguments of exactly these types.

        It does not check the types of its arguments, which would take longer than a decision:
        the caller must never pass others.

        Parameters
        ----------
        *args : object
            Arguments of the types to compile for.

        Returns
        -------
        callable
            The compiled function; the Python function if numba is disabled.
        """
        dispatcher = self.dispatcher(args)
        if dispatcher is self.body:
            return self.body
        import numba

        types = tuple(map(numba.typeof, args))
        _retry_without_cache(dispatcher.compile, types)  # type: ignore[attr-defined]
        return dispatcher.get_overload(types)  # type: ignore[attr-defined,no-any-return]


def _compiling() -> Any:
    """Return the lock that numba compiles under, for registering verbs with it."""
    from numba.core.compiler_lock import global_compiler_lock

    return global_compiler_lock


def _retry_without_cache(compiles: Body, *args: Any) -> Any:
    """Call something that may compile, twice if the disk cache cannot be written.

    numba keeps the compiled code before it writes it to the disk, and a kernel opens no files:
    after an OSError nothing has run, and the code is there.
    """
    try:
        return compiles(*args)
    except OSError as error:
        if not _is_of_cache(error):  # such as a timeout that a signal handler raises
            raise
        return compiles(*args)


def _is_of_cache(error: OSError) -> bool:
    """Return whether numba's disk cache raised an error: then nothing has run yet."""
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_globals.get("__name__") == "numba.core.caching":
            return True
        trace = trace.tb_next
    return False


def entry(body: Body) -> Entry:
    """Declare a function that Python calls and that runs compiled; a decorator.

    Parameters
    ----------
    body : callable
        Any function that numba can compile; it may call verbs and kernels.

    Returns
    -------
    Entry
        What to call; it is compiled for new types of arguments when it is first called with them.

    Examples
    --------
    >>> @entry
    ... def double(x):
    ...     return 2 * x
    >>> double.body(3)
    6
    """
    return Entry(body)


def _is_from_onebit(value: Any) -> bool:
    """Return whether a value, and what it holds, is of types of onebit."""
    if not isinstance(value, tuple):
        return True
    kind = type(value)
    return (kind is tuple or _is_ours(kind)) and all(map(_is_from_onebit, value))


def _is_ours(defined: Any) -> bool:
    """Return whether a class or function is defined in onebit."""
    return defined.__module__.partition(".")[0] == "onebit"  # type: ignore[no-any-return]


def _jit(body: Body, cached: bool) -> Body:
    import numba

    jit = numba.njit(**_LOOP)
    if cached:
        return compile_cached(jit, body, _register_overloads)  # type: ignore[no-any-return]
    return jit(body)  # type: ignore[no-any-return]


def _register_overloads() -> None:
    """Register every verb and kernel that numba does not know yet."""
    from numba.extending import overload

    if len(_known_to_numba) == len(_verbs) + len(_kernels):
        return
    with _compiling():
        for function in _kernels:
            if function not in _known_to_numba:
                body = _lowered[function]() if function in _lowered else function
                overload(function, jit_options=_INLINE, strict=False)(lambda *_, body=body: body)
                _known_to_numba.add(function)
        for function, bodies in list(_verbs.items()):  # an import may declare more
            if function not in _known_to_numba:
                overload(function, jit_options=_INLINE, strict=False)(_finder(bodies, ours=True))
                overload(function, jit_options=_FOREIGN, strict=False)(_finder(bodies, ours=False))
                _known_to_numba.add(function)


def _finder(bodies: dict[type, Body], ours: bool) -> Callable[..., Body | None]:
    """Return a function that finds the body for numba's types, among ours or among the others."""

    def find(*args: Any) -> Body | None:
        body = _find(bodies, getattr(args[0], "instance_class", object))
        return body if body is not None and _is_ours(body) == ours else None

    return find
