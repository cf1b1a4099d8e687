"""Kernels that numba compiles: the compiler is imported when one of them is first called, not when its file is.

Listing the methods, showing one or checking a document imports many kernels and calls none.
"""

import sys
from collections.abc import Callable
from functools import cached_property, update_wrapper
from typing import Any, TypeVar, cast

COMPILER = "sdckit.kernels.compiler"
IMPORTED_MEANWHILE = 100_000_000  # differences of two numbers squared and added up by numpy in less time than importing
COMPILED_MEANWHILE = 800_000_000  # and than compiling a kernel
COMPILED_SOON = 200_000_000  # and one of a few lines
STEP = 30  # such differences in the time of one step of a loop in Python
Function = TypeVar("Function", bound=Callable[..., Any])


class Compilations:
    """How many kernels this process has compiled, how many could not be kept, and what is called before the first.

    None is `spared` where they are to be compiled beforehand.
    """

    def __init__(self) -> None:
        self.count = 0
        self.lost = 0
        self.spared = True
        self.before_first: Callable[[], None] | None = None

    def started(self) -> None:
        """A kernel is about to be compiled."""
        self.count += 1
        if self.count == 1 and self.before_first is not None:
            self.before_first()


compilations = Compilations()


def compiler_is_loaded() -> bool:
    """Whether something has needed the compiler: importing it takes longer than work on a few records."""
    return COMPILER in sys.modules


class Kernel:
    """A function that is compiled for the types of its arguments when it is first called.

    Where its arguments are `small`, Python runs it itself as long as nothing else has needed the compiler: importing
    that takes longer than the work. The values are the same.
    """

    def __init__(
        self, function: Callable[..., Any], options: dict[str, Any], small: Callable[..., bool] | None = None
    ) -> None:
        self.py_func = function
        self._options = options
        self._small = small
        self._done_without = 0
        update_wrapper(self, function)

    @cached_property
    def dispatcher(self) -> Any:
        """The function as Python calls it."""
        from sdckit.kernels.compiler import called_by_python

        return called_by_python(self, self._options)

    @cached_property
    def _is_kept(self) -> bool:
        """Whether another process has kept its machine code."""
        from sdckit.kernels.compiler import is_kept

        return is_kept(self.dispatcher)

    @cached_property
    def inner(self) -> Any:
        """The function as other kernels call it."""
        from sdckit.kernels.compiler import called_by_kernels

        return called_by_kernels(self.py_func, self._options)

    @property
    def _numba_type_(self) -> Any:
        """The type by which numba compiles a call from another kernel."""
        return self.inner._numba_type_

    def __call__(self, *arguments: Any) -> Any:
        if self._small is not None and not compiler_is_loaded() and self._small(*arguments):
            return self.py_func(*arguments)
        return self.dispatcher(*arguments)

    def spared(self, operations: int, meanwhile: int) -> bool:
        """See `spared`."""
        if not compilations.spared:
            return False
        if not compiler_is_loaded() and operations <= IMPORTED_MEANWHILE:
            return True
        if self._is_kept or bool(getattr(self.dispatcher, "overloads", False)):
            return False
        self._done_without += operations
        return self._done_without <= meanwhile

    def __reduce__(self) -> str:
        return self.py_func.__qualname__  # pickled by name, as functions are


def spared(kernel: Callable[..., Any], operations: int, meanwhile: int = COMPILED_MEANWHILE) -> bool:
    """Whether numpy does the work of a kernel sooner than the kernel would be compiled.

    The work takes as long as squaring and adding up so many differences.
    Never where its code is ready. What was done without it before in this process is counted, so that a kernel that is
    needed again and again is compiled in the end.
    """
    return cast(Kernel, kernel).spared(operations, meanwhile)


def compiled_or_not(kernel: Function, steps: int) -> Function:
    """A kernel of a few lines, or the same run by Python where its steps take less time than compiling it would.

    As with `small`, only for a kernel that adds one number at a time.
    """
    return cast(Function, cast(Kernel, kernel).py_func) if spared(kernel, STEP * steps, COMPILED_SOON) else kernel


def inside_small(*arguments: Any) -> bool:
    """Of a kernel that only others call: Python runs it where it runs these."""
    return True


def njit(*, small: Callable[..., bool] | None = None, **options: Any) -> Callable[[Function], Function]:
    """`numba.njit` with these options, applied when the function is first called.

    A kernel lets other threads of Python run meanwhile, so that progress is shown and a signal is answered. Where
    `small` is true of its arguments, it may be run by Python itself: give it only to a kernel that adds and draws one
    number at a time, as sums of whole arrays are in another order there.
    """
    options = {"nogil": True} | options

    def kernel(function: Function) -> Function:
        return cast(Function, Kernel(function, options, small))

    return kernel
