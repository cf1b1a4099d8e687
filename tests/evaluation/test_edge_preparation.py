"""Steps before a recipe that masks a graph with directions and weights, and the tuner that puts them there."""

import pytest

from sdckit.evaluation.edge_preparation import prepared
from sdckit.evaluation.tune import tune
from sdckit.recipe import Recipe
from sdckit.release import protect
from sdckit.testing.graph_files import a_directed_graph, a_graph, with_some_weights


def names(recipe):
    return [step.masking.name for step in recipe.steps]


def test_what_a_method_refuses_is_dropped_before_it_and_nothing_else():
    plain, directed = a_graph(20, 40), a_directed_graph(20, 40)
    both = with_some_weights(directed)
    recipe = Recipe.of("k-degree-anonymity:group_size=2")
    assert names(prepared(recipe, plain)) == ["k-degree-anonymity"]
    assert names(prepared(recipe, directed)) == ["drop-directions", "k-degree-anonymity"]
    assert names(prepared(recipe, both)) == ["drop-directions", "drop-weights", "k-degree-anonymity"]
    assert names(prepared(Recipe.of("configuration-graph"), both)) == ["drop-directions", "configuration-graph"]
    assert names(prepared(Recipe.of("edge-switching"), both)) == ["edge-switching"]
    assert prepared(recipe, None) is recipe
    assert protect(both, prepared(recipe, both), seed=1).masked.weight is None


@pytest.mark.slow
def test_the_tuner_finds_a_recipe_for_a_graph_with_directions_and_weights():
    graph = with_some_weights(a_directed_graph(40, 100))
    found = tune(graph, 0.5, trials=12, draws=1, workers=1)
    assert found.recipe is not None
    assert names(found.recipe)[0] == "drop-directions"
    assert found.best.highest[found.risk] <= 0.5
