"""Which compilations are under way, and what Python does not do meanwhile."""

import gc
from types import SimpleNamespace

import pytest
from numba.core.targetconfig import TargetConfig

from sdckit.kernels import compiled, compiler
from sdckit.kernels.compiled import Compilations, Kernel, inside_small
from sdckit.kernels.compiler import _Nesting, _values_of_options


class Dispatcher:
    """Of a kernel that Python calls, or of a function inside."""


@pytest.fixture
def nesting(monkeypatch):
    monkeypatch.setattr(compiler, "compilations", Compilations())
    nesting = _Nesting()
    yield nesting
    gc.enable()


def event_of(dispatcher):
    return SimpleNamespace(data={"dispatcher": dispatcher})


def test_only_the_first_of_nested_compilations_is_that_of_a_kernel(nesting):
    kernel, inner, other = Dispatcher(), Dispatcher(), Dispatcher()
    nesting.kernels.add(id(kernel))
    assert not nesting.inside and not nesting.outermost
    nesting.on_start(event_of(kernel))
    assert nesting.outermost and not nesting.inside and not gc.isenabled()
    nesting.on_start(event_of(inner))
    assert nesting.inside and not nesting.outermost
    nesting.on_start(event_of(kernel))
    assert nesting.inside and not nesting.outermost
    nesting.on_end(event_of(kernel))
    nesting.on_end(event_of(inner))
    assert nesting.outermost and not gc.isenabled()
    nesting.on_end(event_of(kernel))
    assert not nesting.outermost and gc.isenabled()
    assert compiler.compilations.count == 1
    nesting.on_start(event_of(other))
    nesting.on_start(event_of(inner))
    assert not nesting.inside and not nesting.outermost and gc.isenabled()
    nesting.on_end(event_of(inner))
    nesting.on_end(event_of(other))
    assert compiler.compilations.count == 1


def test_garbage_is_not_collected_afterwards_where_it_was_not_before(nesting):
    kernel = Dispatcher()
    nesting.kernels.add(id(kernel))
    gc.disable()
    nesting.on_start(event_of(kernel))
    nesting.on_end(event_of(kernel))
    assert not gc.isenabled()


def test_all_options_have_their_values():
    class Config(TargetConfig):
        pass

    Config.options = {"one": SimpleNamespace(default=1), "two": SimpleNamespace(default=2)}
    config = SimpleNamespace(options=Config.options, _values={"two": 5})
    assert _values_of_options(config) == {"one": 1, "two": 5}


def test_the_first_compilation_is_announced_once():
    made, announced = Compilations(), []
    made.started()
    assert made.count == 1
    made = Compilations()
    made.before_first = lambda: announced.append(made.count)
    for _ in range(3):
        made.started()
    assert (made.count, announced) == (3, [1])


@pytest.mark.parametrize(
    ("loaded", "value", "by_python"), [(False, 1, True), (False, 9, False), (True, 1, False), (True, 9, False)]
)
def test_small_work_is_left_to_python_until_the_compiler_is_loaded(loaded, value, by_python, monkeypatch):
    monkeypatch.setattr(compiled, "compiler_is_loaded", lambda: loaded)
    kernel = Kernel(lambda value: "python", {}, lambda value: value < 5)
    kernel.__dict__["dispatcher"] = lambda value: "compiled"
    assert kernel(value) == ("python" if by_python else "compiled")
    always = Kernel(lambda value: "python", {})
    always.__dict__["dispatcher"] = lambda value: "compiled"
    assert always(value) == "compiled"
    inside = Kernel(lambda value: "python", {}, inside_small)
    inside.__dict__["dispatcher"] = lambda value: "compiled"
    assert inside(value) == ("compiled" if loaded else "python")


def test_a_kernel_lets_other_threads_run_unless_it_says_otherwise():
    assert compiled.njit()(lambda: None)._options == {"nogil": True}
    assert compiled.njit(nogil=False, cache=True)(lambda: None)._options == {"nogil": False, "cache": True}
    assert compiled.compiler_is_loaded()
