"""Which attributes changed does not depend on the order of the rows."""

import numpy as np

from sdckit import protect
from sdckit.datasets import simulate_survey
from sdckit.evaluation.changed_attributes import changed_attributes
from sdckit.release import Release
from sdckit.row_order import shuffled


def test_a_random_order_of_the_rows_changes_no_attribute():
    release = protect(simulate_survey(60, seed=1), "rank-swapping:window=0.2", ["income"], seed=1)
    assert changed_attributes(release) == changed_attributes(shuffled(release)) == ("income",)


def test_households_with_other_members_have_changed():
    data = simulate_survey(60, seed=1)
    numbers = np.roll(data.columns["household"], 1)
    release = Release.in_order(data, data.with_columns({"household": numbers}))
    assert changed_attributes(release) == ("household",)
