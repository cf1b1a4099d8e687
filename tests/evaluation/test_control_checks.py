from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from tests.risk.synthesis.stand_ins import population, release_of

from sdckit import Microdata, Release
from sdckit.evaluation.control_checks import control_warnings
from sdckit.evaluation.release_warnings import release_warnings
from sdckit.rows import Unrelated


def test_other_people_are_a_control():
    assert control_warnings(release_of(0.5, 100)) == []
    assert control_warnings(release_of(0.5, 100, control=0)) == []


def test_a_control_that_was_taken_from_the_file_is_named():
    release = release_of(0.5, 100)
    own = replace(release, control=release.original.take(np.arange(0, 100, 2)))
    (warning,) = control_warnings(own)
    assert warning.startswith("50 of the 50 control records equal a record of the original in every attribute")
    assert warning in release_warnings(own)


@pytest.mark.parametrize("seed", range(5))
def test_people_who_are_equal_by_chance_are_no_reason_to_warn(seed):
    """Two answers of three kinds: nearly everybody equals somebody."""
    rng = np.random.default_rng(seed)
    files = [
        Microdata.from_frame(
            pl.DataFrame({name: rng.choice(["a", "b", "c"], size) for name in ("x", "y")}),
            roles={"x": "key", "y": "key"},
        )
        for size in (60, 60, 40)
    ]
    assert control_warnings(Release(files[0], files[1], rows=Unrelated(), control=files[2])) == []


def test_a_missing_value_equals_a_missing_value():
    data = population(60, 1)
    data = data.with_columns({"a": np.full(60, np.nan)})
    release = Release(data, population(60, 2), rows=Unrelated(), control=data.take(np.arange(30)))
    assert len(control_warnings(release)) == 1
