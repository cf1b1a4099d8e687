"""IL1 to IL5 together, as the literature prints them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from tests.methods.files import correlated, numeric

from sdckit import Release, build, protect
from sdckit.errors import NotApplicableError
from sdckit.rows import Sampled, in_order

NAMES = ("il1", "il2", "il3", "il4", "il5")
pairs_of_files = st.tuples(st.integers(2, 10), st.integers(2, 4)).flatmap(
    lambda shape: st.tuples(*[arrays(np.float64, shape, elements=st.integers(1, 9))] * 2)
)


def lost(name, original, masked, **values):
    return build("loss", name, **values).measure(Release.in_order(numeric(original), numeric(masked))).value


def variation(before, after):
    """The mean of |a − a′| / |a|, zeros left out."""
    kept = np.abs(before) > 1e-12
    return (
        (np.abs(before - after)[kept] / np.abs(before)[kept]).mean() if kept.any() else float((before != after).any())
    )


@given(pairs_of_files)
def test_they_are_what_numpy_says(files):
    x, y = files
    upper, above = np.triu_indices(x.shape[1]), np.triu_indices(x.shape[1], 1)
    covariances = [np.cov(values.T)[upper] for values in files]
    with np.errstate(invalid="ignore", divide="ignore"):
        correlations = [np.nan_to_num(np.corrcoef(values.T)[above]) for values in files]
    assert lost("il1", x, y) == pytest.approx(variation(x, y))
    assert lost("il2", x, y) == pytest.approx(variation(x.mean(axis=0), y.mean(axis=0)))
    if (np.abs(covariances[0]) > 1e-9).any():
        assert lost("il3", x, y) == pytest.approx(variation(*covariances))
    if (x.var(axis=0) > 1e-9).any():
        assert lost("il4", x, y) == pytest.approx(variation(x.var(axis=0), y.var(axis=0)))
    assert lost("il5", x, y) == pytest.approx(np.abs(correlations[0] - correlations[1]).mean(), abs=1e-9)


@pytest.mark.parametrize(
    ("group_size", "expected"),
    [
        (3, {"il1": 101.8941, "il2": 0.0, "il3": 4.0463, "il4": 5.6922, "il5": 1.6272}),
        (10, {"il1": 200.0961, "il2": 0.0, "il3": 10.8707, "il4": 14.1559, "il5": 4.1806}),
    ],
)
def test_microaggregated_census_gives_the_golden_figures(census, group_size, expected):
    """Percentages (ALGORITHMS 7.1): cells with x = 0 skipped, IL5 as mean absolute error."""
    release = protect(numeric(census), build("masking", "mdav", group_size=group_size), seed=1)
    for name, percentage in expected.items():
        assert 100 * build("loss", name).measure(release).value == pytest.approx(percentage, abs=6e-5)


@pytest.mark.parametrize(("group_size", "capped"), [(3, 18.6328), (10, 25.9369)])
def test_the_bounded_form_on_census_is_the_golden_figure(census, group_size, capped):
    release = protect(numeric(census), build("masking", "mdav", group_size=group_size), seed=1)
    assert 100 * build("loss", "il1", cap=1).measure(release).value == pytest.approx(capped, abs=6e-5)


def test_a_case_by_hand():
    x, y = np.array([[1.0, 10.0], [2.0, 20.0]]), np.array([[2.0, 10.0], [2.0, 30.0]])
    assert lost("il1", x, y) == pytest.approx((1 + 0 + 0 + 0.5) / 4)
    assert lost("il2", x, y) == pytest.approx((0.5 / 1.5 + 5 / 15) / 2)
    assert lost("il4", x, y) == pytest.approx((1 + 3) / 2)
    assert lost("il5", x, y) == pytest.approx(1)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_lost_where_nothing_changed(name):
    values = correlated(20, 3, seed=1)
    values[:, 1] = 0.1
    assert lost(name, values, values) == 0


def test_zeros_are_skipped_and_counted():
    x, y = np.array([[0.0], [4.0]]), np.array([[9.0], [5.0]])
    score = build("loss", "il1").measure(Release.in_order(numeric(x), numeric(y)))
    assert score.value == 0.25
    assert score.details["zeros_skipped"] == 1


def test_zeros_that_all_changed_are_a_loss_and_not_nothing():
    assert lost("il1", np.zeros((3, 1)), np.ones((3, 1))) == 1


def test_a_value_that_was_removed_counts_as_changed_altogether():
    x, y = np.array([[2.0], [4.0]]), np.array([[np.nan], [4.0]])
    assert lost("il1", x, y) == 0.5


@pytest.mark.parametrize("constant", [0.1, 1e9 + 0.3, -7.7])
def test_a_constant_attribute_has_no_variance_not_even_by_rounding(constant):
    values = np.column_stack([np.full(7, constant), correlated(7, 1, seed=1)[:, 0]])
    nudged = values + [[0.0, 0.5]] * 7
    for name in ("il3", "il4", "il5"):
        assert lost(name, values, nudged) == pytest.approx(0, abs=1e-9)


def test_a_mean_that_is_zero_but_for_rounding_does_not_rule():
    values = correlated(50, 2, seed=2)
    centred = values - values.mean(axis=0)
    reordered = centred[np.random.default_rng(1).permutation(50)]
    assert lost("il2", centred, reordered) == pytest.approx(0, abs=1e-9)


def test_for_group_means_the_variance_lost_is_sse_over_sst():
    """Domingo-Ferrer and Torra (2001): IL4 is the share of the variation within groups."""
    values = correlated(90, 3, seed=3)
    masked = protect(numeric(values), "mdav:group_size=5", seed=1).masked.matrix(("a", "b", "c"))
    share = (((values - masked) ** 2).sum(axis=0) / ((values - values.mean(axis=0)) ** 2).sum(axis=0)).mean()
    assert lost("il4", values, masked) == pytest.approx(share)


def test_swapping_keeps_means_and_variances_and_loses_correlations():
    release = protect(numeric(correlated(200, 3, seed=4)), "rank-swapping:window=0.3", seed=1)
    figures = {name: build("loss", name).measure(release).value for name in NAMES}
    assert figures["il2"] == pytest.approx(0, abs=1e-12)
    assert figures["il4"] == pytest.approx(0, abs=1e-12)
    assert figures["il5"] > 0.05


@pytest.mark.parametrize("name", NAMES)
def test_more_noise_loses_more(name):
    data = numeric(correlated(400, 3, seed=5))
    releases = [protect(data, f"additive-noise:variance_share={share}", seed=2) for share in (0.001, 0.05, 2)]
    figures = [build("loss", name).measure(release).value for release in releases]
    assert figures[0] < figures[1] < figures[2]


def test_one_attribute_has_no_correlations():
    data = numeric(correlated(5, 1, seed=6))
    with pytest.raises(NotApplicableError, match="two ordered attributes"):
        build("loss", "il5").measure(Release.in_order(data, data))


@pytest.mark.parametrize("dropped", [0, 5])
def test_il1s_is_the_mean_over_all_values_that_vary_counted_cell_by_cell(dropped):
    rng = np.random.default_rng(7)
    before = np.column_stack([rng.normal(size=(50, 2)), np.full(50, 3.0)])
    before[rng.random(before.shape) < 0.1] = np.nan
    after = before + rng.normal(size=before.shape)
    after[rng.random(after.shape) < 0.1] = np.nan
    cells = []
    for column in range(2):
        scale = np.sqrt(2) * np.nanstd(before[:, column], ddof=1)
        pairs = zip(before[dropped:, column], after[dropped:, column], strict=True)
        cells += [1.0 if np.isnan(y) else abs(x - y) / scale for x, y in pairs if not np.isnan(x)]
    kept = np.arange(dropped, 50)
    release = Release(numeric(before), numeric(after[dropped:]), None, Sampled(kept) if dropped else in_order(50))
    score = build("loss", "il1s").measure(release)
    assert score.value == pytest.approx(np.mean(cells), rel=1e-12)
    assert score.details["constant_attributes"] == 1
