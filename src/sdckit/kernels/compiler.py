"""The compiler of the kernels: machine code is made for a kernel that Python calls, not for the functions inside it.

Numba optimises every function that a kernel calls to machine code of its own, with wrappers for Python and C, and
then links and optimises all of it once more in the kernel. Only the last step is needed. Here a function called by a
kernel stays intermediate code until the kernel is linked: compiling takes half the time, and the machine code of the
kernel is as fast. A function compiled by anyone else is compiled as numba does it.
"""

import gc
from types import MethodType
from typing import Any

import llvmlite
import numpy as np
from numba import _dynfunc, njit, types
from numba.core import event
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.codegen import JITCodeLibrary
from numba.core.environment import lookup_environment
from numba.core.registry import cpu_target
from numba.core.targetconfig import TargetConfig
from numba.extending import overload
from numba.np import linalg

from sdckit.kernels.code_digest import code_digest
from sdckit.kernels.compiled import Kernel, compilations

FORM = 2  # of the machine code that is kept: one more where this file makes other code of the same kernel
UNRESOLVED = ".numba.unresolved$"  # how numba marks a function that two functions call in a circle
ENVIRONMENT = "_ZN08NumbaEnv"
_DEFAULTS: dict[Any, dict[str, Any]] = {}  # of the options of each kind of configuration


class _Nesting(event.Listener):
    """Which compilations are under way: that of a kernel, inside it that of a function it calls, and so on.

    Meanwhile Python does not search for garbage: the compiler makes so many objects that this takes a fifth of the
    time, and nearly all of them are needed to the end.
    """

    def __init__(self) -> None:
        self.kernels: set[int] = set()  # the dispatchers that Python calls, by identity
        self._open: list[bool] = []  # for each compilation, the outermost first, whether it is of such a dispatcher
        self._collects_garbage = False

    @property
    def inside(self) -> bool:
        """Is a function compiled that only compiled code calls?"""
        return len(self._open) > 1 and self._open[0]

    @property
    def outermost(self) -> bool:
        """Is a kernel compiled as Python calls it?"""
        return self._open == [True]

    def on_start(self, event: Any) -> None:
        self._open.append(id(event.data["dispatcher"]) in self.kernels)
        if self.outermost:
            self._collects_garbage = gc.isenabled()
            gc.disable()
            compilations.started()

    def on_end(self, event: Any) -> None:
        if self.outermost and self._collects_garbage:
            gc.enable()
        if self._open:  # else it began before this listener: a function of somebody else that calls a kernel
            self._open.pop()


_nesting = _Nesting()


class _Library(JITCodeLibrary):
    """The code of one function; that of a function inside a kernel is not optimised alone nor made machine code."""

    intermediate = False

    def _optimize_functions(self, module: Any) -> None:
        if _nesting.inside:
            module.data_layout = self._codegen._data_layout
            return
        super()._optimize_functions(module)

    def _optimize_final_module(self) -> None:
        self.intermediate = _nesting.inside and not any(
            each.name.startswith(UNRESOLVED) for each in self._final_module.global_variables
        )
        if not self.intermediate:
            super()._optimize_final_module()

    def _finalize_final_module(self) -> None:
        if not self.intermediate:
            super()._finalize_final_module()
            return
        self._finalize_dynamic_globals()
        self._finalized = True


def _executable(context: Any, library: Any, description: Any, environment: Any) -> Any:
    """The function that Python calls; inside a kernel, a key by which the code is found that is to be linked."""
    library._ensure_finalized()
    if not getattr(library, "intermediate", False):
        function = type(context).get_executable(context, library, description, environment)
        if _nesting.outermost:
            _set_environments(library)
        return function
    name = description.qualname.split(".")[-1]
    return _dynfunc.make_function(description.lookup_module(), name, "inside a kernel", 0, environment, (library,))


def _set_environments(library: Any) -> None:
    """Give the functions that were linked into a kernel the constants of their error messages."""
    for variable in library._final_module.global_variables:
        environment = lookup_environment(variable.name) if variable.name.startswith(ENVIRONMENT) else None
        if environment is not None:
            library.codegen.set_env(variable.name, environment)


def _c_wrapper(context: Any, library: Any, *rest: Any) -> None:
    if not _nesting.inside:
        type(context).create_cfunc_wrapper(context, library, *rest)


