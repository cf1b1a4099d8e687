"""Arrays that cannot change: shared where nobody can write to them, copied where somebody could."""

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray


def read_only(values: Any, dtype: DTypeLike) -> NDArray[Any]:
    """The values as a read-only array of that type; a copy only where the caller could still change them.

    >>> column = seal(np.zeros(3))
    >>> read_only(column, float) is column, np.shares_memory(read_only(column[1:], float), column)
    (True, True)
    """
    array = np.asarray(values)
    if array.dtype != np.dtype(dtype):
        return seal(array.astype(dtype))
    return array if _cannot_change(array) else seal(array.copy())


def seal(array: NDArray[Any]) -> NDArray[Any]:
    """Make an array read-only that nobody else uses, and return it."""
    array.flags.writeable = False
    return array


def _cannot_change(array: NDArray[Any]) -> bool:
    """Whether an array is read-only, as are all the arrays whose memory it shares; a strided view is copied too.

    Memory that belongs to another library (polars, pyarrow, a mapped file) may change without numpy's knowledge.
    """
    if not array.flags.c_contiguous:
        return False
    owner: Any = array
    while isinstance(owner, np.ndarray):
        if owner.flags.writeable:
            return False
        if owner.base is None:
            return bool(owner.flags.owndata)
        owner = owner.base
    return False
