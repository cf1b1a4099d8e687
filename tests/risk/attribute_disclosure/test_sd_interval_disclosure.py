import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from tests.methods.files import correlated, numeric

from sdckit import Release, build, protect

DISCLOSURE = build("risk", "sd-interval-disclosure")


@pytest.mark.parametrize(("group_size", "share"), [(3, 26.77), (10, 16.37)])
def test_microaggregated_census_gives_the_golden_figures(census, group_size, share):
    """1 to 10 % of the masked column's standard deviation (ALGORITHMS 8.3, SDIDmask)."""
    score = DISCLOSURE.measure(protect(numeric(census), build("masking", "mdav", group_size=group_size), seed=1))
    assert 100 * score.value == pytest.approx(share, abs=0.006)


def test_a_case_by_hand():
    """The masked values deviate by √2; 0.07 is 5 % of that, so it is inside from 5 % on."""
    score = DISCLOSURE.measure(Release.in_order(numeric(np.array([[0.07], [2.5]])), numeric(np.array([[0.0], [2.0]]))))
    assert score.by_record.tolist() == [0.6, 0]
    assert score.details["by_width"]["0.04"] == 0
    assert score.details["by_width"]["0.05"] == 0.5


@given(arrays(np.float64, (8, 2), elements=st.integers(0, 20)), arrays(np.float64, (8, 2), elements=st.integers(0, 20)))
def test_the_curve_rises_and_its_mean_is_the_figure(original, masked):
    for name in ("sd-interval-disclosure", "interval-disclosure"):
        score = build("risk", name).measure(Release.in_order(numeric(original), numeric(masked)))
        curve = list(score.details["by_width"].values())
        assert (np.diff(curve) >= 0).all()
        assert np.mean(curve) == pytest.approx(score.value)


@given(arrays(np.float64, (9, 1), elements=st.integers(0, 99)), arrays(np.float64, (9, 1), elements=st.integers(0, 99)))
def test_it_is_the_definition(original, masked):
    spread = masked.std(ddof=1)
    inside = np.mean([np.abs(original - masked) <= share / 100 * spread + 1e-12 for share in range(1, 11)])
    assert DISCLOSURE.measure(Release.in_order(numeric(original), numeric(masked))).value == pytest.approx(inside)


def test_a_constant_column_is_disclosed_where_it_is_the_truth():
    masked = numeric(np.full((4, 1), 3.0))
    score = DISCLOSURE.measure(Release.in_order(numeric(np.array([[3.0], [3.0], [1.0], [5.0]])), masked))
    assert score.by_record.tolist() == [1, 1, 0, 0]


def test_missing_values_are_not_judged():
    values = np.array([[1.0], [np.nan], [5.0]])
    score = DISCLOSURE.measure(Release.in_order(numeric(values), numeric(values)))
    assert score.value == 1
    assert np.isnan(score.by_record).tolist() == [False, True, False]


@pytest.mark.parametrize("name", ["sd-interval-disclosure", "interval-disclosure"])
def test_values_that_were_removed_are_not_disclosed(name):
    values = np.array([[1.0], [3.0], [5.0], [9.0]])
    score = build("risk", name).measure(
        Release.in_order(numeric(values), numeric(np.where(values == 3, np.nan, values)))
    )
    assert score.by_record.tolist() == [1, 0, 1, 1]


def test_more_noise_discloses_less():
    data = numeric(correlated(300, 2, seed=5))
    shares = (0.001, 0.05, 1)
    releases = [protect(data, f"additive-noise:variance_share={share}", seed=1) for share in shares]
    found = [DISCLOSURE.measure(release).value for release in releases]
    assert found[0] > found[1] > found[2]
