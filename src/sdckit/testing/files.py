"""Small files made on the spot, each with something that a method may stumble over."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from sdckit.hierarchy import Hierarchy
from sdckit.microdata import Attribute, Kind, Microdata, Role

POST_CODES = ("48201", "48202", "48301", "88202", "88301")
GRADES = ("low", "middle", "high", "top")
TOWNS = ("Ely", "Rye", "Wells")


def a_file(records: int, seed: int = 0, *, coarse: bool = False) -> Microdata:
    """A file with every kind and role; `coarse` leaves few distinct numbers, so that ties abound."""
    rng = np.random.default_rng(seed)
    numbers = rng.multivariate_normal([0, 0, 0], [[1, 0.6, 0.3], [0.6, 1, 0.5], [0.3, 0.5, 1]], size=records)
    income = np.exp(7 + 0.5 * numbers[:, 1])
    return Microdata(
        (
            Attribute("name", Kind.UNORDERED, Role.IDENTIFIER, categories=tuple(f"person {i}" for i in range(records))),
            Attribute("age", Kind.DISCRETE, Role.KEY, integral=True),
            Attribute("yearly income", Kind.CONTINUOUS, Role.KEY),
            Attribute("rent", Kind.CONTINUOUS, Role.KEY, decimals=1),
            Attribute("grade", Kind.DISCRETE, Role.KEY, categories=GRADES),
            Attribute("post code", Kind.PARTIALLY_ORDERED, Role.KEY, POST_CODES, Hierarchy.by_prefix(POST_CODES)),
            Attribute("town", Kind.UNORDERED, Role.KEY, categories=TOWNS),
            Attribute("savings", Kind.CONTINUOUS, Role.CONFIDENTIAL),
            Attribute("weight", Kind.CONTINUOUS, Role.WEIGHT),
        ),
        {
            "name": np.arange(records),
            "age": np.round(45 + (3 if coarse else 15) * numbers[:, 0]),
            "yearly income": np.round(income, -3) if coarse else income,
            "rent": np.round(income / (1000 if coarse else 10), 0 if coarse else 1),
            "grade": np.clip(np.round(1.5 + numbers[:, 2]), 0, 3),
            "post code": rng.integers(0, len(POST_CODES), records),
            "town": rng.integers(0, len(TOWNS), records),
            "savings": 500 * numbers[:, 2] - 20,
            "weight": rng.uniform(1, 5, records),
        },
    )


def with_missing(data: Microdata, share: float = 0.15, seed: int = 1) -> Microdata:
    """The file with some values of each key and confidential attribute gone, but never all of a column."""
    rng = np.random.default_rng(seed)
    columns = {}
    for name in data.names(role=(Role.KEY, Role.CONFIDENTIAL)):
        gone = rng.random(len(data)) < share
        gone[rng.integers(len(data))] = False
        columns[name] = np.where(gone, -1 if data.attribute(name).coded else np.nan, data.columns[name])
    return data.with_columns(columns)


def with_constants(data: Microdata) -> Microdata:
    """The file with two numbers, a grade and a town that are the same everywhere."""
    same = {"age": 40.0, "yearly income": 0.1, "grade": 2, "town": 1}
    return data.with_columns({name: np.full(len(data), value) for name, value in same.items()})


@lru_cache(maxsize=1)
def ordinary() -> Microdata:
    """Sixty records of every kind and role, nothing missing."""
    return a_file(60)


@lru_cache(maxsize=1)
def odd_files() -> Mapping[str, Microdata]:
    """Files that a component must mask or measure, or refuse with a reason; by what is odd about them."""
    ties = a_file(40, seed=2, coarse=True)
    return MappingProxyType(
        {
            "missing values": with_missing(a_file(60, seed=1)),
            "ties": ties,
            "ties and missing values": with_missing(ties),
            "constant attributes": with_constants(a_file(30, seed=3)),
            "one record": a_file(1),
            "two records": a_file(2),
            "three records": a_file(3),
            "five records": a_file(5),
            "six records": a_file(6),
            "equal records": fresh(ordinary().take(np.zeros(12, dtype=np.int64))),
            "zeros": a_file(12).with_columns({"age": np.zeros(12), "savings": np.zeros(12)}),
            "numbers alone": a_file(20, seed=4).only(("age", "yearly income", "savings")),
            "one number": a_file(20, seed=5).only(("rent",)),
            "categories alone": a_file(20, seed=6).only(("post code", "town")),
        }
    )


@lru_cache(maxsize=1)
def full_precision() -> Microdata:
    """Numbers that use every digit of a float: skewed, narrow around a large value, tiny, and thirds."""
    rng = np.random.default_rng(8)
    records = 800
    columns = {
        "skewed": np.exp(rng.normal(10, 2, records)),
        "narrow": 1e6 + rng.normal(0, 1e-3, records),
        "tiny": rng.normal(0, 1e-7, records),
        "thirds": np.round(rng.exponential(100, records), 1) / 3,
    }
    return Microdata(tuple(Attribute(name, Kind.CONTINUOUS, Role.KEY) for name in columns), columns)


def fitting(data: Microdata, kinds: Kind) -> tuple[str, ...]:
    """The keys that a masking of these kinds can be asked to mask: those with a value."""
    return tuple(name for name in data.names(kind=kinds, role=Role.KEY) if data.missing(name) < len(data))


def snapshot(data: Microdata) -> dict[str, NDArray[np.float64]]:
    """A copy of all columns, to see later whether they changed."""
    return {name: column.astype(np.float64) for name, column in data.columns.items()}


def same_columns(one: Mapping[str, NDArray[np.float64]], other: Mapping[str, NDArray[np.float64]]) -> bool:
    """Whether two snapshots have the same columns, missing values included."""
    return list(one) == list(other) and all(np.array_equal(one[name], other[name], equal_nan=True) for name in one)


def fresh(data: Microdata) -> Microdata:
    """The file as an original: not derived from any other."""
    return replace(data, lineage=None)
