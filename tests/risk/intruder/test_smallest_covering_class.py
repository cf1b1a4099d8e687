"""An intruder finds at least what a guess in the smallest class that covers a record finds, on generalised files."""

import numpy as np
import pytest
from tests.methods.generalisation.test_optimal_generalisation import people

from sdckit.catalogue import build
from sdckit.kernels.equivalence_classes import class_of
from sdckit.methods.category_trees import ancestor_table
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
        fits = np.all([np.append(covers[j][original[record, j]], True)[rows[:, j]] for j in range(len(NAMES))], axis=0)
        smallest = classes.sizes[fits].min()
        chosen = fits & (classes.sizes == smallest)
        total += chosen[classes.of[record]] / (smallest * chosen.sum())
    return total / len(original)


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
    for seed in (3, 4):
        release = protect(people(300, seed), method, seed=1)
        figure = build("risk", intruder).measure(release, seed=1)
        assert figure.value >= found_in_the_smallest_covering_class(release)
