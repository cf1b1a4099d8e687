"""Small public examples that several kernels share."""

import numpy as np
import pytest
from numpy.typing import NDArray

from sdckit.kernels.compiled import Kernel


@pytest.fixture(scope="session")
def firms() -> NDArray[np.float64]:
    """Surface and employees of eleven firms: the example of the handbook on statistical disclosure control."""
    surface = [790, 710, 730, 810, 950, 510, 400, 330, 510, 760, 50]
    employees = [55, 44, 32, 17, 3, 25, 45, 50, 5, 52, 12]
    return np.column_stack([surface, employees]).astype(float)


@pytest.fixture
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python runs the kernels itself: those that only kernels call would be compiled for a few numbers."""
    monkeypatch.setattr(Kernel, "__call__", lambda kernel, *arguments: kernel.py_func(*arguments))
