"""Fuzzy microaggregation of panels in long form: the same as in wide form, and its limits."""

import tomllib

import numpy as np
import polars as pl
import pytest
from tests.methods.files import numeric

from sdckit.catalogue import build
from sdckit.errors import SchemaError
from sdckit.fuzzy.clusterings import Clustering, FuzzyCMeans
from sdckit.fuzzy.series import LevelsAndChanges, TimeWarping
from sdckit.methods.microaggregation.fuzzy_panel import FuzzyPanel
from sdckit.methods.microaggregation.fuzzy_series import FuzzySeries
from sdckit.microdata import Microdata
from sdckit.recipe import Recipe
from sdckit.release import Release, protect

CRISP = {"clustering": FuzzyCMeans(1), "assignment_fuzziness": 1}
LONG = {"unit": "person id", "time": "year"}


def series_of_units(units=30, times=4, seed=1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return (
        rng.normal(0, 3, (units, 1))
        + rng.choice([-1.0, 1.0], (units, 1)) * np.arange(times)
        + rng.random((units, times))
    )


def long_form(series: np.ndarray, seed: int = 1, **more: np.ndarray) -> Microdata:
    """One row for each unit and year, shuffled; a second attribute is given by unit and year too."""
    units, times = series.shape
    unit, year = np.repeat(np.arange(units), times), np.tile(np.arange(times), units)
    order = np.random.default_rng(seed).permutation(units * times)
    columns = {"income": series.ravel()} | {name: each.ravel() for name, each in more.items()}
    frame = pl.DataFrame({"person id": unit, "year": 2000 + year, **columns})[order].with_columns(
        pl.exclude("person id", "year").fill_nan(None)
    )
    roles = {"person id": "other", "year": "other"} | dict.fromkeys(columns, "key")
    return Microdata.from_frame(frame, roles=roles)


def wide(data: Microdata, name: str = "income") -> np.ndarray:
    """The series by unit and year."""
    order = np.lexsort((data.columns["year"], data.columns["person id"]))
    return data.columns[name][order].reshape(len(np.unique(data.columns["person id"])), -1)


@pytest.mark.parametrize("distance", [LevelsAndChanges(0.5), TimeWarping(1)])
def test_rows_of_units_are_masked_as_their_series_are(distance):
    series = series_of_units()
    settings = {"group_size": 6, "distance": distance} | CRISP
    by_row = protect(long_form(series), FuzzyPanel(**settings, **LONG), seed=1).masked
    by_column = protect(numeric(series), FuzzyPanel(**settings), seed=1).masked
    assert wide(by_row) == pytest.approx(by_column.matrix(by_column.names()))
    assert np.array_equal(by_row.columns["year"], long_form(series).columns["year"])


def test_without_warping_it_is_fuzzy_series():
    series = numeric(series_of_units())
    one = protect(series, FuzzyPanel(group_size=5, distance=LevelsAndChanges(0.3), **CRISP), seed=1).masked
    other = protect(series, FuzzySeries(group_size=5, change_share=0.3, **CRISP), seed=1).masked
    assert np.array_equal(one.matrix(one.names()), other.matrix(one.names()))


def test_all_rows_of_a_unit_have_one_centre_series_and_missing_values_stay_missing():
    series = series_of_units(40)
    holes = np.where(np.random.default_rng(3).random(series.shape) < 0.1, np.nan, series)
    data = long_form(holes, other=2 * series)
    release = protect(data, FuzzyPanel(group_size=8, **LONG), seed=1)
    masked = wide(release.masked)
    assert np.array_equal(np.isnan(masked), np.isnan(holes))
    both = np.column_stack([wide(release.masked, "other"), masked])
    whole = both[~np.isnan(both).any(axis=1)]
    assert len(np.unique(whole.round(9), axis=0)) <= 5
    assert any("40 units at 4 times" in note for note in release.notes())


def test_one_unit_a_group_crisply_changes_nothing_and_one_group_is_the_mean_series():
    series = series_of_units(12)
    same = protect(long_form(series), FuzzyPanel(group_size=1, **CRISP, **LONG), seed=1).masked
    assert wide(same) == pytest.approx(series)
    one = protect(long_form(series), FuzzyPanel(group_size=12, **LONG), seed=1).masked
    assert wide(one) == pytest.approx(np.tile(series.mean(axis=0), (12, 1)))


@pytest.mark.parametrize("clustering", sorted(set(Clustering.variants()) - {"fuzzy-possibilistic-c-means"}))
def test_every_clustering_with_time_warping_masks_a_panel(clustering):
    data = long_form(series_of_units(24))
    masking = build("masking", "fuzzy-panel", clustering=clustering, distance="time-warping(1)", group_size=6, **LONG)
    assert np.isfinite(wide(protect(data, masking, seed=1).masked)).all()


def test_what_cannot_be_masked_is_refused_with_the_cure():
    data = long_form(series_of_units(6))
    with pytest.raises(SchemaError, match="needs at least 7 units"):
        protect(data, FuzzyPanel(group_size=7, **LONG), seed=1)
    with pytest.raises(SchemaError, match="'year' says which row is which"):
        protect(data, FuzzyPanel(**LONG), ["income", "year"], seed=1)
    few = data.take(np.flatnonzero((data.columns["year"] < 2003) | (data.columns["person id"] < 2)))
    with pytest.raises(SchemaError, match="at 1 of 4 times fewer than 3 units have values"):
        protect(few, FuzzyPanel(**LONG), seed=1)


def test_a_recipe_with_a_panel_is_written_and_read():
    recipe = Recipe.of(FuzzyPanel(distance=TimeWarping(2), **LONG), ["income"])
    assert Recipe.from_dict(tomllib.loads(recipe.to_toml())) == recipe


def test_the_clustering_loss_of_a_panel_is_that_of_its_series():
    series, other = series_of_units(30, seed=4), series_of_units(30, seed=5)
    settings = {"clusters": 3, "starts": 3, "distance": "time-warping(1)"}
    scaled = (series - series.mean()) / series.std(ddof=1)
    rows = Release.in_order(long_form(scaled), long_form((other - series.mean()) / series.std(ddof=1)))
    score = build("loss", "fuzzy-clustering-loss", **settings, **LONG).measure(rows, seed=1)
    assert 0 < score.value <= 1
    units = rows.original.columns["person id"]
    for unit in np.unique(units)[:5]:
        assert len(np.unique(score.by_record[units == unit])) == 1
    same = Release.in_order(long_form(series), long_form(series))
    assert build("loss", "fuzzy-clustering-loss", **settings, **LONG).measure(same, seed=1).value == pytest.approx(
        0, abs=1e-9
    )
