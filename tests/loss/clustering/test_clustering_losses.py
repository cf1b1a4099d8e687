"""Losses by clustering: nothing where clusters stay, all where they do not, and the noise of local minima beside it."""

import numpy as np
import polars as pl
import pytest

from sdckit import Microdata, Release, build, protect
from sdckit.errors import NotApplicableError
from sdckit.rows import Unrelated

CLUSTERINGS = (
    "fuzzy-c-means(1.5)",
    "noise-clustering(1.5+1)",
    "possibilistic-c-means(1.5)",
    "fuzzy-possibilistic-c-means(1.5+2)",
    "possibilistic-fuzzy-c-means(1.5+2)",
    "entropy-c-means(5)",
)
LOSSES = ("fuzzy-clustering-loss", "interval-partition-loss")


def file_of(values: np.ndarray, weights: np.ndarray | None = None) -> Microdata:
    columns = {f"x{number}": column for number, column in enumerate(np.asarray(values, dtype=float).T)}
    roles = dict.fromkeys(columns, "key")
    if weights is not None:
        columns["weight"] = weights
        roles["weight"] = "weight"
    return Microdata.from_frame(pl.DataFrame(columns), roles=roles)


def clouds(seed: int = 1, records: int = 120, apart: float = 8.0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.standard_normal((records, 2)) + apart * rng.integers(0, 3, records)[:, None]


def loss(name: str, before: np.ndarray, after: np.ndarray, **values: object):
    release = Release.in_order(file_of(before), file_of(after))
    return build("loss", name, **{"clusters": 3, "starts": 5, **values}).measure(release, seed=1)


@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.parametrize("clustering", CLUSTERINGS)
def test_an_unchanged_file_has_no_loss_and_a_shuffled_column_has_some(name, clustering):
    points = clouds()
    shuffled = points.copy()
    shuffled[:, 1] = np.random.default_rng(2).permutation(points[:, 1])
    assert loss(name, points, points, clustering=clustering).value == 0
    assert loss(name, points, shuffled, clustering=clustering).value > 0.02


@pytest.mark.parametrize("clustering", CLUSTERINGS[:4])
def test_more_noise_loses_more(clustering):
    points = clouds()
    noise = np.random.default_rng(3).standard_normal(points.shape)
    figures = [
        loss("fuzzy-clustering-loss", points, points + level * noise, clustering=clustering).value
        for level in (0.0, 0.5, 4.0)
    ]
    assert figures[0] == 0 < figures[1] < figures[2] <= 1


def test_a_record_that_moves_to_another_cluster_is_named():
    points = clouds(apart=30.0)
    moved = points.copy()
    moved[7] = points[np.argmax(np.abs(points - points[7]).sum(axis=1))]
    score = loss("fuzzy-clustering-loss", points, moved)
    assert score.by_record.argmax() == 7
    assert score.by_record[7] > 0.99
    assert score.value < 0.02
    assert score.details["other_cluster"] == pytest.approx(1 / 120)


def test_clear_clusters_have_a_noise_floor_near_0_and_a_cloud_without_clusters_has_a_higher_one():
    clear, unclear = clouds(apart=30.0), np.random.default_rng(4).standard_normal((120, 6))
    floors = [
        loss("fuzzy-clustering-loss", points, points, clusters=5, clustering="fuzzy-c-means(1.1)").baseline
        for points in (clear, unclear)
    ]
    assert loss("fuzzy-clustering-loss", clear, clear).baseline == pytest.approx(0, abs=1e-3)
    assert floors[1] > 0.05


def test_a_cloud_without_clusters_leaves_hesitation_and_clear_clusters_do_not():
    clear, unclear = clouds(apart=30.0), np.random.default_rng(4).standard_normal((120, 6))
    settings = {"clustering": "fuzzy-c-means(1.1)", "clusters": 3}
    low, high = (loss("interval-partition-loss", points, points, **settings) for points in (clear, unclear))
    assert low.details["hesitation_before"] == pytest.approx(0, abs=1e-3)
    assert high.details["hesitation_before"] > 0.05


def test_with_one_start_the_intervals_are_single_memberships():
    points = clouds()
    score = loss("interval-partition-loss", points, points + 0.5, starts=1)
    assert score.details["hesitation_before"] == score.details["hesitation_after"] == 0


def test_shifting_and_scaling_the_whole_file_moves_the_centres_and_no_membership():
    points = clouds()
    score = loss("fuzzy-clustering-loss", points, 1.1 * points + 3)
    assert score.value == pytest.approx(0, abs=1e-4)
    assert score.details["centres"] > 0.1


@pytest.mark.parametrize("name", LOSSES)
def test_missing_values_and_weights_are_allowed(name):
    points = clouds()
    rng = np.random.default_rng(5)
    holes = np.where(rng.random(points.shape) < 0.2, np.nan, points)
    weights = rng.uniform(1, 5, len(points))
    before, after = file_of(holes, weights), file_of(holes + 0.3 * rng.standard_normal(points.shape), weights)
    score = build("loss", name, clusters=3, starts=3).measure(Release.in_order(before, after), seed=1)
    assert 0 < score.value < 1
    empty = np.isnan(holes).all(axis=1)
    assert np.array_equal(np.isnan(score.by_record), empty)


@pytest.mark.parametrize("name", LOSSES)
def test_rows_that_belong_to_nobody_are_compared_by_the_clusters_they_make(name):
    points = clouds()
    near, far = clouds(seed=9), np.random.default_rng(6).uniform(-20, 40, (120, 2))
    figures = [
        build("loss", name, clusters=3, starts=5)
        .measure(Release(file_of(points), file_of(each), rows=Unrelated()), seed=1)
        .value
        for each in (points, near, far)
    ]
    assert figures[0] == pytest.approx(0, abs=1e-9)
    assert figures[0] < figures[1] < figures[2]


@pytest.mark.parametrize("name", LOSSES)
def test_more_clusters_than_records_are_declined_with_the_cure(name):
    points = clouds(records=4)
    with pytest.raises(NotApplicableError, match="4 records to cluster, fewer than clusters = 6; use fewer"):
        loss(name, points, points, clusters=6)


def test_a_release_of_a_catalogue_method_is_measured():
    release = protect(file_of(clouds()), "mdav:group_size=5", seed=1)
    score = build("loss", "fuzzy-clustering-loss", clusters=3).measure(release, seed=1)
    assert 0 < score.value < 0.2
