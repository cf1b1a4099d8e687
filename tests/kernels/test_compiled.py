"""A kernel is compiled when it is first called, and calls other kernels that are."""

import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from sdckit.kernels import compiled
from sdckit.kernels.compiled import Kernel, compiler_is_loaded, njit
from sdckit.kernels.mdav import _mdav
from sdckit.kernels.shrinking_set import squared_distance

PACKAGE = Path(__file__).resolve().parents[2] / "src" / "sdckit"


@njit(nogil=True)
def twice(value: int) -> int:
    """Double a number."""
    return 2 * value


@njit()
def twice_the_sum(values: "np.ndarray") -> int:
    return twice(values.sum())


@njit()
def reciprocal(value: float) -> float:
    if value == 0:
        raise ValueError("zero has no reciprocal", value)
    return 1 / value


@njit(cache=True)
def sum_of_reciprocals(values: "np.ndarray") -> float:
    total = 0.0
    for value in values:
        total += reciprocal(value)
    return total


@njit()
def half(value: float) -> float:
    return value / 2


@njit()
def sum_of_halves(values: "np.ndarray") -> float:
    total = 0.0
    for value in values:
        total += half(value)
    return total


@njit()
def overwrite_start(values: "np.ndarray", count: int, start: "np.ndarray") -> None:
    values[:count] = start


@njit()
def scaled(value: int, factor: int) -> int:
    return value * factor


@njit()
def difference_of_scaled(value: int) -> int:
    return scaled(value, 2) - scaled(value, value - 2)


def test_a_kernel_is_compiled_by_its_first_call() -> None:
    assert isinstance(twice, Kernel) and "dispatcher" not in vars(twice)
    assert twice(21) == 42
    assert twice.dispatcher.signatures, "the call was compiled"
    assert twice.dispatcher.targetoptions["nogil"], "with the options of the decorator"


def test_a_kernel_calls_another_kernel() -> None:
    assert twice_the_sum(np.arange(4)) == 12 == twice_the_sum.py_func(np.arange(4))


def test_no_machine_code_is_made_for_a_kernel_that_only_kernels_call() -> None:
    """Numba would optimise and compile each of them alone, then once more as part of its caller."""
    assert sum_of_halves(np.array([1.0, 2.0])) == 1.5
    code = next(iter(half.inner.overloads.values())).library
    assert code.intermediate and "dispatcher" not in vars(half)
    assert half(4.0) == 2.0, "and it can still be called alone"


def test_a_constant_argument_needs_no_code_of_its_own() -> None:
    """Numba would compile the inner kernel once for the constant and once for the variable."""
    assert difference_of_scaled(3) == 3
    assert len(scaled.inner.overloads) == 1


@pytest.mark.slow
def test_an_error_inside_a_kernel_keeps_its_message(tmp_path: Path) -> None:
    """The message is a constant of the inner function, which has no machine code of its own, cached or not."""
    code = (
        "import numpy as np; from tests.kernels.test_compiled import sum_of_reciprocals\n"
        "try: sum_of_reciprocals(np.array([1.0, 0.0]))\n"
        "except ValueError as error: print(error.args, sum(sum_of_reciprocals.dispatcher.stats.cache_hits.values()))"
    )
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    for cache_hits in (0, 1):
        shown = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, env=environment, cwd=PACKAGE.parents[1]
        )
        assert shown.stdout == f"('zero has no reciprocal', 0.0) {cache_hits}\n", shown.stderr


def test_an_array_is_not_assigned_to_a_slice_of_another_size() -> None:
    values = np.arange(5)
    overwrite_start(values, 2, np.array([8, 9]))
    assert values.tolist() == [8, 9, 2, 3, 4]
    with pytest.raises(ValueError, match="a slice of another size"):
        overwrite_start(values, 3, np.array([8, 9]))


def test_a_plain_numba_function_calls_a_kernel() -> None:
    import numba

    @numba.njit
    def squared_norm(point: "np.ndarray") -> float:
        return squared_distance(point, np.zeros_like(point))

    assert squared_norm(np.array([3.0, 4.0])) == 25.0


