"""What an intruder gains who knows the law of a random masking."""

import numpy as np
import polars as pl
import pytest
from scipy.stats import multivariate_normal, norm
from tests.methods.files import correlated, numeric

from sdckit.catalogue import build
from sdckit.errors import NotApplicableError
from sdckit.intruder import Intruder
from sdckit.methods.noise.additive_noise import AdditiveNoise
from sdckit.methods.noise.normal_law import NormalLaw
from sdckit.microdata import Microdata
from sdckit.release import Release, protect
from sdckit.risk.linkage.distance_linkage import DistanceLinkage
from sdckit.risk.transparency.posterior_attack import PosteriorAttack, posteriors

LAWFUL = [
    "additive-noise:variance_share=0.25",
    "correlated-noise",
    "corrected-noise",
    "multiplicative-noise",
    "rank-swapping:window=0.2",
    "rank-swapping-buckets:buckets=10",
    "rank-swapping-distribution:window=0.1",
]


@pytest.mark.parametrize("method", LAWFUL)
def test_who_knows_the_law_finds_more_of_census_than_by_distance(census, method):
    release = protect(numeric(census), method, seed=1)
    score = PosteriorAttack().measure(release)
    assert score.interval is not None
    assert score.interval[0] > DistanceLinkage().measure(release).value


def test_the_normal_law_is_the_normal_density():
    rng = np.random.default_rng(1)
    released = rng.standard_normal((50, 1)) * 3
    known = np.array([[0.0], [1.0]])
    law = NormalLaw.of_share(released, 0.5, correlated=False)
    deviation = released.std(ddof=1) * np.sqrt(0.5 / 1.5)
    expected = norm.logpdf(released[:, 0][None, :], known, deviation)
    found = law.log_likelihood(known, released)
    assert found - found[:, [0]] == pytest.approx(expected - expected[:, [0]])


def test_the_law_of_corrected_noise_is_normal_about_the_shrunken_record():
    rng = np.random.default_rng(2)
    values = rng.multivariate_normal([5, -3], [[4, 1.5], [1.5, 1]], 40)
    released = protect(Microdata.from_frame(pl.DataFrame(values, ["a", "b"])), "corrected-noise:variance_share=0.5")
    law = released.recipe.steps[0].masking.law(released.masked)
    masked = released.masked.matrix(["a", "b"])
    mean, covariance = values.mean(axis=0), np.cov(values.T)
    for record in values[:3]:
        expected = multivariate_normal(mean + (record - mean) / np.sqrt(1.5), covariance / 3).logpdf(masked)
        found = law.log_likelihood(record[None], masked)[0]
        assert found - found[0] == pytest.approx(expected - expected[0], rel=1e-6, abs=1e-6)


def test_a_row_that_suits_everybody_says_little_for_anybody_by_hand():
    """Row 0 suits both records alike, row 1 only the second: the second record is row 1, so the first is row 0."""
    likelihood = np.log(np.array([[0.5, 1e-9], [0.5, 0.4]]))
    evidence = np.logaddexp.reduce(likelihood, axis=0)
    assert posteriors(likelihood, np.zeros(2)).argmax(axis=1).tolist() == [0, 0]
    assert posteriors(likelihood, evidence).argmax(axis=1).tolist() == [0, 1]


def test_posteriors_sum_to_one_and_an_impossible_record_leaves_all_rows_open():
    shares = posteriors(np.array([[0.0, -1.0, -2.0], [-np.inf, -np.inf, -np.inf]]), np.zeros(3))
    assert shares.sum(axis=1) == pytest.approx([1, 1])
    assert shares[1] == pytest.approx([1 / 3] * 3)


def test_without_noise_every_record_is_found_and_with_much_hardly_any():
    data = numeric(correlated(200, 3, seed=1))
    assert PosteriorAttack().measure(protect(data, AdditiveNoise(variance_share=0), seed=1)).value == 1
    assert PosteriorAttack().measure(protect(data, AdditiveNoise(variance_share=100), seed=1)).value < 0.1


def test_a_large_file_is_attacked_in_part():
    release = protect(numeric(correlated(300, 2, seed=1)), AdditiveNoise(), seed=1)
    score = PosteriorAttack(most=50).measure(release, seed=1)
    assert score.details["records_attacked"] == 50
    assert score.by_record is not None
    assert np.isfinite(score.by_record).sum() == 50


def test_a_method_without_a_law_and_an_unknown_recipe_do_not_apply():
    data = numeric(correlated(30, 2, seed=1))
    release = protect(data, build("masking", "mdav"), seed=1)
    for broken, intruder in (
        (release, Intruder()),
        (Release(release.original, release.masked), Intruder()),
        (release, Intruder(knows_method=False)),
    ):
        with pytest.raises(NotApplicableError):
            PosteriorAttack().measure(broken, intruder)


def test_the_law_of_pram_is_its_matrix():
    """A value stays with chance 0.8 and else becomes one of two others: the posterior prefers the same category."""
    rng = np.random.default_rng(1)
    frame = pl.DataFrame({"town": rng.choice(["Ely", "Bath", "York"], 200), "job": rng.choice(list("abcdefgh"), 200)})
    data = Microdata.from_frame(frame, roles={"town": "key", "job": "key"})
    release = protect(data, "pram:stay=0.8", seed=1)
    law = release.recipe.steps[0].masking.law(release.masked.only(["town"]))
    table = np.exp(law.log_likelihood(np.array([[0.0], [1.0], [2.0]]), np.array([[0.0], [1.0], [2.0]])))
    assert table == pytest.approx(np.array([[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]]))
    score = PosteriorAttack().measure(release)
    assert score.value > score.baseline
