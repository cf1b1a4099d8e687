"""The closed laws of several steps are joined: what a chain makes of a value is the sum over all that lies between."""

import numpy as np
import polars as pl
import pytest
from scipy.stats import norm

from sdckit.intruder import Intruder
from sdckit.laws import composed_numbers
from sdckit.laws.release_law import Source
from sdckit.microdata import Microdata, Role
from sdckit.recipe import Recipe
from sdckit.release import protect
from sdckit.testing.files import a_file
from tests.laws.test_informed_law import law_of, table_of

RECORDS = 80


def composed(chain, name, data=None, **knowledge):
    """The law of one attribute, and the codes or numbers of it before and after."""
    data = a_file(RECORDS) if data is None else data
    release = protect(data, Recipe.of(chain, [name]), seed=1)
    law = law_of(release, attributes=(name,), **knowledge)
    assert law.sources == {name: Source.EXACT}
    return law, table_of(law), data.columns[name], release.masked.columns[name]


@pytest.mark.parametrize(
    ("chain", "kept"),
    [
        (["pram", "pram"], 0.8 * 0.8 + 2 * 0.1 * 0.1),
        (["pram", "pram:stay=0.7", "pram"], 0.59 * 0.8 + 0.41 * 0.1),  # two steps keep 0.8 · 0.7 + 0.2 · 0.15
        (["pram", "value-flip:rarest=false,share=0.25"], 0.8 * 0.75 + 0.2 * 0.125),
        (["value-flip:rarest=false,share=0.25", "pram"], 0.75 * 0.8 + 0.25 * 0.1),
    ],
)
def test_a_category_has_the_product_of_the_matrices(chain, kept):
    """Three towns: the others are alike, so that one number says it all."""
    _, table, before, after = composed(chain, "town")
    expected = np.where(before[:, None] == after[None, :], kept, (1 - kept) / 2)
    assert np.exp(table) == pytest.approx(expected, abs=2e-3)  # a background where the law is not exact


def test_the_product_is_exact_where_the_matrices_depend_on_the_categories_alone():
    law, table, before, after = composed(["pram", "randomised-response:epsilon=1"], "town")
    answer = np.exp(1.0) / (np.exp(1.0) + 2)
    kept = 0.8 * answer + 0.2 * (1 - answer) / 2
    assert law.exact
    assert np.exp(table) == pytest.approx(np.where(before[:, None] == after[None, :], kept, (1 - kept) / 2))
    assert not composed(["pram", "value-flip:rarest=false"], "town")[0].exact


def test_a_recoding_adds_up_what_it_puts_together():
    data = a_file(RECORDS)
    law, table, before, after = composed(["pram", "global-recoding"], "post code", data)
    release = protect(data, Recipe.of(["pram", "global-recoding"], ["post code"]), seed=1)
    codes = data.attribute("post code").categories
    nodes = release.masked.attribute("post code").categories
    covered = np.array([[code.startswith(nodes[node].rstrip("*")) for code in codes] for node in after])
    matrix = np.where(np.eye(5, dtype=bool), 0.8, 0.05)
    assert law.exact
    assert np.exp(table) == pytest.approx(matrix[before] @ covered.T)


def test_each_record_has_its_own_probability_of_a_first_change():
    """The rarest records are the first to be changed: the law of each goes on from there."""
    data = a_file(RECORDS)
    release = protect(data, Recipe.of(["value-flip:share=0.5", "pram"], ["town"]), seed=1)
    law = law_of(release)
    single = law_of(protect(data, Recipe.of("value-flip:share=0.5", ["town"]), seed=1))
    assert law.sources["town"] is Source.EXACT
    everyone = np.arange(RECORDS)
    flips = next(block for block in single.blocks if block.names == ("town",))
    both = next(block for block in law.blocks if block.names == ("town",))
    first = np.exp(np.array([flips.entries[flips.of_record, town] for town in range(3)]).T)
    pram = np.where(np.eye(3, dtype=bool), 0.8, 0.1)
    then = np.exp(both.entries[both.of_record][:, both.of_row[law.rows.of]])
    assert then == pytest.approx((first @ pram)[everyone][:, release.masked.columns["town"]], abs=2e-3)


