"""Bodies are linked into the loop that calls them, and what takes long to compile is told."""

import gc
import time
from typing import Any

import pytest

from onebit.kernel import compiling, verbs


@verbs.verb
def doubled(n: Any) -> Any: ...


@verbs.implements(doubled, object)
def _(n: Any) -> Any:
    return plus(n, n)


@verbs.kernel
def plus(a: Any, b: Any) -> Any:
    return a + b


@verbs.entry
def add_up(n: int) -> int:
    total = 0
    for i in range(n):
        total += doubled(i)
    return total


@pytest.mark.compiled
def test_only_the_loop_is_turned_into_machine_code(monkeypatch):
    made, base = [], compiling._library_class().__mro__[1]
    finalize = base._finalize_specific
    monkeypatch.setattr(
        base, "_finalize_specific", lambda self: (made.append(self.name), finalize(self))[1]
    )
    for module in ("cache", "verbs"):
        monkeypatch.setattr(f"onebit.kernel.{module}.cache_directory", lambda: None)
    assert add_up(4) == add_up.body(4) == 12
    assert [name for name in made if name != "nrt"] == ["add_up"]  # numba's own, of its memory
    assert gc.isenabled()


@pytest.mark.compiled
def test_afterwards_numba_compiles_as_ever():
    import numba
    from numba.core.registry import cpu_target

    add_up(2)
    codegen = cpu_target.target_context.codegen()
    assert not {"_library_class", "set_env"} & vars(codegen).keys()

    @numba.njit
    def third(n):
        return n / 3

    assert third(6) == 2.0


def test_another_numba_compiles_as_it_does():
    class Dispatcher:
        _compiler = object()

    compiling.compile_quickly(Dispatcher())
    compiling.compile_quickly(object())


def test_what_takes_long_is_told(monkeypatch, caplog):
    caplog.set_level("WARNING", logger="onebit")  # a command that ran here before has raised it
    monkeypatch.setattr(compiling, "LONG", 0.0)
    compiling._tell.cache_clear()
    with compiling.told_if_long():
        deadline = time.monotonic() + 5.0
        while not caplog.records and time.monotonic() < deadline:
            time.sleep(0.01)
    assert "compiling for the first use" in caplog.text
    monkeypatch.setattr(compiling, "LONG", 60.0)
    caplog.clear()
    with compiling.told_if_long():
        pass
    assert not caplog.records
