"""Estimates of several files, by hand and in simulation."""

import numpy as np
import polars
import pytest

from sdckit.errors import AnalysisError, SchemaError
from sdckit.evaluation.combining_rules import CombiningRule
from sdckit.evaluation.several_estimates import combined_estimates, estimates
from sdckit.microdata import Microdata, Role
from sdckit.several_files import protect_several


def file(**columns: object) -> Microdata:
    return Microdata.from_frame(polars.DataFrame(columns))


def test_a_mean_and_its_variance_by_hand():
    found = estimates(file(a=[1.0, 2.0, 3.0, 6.0], b=["x", "y", "x", "x"]))
    assert found["a"] == pytest.approx((3.0, (4 + 1 + 0 + 9) / 3 / 4))
    assert found["b = x"][0] == 0.75


def test_weights_count():
    data = file(a=[0.0, 1.0], w=[1.0, 3.0]).with_roles(w=Role.WEIGHT)
    assert estimates(data)["a"][0] == 0.75
    assert "w" not in estimates(data)


def test_missing_values_and_an_empty_column_are_left_out():
    found = estimates(file(a=[1.0, None, 3.0], b=[None, None, None]))
    assert found["a"][0] == 2.0
    assert not any(name.startswith("b") for name in found)


def test_the_partial_rule_adds_the_variance_between_files():
    files = [file(a=[0.0, 2.0]), file(a=[2.0, 4.0])]
    found = combined_estimates(files, CombiningRule.PARTIAL)["a"]
    assert found.value == 2.0
    assert found.variance == pytest.approx(1.0 + 2.0 / 2)  # the mean variance is 2 / 2, that between files 2


def test_a_model_of_the_user_gives_estimates_and_errors():
    found = combined_estimates(
        [file(a=[1.0]), file(a=[3.0])], CombiningRule.SIMPLE, model=lambda frame: {"b": (frame["a"][0], 2)}
    )
    assert found["b"].value == 2.0
    assert found["b"].variance == pytest.approx(1.5 * 4)


def test_a_model_without_pairs_is_refused():
    with pytest.raises(AnalysisError, match="standard error"):
        combined_estimates([file(a=[1.0]), file(a=[2.0])], CombiningRule.SIMPLE, model=lambda frame: {"b": 1})


def test_files_with_nothing_in_common_are_refused():
    with pytest.raises(SchemaError, match="same columns"):
        combined_estimates([file(a=[1.0, 2.0]), file(b=[1.0, 2.0])], CombiningRule.PARTIAL)


def test_a_column_that_one_file_lacks_is_named():
    with pytest.raises(SchemaError, match="files 1 and 2 has the column 'b'"):
        combined_estimates([file(a=[1.0, 2.0], b=[1, 2]), file(a=[1.0, 3.0])], CombiningRule.PARTIAL)


def test_codes_that_are_text_in_one_file_only_are_named():
    with pytest.raises(SchemaError, match="'a' has text in one of the files 1 and 2"):
        combined_estimates([file(a=["1", "x"]), file(a=[1.0, 2.0])], CombiningRule.PARTIAL)


def test_the_same_file_twice_is_refused_in_any_order_of_its_rows():
    with pytest.raises(SchemaError, match="files 1 and 3 have the same records"):
        combined_estimates([file(a=[1.0, 2.0]), file(a=[1.0, 3.0]), file(a=[2.0, 1.0])], CombiningRule.PARTIAL)


def test_a_category_that_a_file_happens_to_lack_has_the_share_zero_there():
    files = [file(a=["x", "x", "y", "z"]), file(a=["x", "y", "y", "y"])]
    found = combined_estimates(files, CombiningRule.SIMPLE)
    assert {name: each.value for name, each in found.items()} == {"a = x": 0.375, "a = y": 0.5, "a = z": 0.125}
    assert found["a = z"].interval()[0] == 0.0


def test_an_estimate_that_a_model_gives_for_some_files_only_is_named():
    def model(frame):
        return {"a": (1, 1)} | ({"b": (1, 1)} if frame["a"][0] > 1 else {})

    with pytest.raises(AnalysisError, match="file 1 gives no estimate 'b'"):
        combined_estimates([file(a=[1.0]), file(a=[3.0])], CombiningRule.SIMPLE, model=model)


def test_the_intervals_of_partially_synthetic_files_cover_the_mean_of_the_population():
    """Over many samples, the 95 % interval of a replaced attribute's mean covers it in about 95 %."""
    covered = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        x = rng.normal(size=150)
        data = file(x=x, y=x + rng.normal(size=150)).with_roles(x=Role.KEY, y=Role.CONFIDENTIAL)
        releases = protect_several(data, "ipso-a", ["y"], files=5, seed=seed)
        found = combined_estimates([each.masked for each in releases], CombiningRule.PARTIAL)["y"]
        low, high = found.interval()
        covered += low <= 0 <= high
    assert covered >= 50  # 60 intervals of 95 %: fewer has a probability below 1e-3
