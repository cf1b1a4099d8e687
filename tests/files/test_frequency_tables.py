"""Frequency tables count every record once."""

import numpy as np
import polars as pl

from sdckit.files.frequency_tables import MANY, tables_of
from sdckit.microdata import Microdata


def test_tables_count_every_record_and_crossed_margins_are_the_frequencies():
    rng = np.random.default_rng(1)
    frame = pl.DataFrame({"a": rng.integers(0, 4, 50), "b": rng.choice(["x", "y"], 50)})
    frame = frame.with_columns(pl.when(pl.col("a") == 3).then(None).otherwise(pl.col("b")).alias("b"))
    tables = tables_of(Microdata.from_frame(frame), ["a", "b"], ["a", "b"])
    by_name = {each.name: dict(each.counts) for each in tables.frequencies}
    assert by_name["a"] == {str(value): records for value, records in frame["a"].value_counts(sort=True).rows()}
    assert by_name["b"]["missing"] == frame["b"].null_count()
    (crossed,) = tables.crossed
    assert [sum(row) for row in crossed.counts] == [by_name["a"][text] for text in crossed.rows]
    assert [sum(column) for column in zip(*crossed.counts, strict=True)] == [by_name["b"][t] for t in crossed.columns]


def test_a_column_of_too_many_values_is_left_out_by_name():
    tables = tables_of(Microdata.from_frame(pl.DataFrame({"a": range(MANY + 1)})), ["a"], [])
    assert not tables.frequencies and tables.left_out == {"a": MANY + 1}
