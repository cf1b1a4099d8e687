"""IL1s, IL5 as variation, the bounded forms, and the losses of eigenvalues, correlation structure and variables."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from tests.methods.files import correlated, numeric

from sdckit import Microdata, Release, build, protect
from sdckit.errors import NotApplicableError

NAMES = ("il1s", "il5-variation", "eigenvalue-loss", "correlation-structure-loss", "variables-loss")
pairs_of_files = st.tuples(st.integers(3, 10), st.integers(2, 4)).flatmap(
    lambda shape: st.tuples(*[arrays(np.float64, shape, elements=st.integers(1, 9))] * 2)
)


def lost(name, original, masked, **values):
    return build("loss", name, **values).measure(Release.in_order(numeric(original), numeric(masked))).value


@pytest.mark.parametrize(
    ("group_size", "expected"),
    [(3, {"il1s": 11.4526, "il5-variation": 5.8059}), (10, {"il1s": 18.3329, "il5-variation": 17.0457})],
)
def test_microaggregated_census_gives_the_golden_figures(census, group_size, expected):
    """Percentages (ALGORITHMS 7.1)."""
    release = protect(numeric(census), build("masking", "mdav", group_size=group_size), seed=1)
    for name, percentage in expected.items():
        assert 100 * build("loss", name).measure(release).value == pytest.approx(percentage, abs=6e-5)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_lost_where_nothing_changed(name):
    values = correlated(20, 3, seed=1)
    assert lost(name, values, values) == 0


@pytest.mark.parametrize("name", NAMES)
def test_more_noise_loses_more(name):
    """The third attribute stands alone: that all explain each other less and less alike is no change of structure."""
    related = correlated(400, 3, seed=5)
    data = numeric(np.column_stack([related[:, :2], related[::-1, 2]]))
    releases = [protect(data, f"additive-noise:variance_share={share}", seed=2) for share in (0.001, 0.05, 2)]
    figures = [build("loss", name).measure(release).value for release in releases]
    assert figures[0] < figures[1] < figures[2]


@pytest.mark.parametrize("name", ["il1", "il2", "il3", "il4", "il5-variation", "eigenvalue-loss"])
@given(files=pairs_of_files)
def test_the_bounded_form_stays_within_one_and_below_the_free_one(name, files):
    capped = build("loss", name, cap=1)
    try:
        bounded = capped.measure(Release.in_order(numeric(files[0]), numeric(files[1]))).value
    except NotApplicableError:
        return
    assert 0 <= bounded <= 1
    assert bounded <= lost(name, *files)


@given(pairs_of_files)
def test_bounded_measures_are(files):
    for name in ("correlation-structure-loss", "variables-loss"):
        if name == "variables-loss" or files[0].shape[1] > 2:
            assert 0 <= lost(name, *files) <= 1


def test_holes_do_not_take_correlations_beyond_their_limits():
    """Of the first attribute nearly all is 0; only the two records that are not have the second one."""
    x = np.column_stack([[1.0, -1.0, *[0.0] * 98], [1.0, -1.0, *[np.nan] * 98]])
    assert lost("il5", x, x * [1, -1]) == pytest.approx(2)
    assert lost("il5-variation", x, x * [1, -1]) == pytest.approx(2)


def test_a_constant_file_loses_every_variance_and_every_eigenvalue():
    x = correlated(40, 3, seed=2)
    constant = np.tile(x.mean(axis=0), (40, 1))
    for name in ("il3", "il4", "il5-variation", "eigenvalue-loss"):
        assert lost(name, x, constant, cap=1) == pytest.approx(1)


def test_il1s_by_hand():
    x, y = np.array([[0.0], [2.0]]), np.array([[1.0], [2.0]])
    assert lost("il1s", x, y) == pytest.approx(1 / (np.sqrt(2) * np.sqrt(2)) / 2)


def test_il1s_skips_constant_attributes_and_counts_them():
    x = np.column_stack([np.arange(4.0), np.full(4, 3.0)])
    score = build("loss", "il1s").measure(Release.in_order(numeric(x), numeric(x + 1)))
    assert score.value == pytest.approx(1 / (np.sqrt(2) * x[:, 0].std(ddof=1)))
    assert score.details["constant_attributes"] == 1


def test_eigenvalues_by_hand():
    """Two attributes of correlation r have eigenvalues 1 + r and 1 − r; halving all values quarters both."""
    x = correlated(50, 2, seed=3)
    assert lost("eigenvalue-loss", x, x / 2) == pytest.approx(0.75)
    score = build("loss", "eigenvalue-loss").measure(Release.in_order(numeric(x), numeric(x)))
    assert score.details["largest_before"] == pytest.approx(1 + np.corrcoef(x.T)[0, 1])


def test_an_attribute_that_is_the_sum_of_others_does_not_rule_the_eigenvalues():
    x = correlated(50, 2, seed=4)
    x = np.column_stack([x, x.sum(axis=1)])
    score = build("loss", "eigenvalue-loss").measure(Release.in_order(numeric(x), numeric(x + np.eye(50, 3))))
    assert score.details["eigenvalues_skipped"] == 1
    assert score.value < 1


def test_the_correlation_structure_is_that_of_the_inverse():
    x, y = correlated(60, 3, seed=5), correlated(60, 3, seed=6)
    one, other = (np.diag(np.linalg.inv(np.corrcoef(file.T))) for file in (x, y))
    gap = np.linalg.norm(one / np.linalg.norm(one) - other / np.linalg.norm(other)) / np.sqrt(2)
    assert lost("correlation-structure-loss", x, y) == pytest.approx(gap, rel=1e-4)


def test_variables_of_every_kind_by_hand():
    def made(size, grade, town):
        kinds = {"grade": pl.Enum(["low", "middle", "high"]), "town": pl.String}
        frame = pl.DataFrame({"size": size, "grade": grade, "town": town}, schema_overrides=kinds)
        return Microdata.from_frame(frame).with_roles(size="key", grade="key", town="key")

    before = made([0.0, 2.0], ["low", "high"], ["Ely", "Rye"])
    after = made([1.0, 2.0], ["middle", "high"], ["Rye", "Rye"])
    score = build("loss", "variables-loss", standardised=False).measure(Release.in_order(before, after))
    # arctan 1 is π / 4; one step of two; one town of two
    assert score.by_attribute == pytest.approx({"size": 0.25, "grade": 0.25, "town": 0.5})
    assert score.value == pytest.approx(1 / 3)


def test_an_ordered_value_merged_into_a_new_category_has_changed_altogether():
    def graded(*grades, known=("low", "middle", "high")):
        return Microdata.from_frame(pl.DataFrame({"g": grades}, schema={"g": pl.Enum(known)})).with_roles(g="key")

    before = graded("low", "high", "middle", "low")
    after = graded("low–high", "low–high", "middle", "low", known=("low", "middle", "high", "low–high"))
    assert build("loss", "variables-loss").measure(Release.in_order(before, after)).value == pytest.approx(0.5)


ALL = (*NAMES, "il1", "il2", "il3", "il4", "il5", "probabilistic-information-loss")


@pytest.mark.parametrize("name", ALL)
def test_a_file_without_any_value_has_nothing_to_measure(name):
    empty = numeric(np.full((5, 3), np.nan))
    with pytest.raises(NotApplicableError, match="has a value"):
        build("loss", name).measure(Release.in_order(empty, empty))


@pytest.mark.parametrize("name", ALL)
def test_an_attribute_without_values_changes_no_figure(name):
    x, y = correlated(30, 3, seed=5), correlated(30, 3, seed=6)
    hollow = np.full((30, 1), np.nan)
    assert lost(name, np.hstack([x, hollow]), np.hstack([y, hollow])) == pytest.approx(lost(name, x, y))


def test_one_attribute_has_no_correlations_and_two_no_structure_beyond_them():
    one, two = (numeric(correlated(5, size, seed=6)) for size in (1, 2))
    with pytest.raises(NotApplicableError, match="two ordered attributes"):
        build("loss", "il5-variation").measure(Release.in_order(one, one))
    for data in (one, two):
        with pytest.raises(NotApplicableError, match="three ordered ones"):
            build("loss", "correlation-structure-loss").measure(Release.in_order(data, data))
