"""Record interval disclosure: a case by hand, whole records, outliers and crowds."""

import numpy as np
import pytest
from tests.methods.files import numeric

from sdckit import Release, build


def score(original: np.ndarray, masked: np.ndarray, **values: object):
    measure = build("risk", "record-interval-disclosure", **values)
    return measure.measure(Release.in_order(numeric(original), numeric(masked)))


def test_a_record_counts_if_every_value_is_inside_by_hand():
    """Masked columns have standard deviation √(16 / 3) = 2.31: share 0.5 reaches 1.15 to either side."""
    masked = np.array([[2.0, 2.0], [-2.0, -2.0], [2.0, -2.0], [-2.0, 2.0]])
    moved = np.array([[0.9, 0.9], [0.9, 1.2], [1.2, 1.2], [0.0, 0.0]])
    found = score(masked + moved, masked, share=0.5)
    assert found.value == 0.5
    assert found.by_record.tolist() == [1, 0, 0, 1]
    assert found.by_attribute == {"a": pytest.approx(0.75), "b": pytest.approx(0.5)}


def test_an_outlier_has_wider_intervals():
    rng = np.random.default_rng(1)
    original = rng.normal(size=(100, 2))
    original[0] = 30
    masked = original + 0.5
    assert score(original, masked, share=0.05).by_record[0] == 0
    assert score(original, masked, share=0.05, robust=True).by_record[0] == 1


def test_a_crowd_of_equal_rows_hides_a_record():
    original = np.repeat([[0.0, 0.0], [5.0, 5.0]], [9, 1], axis=0)
    found = score(original, original.copy(), crowd=3)
    assert found.by_record.tolist() == [0.0] * 9 + [1.0]
    assert score(original, original.copy()).value == 1


@pytest.mark.parametrize("gone", [0.0, 0.2])
def test_the_figures_are_those_counted_cell_by_cell(gone):
    rng = np.random.default_rng(4)
    original, noise = rng.normal(size=(400, 3)), 0.05 * rng.normal(size=(400, 3))
    masked = original + noise
    original[rng.random(original.shape) < gone] = np.nan
    masked[rng.random(masked.shape) < gone] = np.nan
    found = score(original, masked, share=0.05)
    reach = 0.05 * np.nanstd(masked, axis=0, ddof=1)
    inside = np.isnan(original) | (np.abs(original - masked) <= reach)
    judged = ~np.isnan(original).all(axis=1)
    assert found.details["records_inside"] == (inside.all(axis=1) & judged).sum()
    assert found.value == pytest.approx(inside.all(axis=1)[judged].mean())
    assert np.array_equal(found.by_record, np.where(judged, inside.all(axis=1), np.nan), equal_nan=True)
    shares = [inside[~np.isnan(original[:, column]), column].mean() for column in range(3)]
    assert list(found.by_attribute.values()) == pytest.approx(shares)
    assert 0 <= found.baseline < found.value
