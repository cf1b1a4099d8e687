"""A kernel is compiled when it is first called, and calls other kernels that are."""

import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from sdckit.kernels.compiled import Kernel, njit
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


def test_a_kernel_is_compiled_by_its_first_call() -> None:
    assert isinstance(twice, Kernel) and "dispatcher" not in vars(twice)
    assert twice(21) == 42
    assert twice.dispatcher.signatures, "the call was compiled"
    assert twice.dispatcher.targetoptions["nogil"], "with the options of the decorator"


def test_a_kernel_calls_another_kernel() -> None:
    assert twice_the_sum(np.arange(4)) == 12 == twice_the_sum.py_func(np.arange(4))


def test_a_plain_numba_function_calls_a_kernel() -> None:
    import numba

    @numba.njit
    def squared_norm(point: "np.ndarray") -> float:
        return squared_distance(point, np.zeros_like(point))

    assert squared_norm(np.array([3.0, 4.0])) == 25.0


def test_a_kernel_keeps_the_name_and_the_description_of_its_function() -> None:
    assert (twice.__name__, twice.__doc__) == ("twice", "Double a number.")


def test_a_kernel_is_pickled_by_its_name() -> None:
    assert pickle.loads(pickle.dumps(_mdav)) is _mdav


def test_a_wrong_call_is_an_error_of_its_own() -> None:
    with pytest.raises(TypeError):
        twice()


def test_every_compiled_function_of_the_package_is_a_kernel() -> None:
    """Otherwise the file that defines it imports the compiler."""
    own = PACKAGE / "kernels" / "compiled.py"
    texts = {path: path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py") if path != own}
    assert [path.name for path, text in texts.items() if "import numba" in text or "from numba" in text] == []


def test_importing_every_component_does_not_import_the_compiler() -> None:
    code = "import sys; from sdckit.catalogue import entries; entries(); print('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"
