import numpy as np
import polars as pl
import pytest
from tests.methods.files import correlated

from sdckit import Intruder, Microdata, Release, build, protect
from sdckit.errors import NotApplicableError

INFERENCE = build("risk", "attribute-inference")


def people(keys, secrets):
    frame = pl.DataFrame({"age": keys, "illness": secrets})
    return Microdata.from_frame(frame, roles={"age": "key", "illness": "confidential"})


def test_guesses_by_hand():
    """Ages 30 and 31 are both nearest to 30, so that the second one's illness is guessed wrong."""
    original = people([30, 31, 60, 61], ["flu", "gout", "flu", "flu"])
    released = people([30, 40, 60, 60], ["flu", "gout", "flu", "gout"])
    score = INFERENCE.measure(Release.in_order(original, released))
    assert score.by_record.tolist() == [1, 0, 0.5, 0.5]  # the last two tie between flu and gout
    # Without their own rows: 30 and 31 are nearest to 40 and 30, 60 and 61 to the other 60.
    assert score.details["control"] == pytest.approx((0 + 0 + 0 + 1) / 4)
    # Half of the released rows have either illness.
    assert score.baseline == 0.5


def test_the_excess_is_what_the_control_does_not_reach():
    original = people([30, 31, 60, 61], ["flu", "gout", "flu", "flu"])
    details = INFERENCE.measure(Release.in_order(original, original)).details
    # As it is, everybody's secret is read; without their own rows the first two are wrong.
    assert details["control"] == 0.5
    assert details["excess"] == 1


def test_a_secret_that_hangs_on_the_key_is_learnt_of_anybody():
    keys = np.arange(100.0)
    original = people(keys, np.where(keys < 50, "flu", "gout"))
    score = INFERENCE.measure(Release.in_order(original, original))
    assert score.value == 1
    assert score.details["control"] > 0.95


def test_a_secret_that_has_nothing_to_do_with_the_key_is_learnt_of_those_in_the_release_only():
    rng = np.random.default_rng(1)
    data = people(rng.normal(size=500), rng.integers(0, 5, 500).astype(str))
    score = INFERENCE.measure(Release.in_order(data, data))
    assert score.value == 1
    assert score.details["control"] == pytest.approx(0.2, abs=0.06)
    assert score.baseline == pytest.approx(0.2, abs=0.02)


def test_a_number_is_right_within_the_tolerance():
    frame = {"age": [1.0, 2.0, 3.0], "income": [0.0, 10.0, 20.0]}  # a deviation of 10
    roles = {"age": "key", "income": "confidential"}
    original = Microdata.from_frame(pl.DataFrame(frame), roles=roles)
    released = Microdata.from_frame(pl.DataFrame(frame | {"income": [0.4, 10.6, 20.0]}), roles=roles)
    assert INFERENCE.measure(Release.in_order(original, released)).by_record.tolist() == [1, 0, 1]
    wide = build("risk", "attribute-inference", tolerance=0.1)
    assert wide.measure(Release.in_order(original, released)).by_record.tolist() == [1, 1, 1]


def test_masking_the_keys_lowers_what_is_inferred():
    values = correlated(300, 2, seed=1)
    secrets = np.random.default_rng(2).integers(0, 4, 300).astype(str)
    frame = pl.DataFrame({"a": values[:, 0], "b": values[:, 1], "illness": secrets})
    data = Microdata.from_frame(frame, roles={"a": "key", "b": "key", "illness": "confidential"})
    found = [
        INFERENCE.measure(protect(data, f"additive-noise:variance_share={share}", seed=1)).value
        for share in (0.0001, 0.02, 1)
    ]
    assert found[0] > found[1] > found[2]


def test_a_known_secret_is_none():
    data = people([1, 2], ["flu", "gout"])
    with pytest.raises(NotApplicableError, match="confidential"):
        INFERENCE.measure(Release.in_order(data, data), Intruder(attributes=("age", "illness")))


def test_missing_secrets_are_not_judged():
    data = people([1, 2, 3], ["flu", None, "gout"])
    score = INFERENCE.measure(Release.in_order(data, data))
    assert np.isnan(score.by_record).tolist() == [False, True, False]
    assert score.value == 1
