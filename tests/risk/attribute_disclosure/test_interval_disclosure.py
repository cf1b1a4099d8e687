import numpy as np
import pytest
from tests.methods.files import correlated, numeric

from sdckit import Release, assess, build, protect

DISCLOSURE = build("risk", "interval-disclosure")


def test_microaggregated_census_by_comparing_all_ranks(census):
    """Every rank of the masked column is asked whether it is at most half the width from the record's own."""
    release = protect(numeric(census), build("masking", "mdav", group_size=10), seed=1)
    names = release.masked.names()
    before, after = release.original.matrix(names), release.masked.matrix(names)
    found = []
    for column, published in zip(before.T, after.T, strict=True):
        ordered = np.sort(published)
        middle = (np.searchsorted(ordered, published) + np.searchsorted(ordered, published, side="right") - 1) / 2
        apart = np.abs(np.arange(len(ordered)) - middle[:, None])
        for percent in range(1, 11):
            reached = apart <= percent * len(ordered) / 200
            low = np.minimum(np.where(reached, ordered, np.inf).min(axis=1), published)
            high = np.maximum(np.where(reached, ordered, -np.inf).max(axis=1), published)
            found.append(((low <= column) & (column <= high)).mean())
    assert DISCLOSURE.measure(release).value == pytest.approx(np.mean(found), abs=1e-12)


def test_a_case_by_hand():
    """In a column of twenty, an interval of 10 % reaches one rank to each side and all narrower ones none."""
    masked = np.arange(20.0)[:, None]
    original = masked.copy()
    original[0], original[5] = 1.0, 7.0
    score = DISCLOSURE.measure(Release.in_order(numeric(original), numeric(masked)))
    assert score.by_record.tolist() == [0.1, 1, 1, 1, 1, 0, *[1] * 14]
    assert score.by_attribute == {"a": pytest.approx(18.1 / 20)}


def test_values_that_stayed_are_disclosed():
    data = numeric(correlated(20, 2, seed=1))
    assert DISCLOSURE.measure(Release.in_order(data, data)).value == 1


def test_shuffled_values_are_disclosed_as_often_as_at_random():
    values = correlated(2000, 1, seed=2)
    shuffled = np.random.default_rng(3).permutation(values)
    score = DISCLOSURE.measure(Release.in_order(numeric(values), numeric(shuffled)), seed=1)
    # About (w · n + 1) of n ranks lie in an interval of width w; widths 1 to 10 % average 5.5 %.
    assert score.value == pytest.approx(0.055, abs=0.012)
    assert score.baseline == pytest.approx(0.055, abs=0.012)


def test_a_wider_interval_discloses_more():
    release = protect(numeric(correlated(200, 2, seed=4)), "additive-noise", seed=1)
    found = [build("risk", "interval-disclosure", widest=widest).measure(release).value for widest in (0.01, 0.1, 0.5)]
    assert found[0] < found[1] < found[2]


def test_more_noise_discloses_less():
    data = numeric(correlated(300, 2, seed=5))
    found = [
        assess(protect(data, f"additive-noise:variance_share={share}", seed=1), "interval-disclosure")[
            "interval-disclosure"
        ].value
        for share in (0.001, 0.05, 1)
    ]
    assert found[0] > found[1] > found[2]


def test_records_left_out_are_not_judged():
    data = numeric(correlated(10, 1, seed=6))
    score = DISCLOSURE.measure(Release(data, data.take(np.array([3, 8]))))
    assert np.flatnonzero(np.isfinite(score.by_record)).tolist() == [3, 8]
