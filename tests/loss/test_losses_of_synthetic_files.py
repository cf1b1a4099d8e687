"""Losses on synthetic files: no row belongs to a record, and the files differ in length."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from tests.risk.synthesis.stand_ins import population

from sdckit import Microdata, Release, build
from sdckit.errors import AnalysisError, NotApplicableError
from sdckit.kernels.table_distances import kolmogorov_distance, quantile_bins, total_variation
from sdckit.rows import Unrelated

SLOW = [pytest.param(name, marks=pytest.mark.slow) for name in ("fuzzy-clustering-loss", "propensity-loss")]
LOSSES = ["marginal-distance", "pairwise-distance", *SLOW]


def synthetic(rows: int, *, shift: float = 0.0, seed: int = 2) -> Release:
    """A file of other people from the same population, their numbers moved by some standard deviations."""
    other = population(rows, seed)
    moved = other.with_columns({name: other.columns[name] + shift for name in "abcd"})
    return Release(population(400, 1), replace(moved, lineage=None), rows=Unrelated())


def mean_interval(frame: pl.DataFrame) -> dict[str, tuple[float, float]]:
    error = 1.96 * frame["a"].std() / np.sqrt(len(frame))
    return {"a": (frame["a"].mean() - error, frame["a"].mean() + error)}


@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.parametrize("rows", [150, 900])
def test_files_of_another_length_are_measured_and_a_shift_is_a_loss(name, rows):
    values = [build("loss", name).measure(synthetic(rows, shift=shift), seed=1).value for shift in (0, 0.7, 3)]
    assert all(less < more for less, more in pairwise(values))


def test_intervals_of_a_model_drift_apart():
    overlap = build("loss", "ci-overlap", model=mean_interval)
    values = [overlap.measure(synthetic(900, shift=shift)).value for shift in (0, 0.1, 3)]
    assert values[0] < values[1] < values[2] == 1


@pytest.mark.slow
@pytest.mark.parametrize("model", ["logistic", "tree"])
def test_another_sample_has_about_the_pmse_that_is_expected(model):
    """Two samples of one population, neither fitted to the other, have twice what a synthesis has (logistic)."""
    ratios = [
        build("loss", "propensity-loss", model=model).measure(synthetic(400, seed=seed), seed=1).details["ratio"]
        for seed in range(2, 8)
    ]
    assert np.mean(ratios) == pytest.approx(2.0 if model == "logistic" else 1.0, rel=0.3)


@pytest.mark.slow
def test_a_tree_sees_what_no_product_of_two_shows():
    """Three signs whose product is always 1 in one file: no pair of them shows it."""
    rng = np.random.default_rng(1)
    signs = rng.choice([-1.0, 1.0], (3000, 3))
    other = np.column_stack([signs[:, :2], signs[:, 0] * signs[:, 1]])
    files = [Microdata.from_frame(pl.DataFrame(dict(zip("xyz", each.T, strict=True)))) for each in (signs, other)]
    release = Release(*files, rows=Unrelated())
    flat, tree = (
        build("loss", "propensity-loss", model=model).measure(release).value for model in ("logistic", "tree")
    )
    assert flat < 0.01 and tree > 0.2


def test_marginal_distances_by_hand():
    original = Microdata.from_frame(pl.DataFrame({"n": [1.0, 2.0], "c": ["x", "y"]}), roles={"n": "key", "c": "key"})
    masked = Microdata.from_frame(
        pl.DataFrame({"n": [2.0, 3.0, 2.0, None], "c": ["x", "x", "x", None]}), roles={"n": "key", "c": "key"}
    )
    score = build("loss", "marginal-distance").measure(Release(original, masked, rows=Unrelated()))
    # n: at 1 half against a quarter (the missing one); at 2 all against three of four. c: y went, a quarter is missing.
    assert score.by_attribute == {"n": 0.25, "c": pytest.approx((0.25 + 0.5 + 0.25) / 2)}


def test_pairs_are_seen_where_marginals_are_not():
    rng = np.random.default_rng(3)
    x = rng.normal(size=2000)
    roles = {"x": "key", "y": "key"}
    original = Microdata.from_frame(pl.DataFrame({"x": x, "y": x}), roles=roles)
    apart = Microdata.from_frame(pl.DataFrame({"x": x, "y": rng.permutation(x)}), roles=roles)
    release = Release(original, apart, rows=Unrelated())
    assert build("loss", "marginal-distance").measure(release).value == 0
    assert build("loss", "pairwise-distance").measure(release).value == pytest.approx(0.9, abs=0.05)


def test_what_sampling_alone_gives_is_about_what_is_found_in_another_sample():
    details = build("loss", "pairwise-distance").measure(synthetic(400)).details
    score = build("loss", "pairwise-distance").measure(synthetic(400))
    assert score.value == pytest.approx(details["expected_by_sampling"], rel=0.15)


def test_distances_of_distributions():
    assert total_variation(np.array([1.0, 0.0]), np.array([0.0, 5.0])) == 1
    assert kolmogorov_distance(np.array([1.0, np.nan]), np.array([1.0, 1.0])) == 0.5
    assert quantile_bins(np.array([1.0, 1, 1, 2]), 2).tolist() == [1.0]


def test_a_model_that_gives_no_intervals_is_refused():
    release = synthetic(100)
    with pytest.raises(NotApplicableError, match="needs your model"):
        build("loss", "ci-overlap").measure(release)
    for wrong in (lambda frame: 3, lambda frame: {"a": 1.0}, lambda frame: {"a": (2, 1)}):
        with pytest.raises(AnalysisError, match="interval"):
            build("loss", "ci-overlap", model=wrong).measure(release)
