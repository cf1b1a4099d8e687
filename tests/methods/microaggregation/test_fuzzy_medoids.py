"""Fuzzy microaggregation by medoids: what is published occurs in the file."""

import numpy as np
import polars as pl
import pytest
from tests.methods.files import correlated, masked_matrix, numeric

from sdckit.fuzzy.clusterings import Clustering, FuzzyCMeans, PossibilisticCMeans
from sdckit.methods.microaggregation.fuzzy_medoids import FuzzyMedoids
from sdckit.methods.microaggregation.fuzzy_microaggregation import FuzzyMicroaggregation
from sdckit.microdata import Microdata
from sdckit.release import protect


def survey(records: int = 60, seed: int = 1) -> Microdata:
    """Ages, sectors and regions, all complete; a sector belongs to one region only."""
    rng = np.random.default_rng(seed)
    sector = rng.integers(0, 6, records)
    frame = pl.DataFrame(
        {
            "age": rng.integers(20, 70, records),
            "sector": np.array(list("abcdef"))[sector].tolist(),
            "region": np.array(["north", "south"])[sector // 3].tolist(),
        }
    )
    return Microdata.from_frame(frame, roles=dict.fromkeys(frame.columns, "key"))


@pytest.mark.slow
@pytest.mark.parametrize("clustering", Clustering.variants().values(), ids=lambda each: each.title)
def test_every_published_combination_occurs(clustering):
    data = survey()
    masked = protect(data, FuzzyMedoids(group_size=5, clustering=clustering()), seed=1).masked
    rows = {tuple(row) for row in data.codes(data.names()).tolist()}
    ages = dict(zip(data.codes(["age"])[:, 0].tolist(), data.columns["age"].tolist(), strict=True))
    original = {(ages[age], sector, region) for age, sector, region in rows}
    published = set(zip(*(masked.columns[name].tolist() for name in data.names()), strict=True))
    assert published <= original
    assert len(published) <= 12


def test_a_missing_category_is_never_a_centre():
    """Towns and regions of records that have both belong together; a centre has such a pair."""
    for seed in range(5):
        rng = np.random.default_rng(seed)
        town = rng.integers(0, 6, 60)
        gone = rng.random((2, 60)) < 0.3
        columns = {
            "town": [None if missing else "abcdef"[code] for code, missing in zip(town, gone[0], strict=True)],
            "region": [None if missing else "xy"[code // 3] for code, missing in zip(town, gone[1], strict=True)],
        }
        data = Microdata.from_frame(pl.DataFrame(columns), roles=dict.fromkeys(columns, "key"))
        masked = protect(data, FuzzyMedoids(group_size=5), seed=1).masked
        whole = ~masked.absent("town") & ~masked.absent("region")
        pairs = {tuple(pair) for pair in data.codes(("town", "region")).tolist() if min(pair) >= 0}
        assert {tuple(pair) for pair in masked.codes(("town", "region"))[whole].tolist()} <= pairs


def test_numbers_are_those_of_records_and_one_cluster_is_the_record_nearest_to_the_mean():
    values = correlated(40, 2, seed=1)
    masked = masked_matrix(FuzzyMedoids(group_size=4), values)
    assert {tuple(row) for row in masked.round(9)} <= {tuple(row) for row in values.round(9)}
    one = masked_matrix(FuzzyMedoids(group_size=40), values)
    scaled = (values - values.mean(axis=0)) / values.std(axis=0)
    assert one[0] == pytest.approx(values[(scaled**2).sum(axis=1).argmin()])
    own = FuzzyMedoids(group_size=1, clustering=FuzzyCMeans(1), assignment_fuzziness=1)
    assert masked_matrix(own, values) == pytest.approx(values)


def test_coincident_and_empty_clusters_are_in_the_notes():
    data = numeric(np.random.default_rng(1).standard_normal((60, 2)))
    for masking in (FuzzyMicroaggregation, FuzzyMedoids):
        release = protect(data, masking(group_size=5, clustering=PossibilisticCMeans(2.0)), seed=1)
        assert any("of 12 centres coincide with another" in note for note in release.notes())
    crisp = protect(data, FuzzyMicroaggregation(group_size=5, clustering=FuzzyCMeans(1.05)), seed=1)
    assert not any("coincide" in note for note in crisp.notes())


def test_published_numbers_are_values_of_records_to_the_last_digit():
    rng = np.random.default_rng(5)
    frame = pl.DataFrame({name: np.round(rng.lognormal(5, 1, 90), 2) for name in ("price", "rent")})
    masked = protect(Microdata.from_frame(frame), FuzzyMedoids(), seed=3**80).masked.to_frame()
    originals = set(zip(frame["price"], frame["rent"], strict=True))
    assert set(zip(masked["price"], masked["rent"], strict=True)) <= originals
