"""Steps that a recipe needs first where a graph has directions or weights that one of its methods refuses."""

from sdckit.graph import Graph
from sdckit.graph_masking import GraphMasking, Weights
from sdckit.methods.graph.drop_directions import DropDirections
from sdckit.methods.graph.drop_weights import DropWeights
from sdckit.microdata import Microdata
from sdckit.recipe import Recipe, Step


def prepared(recipe: Recipe, data: Microdata | None) -> Recipe:
    """The recipe, with directions and weights dropped before it where one of its steps would refuse them."""
    if not isinstance(data, Graph):
        return recipe
    directed, weighted = data.directed, data.weight is not None
    first: list[Step] = []
    for step in recipe.steps:
        masking = step.masking
        if isinstance(masking, GraphMasking) and directed and not masking.directions:
            first.append(Step(DropDirections()))
            directed = False
        if isinstance(masking, GraphMasking) and weighted and masking.weights is Weights.REFUSED:
            first.append(Step(DropWeights()))
            weighted = False
        directed = directed and not isinstance(masking, DropDirections)
        weighted = weighted and not isinstance(masking, DropWeights)
    return Recipe((*first, *recipe.steps)) if first else recipe
