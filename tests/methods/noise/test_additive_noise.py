import numpy as np
import polars as pl
import pytest
from tests.methods.files import correlated, masked_matrix

from sdckit import Microdata, protect
from sdckit.draws import Draws
from sdckit.edits import Edits
from sdckit.methods.noise.additive_noise import AdditiveNoise

RECORDS = 40_000
STANDARD_ERRORS = 5  # beyond which a deviation has a probability below one in a million


@pytest.fixture(scope="module")
def values():
    return correlated(RECORDS, 3, seed=4)


@pytest.mark.parametrize("share", [0.05, 0.25, 1.0])
def test_variances_grow_by_the_share(values, share):
    masked = masked_matrix(AdditiveNoise(variance_share=share), values, seed=11)
    # Given the values, Var x′ / Var x = 1 + k + 2·Cov(x, e) + …, whose standard error is √((4k + 2k²) / n).
    error = np.sqrt((4 * share + 2 * share**2) / RECORDS)
    assert np.abs(masked.var(axis=0) / values.var(axis=0) - (1 + share)).max() < STANDARD_ERRORS * error


@pytest.mark.parametrize("share", [0.1, 0.5])
def test_correlations_shrink_by_one_plus_the_share(values, share):
    masked = masked_matrix(AdditiveNoise(variance_share=share), values, seed=12)
    expected = np.corrcoef(values.T)[0, 1] / (1 + share)
    assert np.corrcoef(masked.T)[0, 1] == pytest.approx(expected, abs=STANDARD_ERRORS / np.sqrt(RECORDS))


def test_means_are_kept_in_expectation(values):
    masked = masked_matrix(AdditiveNoise(variance_share=0.5), values, seed=13)
    error = np.sqrt(0.5 * values.var(axis=0) / RECORDS)
    assert (np.abs(masked.mean(axis=0) - values.mean(axis=0)) < STANDARD_ERRORS * error).all()


def test_the_noise_of_one_attribute_says_nothing_of_that_of_another(values):
    noise = masked_matrix(AdditiveNoise(variance_share=0.5), values, seed=14) - values
    across = np.corrcoef(np.column_stack([noise, values]).T)[:3]
    np.fill_diagonal(across, 0)
    assert np.abs(across).max() < STANDARD_ERRORS / np.sqrt(RECORDS)


def test_no_noise_changes_nothing():
    small = correlated(20, 2, seed=1)
    assert np.array_equal(masked_matrix(AdditiveNoise(variance_share=0), small), small)


def test_a_constant_attribute_and_a_single_record_get_no_noise():
    constant = np.column_stack([np.full(9, 0.1), np.arange(9.0)])
    assert (masked_matrix(AdditiveNoise(), constant)[:, 0] == 0.1).all()
    assert masked_matrix(AdditiveNoise(), np.array([[3.5, 4.0]])).tolist() == [[3.5, 4.0]]


def test_whole_numbers_stay_whole_and_in_their_range():
    data = Microdata.from_frame(
        pl.DataFrame({"age": list(range(18, 98)), "wage": [12.5] * 40 + [20.0] * 40}), edits=Edits.bounds(age=(18, 97))
    )
    masked = protect(data, AdditiveNoise(variance_share=1), seed=2).masked
    age = masked.to_frame()["age"]
    assert age.dtype == pl.Int64
    assert age.min() >= 18 and age.max() <= 97


def test_missing_values_do_not_disturb_the_others():
    column = correlated(50, 1, seed=2)
    holes = np.insert(column, [3, 20], np.nan, axis=0)
    seen = np.flatnonzero(~np.isnan(holes))
    by_number = AdditiveNoise().transform(column, Draws.of(1).child("a").for_records(seen))
    assert np.array_equal(masked_matrix(AdditiveNoise(), holes)[seen], by_number)


def test_an_attribute_is_masked_alike_whatever_stands_beside_it():
    wide = correlated(50, 3, seed=3)
    assert np.array_equal(masked_matrix(AdditiveNoise(), wide)[:, 0], masked_matrix(AdditiveNoise(), wide[:, :1])[:, 0])


def test_more_noise_lowers_linkage():
    from sdckit import assess

    data = Microdata.from_frame(pl.DataFrame(correlated(300, 3, seed=5), schema=["a", "b", "c"]))
    found = [
        assess(protect(data, AdditiveNoise(variance_share=share), seed=6), ["distance-linkage"])[
            "distance-linkage"
        ].value
        for share in (0.001, 0.05, 1.0)
    ]
    assert found[0] > found[1] > found[2]
