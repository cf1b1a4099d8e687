"""Which attributes changed does not depend on the order of the rows."""

import numpy as np
import polars

from sdckit import Microdata, Schema, protect
from sdckit.datasets import simulate_survey
from sdckit.evaluation.changed_attributes import changed_attributes, fraction_notes
from sdckit.release import Release
from sdckit.row_order import shuffled
from sdckit.schema import Declared


def test_a_random_order_of_the_rows_changes_no_attribute():
    release = protect(simulate_survey(60, seed=1), "rank-swapping:window=0.2", ["income"], seed=1)
    assert changed_attributes(release) == changed_attributes(shuffled(release)) == ("income",)


def test_households_with_other_members_have_changed():
    data = simulate_survey(60, seed=1)
    numbers = np.roll(data.columns["household"], 1)
    release = Release.in_order(data, data.with_columns({"household": numbers}))
    assert changed_attributes(release) == ("household",)


def test_whole_numbers_that_became_means_are_named_with_the_cure() -> None:
    frame = polars.DataFrame({"age": [31, 32, 40, 41], "pay": [1.5, 2.5, 7.0, 8.0]})
    means = protect(frame, "mdav:group_size=2")
    assert fraction_notes(means) == [
        "'age' was a whole number and has decimals now; declare decimals = 0 in the schema to publish whole numbers"
    ]
    rounded = Schema({"age": Declared(decimals=0)})
    data = Microdata.from_frame(frame, schema=rounded)
    assert fraction_notes(protect(data, "mdav:group_size=2")) == []
    assert fraction_notes(protect(frame, "global-recoding-breaks:breaks=0+35", ["age"])) == []
