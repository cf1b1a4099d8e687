"""Axes of numbers that are masked together: also where these are nearly proportional."""

import numpy as np
import pytest

from sdckit.laws.joint_axes import MaskedAgain, joint_axes


def grouped_by_size(seed: int, rest: float) -> MaskedAgain:
    """Two numbers that differ by little beside their common size, masked by means of three neighbours in it."""
    rng = np.random.default_rng(seed)
    size = np.sort(rng.standard_normal(300))
    before = np.column_stack([size, size]) + rest * rng.standard_normal((300, 2))
    before = before[np.argsort(before.sum(axis=1))]
    after = np.repeat(before.reshape(100, 3, 2).mean(axis=1), 3, axis=0)
    return MaskedAgain(before, after, after)


def own_level_is_nearest(predicted, values) -> float:
    """The share of the records that are nearest to the level of their own row."""
    levels, own = np.unique(np.round(values, 9), return_inverse=True)
    return float((np.abs(predicted[:, None] - levels[None, :]).argmin(axis=1) == own).mean())


def on_axes(trial: MaskedAgain, axes) -> list[float]:
    return [
        own_level_is_nearest(axis.constant + trial.before @ axis.slope, trial.after @ axis.direction) for axis in axes
    ]


def on_the_true_axis(trial: MaskedAgain) -> float:
    """A record at the edge of its group may be nearer to the next one: not all are near their own."""
    return own_level_is_nearest(trial.before.sum(axis=1), trial.after.sum(axis=1))


@pytest.mark.parametrize("rest", [1e-5, 0.01, 0.3])
def test_the_common_size_is_an_axis_however_little_else_there_is(rest):
    trials = [grouped_by_size(seed, rest) for seed in range(3)]
    axes = joint_axes(("turnover", "costs"), trials)
    assert max(on_axes(trials[0], axes)) >= on_the_true_axis(trials[0]) - 0.02


def test_no_axis_is_a_difference_of_numbers_that_differ_by_rounding_alone():
    trials = [grouped_by_size(seed, rest=1e-5) for seed in range(3)]
    for axis in joint_axes(("turnover", "costs"), trials):
        assert axis.direction[0] * axis.direction[1] > 0
        assert axis.slope[0] * axis.slope[1] > 0
