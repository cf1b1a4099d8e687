"""Certain matches are counted on distinct rows, and are those of all rows."""

import numpy as np
import pytest

from sdckit.datasets import simulate_survey
from sdckit.intruder import Intruder
from sdckit.release import protect
from sdckit.risk.intruder.informed_intruder import InformedIntruder
from sdckit.risk.transparency.intersection_attack import allowed_rows


@pytest.mark.parametrize("method", ["rank-swapping:window=0.1", "rounding:base=20", "mdav", "top-coding:share=0.3"])
@pytest.mark.parametrize("known", [None, tuple(range(0, 120, 3))])
def test_one_possible_row_is_one_among_all_rows(method: str, known: tuple[int, ...] | None) -> None:
    data = simulate_survey(120, seed=2).only(("age", "region", "income"))
    coarse = np.round(np.asarray(data.columns["age"]) / 10) * 10  # rows that are equal
    release = protect(data.with_columns({"age": coarse}), [method], seed=1)
    measure = InformedIntruder()
    claims = measure.claims(release, Intruder(records=known), seed=1)
    sizes = allowed_rows(claims.view).promised_sizes(claims.judged[claims.truth >= 0])
    assert measure.certain_matches(claims) == int((sizes == 1).sum())
