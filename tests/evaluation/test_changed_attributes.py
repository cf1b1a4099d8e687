"""Which attributes changed does not depend on the order of the rows."""

import re

import numpy as np
import polars
import pytest

from sdckit import Microdata, Schema, protect
from sdckit.datasets import simulate_business, simulate_survey
from sdckit.evaluation.changed_attributes import (
    changed_attributes,
    fraction_notes,
    negative_notes,
    unchanged_warnings,
)
from sdckit.methods.synthesis.romm import Romm
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


@pytest.mark.parametrize("name", ["pay", "net pay"])
def test_negative_values_where_there_were_none_are_named_and_the_cure_keeps_them_out(name) -> None:
    frame = polars.DataFrame({name: np.random.default_rng(1).exponential(size=80), "balance": np.arange(-40.0, 40.0)})
    release = protect(frame, "additive-noise:variance_share=2", seed=1)
    negative = int((release.masked.columns[name] < 0).sum())
    [note] = negative_notes(release)
    assert f"{name!r} has {negative} negative values and the original has none" in note
    [edit] = re.findall("add the edit (.*) to the schema", note)
    kept = protect(Microdata.from_frame(frame, edits=[edit]), "additive-noise:variance_share=2", seed=1)
    assert negative_notes(kept) == []


def test_a_masking_that_changes_nothing_is_named() -> None:
    data = simulate_business(60, seed=1)
    limit = protect(data, Romm(perturbation=0.0, given=()), ["turnover"], seed=1)
    assert len(unchanged_warnings(limit)) == len(unchanged_warnings(shuffled(limit))) == 1
    assert unchanged_warnings(protect(data, Romm(perturbation=0.1, given=()), ["turnover"], seed=1)) == []
    assert unchanged_warnings(Release.in_order(data, data)) == []  # nobody says that it is masked
    assert unchanged_warnings(protect(data, "gaussian-copula", seed=1)) == []
