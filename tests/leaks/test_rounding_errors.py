"""Records with the same attributes are not told apart by the rounding of what is computed from them.

A matrix product may give two equal rows values that differ in the last bit, by where they stand in the file.
"""

import numpy as np
import polars
import pytest

import sdckit
from sdckit.catalogue import Entry, entries
from sdckit.errors import SdcError
from sdckit.microdata import Kind, Microdata, Role

ROUNDING = 1e-12  # of the larger of two values


def copied() -> Microdata:
    """Records of which many agree in all categories; some agree in everything, and are not beside each other."""
    rng = np.random.default_rng(5)
    codes = {name: rng.integers(0, size, 97) for name, size in (("town", 9), ("trade", 16), ("status", 5))}
    numbers = {
        name: np.exp(rng.normal(size=97)) * size for name, size in (("age", 40.0), ("wage", 2e4), ("hours", 38.0))
    }
    frame = polars.DataFrame({name: [f"{name} {code}" for code in values] for name, values in codes.items()} | numbers)
    return Microdata.from_frame(
        polars.concat([frame] * 7),
        roles=dict.fromkeys(frame.columns, Role.KEY),
        kinds=dict.fromkeys(numbers, "continuous"),
    )


def nearly_equal(values: np.ndarray) -> float:
    """The smallest relative difference of two values that are not equal; infinite where all are."""
    sorted_values = np.unique(values[~np.isnan(values)])
    larger = np.maximum(np.abs(sorted_values[1:]), np.abs(sorted_values[:-1]))
    return float(np.min(np.diff(sorted_values) / np.maximum(larger, 1e-300), initial=np.inf))


@pytest.mark.parametrize("entry", entries("masking", Microdata), ids=lambda entry: entry.name)
def test_no_two_released_numbers_differ_by_rounding_alone(entry: Entry) -> None:
    data = copied()
    try:
        masked = sdckit.protect(data, entry.name, seed=1).masked
    except SdcError as refused:
        pytest.skip(str(refused))
    for name in masked.names(kind=Kind.CONTINUOUS):
        assert nearly_equal(masked.values(name).astype(np.float64)) > ROUNDING, name