@pytest.mark.parametrize("knowledge", [{}, {"records": 0.5}])
def test_variances_of_noise_add_up(knowledge):
    chain = ["additive-noise:variance_share=0.2", "additive-noise:variance_share=0.5"]
    data = a_file(2_000)
    release = protect(data, Recipe.of(chain, ["yearly income"]), seed=1)
    law = law_of(release, attributes=("yearly income",), **knowledge)
    (block,) = law.blocks
    variance = data.columns["yearly income"].var() * (0.2 + 1.2 * 0.5)
    row = release.masked.columns["yearly income"][law.rows.first]
    scale = np.diff(row[:2])[0] / np.diff(block.of_row[:2, 0])[0]
    assert scale**2 == pytest.approx(variance, rel=0.1)  # the variance between the steps is not known exactly


def test_rounding_after_noise_gives_each_multiple_the_probability_of_its_interval():
    law, table, before, after = composed(["additive-noise:variance_share=0.1", "rounding:base=400"], "yearly income")
    deviation = np.sqrt(0.1) * before.std(ddof=1)
    low, high = (norm.cdf(after[None, :] + side, before[:, None], deviation) for side in (-200, 200))
    assert law.exact
    assert np.exp(table) == pytest.approx(high - low, abs=1e-6)


def test_whole_numbers_between_two_steps_of_noise_are_summed_over():
    """A twin by brute force: every whole number that may lie between."""
    data = a_file(RECORDS)
    small = ["additive-noise:variance_share=0.01", "additive-noise:variance_share=0.01"]
    _, table, before, after = composed(small, "age", data)
    between = np.arange(before.min() - 20, before.max() + 21)

    def rounded(start, end, deviation):
        gap = end[None, :] - start[:, None]
        return norm.cdf((gap + 0.5) / deviation) - norm.cdf((gap - 0.5) / deviation)

    first = 0.1 * before.std(ddof=1)
    second = 0.1 * np.sqrt(before.var(ddof=1) * 1.01)
    expected = rounded(before, between, first) @ rounded(between, after, second)
    assert np.exp(table) == pytest.approx(expected, abs=2e-3)


def test_noise_about_either_multiple_of_random_rounding():
    chain = ["random-rounding:base=1000", "additive-noise:variance_share=0.05"]
    _, table, before, after = composed(chain, "yearly income")
    below = np.floor(before / 1000)
    up = (before / 1000 - below)[:, None]
    deviation = np.sqrt(0.05) * before.std(ddof=1)
    low, high = (norm.pdf(after[None, :], 1000 * (below + step)[:, None], deviation) for step in (0, 1))
    expected = np.log((1 - up) * low + up * high)
    likely = expected > expected.max(axis=0) - 3
    gap = np.where(likely, table - expected, np.nan)
    assert np.nanmax(gap, axis=0) == pytest.approx(np.nanmin(gap, axis=0), abs=0.15)  # the variance is an estimate


def test_random_rounding_after_noise_is_the_mean_over_what_the_noise_may_give():
    """A twin by brute force: the probability of a multiple for every value on a fine grid."""
    chain = ["additive-noise:variance_share=0.05", "random-rounding:base=1000"]
    law, table, before, after = composed(chain, "yearly income")
    deviation = np.sqrt(0.05) * before.std(ddof=1)
    steps = np.linspace(-8, 8, 40_001)
    weight = norm.pdf(steps) / norm.pdf(steps).sum()
    for record in range(0, RECORDS, 9):
        value = (before[record] + deviation * steps) / 1000
        expected = [weight @ np.clip(1 - np.abs(value - multiple / 1000), 0, None) for multiple in after]
        assert np.exp(table[record]) == pytest.approx(np.array(expected), abs=1e-6)
    assert law.exact


def two_numbers(records: int = 3_000):
    rng = np.random.default_rng(3)
    one = rng.standard_normal(records)
    columns = {"one": one, "other": 0.6 * one + rng.standard_normal(records)}
    return Microdata.from_frame(pl.DataFrame(columns)).with_roles(one=Role.KEY, other=Role.KEY)


