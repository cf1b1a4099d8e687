"""Robust microaggregation: groups of k, means kept, and neighbours that an outlier does not change."""

import numpy as np
from tests.methods.files import numeric

from sdckit import build, protect


def firms() -> np.ndarray:
    rng = np.random.default_rng(2)
    return rng.multivariate_normal([0, 0], [[1, 0.9], [0.9, 1]], 60)


def test_every_group_has_k_to_twice_k_less_one_records_and_means_are_kept():
    values = firms()
    masked = protect(numeric(values), "robust-microaggregation:group_size=4", seed=1).masked
    sizes = np.unique(masked.matrix(["a", "b"]), axis=0, return_counts=True)[1]
    assert sizes.min() >= 4 and sizes.max() <= 7
    assert np.allclose(masked.matrix(["a", "b"]).mean(axis=0), values.mean(axis=0))


def test_outliers_in_one_attribute_leave_its_scale_for_the_others():
    """A wild value makes MDAV ignore the attribute; robust groups still keep it apart."""
    rng = np.random.default_rng(3)
    values = np.column_stack([rng.normal(size=90), rng.normal(size=90)])
    values[:4, 0] = 1e6
    lost = {}
    for name in ("mdav", "robust-microaggregation"):
        masked = protect(numeric(values), build("masking", name, group_size=3), seed=1).masked.matrix(["a", "b"])
        lost[name] = ((masked - values)[10:, 0] ** 2).mean()
    assert lost["robust-microaggregation"] < lost["mdav"] / 2


def test_a_missing_value_stays_missing_and_the_others_are_means_of_k():
    values = firms()
    values[::4, 1] = np.nan
    masked = protect(numeric(values), "robust-microaggregation:group_size=4", seed=1).masked.matrix(["a", "b"])
    assert (np.isnan(masked) == np.isnan(values)).all()
    for column in masked.T:
        assert np.unique(column[~np.isnan(column)], return_counts=True)[1].min() >= 4
