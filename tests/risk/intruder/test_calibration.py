"""An attack is calibrated where its claims are correct as often as it says, in every bin and in all."""

import numpy as np

from sdckit.risk.intruder.calibration import calibration, is_calibrated


def judged(confidence, correct):
    return is_calibrated(calibration(np.asarray(confidence), np.asarray(correct, dtype=float)))


def test_claims_that_are_correct_as_often_as_stated_are_calibrated():
    confidence = np.repeat([0.25, 0.75], 100)
    assert judged(confidence, np.tile([1, 0, 0, 0], 25).tolist() + np.tile([1, 1, 1, 0], 25).tolist())


def test_sure_claims_that_are_wrong_are_not():
    assert not judged(np.full(100, 0.99), np.zeros(100))


def test_claims_that_are_off_together_are_not_calibrated_even_if_no_bin_has_enough_of_them():
    confidence = np.repeat(np.arange(0.05, 1, 0.1), 15)
    assert judged(confidence, np.random.default_rng(1).random(150) < confidence)
    assert not judged(confidence, np.ones(150))


def test_few_claims_are_not_judged():
    assert judged(np.full(10, 0.99), np.zeros(10))