@pytest.mark.parametrize(
    ("chain", "factor"),
    [
        (["correlated-noise:variance_share=0.2", "correlated-noise:variance_share=0.5"], 0.2 + 1.2 * 0.5),
        (["correlated-noise:variance_share=0.1"] * 3, 1.1**3 - 1),
        (["correlated-noise:variance_share=0.3", "corrected-noise:variance_share=0.2"], None),
        (["additive-noise:variance_share=0.3", "correlated-noise:variance_share=0.2"], None),
    ],
)
@pytest.mark.parametrize("knowledge", [{}, {"records": 0.5}])
def test_covariances_of_noise_add_up(chain, factor, knowledge):
    """What is left of a row once the image of its true record is taken off has unit covariance under the law."""
    data = two_numbers()
    release = protect(data, Recipe.of(chain, ["one", "other"]), seed=1)
    law = law_of(release, **knowledge)
    assert set(law.sources.values()) == {Source.EXACT} and not law.exact
    (block,) = law.blocks
    truth = law.rows.of[release.true_rows(Intruder(**knowledge).view(release, seed=1).records)]
    left = block.of_record - block.of_row[truth]
    assert np.cov(left.T) == pytest.approx(np.eye(2), abs=4 * np.sqrt(2 / len(left)) + 0.05)
    if factor is not None:
        original = data.matrix(["one", "other"])
        rows = release.masked.matrix(["one", "other"])[law.rows.first]
        whiten = np.linalg.lstsq(rows - rows.mean(axis=0), block.of_row - block.of_row.mean(axis=0), rcond=None)[0]
        noise = np.linalg.inv(whiten @ whiten.T)
        assert noise == pytest.approx(factor * np.cov(original.T), rel=0.1)


def test_an_attribute_that_only_one_step_masks_keeps_the_law_of_that_step():
    data = a_file(RECORDS)
    chain = Recipe((*Recipe.of("pram", ["town", "post code"]).steps, *Recipe.of("local-suppression", ["town"]).steps))
    law = law_of(protect(data, chain, seed=1))
    assert law.sources["post code"] is Source.EXACT
    assert law.sources["town"] is Source.LEARNED


@pytest.mark.parametrize("knowledge", [{}, {"records": 0.5}, {"noise": 0.1}, {"missing": 0.3}])
def test_a_true_row_is_never_impossible_whatever_is_known(knowledge):
    chain = ["additive-noise", "rounding:base=50", "top-coding"]
    release = protect(a_file(RECORDS), Recipe.of(chain, ["yearly income"]), seed=2)
    law = law_of(release, attributes=("yearly income",), **knowledge)
    known = Intruder(**knowledge).view(release, seed=1).records
    assert np.isfinite(table_of(law)[np.arange(len(known)), known]).all()


@pytest.mark.parametrize("share", [None, np.array([[0.25, 0.75]])])
def test_a_map_with_few_images_after_noise_by_hand(share, monkeypatch):
    """What is below 1 becomes 0, below 3 it becomes 2, and 5 above: each has the probability of its interval."""

    def image(view, steps, name, values, later):
        return np.select([values < 1, values < 3], [0.0, 2.0], 5.0)

    monkeypatch.setattr(composed_numbers, "mapped_values", image)
    atoms = np.array([0.0, 2.0])
    found = composed_numbers._mapped(None, None, "x", composed_numbers.Mixture(atoms, share, 4.0))
    below = norm.cdf([[1, 3]] - atoms[:, None], scale=2)
    by_atom = np.diff(np.pad(below, ((0, 0), (1, 1)), constant_values=(0, 1)), axis=1)
    assert found.atoms.tolist() == [0, 2, 5] and found.variance == 0
    assert found.share == pytest.approx(by_atom if share is None else share @ by_atom, abs=1e-9)
    exact = composed_numbers._mapped(None, None, "x", composed_numbers.Mixture(atoms, share, 0.0))
    assert exact.atoms.tolist() == [0, 2] and exact.share == pytest.approx(np.eye(2) if share is None else share)


def test_a_map_that_falls_or_has_many_images_has_no_such_law(monkeypatch):
    mixture = composed_numbers.Mixture(np.array([0.0]), None, 1.0)
    for image in (lambda values: -np.sign(values), lambda values: values):
        monkeypatch.setattr(
            composed_numbers, "mapped_values", lambda v, s, n, values, later, image=image: image(values)
        )
        assert composed_numbers._mapped(None, None, "x", mixture) is None
