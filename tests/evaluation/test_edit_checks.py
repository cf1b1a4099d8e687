"""Edits are checked on every release."""

import numpy as np
import polars as pl

from sdckit import Microdata, Release, protect
from sdckit.edits import Edit, Edits
from sdckit.evaluation.edit_checks import broken_edits


def firms(records: int = 30) -> Microdata:
    rng = np.random.default_rng(2)
    costs, profit = rng.uniform(10, 20, records), rng.uniform(1, 5, records)
    frame = pl.DataFrame({"turnover": costs + profit, "costs": costs, "profit": profit})
    balance = Edit({"turnover": 1, "costs": -1, "profit": -1}, 0, 0)
    return Microdata.from_frame(frame, edits=Edits((balance, Edit({"costs": 1}, 0))))


def test_noise_breaks_a_sum_in_every_record() -> None:
    (check,) = broken_edits(protect(firms(), "additive-noise", ["turnover"], seed=1))
    assert (check.records, check.broken, check.broken_before) == (30, 30, 0)
    assert str(check) == "turnover − costs − profit = 0: broken in 30 of 30 records (0 before)"


def test_a_file_that_keeps_its_edits_has_no_broken_one() -> None:
    assert broken_edits(Release.in_order(firms(), firms())) == ()


def test_one_record_by_hand_a_missing_value_and_a_dropped_column() -> None:
    data = firms(3)
    costs = data.columns["costs"].copy()
    costs[0], costs[1] = -costs[0], np.nan
    masked = data.with_columns({"costs": costs})
    checks = broken_edits(Release.in_order(data, masked))
    assert [(check.broken, check.broken_before) for check in checks] == [(1, 0), (1, 0)]
    assert broken_edits(Release.in_order(data, masked.without(["costs"]))) == ()
