"""Machine code that lies on the disk, called without numba.

Importing numba takes longer than all else at the start of a short command. Code that was compiled
before needs nothing of it: it is an object file, which LLVM loads, and a function that takes each
array as seven words or more, each number as one. So compiled code is also kept in files of our own
(see `save`), and `find` returns what calls it, or None: then numba takes over. It is the same code,
so that the bits are the same.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import platform
import re
import sys
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

Body = Callable[..., Any]

#: Where this was tried. Elsewhere numba loads the code.
_IS_KNOWN = sys.platform == "linux" and platform.machine() == "x86_64"
#: The types of words by LLVM's names. All but floats are passed as words of 64 bits.
_WORDS = {"ptr", "i8", "i64", "double"}
#: What a function may return, by numba's names.
_RETURNS: dict[str, Any] = {
    "none": ctypes.c_int64, "int64": ctypes.c_int64, "bool": ctypes.c_bool,
    "float64": ctypes.c_double,
}  # fmt: skip
#: A whole number or an address; there is no count of references.
_Whole = ctypes.c_int64
_NOTHING = _Whole(0)
#: ctypes takes about a thousand arguments.
_MOST_WORDS = 1000
#: The status of a function that returned a value, or None.
_OK = (0, -2)

_wanted = 0
_loaded: dict[Any, Any] = {}
_lock = threading.Lock()


@contextmanager
def preferred() -> Iterator[None]:
    """Take code from the disk without numba meanwhile, unless numba is imported already."""
    global _wanted
    own_settings = any(name.startswith("NUMBA_") for name in os.environ)
    more = int(_IS_KNOWN and "numba" not in sys.modules and not own_settings)
    _wanted += more
    try:
        yield
    finally:
        _wanted -= more


def find(directory: Path | None, body: Body, args: tuple[Any, ...]) -> Callable[[], Any] | None:
    """Return a call of the code for these arguments, if it is wanted and on the disk."""
    kinds: list[Any] = [body]
    words: list[Any] = []
    if directory is None:
        return None
    for n, arg in enumerate(args):
        if not isinstance(arg, tuple):
            if not _flatten(arg, kinds, words):
                return None
        else:  # a state is mostly the one of the last call
            last = _last.calls.get((body, n))
            if last is None or last[0] is not arg:
                own_kinds: list[Any] = []
                own_words: list[Any] = []
                if not _flatten(arg, own_kinds, own_words):
                    return None
                _last.calls[body, n] = last = arg, own_kinds, own_words
            kinds += last[1]
            words += last[2]
    key = tuple(kinds)
    if key not in _loaded:
        with _lock:
            if key not in _loaded:
                _loaded[key] = _load(directory / _file_name(body, kinds[1:], _host()), len(words))
    code = _loaded[key]
    return None if code is None else lambda: code(words, args)


class _LastCalls(threading.local):
    """The tuples of the last calls in a thread, as they were flattened."""

    def __init__(self) -> None:
        self.calls: dict[tuple[Body, int], tuple[Any, list[Any], list[Any]]] = {}


_last = _LastCalls()


def is_wanted() -> bool:
    """Return whether code is to be taken from the disk without numba."""
    return _wanted > 0


def _flatten(value: Any, kinds: list[Any], words: list[Any]) -> bool:
    """Append the type of a value and its words; return whether it has any."""
    kind = type(value)
    if kind is np.ndarray:
        flags, dtype = value.flags, value.dtype
        if not value.ndim or dtype.kind not in "biuf" or not flags.aligned:
            return False
        layout = "C" if flags.c_contiguous else "F" if flags.f_contiguous else "A"
        kinds += dtype.str, value.ndim, layout, flags.writeable
        data = value.__array_interface__["data"][0]
        words += _NOTHING, _NOTHING, _Whole(value.size), _Whole(value.itemsize), _Whole(data)
        words += map(_Whole, value.shape)
        words += map(_Whole, value.strides)
        return True
    if isinstance(value, tuple):
        kinds += kind, len(value)
        return all(_flatten(each, kinds, words) for each in value)
    if kind is int and not -(2**63) <= value < 2**63:
        return False
    if kind not in (int, float, bool):
        return False
    kinds.append(kind)
    words.append(ctypes.c_double(value) if kind is float else _Whole(value))
    return True


def _flatten_type(kind: Any, kinds: list[Any]) -> bool:
    """Append numba's type as `_flatten` does that of a value; return whether it does."""
    from numba.core import types

    if type(kind) is types.Array:
        if kind.dtype not in types.number_domain and kind.dtype is not types.boolean:
            return False
        kinds += np.dtype(str(kind.dtype)).str, kind.ndim, kind.layout, kind.mutable
        return True
    is_tuple = isinstance(kind, types.BaseTuple)
    if is_tuple:
        inside = kind.types
        kinds += getattr(kind, "instance_class", tuple), len(inside)
        return all(_flatten_type(each, kinds) for each in inside)
    plain = {types.int64: int, types.float64: float, types.boolean: bool}
    kinds.append(plain.get(kind))
    return kind in plain


