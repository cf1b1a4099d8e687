"""What an intruder gains who knows the law of a random masking."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from scipy.stats import multivariate_normal, norm
from tests.methods.files import correlated, numeric

from sdckit.catalogue import build
from sdckit.errors import NotApplicableError
from sdckit.intruder import Intruder
from sdckit.methods.noise.additive_noise import AdditiveNoise
from sdckit.microdata import Microdata, Role
from sdckit.normal_law import NormalLaw
from sdckit.recipe import Recipe, Step
from sdckit.release import Release, protect
from sdckit.risk.linkage.distance_linkage import DistanceLinkage
from sdckit.risk.transparency.posterior_attack import PosteriorAttack, visible_laws
from sdckit.risk.transparency.replayed_law import replayed_law
from sdckit.risk.transparency.row_likelihoods import RowLikelihoods, as_numbers

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


def test_what_is_missing_of_a_record_is_left_out_of_account():
    rng = np.random.default_rng(3)
    released = rng.multivariate_normal([0, 0, 0], [[3, 1, 1], [1, 2, 0.5], [1, 0.5, 1]], 60)
    law = NormalLaw.of_share(released, 0.5, correlated=True)
    found = law.log_likelihood(np.array([[1.0, np.nan, 0.5], [np.nan, np.nan, np.nan]]), released)
    seen = [0, 2]
    expected = multivariate_normal([1.0, 0.5], np.cov(released.T)[np.ix_(seen, seen)] / 3).logpdf(released[:, seen])
    assert found[0] - found[0, 0] == pytest.approx(expected - expected[0])
    assert np.ptp(found[1]) == 0


@pytest.mark.parametrize("method", ["additive-noise", "correlated-noise", "multiplicative-noise"])
def test_missing_values_neither_hide_a_record_nor_are_ignored(method):
    """A record with a single value is recognised by it; a row in which that value is missing is not its own."""
    values = np.abs(correlated(60, 3, 6)) + 1
    values[0, 1:], values[1, 0] = np.nan, np.nan
    release = protect(numeric(values), method, seed=1)
    law = release.recipe.steps[0].masking.law(release.masked)
    found = law.log_likelihood(values, release.masked.matrix(["a", "b", "c"]))
    assert np.isneginf(found[0, 1]) and np.isneginf(found[2, 0])
    assert np.isfinite(found[0, [0, 2]]).all() and np.isfinite(np.diag(found)).all()


def test_a_fitted_law_is_the_line_and_the_spread_about_it():
    rng = np.random.default_rng(4)
    before = rng.standard_normal((20_000, 2)) @ np.array([[2, 1], [0, 1]]) + [10, 5]
    slope = np.array([[0.5, 0.1], [0.0, 0.8]])
    after = [10, 5] + (before - [10, 5]) @ slope + rng.standard_normal(before.shape) * [0.3, 0.6]
    law = NormalLaw.fitted(before, after)
    assert law.slope == pytest.approx(slope, abs=0.03)
    assert law.noise == pytest.approx(np.diag([0.09, 0.36]), abs=0.02)


CHAINS = [
    ["corrected-noise:variance_share=1.0", "corrected-noise:variance_share=0.5"],
    ["additive-noise:variance_share=0.25", "rounding:base=1000"],
    ["rank-swapping:window=0.05", "additive-noise:variance_share=0.01"],
]


@pytest.mark.parametrize("chain", CHAINS, ids=lambda chain: chain[0])
def test_replaying_a_chain_finds_more_of_census_than_distance_does(census, chain):
    release = protect(numeric(census), chain, seed=1)
    score = PosteriorAttack().measure(release, seed=1)
    assert score.interval is not None
    assert score.interval[0] > DistanceLinkage().measure(release).value


def test_adding_noise_twice_hides_no_better_than_once_as_much(census):
    """(1 + 1)(1 + ½) = 1 + 2: the two chains differ in nothing but their draws."""
    twice, once = CHAINS[0], "corrected-noise:variance_share=2.0"
    found = [PosteriorAttack().measure(protect(numeric(census), each, seed=1), seed=1) for each in (twice, once)]
    spread = np.sqrt(sum(each.value * (1 - each.value) for each in found) / len(census))
    assert abs(found[0].value - found[1].value) < 3 * spread


def test_a_chain_that_does_not_run_again_on_the_release_leaves_the_law_of_its_last_step():
    data = numeric(correlated(60, 3, 5))
    release = protect(data, ["additive-noise", "additive-noise:variance_share=0.5"], seed=1)
    few = release.masked.take(np.arange(1))
    assert replayed_law(release.recipe, few, list(release.masked.names()), 1) is None
    assert PosteriorAttack().measure(release, seed=1).value > 0


class GivenLaw:
    """A law that is a matrix: attribute 0 of a record or row is its number in it."""

    def __init__(self, likelihood):
        self.likelihood = likelihood

    def log_likelihood(self, known, released):
        return self.likelihood[known[:, 0].astype(int)][:, released[:, 0].astype(int)]


def weighed(likelihood, *, everyone):
    """The summary of the posteriors, and the log-weight of record i's own row, which is row i."""
    data = numeric(np.arange(len(likelihood), dtype=float)[:, None])
    view = Intruder().view(Release.in_order(data, data))
    laws = [(["a"], GivenLaw(likelihood))]
    return RowLikelihoods.of(view, laws).posteriors(np.arange(len(likelihood)), everyone=everyone)


