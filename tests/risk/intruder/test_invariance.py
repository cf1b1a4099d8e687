"""What an intruder finds does not depend on the order of rows and columns, on units, or on names of categories."""

from dataclasses import replace

import numpy as np
import pytest

from sdckit.microdata import Microdata
from sdckit.release import Release, protect
from sdckit.risk.intruder.informed_intruder import InformedIntruder
from sdckit.risk.intruder.ordinary_intruder import OrdinaryIntruder
from sdckit.rows import Matched
from sdckit.testing.files import a_file

ATTACKS = pytest.mark.parametrize("attack", [InformedIntruder(), OrdinaryIntruder()], ids=lambda attack: attack.name)
RECIPES = pytest.mark.parametrize(
    "recipe",
    [
        "rank-swapping",
        ["pram", "rank-swapping"],
        *(
            pytest.param(each, marks=pytest.mark.slow)
            for each in ("additive-noise", "pram", "mdav", "local-suppression")
        ),
    ],
)
RECORDS = 150
ERROR = 4 * np.sqrt(0.02 / RECORDS)  # of a difference: few claims change with the draws of the chain


def found(attack, release: Release) -> tuple[float, float]:
    score = attack.measure(release)
    return score.value, float(score.details["expected_found"])


def assert_alike(attack, release: Release, other: Release) -> None:
    assert found(attack, other) == pytest.approx(found(attack, release), abs=ERROR)


@ATTACKS
@RECIPES
def test_the_order_of_the_rows_does_not_matter(attack, recipe):
    release = protect(a_file(RECORDS), recipe, seed=1)
    order = np.random.default_rng(1).permutation(RECORDS)
    shuffled = replace(release.masked.take(order), lineage=None)
    assert_alike(attack, release, Release(release.original, shuffled, release.recipe, Matched(order)))


@ATTACKS
@RECIPES
def test_the_order_of_the_columns_does_not_matter(attack, recipe):
    release = protect(a_file(RECORDS), recipe, seed=1)

    def turned(data: Microdata) -> Microdata:
        return data.only([each.name for each in data.attributes][::-1])

    other = Release(turned(release.original), turned(release.masked), release.recipe, release.rows)
    assert_alike(attack, release, other)


@ATTACKS
@RECIPES
def test_units_do_not_matter(attack, recipe):
    release = protect(a_file(RECORDS), recipe, seed=1)

    def in_other_units(data: Microdata) -> Microdata:
        columns = {name: 2.5 * data.columns[name] - 1000 for name in ("yearly income", "rent")}
        attributes = [replace(data.attribute(name), decimals=None) for name in columns]
        return data.with_columns(columns, attributes)

    original, masked = in_other_units(release.original), in_other_units(release.masked)
    assert_alike(attack, release, Release(original, masked, release.recipe, release.rows))


@ATTACKS
@pytest.mark.parametrize(
    "recipe",
    [
        ["pram", "rank-swapping"],
        *(pytest.param(each, marks=pytest.mark.slow) for each in ("rank-swapping", "additive-noise", "pram")),
    ],
)
def test_names_of_categories_do_not_matter(attack, recipe):
    release = protect(a_file(RECORDS), recipe, seed=1)

    def renamed(data: Microdata) -> Microdata:
        """Towns in another order of codes, and with other names."""
        attribute = data.attribute("town")
        count = len(attribute.categories)
        order = np.append(np.arange(count)[::-1], -1)
        names = tuple(f"place {index}" for index in range(count))
        return data.with_columns({"town": order[data.columns["town"]]}, [replace(attribute, categories=names)])

    other = Release(renamed(release.original), renamed(release.masked), release.recipe, release.rows)
    assert_alike(attack, release, other)