def _file_name(body: Body, kinds: list[Any], host: tuple[str, ...]) -> str:
    """Return the name of the file for a function, types of arguments, and a processor."""
    named = [
        f"{each.__module__}.{each.__qualname__}" if isinstance(each, type) else each
        for each in kinds
    ]
    digest = hashlib.sha256(json.dumps([named, host]).encode()).hexdigest()[:24]
    return f"{body.__module__}.{body.__qualname__}-{digest}.code"


@cache
def _host() -> tuple[str, ...]:
    """Return what code for this processor depends on, as numba's codegen does."""
    import llvmlite.binding as llvm

    features = llvm.get_host_cpu_features().flatten()
    return llvm.get_process_triple(), llvm.get_host_cpu_name(), features


def save(directory: Path, body: Body, compiled: Any) -> None:
    """Keep what numba compiled, if it can be called without numba.

    Parameters
    ----------
    directory : Path
        Where it is kept.
    body : callable
        The function in Python.
    compiled : CompileResult
        What numba made of it.
    """
    kinds: list[Any] = []
    returns = str(compiled.signature.return_type)
    if not _IS_KNOWN or returns not in _RETURNS or "<locals>" in body.__qualname__:
        return
    if not all(_flatten_type(kind, kinds) for kind in compiled.signature.args):
        return
    symbol, library = compiled.fndesc.llvm_func_name, compiled.library
    unused = _only_used_by_wrappers(str(library._final_module), symbol)
    words = [_word(kind) for kind in _argument_types(compiled)]
    if unused is None or len(words) > _MOST_WORDS or not {*words} <= _WORDS:
        return
    code = library._get_compiled_object()
    head = {"symbol": symbol, "words": words, "returns": returns, "unused": unused,
            "checksum": zlib.crc32(code)}  # fmt: skip
    path = directory / _file_name(body, kinds, compiled.codegen.magic_tuple())
    temporary = path.with_suffix(f".{os.getpid()}-{threading.get_ident()}.tmp")
    temporary.write_bytes(json.dumps(head).encode() + b"\n" + code)
    os.replace(temporary, path)  # a crash may leave a part of it, which its checksum tells


def _argument_types(compiled: Any) -> Any:
    """Return LLVM's types of the words that a compiled function takes."""
    context = compiled.target_context
    return context.call_conv._get_arg_packer(compiled.signature.args).argument_types


def _word(kind: Any) -> str:
    """Return a type of LLVM by its name, pointers all alike."""
    return "ptr" if kind.is_pointer else str(kind)


def _only_used_by_wrappers(module: str, symbol: str) -> list[str] | None:
    """Return the functions of Python and numba that a module declares; None if our code calls one.

    The wrappers, which unpack Python's objects, are in the same object file and are not called.
    """
    parts = re.split(r"^(?=define )", module, flags=re.MULTILINE)
    declared = re.findall(r"^declare .*?@\"?([\w.$]+)\"?\(", module, re.MULTILINE)
    declared += re.findall(r"^@\"?([\w.$]+)\"? = external", module, re.MULTILINE)
    foreign = [name for name in declared if re.match(r"_?Py|numba|NRT|\.numba", name)]
    for part in parts[1:]:
        head, _, rest = part.partition("\n")
        if "@cfunc." in head or "@_ZN7cpython" in head:
            continue
        used = {*re.findall(r"@\"?([\w.$]+)", rest.partition("\n}")[0])}
        if used & {*foreign}:
            return None
    return foreign if f"@{symbol}(" in module or f'@"{symbol}"(' in module else None


def _load(path: Path, count: int) -> Any:
    """Return what calls the function of a file with so many words; None if there is none."""
    import llvmlite.binding as llvm

    try:
        head, _, code = path.read_bytes().partition(b"\n")
        about = json.loads(head)
        result, unused = _RETURNS[about["returns"]], about["unused"]
        if len(about["words"]) != count or zlib.crc32(code) != about["checksum"]:
            return None
        absent = [name for name in unused if llvm.address_of_symbol(name) is None]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None  # damaged, or of another version
    engine = _engine(absent)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    address = engine.get_function_address(about["symbol"])
    function = ctypes.CFUNCTYPE(ctypes.c_int32)(address)
    return _Code(function, engine, result, about["returns"] == "none")


def _engine(absent: list[str]) -> Any:
    """Return an engine of LLVM that loads object files: one for each, for names may repeat.

    Functions of numba that are not there, and not called, are defined in this engine alone:
    numba may come later, and its code must find its own.
    """
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), reloc="static", codemodel="jitdefault", jit=True
    )
    stubs = "".join(f'define void @"{name}"() {{ unreachable }}\n' for name in absent)
    return llvm.create_mcjit_compiler(llvm.parse_assembly(stubs), machine)


class _Code:
    """A function of machine code, with the engine that holds it."""

    def __init__(self, function: Any, engine: Any, result: Any, returns_none: bool) -> None:
        self.function, self.engine, self.result = function, engine, result
        self.returns_none = returns_none

    def __call__(self, words: list[Any], args: tuple[Any, ...]) -> Any:
        """Call it; `args` are what the words point to, which must live as long."""
        result, error = self.result(), ctypes.c_void_p()
        status = self.function(ctypes.byref(result), ctypes.byref(error), *words)
        if status not in _OK:
            raise RuntimeError(f"onebit: compiled code ended with status {status}.")
        return None if self.returns_none else result.value