def test_a_plain_numba_function_is_the_first_to_compile_a_kernel() -> None:
    code = """
import numba, numpy as np
from sdckit.kernels.sorting import sort_with_items

@numba.njit
def item_of_the_least(keys, items):
    sort_with_items(keys, items)
    return items[0]

print(item_of_the_least(np.array([3.0, 1.0, 2.0]), np.arange(3)))
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (found.stdout, found.returncode) == ("1\n", 0)


def test_a_kernel_keeps_the_name_and_the_description_of_its_function() -> None:
    assert (twice.__name__, twice.__doc__) == ("twice", "Double a number.")


def test_a_kernel_is_pickled_by_its_name() -> None:
    assert pickle.loads(pickle.dumps(_mdav)) is _mdav


def test_a_wrong_call_is_an_error_of_its_own() -> None:
    with pytest.raises(TypeError):
        twice()


def test_every_compiled_function_of_the_package_is_a_kernel() -> None:
    """Otherwise the file that defines it imports the compiler."""
    own = PACKAGE / "kernels" / "compiler.py"
    texts = {path: path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py") if path != own}
    assert [path.name for path, text in texts.items() if "import numba" in text or "from numba" in text] == []


def test_importing_every_component_does_not_import_the_compiler() -> None:
    code = "import sys; from sdckit.catalogue import entries; entries(); print('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"


def test_the_compiler_counts_as_loaded_once_it_is_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    import sdckit.kernels.compiler

    assert compiler_is_loaded() is True
    monkeypatch.delitem(sys.modules, sdckit.kernels.compiler.__name__)
    assert compiler_is_loaded() is False


def test_python_gets_the_function_that_numba_makes_of_a_kernel() -> None:
    from sdckit.kernels.compiler import _executable

    class Context:
        def get_executable(self, *arguments: object) -> tuple[object, ...]:
            return arguments

    class Library:
        def _ensure_finalized(self) -> None:
            pass

    library = Library()
    assert _executable(Context(), library, "description", "environment") == (library, "description", "environment")


def halved(number: int) -> int:
    return number // 2


def test_a_short_kernel_is_run_by_python_for_as_many_steps_as_compiling_it_takes() -> None:
    import sdckit.kernels.compiler  # noqa: F401  what is spared depends on whether the compiler is there

    kernel, steps = Kernel(halved, {}), compiled.COMPILED_SOON // compiled.STEP
    assert compiled.compiled_or_not(kernel, steps) is halved
    assert compiled.compiled_or_not(kernel, steps) is kernel


@pytest.mark.parametrize(
    ("before", "spared_at_all", "work", "expected"),
    [
        ([], True, compiled.COMPILED_MEANWHILE, True),
        ([], True, compiled.COMPILED_MEANWHILE + 1, False),
        ([compiled.COMPILED_MEANWHILE - 5], True, 5, True),
        ([compiled.COMPILED_MEANWHILE - 5], True, 6, False),
        ([], False, 1, False),
    ],
)
def test_a_kernel_is_spared_up_to_the_work_that_compiling_it_takes(
    monkeypatch: pytest.MonkeyPatch, before: list[int], spared_at_all: bool, work: int, expected: bool
) -> None:
    import sdckit.kernels.compiler  # noqa: F401

    monkeypatch.setattr(compiled.compilations, "spared", spared_at_all)
    kernel = Kernel(halved, {})
    for each in before:
        assert compiled.spared(kernel, each)
    assert compiled.spared(kernel, work) is expected


@pytest.mark.slow
def test_a_kernel_whose_code_is_ready_is_not_spared(tmp_path: Path) -> None:
    """Neither in the process that compiled it, nor in another one that finds its code."""
    imports = (
        "import numpy as np, sdckit.kernels.compiler; from sdckit.kernels.compiled import spared;"
        "from sdckit.kernels.shrinking_set import squared_distance as kernel;"
    )

    def said(code: str) -> str:
        return subprocess.run(
            [sys.executable, "-c", imports + code],
            capture_output=True,
            text=True,
            check=True,
            env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)},
        ).stdout

    compiling = "print(spared(kernel, 1)); kernel(np.ones(2), np.ones(2)); print(spared(kernel, 1))"
    assert said(compiling).split() == ["True", "False"]
    assert said("print(spared(kernel, 1))").split() == ["False"]


def test_few_operations_do_not_import_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "compiler_is_loaded", lambda: False)
    assert compiled.spared(Kernel(halved, {}), compiled.IMPORTED_MEANWHILE)
