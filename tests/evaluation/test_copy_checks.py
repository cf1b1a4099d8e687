"""Synthetic rows that are people of the original are counted; rows that only resemble them are not."""

import numpy as np
import pytest
from tests.risk.synthesis.stand_ins import release_of

from sdckit import Microdata, Release, protect
from sdckit.attribute import Attribute, Kind, Role
from sdckit.evaluation.copy_checks import copy_warnings
from sdckit.rows import Unrelated


def codes(values: np.ndarray) -> Microdata:
    names = [f"v{index}" for index in range(values.shape[1])]
    attributes = tuple(Attribute(name, Kind.UNORDERED, Role.KEY, categories=tuple("abcdef")) for name in names)
    return Microdata(attributes, dict(zip(names, values.T, strict=True)))


def drawn(records: int, columns: int, seed: int) -> np.ndarray:
    law = np.array([0.5, 0.2, 0.12, 0.08, 0.06, 0.04])
    return np.random.default_rng(seed).choice(6, size=(records, columns), p=law)


@pytest.mark.parametrize("copied", [0.0, 0.3, 1.0])
def test_copies_are_counted(copied):
    release = release_of(copied, 200)
    people = set(zip(*(column.tolist() for column in release.original.columns.values()), strict=True))
    rows = zip(*(release.masked.columns[name].tolist() for name in release.original.columns), strict=True)
    copies = sum(row in people for row in rows)
    warnings = copy_warnings(release)
    assert len(warnings) == (copied > 0)
    assert all(warning.startswith(f"{copies} of the 200 synthetic rows") for warning in warnings)


@pytest.mark.parametrize("columns", [2, 4, 6])
def test_other_people_of_the_population_are_no_copies_though_many_are_equal_to_somebody(columns):
    """Two 95 % intervals are apart in fewer than 1 of 40 pairs by chance; with a third of copies nearly all are."""
    fresh = copied = 0
    for seed in range(40):
        people, others = drawn(600, columns, seed), drawn(600, columns, 1000 + seed)
        fresh += len(copy_warnings(Release(codes(people), codes(others), rows=Unrelated())))
        others[:200] = people[:200]
        copied += len(copy_warnings(Release(codes(people), codes(others), rows=Unrelated())))
    assert fresh <= 4
    assert columns < 6 or copied >= 36


def test_the_usual_share_is_that_of_people_with_one_twin():
    people = np.array([[0], [0], [1], [1], [1], [2], [3], [4]])
    [warning] = copy_warnings(Release(codes(people), codes(np.full((60, 1), 3)), rows=Unrelated()))
    assert "60 of the 60" in warning and "25.0% of other people" in warning


def test_a_masked_file_is_not_checked():
    release = release_of(1.0, 30)
    assert copy_warnings(protect(release.original, "additive-noise", ["a"], seed=1)) == []
