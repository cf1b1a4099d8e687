import tomllib

import numpy as np
import polars as pl
import pytest
from tests.methods.files import correlated, masked_matrix, numeric

from sdckit.candidates import Candidates
from sdckit.catalogue import build
from sdckit.draws import Draws
from sdckit.errors import ParameterError
from sdckit.fuzzy.clusterings import Clustering, FuzzyCMeans, NoiseClustering
from sdckit.kernels.equivalence_classes import equal_rows
from sdckit.methods.microaggregation.fuzzy_microaggregation import FuzzyMicroaggregation, collapse
from sdckit.microdata import Microdata
from sdckit.recipe import Recipe
from sdckit.release import protect
from sdckit.risk.linkage.distance_linkage import DistanceLinkage


def test_there_are_no_more_centres_than_groups_would_be():
    values = correlated(50, 2, seed=1)
    for group_size in (1, 3, 7, 50):
        masked = masked_matrix(FuzzyMicroaggregation(group_size=group_size), values)
        assert len(equal_rows(masked).sizes) <= -(-50 // group_size)


def test_one_centre_is_the_mean():
    values = correlated(20, 3, seed=2)
    masked = masked_matrix(FuzzyMicroaggregation(group_size=20), values)
    assert masked == pytest.approx(np.tile(values.mean(axis=0), (20, 1)))


def test_crisp_clustering_and_crisp_assignment_of_single_records_changes_nothing():
    values = correlated(15, 2, seed=3)
    masking = FuzzyMicroaggregation(group_size=1, clustering=FuzzyCMeans(1), assignment_fuzziness=1)
    assert masked_matrix(masking, values) == pytest.approx(values)


def test_a_published_method_excludes_no_record():
    data = numeric(correlated(30, 2, seed=4))
    recipe = Recipe.of(FuzzyMicroaggregation(group_size=3))
    released = recipe.protect(data, draws=Draws.of(1))
    possible = recipe.candidates(Candidates.known(data, ["a", "b"], complete=True), released)
    assert possible is not None
    assert all(possible.admits(released, record).all() for record in range(30))


def test_a_fuzzier_assignment_lowers_linkage(census):
    """Linkage on Census at k = 5 and a centre fuzziness of 1.05: near 19, 10 and 2.5 % by another program."""
    data = numeric(census)
    centres = FuzzyCMeans(1.05)
    releases = [
        protect(data, FuzzyMicroaggregation(group_size=5, clustering=centres, assignment_fuzziness=m), seed=1)
        for m in (1.2, 1.5, 2.0)
    ]
    found = [DistanceLinkage().measure(release).value for release in releases]
    assert found == sorted(found, reverse=True)
    assert found == pytest.approx([0.19, 0.10, 0.025], abs=0.03)


def test_the_notes_give_the_smallest_group_and_when_centres_fall_together(census):
    release = protect(numeric(census), FuzzyMicroaggregation(group_size=5), seed=1)
    drawn, together = release.notes()
    smallest = equal_rows(release.masked.matrix(release.masked.names())).sizes.min()
    assert f"the rarest by {smallest} record" in drawn
    assert "never all fall into the mean" in together  # λ = 0.525 on Census, and one half is enough


def test_centres_of_a_round_cloud_fall_together_from_a_known_fuzziness_on():
    """In d directions alike λ is near 1/d, so the threshold is near d / (d − 2): 1.25 for ten."""
    round_cloud = np.random.default_rng(1).standard_normal((20_000, 10))
    note = collapse(round_cloud)
    assert float(note.split(" of ")[-1].split()[0]) == pytest.approx(1.25, abs=0.03)


def test_an_infinite_fuzziness_is_accepted_and_its_limit():
    values = correlated(40, 2, seed=9)
    together = masked_matrix(FuzzyMicroaggregation(group_size=4, clustering=FuzzyCMeans(np.inf)), values)
    assert together == pytest.approx(np.tile(values.mean(axis=0), (40, 1)))
    text = "fuzzy-microaggregation:group_size=4,assignment_fuzziness=inf"
    release = protect(numeric(correlated(4000, 1, seed=9)), text.replace("=4", "=1000"), seed=1)
    drawn = equal_rows(release.masked.matrix(["a"]))
    assert len(drawn.sizes) == 4
    assert drawn.sizes == pytest.approx(np.full(4, 1000), abs=4 * np.sqrt(4000 * 3 / 16))  # equally likely, however far


def survey(records: int = 90, seed: int = 5) -> Microdata:
    """Income, age and region, with missing values and a weight; the region follows the income."""
    rng = np.random.default_rng(seed)
    high = rng.integers(0, 2, records)
    income = np.where(rng.random(records) < 0.1, np.nan, rng.normal(20 + 30 * high, 4))
    region = np.where(high == 1, "city", np.where(rng.random(records) < 0.5, "coast", "hills")).astype(object)
    region[rng.random(records) < 0.1] = None
    frame = pl.DataFrame({"income": income, "age": rng.integers(20, 70, records), "region": list(region)})
    frame = frame.with_columns(pl.col("income").fill_nan(None))
    return Microdata.from_frame(frame, roles=dict.fromkeys(frame.columns, "key"))


@pytest.mark.parametrize("clustering", Clustering.variants().values(), ids=lambda each: each.title)
def test_any_clustering_finds_the_centres_with_missing_values_and_categories(clustering):
    data = survey()
    release = protect(data, FuzzyMicroaggregation(group_size=5, clustering=clustering()), seed=1)
    for name in data.names():
        assert np.array_equal(release.masked.absent(name), data.absent(name))
    assert len(np.unique(release.masked.columns["age"])) <= 18
    assert set(np.unique(release.masked.columns["region"])) <= set(np.unique(data.columns["region"]))


def test_categories_are_masked_by_the_mode_of_a_near_centre():
    """With one centre all records get the most frequent region; with crisp single records nothing changes."""
    data = survey()
    complete = data.take(np.flatnonzero(~data.absent("region") & ~data.absent("income")))
    one = protect(complete, FuzzyMicroaggregation(group_size=len(complete)), seed=1).masked
    assert set(one.columns["region"]) == {np.bincount(complete.columns["region"]).argmax()}
    own = FuzzyMicroaggregation(group_size=1, clustering=FuzzyCMeans(1), assignment_fuzziness=1)
    same = protect(complete, own, seed=1).masked
    assert np.array_equal(same.columns["region"], complete.columns["region"])
    assert same.columns["income"] == pytest.approx(complete.columns["income"])


def test_a_number_or_the_former_name_is_the_fuzziness_of_fuzzy_c_means():
    by_name = build("masking", "fuzzy-microaggregation", centre_fuzziness=1.3)
    assert by_name == FuzzyMicroaggregation(clustering=FuzzyCMeans(1.3))
    assert build("masking", "fuzzy-microaggregation", clustering="1.3") == by_name
    text = "noise-clustering(1.2+2)"
    assert build("masking", "fuzzy-microaggregation", clustering=text).clustering == NoiseClustering(1.2, 2)
    with pytest.raises(ParameterError, match="clustering"):
        build("masking", "fuzzy-microaggregation", clustering="k-medians")


def test_the_law_of_a_file_with_missing_values_or_categories_is_not_known():
    release = protect(survey(), FuzzyMicroaggregation(group_size=5), seed=1)
    assert FuzzyMicroaggregation().law(release.masked) is None
    assert FuzzyMicroaggregation().law(release.masked.only(["age"])) is not None


def test_a_recipe_with_a_clustering_is_written_and_read_and_the_former_name_is_accepted():
    step = {"method": "fuzzy-microaggregation", "attributes": ["a"]}
    old = Recipe.from_dict({"steps": [step | {"centre_fuzziness": 1.3}]})
    assert old.steps[0].masking == FuzzyMicroaggregation(clustering=FuzzyCMeans(1.3))
    assert Recipe.from_dict(tomllib.loads(old.to_toml())) == old
    other = Recipe.of(FuzzyMicroaggregation(clustering=NoiseClustering(1.2, 2)), ["a"])
    assert Recipe.from_dict(tomllib.loads(other.to_toml())) == other
