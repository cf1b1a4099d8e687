import tomllib

import numpy as np
import pytest
from tests.methods.files import correlated, masked_matrix, numeric

from sdckit.candidates import Candidates
from sdckit.catalogue import build
from sdckit.draws import Draws
from sdckit.errors import ParameterError
from sdckit.kernels.equivalence_classes import equal_rows
from sdckit.kernels.mdav import mdav
from sdckit.kernels.partitions import group_means
from sdckit.kernels.standardisation import standardise
from sdckit.methods.microaggregation.aggregation_projection import AggregationProjection
from sdckit.methods.microaggregation.fuzzy_assignment import FuzzyAssignment
from sdckit.methods.microaggregation.grouping import Grouping
from sdckit.recipe import Recipe
from sdckit.release import protect
from sdckit.risk.linkage.distance_linkage import DistanceLinkage


def test_every_released_row_is_the_mean_of_a_group():
    values = correlated(60, 3, seed=1)
    means = group_means(values, mdav(standardise(values), 5))
    masked = masked_matrix(FuzzyAssignment(group_size=5, assignment_fuzziness=2), values)
    nearest = np.abs(masked[:, None] - means[None]).max(axis=2).min(axis=1)
    assert nearest == pytest.approx(np.zeros(60), abs=1e-9)


def test_a_crisp_assignment_is_the_nearest_mean():
    values = correlated(60, 2, seed=2)
    masked = masked_matrix(FuzzyAssignment(group_size=6, assignment_fuzziness=1), values)
    points, means = standardise(values), group_means(values, mdav(standardise(values), 6))
    scaled = (means - values.mean(axis=0)) / values.std(axis=0, ddof=1)
    nearest = ((points[:, None] - scaled[None]) ** 2).sum(axis=2).argmin(axis=1)
    assert masked == pytest.approx(means[nearest])


@pytest.mark.slow
@pytest.mark.parametrize("groups", ["mdav", "v-mdav", "z-score-projection", "refined-microaggregation"])
def test_any_microaggregation_makes_the_groups(groups):
    values = correlated(60, 3, seed=3)
    masking = build("masking", "fuzzy-assignment", groups=groups, group_size=5)
    assert str(masking.groups) == groups
    assert len(equal_rows(masked_matrix(masking, values)).sizes) <= 12


def test_parameters_of_the_grouping_can_be_given():
    masking = build("masking", "fuzzy-assignment", groups="aggregation-projection:operator=owa(2)")
    assert isinstance(masking.groups.masking, AggregationProjection)
    assert Grouping.from_text(str(masking.groups)) == masking.groups


@pytest.mark.parametrize("groups", ["rank-swapping", "fuzzy-microaggregation", "mdav:group_size=4"])
def test_what_makes_no_groups_is_refused(groups):
    with pytest.raises(ParameterError, match="groups"):
        build("masking", "fuzzy-assignment", groups=groups)


def test_a_published_method_excludes_no_record():
    data = numeric(correlated(30, 2, seed=4))
    recipe = Recipe.of(FuzzyAssignment(group_size=3))
    released = recipe.protect(data, draws=Draws.of(1))
    possible = recipe.candidates(Candidates.known(data, ["a", "b"], complete=True), released)
    assert possible is not None
    assert all(possible.admits(released, record).all() for record in range(30))


def test_a_fuzzier_assignment_lowers_linkage():
    data = numeric(correlated(300, 3, seed=5))
    found = [
        DistanceLinkage().measure(protect(data, FuzzyAssignment(group_size=3, assignment_fuzziness=m), seed=1)).value
        for m in (1.0, 1.5, 3.0)
    ]
    assert found == sorted(found, reverse=True) and found[0] > found[2]


def test_a_recipe_with_a_grouping_is_written_and_read():
    recipe = Recipe.of(build("masking", "fuzzy-assignment", groups="v-mdav:gain=0.3"), ["a"])
    assert Recipe.from_dict(tomllib.loads(recipe.to_toml())) == recipe
