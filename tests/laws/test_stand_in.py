"""A file that stands in for the original has values where the method suppressed them: it can be masked again."""

import numpy as np
import pytest

from sdckit.intruder import Intruder
from sdckit.laws.release_law import Source
from sdckit.laws.stand_in import stand_in
from sdckit.recipe import Recipe
from sdckit.release import protect
from sdckit.testing.files import a_file
from tests.laws.test_informed_law import law_of, table_of

NAMES = ["yearly income", "rent", "town"]


@pytest.mark.parametrize("records", [90, 20])
def test_holes_of_attributes_that_are_not_known_are_filled_from_the_release(records):
    released = a_file(90).only(NAMES)
    holes = np.arange(90) % 3 == 0
    released = released.with_columns(
        {
            "rent": np.where(holes, np.nan, released.columns["rent"]),
            "town": np.where(holes, -1, released.columns["town"]),
        }
    )
    known = a_file(90).only(["yearly income"]).take(np.arange(records))
    made = stand_in(known, released, np.random.default_rng(1), 90)
    assert not any(made.absent(name).any() for name in NAMES)


def test_where_few_are_known_the_values_of_others_lie_between_those_of_the_release():
    released = a_file(90).only(NAMES)
    known = a_file(90).only(["yearly income"]).take(np.arange(49))
    rent = released.columns["rent"]
    for seed in range(5):
        made = stand_in(known, released, np.random.default_rng(seed)).columns["rent"]
        assert rent.min() <= made.min() and made.max() <= rent.max()
        assert not np.isin(made, rent).all()


def test_a_method_that_takes_no_holes_is_applied_again_after_suppression():
    """The age is not known and partly suppressed: the number that was grouped with it still has a law."""
    groups = Recipe.of("ordered-microaggregation", ["age", "yearly income"])
    chain = Recipe(
        (*groups.steps, *Recipe.of("local-suppression:importance=1+9+9", ["age", "yearly income", "town"]).steps)
    )
    releases = (protect(a_file(records), chain, seed=1) for records in range(110, 130))
    release = next(each for each in releases if each.masked.absent("age").any())  # not each on every processor
    law = law_of(release, attributes=("yearly income",))
    assert law.sources == {"yearly income": Source.LEARNED}
    present = Intruder(("yearly income",)).view(release, seed=1).released.absent("yearly income") == 0
    assert np.ptp(table_of(law)[:, present]) > 1
