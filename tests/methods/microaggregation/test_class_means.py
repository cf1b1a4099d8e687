"""Class means: by hand, and after a generalisation the rows of a class stay alike."""

from collections import Counter

import numpy as np
import polars as pl
import pytest

from sdckit.hierarchy import Hierarchy
from sdckit.microdata import Microdata
from sdckit.release import protect

ZIPS = ["48201", "48202", "88201", "88202"]


def people(zips: list[str | None], ages: list[float | None]) -> Microdata:
    return Microdata.from_frame(
        pl.DataFrame({"zip": zips, "age": ages}),
        roles={"zip": "key", "age": "key"},
        kinds={"age": "continuous"},
        hierarchies={"zip": Hierarchy.by_prefix(ZIPS, steps=(1,))},
    )


@pytest.mark.parametrize(("holes", "second"), [("any-value", [35, np.nan, 35]), ("own-value", [np.nan] * 3)])
def test_by_hand(holes, second):
    data = people(["48201", "48201", "88201", "88201", "88201"], [10.0, 20.0, 30.0, None, 40.0])
    masked = protect(data, f"class-means:group_size=2,attributes=age,holes={holes}", seed=1).masked.columns["age"]
    assert np.array_equal(masked, [15, 15, *second], equal_nan=True)


def test_a_class_with_too_few_values_is_averaged_with_a_near_one():
    data = people(["48201", "48202", "88201", "88201"], [10.0, 20.0, 90.0, 100.0])
    masked = protect(data, "class-means:group_size=2,attributes=age", seed=1).masked.columns["age"]
    assert masked.tolist() == [15, 15, 95, 95]


def test_without_a_key_with_categories_there_is_one_class():
    data = Microdata.from_frame(pl.DataFrame({"age": [1.0, 2.0, 6.0]}), roles={"age": "key"})
    assert protect(data, "class-means:group_size=3", seed=1).masked.columns["age"].tolist() == [3, 3, 3]


@pytest.mark.parametrize("holes", [0, 7])
def test_after_a_generalisation_the_release_is_as_anonymous_as_its_classes(holes):
    rng = np.random.default_rng(3)
    ages = [None] * holes + rng.normal(40, 9, 50 - holes).round(1).tolist()
    data = people(rng.choice(ZIPS, 50, p=[0.7, 0.1, 0.1, 0.1]).tolist(), ages)
    for method in ("local-generalisation", "optimal-generalisation"):
        release = protect(
            data, [f"{method}:group_size=4,attributes=zip", "class-means:group_size=4,attributes=age"], seed=1
        )
        written = release.masked.to_frame("polars")
        rows = Counter(written.select("zip", "age").rows())  # a hole is None, equal to itself
        assert min(rows.values()) >= 4
        if not holes:
            assert np.isclose(release.masked.columns["age"].mean(), data.columns["age"].mean())
