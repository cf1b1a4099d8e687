"""Every clustering on EU-SILC with missing values, weights and edits: by itself, in the masking and in the loss."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from sdckit.catalogue import build
from sdckit.datasets.reference import local_copy
from sdckit.edit_checks import violations
from sdckit.edits import Edits
from sdckit.fuzzy.clusterings import Clustering
from sdckit.fuzzy.constrained_c_means import constrained_c_means
from sdckit.fuzzy.linear_constraints import LinearConstraints
from sdckit.kernels.standardisation import mean_and_deviation, standardise
from sdckit.loss.clustering.clustered_files import cluster_both
from sdckit.methods.microaggregation.constrained_fuzzy_microaggregation import (
    ConstrainedFuzzyMicroaggregation,
    enforced,
)
from sdckit.methods.microaggregation.fuzzy_microaggregation import FuzzyMicroaggregation, first_centres
from sdckit.microdata import Microdata
from sdckit.release import protect

pytestmark = pytest.mark.slow
NUMBERS = ["age", "py010n", "eqIncome"]
clusterings = pytest.mark.parametrize("clustering", Clustering.variants().values(), ids=lambda each: each.title)


@pytest.fixture(scope="module")
def incomes() -> Microdata:
    """400 persons with a value in twelve missing, a survey weight, and incomes that are not negative."""
    path = local_copy("eusilc")
    if path is None:
        pytest.skip("EU-SILC is not in the folder of reference files")
    rng = np.random.default_rng(3)
    frame = pl.read_csv(path, null_values="NA").select([*NUMBERS, "db040", "rb050"]).fill_null(0)
    frame = frame[np.sort(rng.choice(len(frame), 400, replace=False))]
    holes = [
        pl.when(pl.Series(rng.random(400) >= 1 / 12)).then(pl.col(name)).alias(name) for name in (*NUMBERS, "db040")
    ]
    roles = dict.fromkeys([*NUMBERS, "db040"], "key") | {"rb050": "weight"}
    data = Microdata.from_frame(frame.with_columns(holes), roles=roles)
    return replace(data, edits=Edits.bounds(age=(0, 130), py010n=(0, np.inf), eqIncome=(0, np.inf)))


@clusterings
def test_it_ends_better_than_its_start(incomes, clustering):
    points = standardise(incomes.matrix(NUMBERS))
    start = first_centres(points, 20)
    found = clustering().fit(points, start, weights=incomes.matrix(["rb050"])[:, 0])
    assert found.objective[-1] < found.objective[0]
    assert (np.diff(found.objective) <= 1e-9 * abs(found.objective[0])).all()


@clusterings
def test_it_finds_the_centres_of_the_masking_and_no_edit_is_broken(incomes, clustering):
    release = protect(incomes, FuzzyMicroaggregation(group_size=5, clustering=clustering()), seed=1)
    assert build("loss", "edit-violations").measure(release).value == 0
    for name in (*NUMBERS, "db040"):
        assert np.array_equal(release.masked.absent(name), incomes.absent(name))


@clusterings
def test_it_finds_centres_that_satisfy_the_edits_and_ends_better_than_its_start(incomes, clustering):
    """Pay above the income of the household is an error in some records, and weights count: no centre repeats it."""
    edits = Edits.from_text("0 <= age <= 130", "py010n >= 0", "py010n <= eqIncome")
    data = replace(incomes, edits=edits)
    masking = ConstrainedFuzzyMicroaggregation(group_size=20, clustering=clustering(), weighted=True)
    release = protect(data, masking, NUMBERS, seed=1)
    assert violations(edits, data).any() and not violations(edits, release.masked).any()
    values = data.matrix(NUMBERS)
    mean, deviation = mean_and_deviation(values)
    points, constraints = standardise(values), enforced(data, NUMBERS)[1].in_coordinates(mean, deviation)
    start = constraints.nearest(first_centres(points, 20))
    weights = data.matrix(["rb050"])[:, 0]
    found = clustering().fit(points, start, weights=weights, adjust=constraints.nearest)
    assert found.objective[-1] < found.objective[0]
    assert (np.diff(found.objective) <= 1e-9 * abs(found.objective[0])).all()


@clusterings
def test_it_ends_better_than_its_start_on_both_files_of_the_loss(incomes, clustering):
    release = protect(incomes, FuzzyMicroaggregation(group_size=5), seed=1)
    files = cluster_both(release, clustering(), 4, 3, seed=1)
    for run in (*files.before, *files.after):
        assert run.objective[-1] < run.objective[0]
        assert (np.diff(run.objective) <= 1e-9 * abs(run.objective[0])).all()


@clusterings
def test_it_measures_the_loss(incomes, clustering):
    release = protect(incomes, "mdav:group_size=5", seed=1)
    loss = build("loss", "fuzzy-clustering-loss", clustering=str(clustering()), starts=3)
    score = loss.measure(release, seed=1)
    assert 0 < score.value < 0.6
    assert 0 <= score.baseline <= 1


def test_constrained_centres_satisfy_an_order_between_incomes(incomes):
    values = incomes.matrix(NUMBERS)
    mean, deviation = mean_and_deviation(values)
    order = LinearConstraints(at_most=np.array([[0.0, 1.0, -1.0], [0.0, -1.0, 0.0]]), limits=np.zeros(2))
    points = standardise(values)
    found = constrained_c_means(points, first_centres(points, 20), 1.2, order.in_coordinates(mean, deviation))
    centres = found.centres * deviation + mean
    assert (centres[:, 1] <= centres[:, 2] + 1e-6).all() and (centres[:, 1] >= -1e-6).all()
    assert found.objective[-1] < found.objective[0]
