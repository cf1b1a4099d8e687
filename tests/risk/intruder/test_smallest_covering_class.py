"""An intruder finds at least what a guess in the smallest class that covers a record finds, on generalised files."""

import numpy as np
import polars as pl
import pytest
from tests.methods.generalisation.test_optimal_generalisation import people

from sdckit.candidates import meanings
from sdckit.catalogue import build
from sdckit.hierarchy import ROOT
from sdckit.kernels.equivalence_classes import class_of
from sdckit.methods.category_trees import ancestor_table
from sdckit.microdata import Microdata
from sdckit.release import Release, protect

NAMES = ("zip", "age", "sex")


def found_in_the_smallest_covering_class(release: Release) -> float:
    """The expected share of correct guesses, at random among the rows of the smallest classes that cover a record."""
    codes = release.masked.codes(NAMES).astype(np.int64)
    classes = class_of(codes)
    rows, original = codes[classes.first()], release.original.codes(NAMES)
    covers = [ancestor_table(release.masked.attribute(name)) for name in NAMES]
    total = 0.0
    for record in range(len(original)):
        known = [j for j in range(len(NAMES)) if original[record, j] >= 0]
        fits = np.all([np.append(covers[j][original[record, j]], True)[rows[:, j]] for j in known], axis=0)
        smallest = classes.sizes[fits].min()
        chosen = fits & (classes.sizes == smallest)
        total += chosen[classes.of[record]] / (smallest * chosen.sum())
    return total / len(original)


def without_hierarchies(data: Microdata) -> Microdata:
    """The same file, where the root is above all values of an attribute."""
    frame = data.to_frame("polars").with_columns(pl.col("age").cast(pl.String))
    return Microdata.from_frame(frame, roles=dict.fromkeys(NAMES, "key"), kinds=dict.fromkeys(NAMES, "unordered"))


def test_without_a_hierarchy_a_released_root_may_mean_every_value():
    data = without_hierarchies(people(30, 1))
    released = protect(data, "local-generalisation:group_size=9", seed=1).masked.attribute("zip")
    fine = len(data.attribute("zip").categories or ())
    assert released.categories is not None and released.categories[fine:] == (ROOT,)
    assert meanings(released, fine)[fine].all()
    assert np.array_equal(meanings(released, fine)[:fine], np.eye(fine, dtype=bool))


@pytest.mark.slow
@pytest.mark.parametrize(
    "method",
    [
        "local-generalisation:group_size=4",
        "mondrian-strict:group_size=4",
        "local-suppression:group_size=4",
        "optimal-generalisation:group_size=4,suppression=0.05",
    ],
)
@pytest.mark.parametrize("intruder", ["ordinary-intruder", "informed-intruder"])
def test_an_intruder_finds_at_least_what_the_smallest_covering_class_gives(method, intruder):
    for data in (people(300, 3), people(300, 4), people(300, 5, 0.05), without_hierarchies(people(300, 6))):
        release = protect(data, method, seed=1)
        figure = build("risk", intruder).measure(release, seed=1)
        assert figure.value >= found_in_the_smallest_covering_class(release) - 1e-12
