import numpy as np
import pytest
from tests.methods.files import correlated, masked_matrix, numeric

from sdckit.candidates import Candidates
from sdckit.draws import Draws
from sdckit.kernels.equivalence_classes import equal_rows
from sdckit.methods.microaggregation.fuzzy_microaggregation import FuzzyMicroaggregation, collapse
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
    masking = FuzzyMicroaggregation(group_size=1, centre_fuzziness=1, assignment_fuzziness=1)
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
    found = [
        DistanceLinkage()
        .measure(
            protect(data, FuzzyMicroaggregation(group_size=5, centre_fuzziness=1.05, assignment_fuzziness=m), seed=1)
        )
        .value
        for m in (1.2, 1.5, 2.0)
    ]
    assert found == sorted(found, reverse=True)
    assert found == pytest.approx([0.19, 0.10, 0.025], abs=0.03)


def test_the_notes_tell_the_smallest_group_and_when_centres_fall_together(census):
    release = protect(numeric(census), FuzzyMicroaggregation(group_size=5), seed=1)
    drawn, together = release.notes()
    smallest = equal_rows(release.masked.matrix(release.masked.names())).sizes.min()
    assert f"the rarest by {smallest} records" in drawn
    assert "never all fall into the mean" in together  # λ = 0.525 on Census, and one half is enough


def test_centres_of_a_round_cloud_fall_together_from_a_known_fuzziness_on():
    """In d directions alike λ is near 1/d, so the threshold is near d / (d − 2): 1.25 for ten."""
    round_cloud = np.random.default_rng(1).standard_normal((20_000, 10))
    note = collapse(round_cloud)
    assert float(note.split(" of ")[-1].split()[0]) == pytest.approx(1.25, abs=0.03)


def test_an_infinite_fuzziness_is_accepted_and_its_limit():
    values = correlated(40, 2, seed=9)
    together = masked_matrix(FuzzyMicroaggregation(group_size=4, centre_fuzziness=np.inf), values)
    assert together == pytest.approx(np.tile(values.mean(axis=0), (40, 1)))
    text = "fuzzy-microaggregation:group_size=4,assignment_fuzziness=inf"
    release = protect(numeric(correlated(4000, 1, seed=9)), text.replace("=4", "=1000"), seed=1)
    drawn = equal_rows(release.masked.matrix(["a"]))
    assert len(drawn.sizes) == 4
    assert drawn.sizes == pytest.approx(np.full(4, 1000), abs=4 * np.sqrt(4000 * 3 / 16))  # equally likely, however far
