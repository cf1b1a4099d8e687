"""Linkage by Mahalanobis, kernel and rank distances, against all pairs written down."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata
from tests.methods.files import correlated, numeric

from sdckit import Intruder, Release, build, protect
from sdckit.kernels.standardisation import standardise
from sdckit.measure import WeighsAttributes

MAHALANOBIS = ("mahalanobis-linkage", "masked-mahalanobis-linkage", "difference-mahalanobis-linkage")
ALL = ("distance-linkage", *MAHALANOBIS, "kernel-linkage", "rank-linkage", "mixed-linkage", "global-linkage")


@st.composite
def noisy_files(draw):
    """A file and its noisy twin, a few records and attributes of either."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    shape = draw(st.integers(4, 20)), draw(st.integers(1, 3))
    original = rng.normal(size=shape) + rng.normal(size=(shape[0], 1))
    return original, original + 0.5 * rng.normal(size=shape)


def chance_by(distance):
    nearest = distance <= distance.min(axis=1, keepdims=True) * (1 + 1e-9)
    return nearest.diagonal() / nearest.sum(axis=1)


@settings(max_examples=15, deadline=None)
@given(noisy_files())
def test_mahalanobis_is_its_formula(files):
    original, masked = files
    gap = (original - original.mean(axis=0))[:, None] - (masked - masked.mean(axis=0))
    sigmas = {
        MAHALANOBIS[0]: np.cov(original, rowvar=False),
        MAHALANOBIS[1]: np.cov(masked, rowvar=False),
        MAHALANOBIS[2]: np.cov(original - masked, rowvar=False),
    }
    for name, sigma in sigmas.items():
        distance = np.einsum("ijk,kl,ijl->ij", gap, np.linalg.pinv(np.atleast_2d(sigma)), gap)
        score = build("risk", name).measure(Release.in_order(numeric(original), numeric(masked)))
        assert score.by_record == pytest.approx(chance_by(distance)), name


@settings(max_examples=15, deadline=None)
@given(noisy_files(), st.integers(1, 3))
def test_the_kernel_distance_is_its_formula(files, degree):
    one, other = (standardise(values) for values in files)

    def kernel(a, b):
        return (1 + a @ b.T) ** degree

    distance = kernel(one, one).diagonal()[:, None] - 2 * kernel(one, other) + kernel(other, other).diagonal()
    score = build("risk", "kernel-linkage", degree=degree).measure(
        Release.in_order(numeric(files[0]), numeric(files[1]))
    )
    assert score.by_record == pytest.approx(chance_by(distance))


@settings(max_examples=15, deadline=None)
@given(noisy_files())
def test_the_rank_distance_is_its_formula(files):
    one, other = (rankdata(np.round(values, 1), axis=0) for values in files)
    distance = ((one[:, None] - other) ** 2).sum(axis=2)
    nearest = distance <= distance.min(axis=1, keepdims=True) + 1e-9
    score = build("risk", "rank-linkage").measure(Release.in_order(*(numeric(np.round(values, 1)) for values in files)))
    assert score.by_record == pytest.approx(nearest.diagonal() / nearest.sum(axis=1))


@pytest.mark.parametrize("name", ALL)
def test_distinct_records_released_as_they_are_are_all_found(name):
    data = numeric(correlated(60, 3, seed=1))
    assert build("risk", name).measure(Release.in_order(data, data)).value == 1


@pytest.mark.parametrize("name", ALL)
def test_other_units_hide_nobody(name):
    """Both files in other units, attribute by attribute."""
    original = correlated(60, 3, seed=2)
    masked = original + 0.5 * np.random.default_rng(1).normal(size=original.shape)
    scale, shift = np.array([100, 0.01, 3]), np.array([5, -7, 0])
    plain = build("risk", name).measure(Release.in_order(numeric(original), numeric(masked)), seed=1)
    other = Release.in_order(numeric(original * scale + shift), numeric(masked * scale + shift))
    assert build("risk", name).measure(other, seed=1).by_record == pytest.approx(plain.by_record)


@pytest.mark.parametrize("name", MAHALANOBIS)
def test_mixing_the_attributes_linearly_changes_nothing(name):
    original = correlated(60, 2, seed=3)
    masked = original + 0.3 * np.random.default_rng(2).normal(size=original.shape)
    mixed = np.array([[1.0, 2.0], [-1.0, 0.5]])
    plain = build("risk", name).measure(Release.in_order(numeric(original), numeric(masked)))
    turned = build("risk", name).measure(Release.in_order(numeric(original @ mixed), numeric(masked @ mixed)))
    assert turned.by_record == pytest.approx(plain.by_record, abs=1e-6)