def _import_without_blas() -> None:
    """Import numba's array functions without scipy's BLAS, which they import only to see whether it is installed.

    It is, as scipy is required; a kernel that uses linear algebra imports it when it is compiled.
    """
    check = linalg.ensure_blas
    linalg.ensure_blas = lambda: None
    try:
        import numba.np.arraymath  # noqa: F401  imported for what it registers
    finally:
        linalg.ensure_blas = check


def _refuse_sizes(source: Any, target: Any) -> None:
    """What a kernel does that assigns an array to a slice of another size; numba's own text compiles for a second.

    Only the name is needed here: `_refused_sizes` is what numba compiles for it.
    """


@overload(_refuse_sizes)
def _refused_sizes(source: Any, target: Any) -> Any:
    def refuse(source: Any, target: Any) -> None:
        raise ValueError("an array was assigned to a slice of another size")

    return refuse


def _values_of_options(config: TargetConfig) -> dict[str, Any]:
    """All options of a configuration; numba compares them for every call of a function in another."""
    if type(config) not in _DEFAULTS:
        _DEFAULTS[type(config)] = {name: option.default for name, option in config.options.items()}
    values: dict[str, Any] = _DEFAULTS[type(config)] | config._values
    return values


def _install() -> None:
    _import_without_blas()
    from numba.np import arrayobj

    TargetConfig.values = _values_of_options
    arrayobj.raise_with_shape_context = _refuse_sizes
    context = cpu_target.target_context
    context.codegen()._library_class = _Library
    context.get_executable = MethodType(_executable, context)
    context.create_cfunc_wrapper = MethodType(_c_wrapper, context)
    event.register("numba:compile", _nesting)


_install()


class _CacheFile(IndexDataCacheFile):
    """The machine code of a kernel on disk: each file says which code, and which types of arguments, it is for.

    The index and the code are two files, and several processes write them: numba would trust an index that was written
    just before a process was killed, with code of an earlier version beside it. What cannot be read is made anew.
    """

    def save(self, key: Any, data: Any) -> None:
        super().save(key, (self._source_stamp, key, data))

    def load(self, key: Any) -> Any:
        try:
            found = super().load(key)
        except Exception:  # of a file that is damaged, unpickling raises almost anything
            return None
        own = found is not None and found[:2] == (self._source_stamp, key)
        return found[2] if own else None

    def _load_index(self) -> Any:
        try:
            return super()._load_index()
        except Exception:
            return {}


class _Cache(FunctionCache):
    """The machine code of a kernel, kept for as long as neither it nor a kernel that it calls changes.

    Numba looks at the file of the kernel alone. Where the disk is full, the code is not kept.
    """

    def __init__(self, kernel: Kernel) -> None:
        super().__init__(kernel.py_func)
        file = self._impl.locator.get_source_stamp()
        stamp = (file, code_digest(kernel), FORM, llvmlite.__version__, np.__version__)
        self._cache_file = _CacheFile(self._cache_path, self._impl.filename_base, stamp)

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except OSError:
            compilations.lost += 1


def called_by_python(kernel: Kernel, options: dict[str, Any]) -> Any:
    """The dispatcher of a kernel as Python calls it; its machine code is kept if the options say so."""
    plain = {name: value for name, value in options.items() if name != "cache"}
    dispatcher = njit(no_cfunc_wrapper=True, **plain)(kernel.py_func)
    if options.get("cache"):
        try:
            dispatcher._cache = _Cache(kernel)
        except RuntimeError:  # neither the package's folder nor the user's can be written to
            compilations.lost += 1
    _nesting.kernels.add(id(dispatcher))
    return dispatcher


def is_kept(dispatcher: Any) -> bool:
    """Whether machine code of a kernel is on disk."""
    kept = getattr(getattr(dispatcher, "_cache", None), "_cache_file", None)
    return kept is not None and bool(kept._load_index())


def called_by_kernels(function: Any, options: dict[str, Any]) -> Any:
    """The dispatcher of a kernel as other kernels call it; its code becomes part of theirs.

    A constant argument is a value of its type: numba would compile the function once more for every constant.
    """
    inner = {name: value for name, value in options.items() if name != "cache"}
    dispatcher = njit(no_cpython_wrapper=True, **inner)(function)
    template_of = dispatcher.get_call_template

    def template(arguments: Any, named: dict[str, Any]) -> Any:
        plain = tuple(types.unliteral(each) for each in arguments)
        return template_of(plain, {name: types.unliteral(each) for name, each in named.items()})

    dispatcher.get_call_template = template
    return dispatcher
