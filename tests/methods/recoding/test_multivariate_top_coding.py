"""Multivariate top coding: inner records unchanged, outer ones on the ellipsoid in their own direction."""

import numpy as np
from scipy.stats import chi2
from tests.methods.files import numeric

from sdckit import build, protect
from sdckit.kernels.robust_covariance import robust_estimate


def spoiled() -> np.ndarray:
    values = np.random.default_rng(1).multivariate_normal([0, 0], [[1, 0.95], [0.95, 1]], 200)
    values[0] = [1.5, -1.5]  # extreme in no attribute, unusual in both together
    values[1] = [50, 50]
    return values


def test_unusual_combinations_move_to_the_ellipsoid_and_the_others_stay():
    values = spoiled()
    method = build("masking", "multivariate-top-coding", share=0.001)
    masked = protect(numeric(values), method, seed=1).masked.matrix(["a", "b"])
    estimate = robust_estimate(values)
    before, after = estimate.squared_distances(values), estimate.squared_distances(masked)
    limit = chi2.ppf(0.999, 2)
    assert (before[:2] > limit).all()
    assert np.allclose(after[before > limit], limit)
    assert (masked[before <= limit] == values[before <= limit]).all()
    directions = [
        (each[:2] - estimate.centre) / np.linalg.norm(each[:2] - estimate.centre, axis=1)[:, None]
        for each in (values, masked)
    ]
    assert np.allclose(*directions)


def test_an_intruder_who_knows_all_computes_every_record():
    release = protect(numeric(spoiled()), "multivariate-top-coding:share=0.1", seed=1)
    assert build("risk", "possible-rows").measure(release).value > 0.95


def test_a_record_with_a_hole_is_judged_by_the_values_that_it_has():
    values = spoiled()
    values[1, 1] = np.nan  # 50 alone is far out
    values[2] = [0.1, np.nan]
    values[3] = np.nan
    masked = protect(numeric(values), "multivariate-top-coding:share=0.01", seed=1).masked.matrix(["a", "b"])
    assert (np.isnan(masked) == np.isnan(values)).all()
    assert masked[1, 0] < 5 and masked[2, 0] == 0.1
