"""How loops are compiled: bodies are optimised once, and a long wait is logged.

numba makes a library of each function, optimises it, turns it into machine code, and then links it
into that of its caller, where the same begins again: a body six calls below a loop is compiled
seven times. Bodies of verbs and kernels are called by compiled code alone. Here their libraries are
linked as they come, and only that of the loop is optimised, with all that is in it. Nothing that
numba makes meanwhile is garbage, so none is looked for, which took a tenth of the time.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import logging
import threading
from collections.abc import Callable, Iterator
from typing import Any

#: Seconds after which it is said that something is compiled.
LONG = 5.0
#: How the names begin of what Python or C calls, and of where the environment of a function is.
_WRAPPERS = ("_ZN7cpython", "_ZN5cfunc")
_ENVIRONMENT = "_ZN08NumbaEnv"


def compile_quickly(dispatcher: Any) -> None:
    """Let a dispatcher of numba compile the bodies that it calls without machine code of their own.

    What takes long is logged. A numba that is made otherwise compiles as it does.
    """
    compiler = getattr(dispatcher, "_compiler", None)
    compile_core: Callable[..., Any] | None = getattr(compiler, "_compile_core", None)
    if compile_core is None:
        return

    def compile_linked(*args: Any) -> Any:
        with told_if_long(), _linked_bodies():
            return compile_core(*args)

    compiler._compile_core = compile_linked  # type: ignore[union-attr]


@functools.cache
def _tell() -> None:
    """Log a warning, which Python writes to stderr by default, once in a process."""
    logging.getLogger("onebit").warning("onebit: compiling for the first use, once; please wait")


@contextlib.contextmanager
def told_if_long() -> Iterator[None]:
    """Say so if what is inside takes long."""
    timer = threading.Timer(LONG, _tell)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@contextlib.contextmanager
def _linked_bodies() -> Iterator[None]:
    """Use our class of libraries; numba's lock is held, so that no other thread compiles."""
    from numba.core.registry import cpu_target

    context: Any = cpu_target.target_context
    context.refresh()  # its own libraries, which C calls, are made as ever
    codegen = context.codegen()
    set_env = codegen.set_env

    def set_env_if_there(name: str, env: Any) -> None:
        if codegen._engine.is_symbol_defined(name):
            set_env(name, env)

    codegen._library_class, codegen.set_env = _library_class(), set_env_if_there
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
        del codegen._library_class, codegen.set_env


@functools.cache
def _library_class() -> Any:
    """Return numba's class of libraries, in which what only compiled code calls is just linked."""
    from numba.core import codegen, environment

    base: Any = codegen.JITCodeLibrary
    lookup: Any = environment.lookup_environment

    class LinkedLibrary(base):  # type: ignore[misc]
        @property
        def _is_body(self) -> bool:
            defined = (f.name for f in self._final_module.functions if not f.is_declaration)
            return not any(name.startswith(_WRAPPERS) for name in defined)

        def _optimize_final_module(self) -> None:
            if not self._is_body:
                super()._optimize_final_module()

        def _finalize_final_module(self) -> None:
            if self._is_body:
                self._finalize_dynamic_globals()
                self._finalized = True
                return
            super()._finalize_final_module()
            for variable in self._final_module.global_variables:
                if variable.name.startswith(_ENVIRONMENT):
                    env = lookup(variable.name)
                    if env is not None:  # that of a body, which had no place before
                        self._codegen.set_env(variable.name, env)

    return LinkedLibrary
