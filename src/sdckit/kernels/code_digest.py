"""A digest of the code that a kernel is compiled from: its own, that of every kernel it calls, and their constants.

Machine code that was kept is used again only where this digest is the same. A kernel is compiled as one piece with the
kernels that it calls, and these may be in other files.
"""

import hashlib
from collections.abc import Iterator
from enum import Enum
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from sdckit.kernels.compiled import Kernel

NUMBERS_AND_TEXT = (int, float, complex, str, bytes, type(None), type(...))
LOOKED_UP_IN_MODULES = (Kernel, Enum, *NUMBERS_AND_TEXT)


def code_digest(kernel: Kernel) -> str:
    """The digest of a kernel, of the kernels that it calls, directly or not, and of the constants that they use."""
    found, waiting = {kernel}, [kernel]
    while waiting:
        new = set(_called(waiting.pop())) - found
        found |= new
        waiting.extend(new)
    own = sorted(_own_digest(each) for each in found - {kernel})
    return hashlib.sha256(" ".join([_own_digest(kernel), *own]).encode()).hexdigest()


@cache
def _used(kernel: Kernel) -> tuple[Any, ...]:
    return tuple(used_by(kernel.py_func))


def _called(kernel: Kernel) -> Iterator[Kernel]:
    return (each for each in _used(kernel) if isinstance(each, Kernel))


@cache
def _own_digest(kernel: Kernel) -> str:
    """The digest of a kernel with its constants; kernels that it calls have their names in it."""
    function = kernel.py_func
    used = [_name(function), function.__code__, kernel._options, *_used(kernel)]
    return hashlib.sha256("\0".join(_described(used)).encode("utf-8", "surrogatepass")).hexdigest()


def used_by(function: Any) -> Iterator[Any]:
    """What a function uses by name: global values, attributes of modules, enclosing values, defaults, annotations."""
    known = function.__globals__
    names = [name for code in _nested(function.__code__) for name in code.co_names]
    for name in names:
        if name in known:
            yield known[name]
            if isinstance(known[name], ModuleType):
                found = map(vars(known[name]).get, names)
                yield from (each for each in found if isinstance(each, LOOKED_UP_IN_MODULES))
    yield from (cell.cell_contents for cell in function.__closure__ or ())
    yield function.__defaults__
    for annotation in function.__annotations__.values():
        yield known.get(annotation, annotation) if isinstance(annotation, str) else annotation


def _nested(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _nested(constant)


def _described(value: Any) -> Iterator[str]:
    """A value as text that is the same in every process, in pieces."""
    if isinstance(value, CodeType):
        yield value.co_code.hex()
        yield from _described((value.co_varnames, value.co_names, value.co_freevars, value.co_consts))
    elif isinstance(value, Enum):
        yield f"{value!s} {value.value!r}"
    elif isinstance(value, NUMBERS_AND_TEXT):
        yield f"{type(value).__name__} {value!r}"
    elif isinstance(value, np.ndarray | np.generic):
        array = np.asarray(value)
        yield f"{array.dtype} {array.shape} {array.tobytes().hex()}"
    elif isinstance(value, tuple | list):
        yield f"{type(value).__name__} of {len(value)}"
        for each in value:
            yield from _described(each)
    elif isinstance(value, set | frozenset):  # their order differs between processes
        yield from _described(["set", *sorted(value, key=repr)])
    elif isinstance(value, dict):
        yield from _described(["dict", *sorted(value.items(), key=repr)])
    elif isinstance(value, FunctionType):
        yield from _described([_name(value), value.__code__])
    elif isinstance(value, ModuleType):
        yield value.__name__
    else:
        yield from _described([_name(value), *getattr(value, "_fields", ())])  # of a class of named tuples


def _name(value: Any) -> str:
    """The name of a kernel, a class or a function; of anything else, that of its class."""
    own = value if hasattr(value, "__qualname__") else type(value)
    return f"{own.__module__}.{own.__qualname__}"
