"""The law of the record behind a row: by hand, in its limits, and as the intruder uses it."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.stats import multivariate_normal
from tests.methods.synthesis.test_regression_synthesis import survey

from sdckit.catalogue import build
from sdckit.intruder import Intruder
from sdckit.laws.informed import informed_law
from sdckit.laws.release_law import Source
from sdckit.methods.synthesis.fitted_values import FittedValues
from sdckit.methods.synthesis.ipso_c import IpsoC
from sdckit.methods.synthesis.microhybrid import Microhybrid
from sdckit.methods.synthesis.romm import Romm
from sdckit.methods.synthesis.sufficiency_hybrid import SufficiencyHybrid
from sdckit.normal_law import ClusterNormalLaw
from sdckit.release import protect

NAMES = ("income", "debt")


def released(method, records=300, seed=0):
    return protect(survey(records, seed=seed), method, NAMES, seed=seed + 1)


def test_the_record_behind_a_row_of_ipso_is_about_its_fitted_values():
    release = released(IpsoC())
    law = IpsoC().row_law(release.masked, NAMES)
    design = np.column_stack([np.ones(300), IpsoC().design(release.original, NAMES)])
    original = release.original.matrix(NAMES)
    fitted = design @ np.linalg.lstsq(design, original, rcond=None)[0]
    assert law.means == pytest.approx(fitted)  # the release shows the coefficients of the original
    assert law.noise == pytest.approx((original - fitted).T @ (original - fitted) / 300)


def test_what_fitted_values_lack_of_the_variance_is_that_of_the_residuals():
    """Fitted values and residuals are uncorrelated: the covariances of the original are the sum of both."""
    release = released(FittedValues())
    law = FittedValues().row_law(release.masked, NAMES, release.original.only(NAMES))
    residual = release.original.matrix(NAMES) - release.masked.matrix(NAMES)
    assert law.means == pytest.approx(release.masked.matrix(NAMES))
    assert law.noise == pytest.approx(np.cov(residual.T))
    part = FittedValues().row_law(release.masked, NAMES, release.original.only(["debt"]))
    assert part.noise[1, 1] == pytest.approx(law.noise[1, 1])
    assert FittedValues().row_law(release.masked, NAMES) is None  # the release does not show it


@pytest.mark.parametrize("known", [NAMES, ("income",)])
def test_who_knows_only_replaced_values_expects_of_fitted_values_what_is_found(known):
    found, expected = [], []
    for seed in range(6):
        score = build("risk", "informed-intruder").measure(
            released(FittedValues(given=("x",)), 200, seed), Intruder(attributes=known), seed=1
        )
        assert score.details["laws"]["income"] == "exact"
        found.append(score.value)
        expected.append(score.details["expected_found"])
    error = 3 * np.sqrt(np.mean(expected) / 1200)
    assert np.mean(found) == pytest.approx(np.mean(expected), abs=error)


def test_without_perturbation_the_law_is_the_released_row():
    release = released(Romm(perturbation=0))
    law = Romm(perturbation=0).row_law(release.masked, NAMES)
    assert law.means == pytest.approx(release.original.matrix(NAMES))
    assert (np.diag(law.noise) < 1e-9).all()


@pytest.mark.parametrize(
    "method", [SufficiencyHybrid(similarity=0.8), Romm(perturbation=0.75)], ids=lambda each: each.name
)
def test_the_law_is_the_regression_of_the_record_on_its_row(method):
    errors, kept = [], []
    for seed in range(20):
        release = released(method, 400, seed)
        law = method.row_law(release.masked, NAMES)
        errors.append(release.original.matrix(NAMES) - law.means)
        kept.append(law.noise)
    found = np.concatenate(errors)
    assert found.mean(axis=0) == pytest.approx([0, 0], abs=0.02)
    assert found.T @ found / len(found) == pytest.approx(np.mean(kept, axis=0), rel=0.1, abs=0.02)


def test_the_law_is_closed_also_where_only_some_replaced_attributes_are_known():
    release = released(IpsoC())
    for names in (("income",), ("income", "debt", "region")):
        law = informed_law(Intruder(attributes=names).view(release), np.random.default_rng(1))
        assert law.sources["income"] is Source.EXACT


def test_an_intruder_who_knows_the_given_attributes_learns_nothing_from_synthetic_ones():
    release = released(IpsoC())
    view = Intruder(attributes=("income", "debt", "x", "region", "weight")).view(release)
    law = informed_law(view, np.random.default_rng(1))
    block = next(each for each in law.blocks if "income" in each.names)
    records = np.arange(300)
    own = block.of_pairs(records, law.rows.of[records])
    again = released(IpsoC(), seed=0).masked.columns["income"]
    assert np.array_equal(again, release.masked.columns["income"])
    # The likelihood of a record's own row is that of its original residual, whatever was drawn.
    residual = release.original.matrix(NAMES) - IpsoC().row_law(release.masked, NAMES).means
    noise = residual.T @ residual / 300
    assert own == pytest.approx(-0.5 * np.einsum("np,pq,nq->n", residual, np.linalg.inv(noise), residual), abs=1e-6)


@pytest.mark.slow
def test_the_intruder_finds_at_least_what_distance_linkage_finds_and_is_calibrated():
    gaps, found, expected = [], [], []
    for seed in range(8):
        release = released(Romm(perturbation=0.4, given=("x", "region")), 300, seed)
        intruder = Intruder(attributes=NAMES)
        score = build("risk", "informed-intruder").measure(release, intruder, seed=seed)
        gaps.append(score.value - build("risk", "distance-linkage").measure(release, intruder, seed=seed).value)
        found.append(score.value)
        expected.append(score.details["expected_found"])
    assert np.mean(gaps) > 0
    assert np.mean(expected) == pytest.approx(np.mean(found), abs=0.05)


@pytest.mark.slow
def test_the_intruder_finds_nothing_of_an_independent_synthesis_and_everybody_in_the_original():
    """From IPSO without a given attribute (similarity 0) to the original (similarity 1)."""
    found = []
    for similarity in (0.0, 0.5, 0.8, 0.95, 1.0):
        figures = [
            build("risk", "informed-intruder")
            .measure(
                released(SufficiencyHybrid(similarity=similarity, given=()), 200, seed),
                Intruder(attributes=NAMES),
                seed=1,
            )
            .value
            for seed in range(3)
        ]
        found.append(np.mean(figures))
    assert found[0] < 0.02 and found[-1] == 1  # at random one of 200
    assert all(less < more for less, more in pairwise(found))


def test_the_rows_of_a_cluster_are_about_its_mean_with_its_covariances():
    values = np.array([[0.0, 0], [2, 0], [0, 2], [2, 2], [10, 10], [12, 10], [10, 14], [12, 14]])
    law = ClusterNormalLaw.of(values, np.array([0] * 4 + [1] * 4))
    table = law.by_cluster(np.array([[1.0, 1], [11, 12], [12, 10]]))
    for cluster, centre in enumerate(([1.0, 1], [11.0, 12])):
        density = multivariate_normal(centre, np.cov(values[4 * cluster : 4 * cluster + 4].T, ddof=0))
        known = np.array([density.logpdf(row) for row in ([1, 1], [11, 12], [12, 10])])
        assert table[cluster] - known == pytest.approx(np.full(3, np.log(2 * np.pi)), abs=1e-6)
    assert np.array_equal(law.log_likelihood(values, np.array([[1.0, 1]]))[:, 0] > -2, np.arange(8) < 4)


def test_an_intruder_who_knows_the_whole_file_knows_the_clusters_of_microhybrid():
    release = released(Microhybrid(group_size=20))
    law = informed_law(Intruder(attributes=NAMES).view(release), np.random.default_rng(1))
    assert law.sources["income"] is Source.EXACT
    assert Microhybrid(given=("x",)).law(release.masked, release.original) is None