def test_a_row_that_suits_everybody_says_little_for_anybody_by_hand():
    """Row 0 suits both records alike, row 1 only the second: the second record is row 1, so the first is row 0."""
    likelihood = np.log(np.array([[0.5, 1e-9], [0.5, 0.4]]))
    summary, own = weighed(likelihood, everyone=False)
    assert (own == summary.largest).tolist() == [True, False]
    summary, own = weighed(likelihood, everyone=True)
    assert (own == summary.largest).tolist() == [True, True]
    assert np.exp(own) == pytest.approx([1 / 2, 0.4 / (0.4 + 1e-9)])


def test_an_impossible_record_leaves_all_rows_open():
    likelihood = np.array([[0.0, -1.0, -2.0], [-np.inf, -np.inf, -np.inf], [-np.inf, 0.0, -np.inf]])
    summary, _ = weighed(likelihood, everyone=False)
    assert summary.ties.tolist() == [1, 3, 1]
    assert np.exp(summary.entropy[1:]) == pytest.approx([3, 1])


@pytest.mark.parametrize("records", [60, 200])
def test_equal_records_and_rows_are_weighed_as_if_each_were_alone(records):
    """Against the definition, pair by pair, on a file in which most records and rows occur many times."""
    rng = np.random.default_rng(1)
    frame = pl.DataFrame(
        {
            "a": rng.integers(0, 3, records).astype(float),
            "b": rng.choice(["x", "y", None], records),
            "c": rng.integers(0, 2, records).astype(float),
        }
    )
    data = Microdata.from_frame(frame)
    keys = {name: replace(data.attribute(name), role=Role.KEY) for name in "abc"}
    data = replace(data, attributes=tuple(keys.values()))
    steps = (Step(build("masking", "rank-swapping", window=0.3), ("a",)), Step(build("masking", "pram"), ("b",)))
    release = protect(data, Recipe((*steps, Step(build("masking", "additive-noise"), ("c",)))), seed=1)
    view = Intruder().view(release)
    laws = list(visible_laws(view))
    known, released = as_numbers(view.known, view.attributes), as_numbers(view.released, view.attributes)
    index = view.attributes.index
    total = np.zeros((records, records))
    for names, law in laws:
        columns = [index(name) for name in names]
        total += law.log_likelihood(known[:, columns], released[:, columns])
    total -= np.logaddexp.reduce(total, axis=0)
    weight = np.exp(total - total.max(axis=1, keepdims=True))
    weight /= weight.sum(axis=1, keepdims=True)
    own = np.arange(records)
    best = weight >= weight.max(axis=1, keepdims=True) * (1 - 1e-9)
    score = PosteriorAttack().measure(release)
    assert len(laws) == 3
    assert score.by_record == pytest.approx(np.where(best[own, own], 1 / best.sum(axis=1), 0))
    assert score.details["mean_posterior"] == pytest.approx(weight[own, own].mean())
    entropy = -np.nansum(weight * np.log(np.where(weight > 0, weight, np.nan)), axis=1)
    assert score.details["rows_left_open"] == pytest.approx(np.exp(entropy).mean())


def test_without_noise_every_record_is_found_and_with_much_hardly_any():
    data = numeric(correlated(200, 3, seed=1))
    assert PosteriorAttack().measure(protect(data, AdditiveNoise(variance_share=0), seed=1)).value == 1
    assert PosteriorAttack().measure(protect(data, AdditiveNoise(variance_share=100), seed=1)).value < 0.1


def test_a_large_file_is_attacked_in_part():
    release = protect(numeric(correlated(300, 2, seed=1)), AdditiveNoise(), seed=1)
    score = PosteriorAttack(max_records=50).measure(release, seed=1)
    assert score.details["records_attacked"] == 50
    assert score.by_record is not None
    assert np.isfinite(score.by_record).sum() == 50


def test_a_method_without_a_law_and_an_unknown_recipe_do_not_apply():
    data = numeric(correlated(30, 2, seed=1))
    release = protect(data, build("masking", "mdav"), seed=1)
    for broken, intruder in (
        (release, Intruder()),
        (Release.in_order(release.original, release.masked), Intruder()),
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
