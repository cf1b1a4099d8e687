"""Excess over a control: the definition, and its interval by the errors of both shares."""

import numpy as np
import pytest

from sdckit.kernels.excess_risk import excess_over_control
from sdckit.kernels.intervals import wilson


def excess(share: float, control: float) -> float:
    return (share - control) / (1 - control)


@pytest.mark.parametrize(("found", "trials", "in_control", "control_trials"), [(60, 100, 20, 80), (500, 900, 77, 300)])
def test_the_errors_of_both_shares_add_up_as_independent_ones(found, trials, in_control, control_trials):
    result = excess_over_control(found, trials, in_control, control_trials)
    share, control, step = found / trials, in_control / control_trials, 1e-6
    by_share = (excess(share + step, control) - excess(share - step, control)) / (2 * step)
    by_control = (excess(share, control + step) - excess(share, control - step)) / (2 * step)
    (low, high), (control_low, control_high) = wilson(found, trials), wilson(in_control, control_trials)
    below = np.hypot(by_share * (share - low), by_control * (control_high - control))
    above = np.hypot(by_share * (high - share), by_control * (control - control_low))
    assert result.value == pytest.approx(excess(share, control))
    assert result.interval == pytest.approx((result.value - below, result.value + above))
    assert (result.control, result.control_interval) == (control, (control_low, control_high))


def test_a_control_that_is_known_to_fail_leaves_the_interval_of_the_share():
    result = excess_over_control(30, 100, 0, 10**12)
    assert result.value == 0.3
    assert result.interval == pytest.approx(wilson(30, 100))


def test_there_is_no_negative_excess_and_none_above_one():
    below = excess_over_control(10, 100, 50, 100)
    assert below.value == below.interval[0] == 0
    above = excess_over_control(100, 100, 10, 100)
    assert above.value == above.interval[1] == 1


def test_a_control_that_always_succeeds_leaves_everything_open():
    result = excess_over_control(9, 10, 10, 10)
    assert (result.value, result.interval) == (0.0, (0.0, 1.0))


def test_the_figures_have_names():
    result = excess_over_control(60, 100, 20, 100)
    assert result.details() == {
        "control": 0.2,
        "control_interval": result.control_interval,
        "excess": result.value,
        "excess_interval": result.interval,
    }


@pytest.mark.parametrize("found", range(6))
@pytest.mark.parametrize("in_control", range(5))
def test_the_interval_contains_the_excess_and_stays_between_zero_and_one(found, in_control):
    result = excess_over_control(found, 5, in_control, 5)
    assert result.value == pytest.approx(max(0.0, excess(found / 5, in_control / 5)))
    low, high = result.interval
    assert 0 <= low <= result.value <= high <= 1
    (share_low, share_high), (control_low, control_high) = wilson(found, 5), wilson(in_control, 5)
    left, slope = 1 - in_control / 5, (1 - found / 5) / (1 - in_control / 5) ** 2
    raw = excess(found / 5, in_control / 5)
    below = np.hypot((found / 5 - share_low) / left, (control_high - in_control / 5) * slope)
    above = np.hypot((share_high - found / 5) / left, (in_control / 5 - control_low) * slope)
    assert low == pytest.approx(min(max(raw - below, 0.0), result.value))
    assert high == pytest.approx(max(min(raw + above, 1.0), result.value))
