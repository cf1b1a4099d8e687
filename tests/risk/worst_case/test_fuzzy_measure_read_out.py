"""The learnt fuzzy measure shows which attributes were masked together, in files of numbers, categories and holes."""

import numpy as np
import pytest

from sdckit.catalogue import build
from sdckit.methods import Mdav, Pram
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.recipe import Recipe, Step
from sdckit.release import Release, protect

NUMBERS, CATEGORIES = ("a", "b", "c", "d"), ("sex", "region")
BLOCKS = ((0, 1), (2, 3))
DRAWS = 4


def mixed_release(seed: int, *, holes: float = 0.0, records: int = 300) -> Release:
    """Two blocks of two numbers, each microaggregated, and two categories that PRAM changes one by one."""
    rng = np.random.default_rng(seed)
    attributes = [Attribute(name, Kind.CONTINUOUS, Role.KEY) for name in NUMBERS]
    attributes += [Attribute(name, Kind.UNORDERED, Role.KEY, categories=tuple("xyz")) for name in CATEGORIES]
    columns = {name: rng.standard_normal(records) for name in NUMBERS}
    columns |= {name: rng.integers(0, 3, records) for name in CATEGORIES}
    steps = [Step(Mdav(group_size=10), tuple(NUMBERS[index] for index in block)) for block in BLOCKS]
    recipe = Recipe((*steps, Step(Pram(stay=0.7), CATEGORIES)))
    release = protect(Microdata(tuple(attributes), columns), recipe, seed=seed)
    masked = release.masked
    suppressed = {name: np.where(rng.random(records) < holes, np.nan, masked.columns[name]) for name in NUMBERS}
    suppressed |= {name: np.where(rng.random(records) < holes, -1, masked.columns[name]) for name in CATEGORIES}
    return Release(release.original, masked.with_columns(suppressed), None, release.rows)


def read_out(seed: int, *, holes: float, budget: float) -> tuple[float, float, float]:
    """The mean interactions of two numbers masked together, of two masked apart, and that of the categories."""
    measure = build("risk", "choquet-linkage", budget=budget, absolute=False)
    score = measure.measure(mixed_release(seed, holes=holes))
    assert list(score.by_attribute) == [*NUMBERS, *CATEGORIES]
    table = score.details["interactions"]
    return float(np.mean([table[pair] for pair in BLOCKS])), float(table[:2, 2:4].mean()), float(table[4, 5])


@pytest.mark.slow
def test_numbers_masked_together_are_redundant_and_categories_masked_apart_are_not():
    within, across, categories = np.mean([read_out(seed, holes=0.0, budget=3.0) for seed in range(DRAWS)], axis=0)
    assert within < min(0.0, across, categories)


@pytest.mark.slow
def test_with_holes_they_are_still_more_redundant_than_numbers_masked_apart():
    """A hole is compared as the mean, so that attributes complete each other: all interactions rise alike."""
    within, across, _ = np.mean([read_out(seed, holes=0.05, budget=10.0) for seed in range(2 * DRAWS)], axis=0)
    assert within < across


@pytest.mark.slow
@pytest.mark.parametrize("apart", [False, True])
def test_the_read_out_is_by_attribute_whatever_columns_are_compared(apart):
    """Shapley values of a measure add up to 1, also where a missing value has a column of its own."""
    release = mixed_release(1, holes=0.05, records=60)
    names = [*NUMBERS[:2], *CATEGORIES]
    few = Release(release.original.only(names), release.masked.only(names), None, release.rows)
    score = build("risk", "choquet-linkage", budget=0.5, missing_apart=apart).measure(few)
    assert list(score.by_attribute) == names
    assert sum(score.by_attribute.values()) == pytest.approx(1.0)
    table = score.details.get("interactions", np.zeros((4, 4)))
    assert table == pytest.approx(table.T, abs=1e-12) and not np.diag(table).any()
