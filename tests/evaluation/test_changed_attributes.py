"""Which attributes changed does not depend on the order of the rows."""

from sdckit import protect
from sdckit.datasets import simulate_survey
from sdckit.evaluation.changed_attributes import changed_attributes
from sdckit.row_order import shuffled


def test_a_random_order_of_the_rows_changes_no_attribute():
    release = protect(simulate_survey(60, seed=1), "rank-swapping:window=0.2", ["income"], seed=1)
    assert changed_attributes(release) == changed_attributes(shuffled(release)) == ("income",)
