"""Combining rules: by hand, limits, and the coverage of their intervals by simulation."""

import numpy as np
import polars as pl
import pytest

from sdckit.errors import ParameterError
from sdckit.evaluation.combining_rules import combine
from sdckit.methods.synthesis.gaussian_copula import GaussianCopula
from sdckit.methods.synthesis.ipso_a import IpsoA
from sdckit.several_files import protect_several


def test_the_rules_by_hand():
    estimates, variances = [1.0, 3.0], [0.5, 0.7]  # q̄ = 2, b = 2, ū = 0.6
    partial = combine(estimates, variances, "partial")
    assert (partial.value, partial.variance) == (2.0, pytest.approx(0.6 + 2 / 2))
    assert partial.degrees_of_freedom == pytest.approx((1 + 0.6 / 1) ** 2)
    full = combine(estimates, variances, "full")
    assert full.variance == pytest.approx(1.5 * 2 - 0.6)
    assert full.degrees_of_freedom == pytest.approx((1 - 0.6 / 3) ** 2)
    assert combine(estimates, variances, "simple", size=2).variance == pytest.approx(2.5 * 0.6)


def test_a_negative_variance_of_full_synthesis_is_replaced():
    assert combine([1.0, 1.0], [0.5, 0.5], "full").variance == 0.5


def test_equal_files_leave_the_sampling_error_and_a_normal_interval():
    same = combine([2.0] * 4, [0.25] * 4)
    assert same.interval(0.95) == pytest.approx((2 - 1.959964 * 0.5, 2 + 1.959964 * 0.5), abs=1e-5)


def test_what_does_not_fit_is_refused():
    for arguments, message in (
        (([1.0], [1.0, 2.0]), "one of each"),
        (([1.0], [1.0]), "at least 2 files"),
        (([1.0, 2.0], [1.0, 2.0], "half"), "no combining rule 'half'"),
    ):
        with pytest.raises(ParameterError, match=message):
            combine(*arguments)


def test_several_files_differ_and_repeat_by_their_seed():
    frame = pl.DataFrame({"a": np.arange(50.0), "b": np.arange(50.0) ** 2})
    first, second = (protect_several(frame, GaussianCopula(), files=3, seed=4) for _ in range(2))
    columns = [each.masked.columns["a"] for each in first]
    assert len({column.tobytes() for column in columns}) == 3
    assert all(np.array_equal(a, b.masked.columns["a"]) for a, b in zip(columns, second, strict=True))
    with pytest.raises(ParameterError, match="at least 1"):
        protect_several(frame, GaussianCopula(), files=0)


@pytest.mark.slow
@pytest.mark.parametrize(("method", "rule"), [(IpsoA(given=("x",)), "partial"), (GaussianCopula(), "simple")])
def test_intervals_cover_the_truth_as_often_as_they_say(method, rule):
    covered, naive, repeats = 0, 0, 300
    for repeat in range(repeats):
        rng = np.random.default_rng([repeat, 3])
        x = rng.normal(size=80)
        frame = pl.DataFrame({"x": x, "y": x + rng.normal(size=80)})
        made = [each.masked.columns["y"] for each in protect_several(frame, method, ["y"], files=5, seed=repeat)]
        estimates, variances = [each.mean() for each in made], [each.var(ddof=1) / len(each) for each in made]
        low, high = combine(estimates, variances, rule).interval()
        covered += low <= 0 <= high
        naive += abs(estimates[0]) <= 1.96 * np.sqrt(variances[0])
    error = np.sqrt(0.95 * 0.05 / repeats)
    assert abs(covered / repeats - 0.95) < 4 * error
    assert naive < covered  # one file taken for the original claims too much