@pytest.mark.parametrize("name", ALL)
def test_the_order_of_the_records_does_not_matter(name):
    release = protect(numeric(correlated(60, 3, seed=4)), "additive-noise", seed=1)
    order = np.random.default_rng(5).permutation(60)
    turned = Release.in_order(
        numeric(release.original.matrix("abc")[order]), numeric(release.masked.matrix("abc")[order])
    )
    plain = build("risk", name).measure(release, seed=1)
    assert build("risk", name).measure(turned, seed=1).by_record == pytest.approx(plain.by_record[order])


@pytest.mark.parametrize("name", ALL)
def test_a_constant_column_and_missing_values_are_no_obstacle(name):
    values = correlated(40, 3, seed=6)
    values[:, 1] = 7
    values[np.random.default_rng(1).random(values.shape) < 0.2] = np.nan
    data = numeric(values)
    assert 0 < build("risk", name).measure(Release.in_order(data, data), seed=1).value <= 1


@pytest.mark.parametrize("name", ALL)
def test_one_record_is_found_by_anybody(name):
    one = numeric(np.array([[1.0, 2.0]]))
    assert build("risk", name).measure(Release.in_order(one, one)).value == 1


@pytest.mark.parametrize("name", ALL)
def test_equal_records_share_the_credit(name):
    data = numeric(np.array([[1.0, 1.0], [1.0, 1.0], [4.0, 2.0], [9.0, 5.0]]))
    assert build("risk", name).measure(Release.in_order(data, data)).by_record.tolist() == [0.5, 0.5, 1, 1]


def test_the_covariances_help_where_the_noise_has_them_too_and_else_mislead():
    """The best quadratic distance is that of the noise."""
    data = numeric(correlated(400, 4, seed=7))
    plain, mahalanobis = build("risk", "distance-linkage"), build("risk", "mahalanobis-linkage")
    alike = protect(data, "correlated-noise:variance_share=0.1", seed=1)
    independent = protect(data, "additive-noise:variance_share=0.1", seed=1)
    assert mahalanobis.measure(alike).value > plain.measure(alike).value
    assert mahalanobis.measure(independent).value < plain.measure(independent).value


def test_who_knows_how_much_each_attribute_was_disturbed_finds_more():
    original = correlated(300, 3, seed=8)
    noise = np.random.default_rng(3).normal(size=original.shape) * [0.01, 0.5, 3]
    release = Release.in_order(numeric(original), numeric(original + noise))
    informed = build("risk", "difference-mahalanobis-linkage").measure(release).value
    assert informed > build("risk", "distance-linkage").measure(release).value


def test_an_attribute_is_worth_what_is_found_less_without_it():
    original = correlated(200, 3, seed=9)
    noise = np.random.default_rng(4).normal(size=original.shape) * [0.05, 0.05, 5]
    release = Release.in_order(numeric(original), numeric(original + noise))
    linkage = build("risk", "distance-linkage")
    score, worth = linkage.measure(release), linkage.worth_of_attributes(release)
    for name in "abc":
        others = tuple(other for other in "abc" if other != name)
        without = linkage.measure(release, Intruder(attributes=others)).value
        assert worth[name] == pytest.approx(score.value - without)
    assert worth["a"] > 0 > worth["c"]  # the noisy one misleads


def test_the_only_attribute_is_worth_all_that_a_random_guess_does_not_reach():
    data = numeric(correlated(50, 1, seed=10))
    worth = build("risk", "distance-linkage").worth_of_attributes(Release.in_order(data, data))
    assert worth == {"a": pytest.approx(1 - 1 / 50)}


def test_the_worth_of_attributes_is_computed_only_when_asked_for():
    release = protect(numeric(correlated(50, 3, seed=11)), "additive-noise", seed=1)
    for name in ("distance-linkage", "mixed-linkage", "global-linkage", "probabilistic-linkage"):
        linkage = build("risk", name)
        assert isinstance(linkage, WeighsAttributes)
        assert linkage.measure(release).by_attribute is None
        assert set(linkage.worth_of_attributes(release)) == set("abc")


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("name", ["distance-linkage", "rank-linkage", "mahalanobis-linkage", "mixed-linkage"])
def test_a_sample_of_the_records_is_linked_as_all_of_them_are(name, reverse):
    release = protect(numeric(correlated(300, 3, seed=12)), "additive-noise", seed=1)
    whole = build("risk", name, reverse=reverse).measure(release)
    part = build("risk", name, reverse=reverse, max_records=80).measure(release)
    judged = np.isfinite(part.by_record)
    assert judged.sum() == part.details["records_attacked"] == 80
    assert part.by_record[judged].tolist() == whole.by_record[judged].tolist()
    assert part.interval[0] <= whole.value <= part.interval[1]
