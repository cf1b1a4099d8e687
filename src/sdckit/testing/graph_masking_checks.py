"""What every graph masking owes: a new graph, the same for the same seed, with the same nodes and attributes."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np

from sdckit.catalogue import Entry
from sdckit.errors import SchemaError, SdcError
from sdckit.graph import Graph
from sdckit.graph_law import HasGraphLaw
from sdckit.graph_masking import GraphMasking, Weights
from sdckit.microdata import Role
from sdckit.recipe import Recipe
from sdckit.release import Release, protect
from sdckit.testing.component_checks import refusal_of, settings
from sdckit.testing.files import ordinary, same_columns
from sdckit.testing.files import snapshot as columns_of
from sdckit.testing.graph_files import SEED, odd_graphs, ordinary_graph, same_edges, snapshot


@dataclass(frozen=True)
class Attempt:
    """A graph masked or refused: a description of the case, the masking, the graph and the release."""

    description: str
    masking: GraphMasking
    graph: Graph
    release: Release | None


def attempt(entry: Entry, description: str, graph: Graph, **values: object) -> Attempt:
    """Mask a graph; an SdcError is an answer too, any other error is a breach."""
    masking = entry.build(**values)
    assert isinstance(masking, GraphMasking), "it is declared to mask graphs and is no GraphMasking"
    description = f"{description}, {masking!r}"
    try:
        release = protect(graph, masking, seed=SEED)
    except SdcError:
        release = None
    except Exception as crash:
        raise AssertionError(f"crash on {description}: {crash!r}; mask the graph or raise an SdcError") from crash
    return Attempt(description, masking, graph, release)


@lru_cache(maxsize=4)
def attempts(entry: Entry) -> tuple[Attempt, ...]:
    """Every odd graph; an ordinary one with every parameter value to check."""
    tried = [attempt(entry, "an ordinary graph", ordinary_graph(), **values) for values in settings(entry)]
    tried += [attempt(entry, description, graph) for description, graph in odd_graphs().items()]
    return tuple(tried)


def releases(entry: Entry) -> Iterator[tuple[Attempt, Graph]]:
    """The attempts that were not refused, with the masked graphs."""
    for tried in attempts(entry):
        if tried.release is not None:
            assert isinstance(tried.release.masked, Graph), f"no graph comes out on {tried.description}"
            yield tried, tried.release.masked


def it_masks_an_ordinary_graph(entry: Entry) -> None:
    first = attempts(entry)[0]
    assert first.release is not None, f"it refuses {first.description}"


def it_masks_or_refuses_every_graph(entry: Entry) -> None:
    assert attempts(entry)


def the_same_seed_gives_the_same_graph(entry: Entry) -> None:
    for tried, masked in releases(entry):
        again = protect(tried.graph, tried.masking, seed=SEED).masked
        assert isinstance(again, Graph) and same_edges(masked, again), f"two graphs differ on {tried.description}"


def what_it_is_given_never_changes(entry: Entry) -> None:
    for tried in attempts(entry):
        before = snapshot(tried.graph)
        attempt(entry, tried.description, tried.graph, **tried.masking.parameters())
        after = snapshot(tried.graph)
        assert all(map(np.array_equal, before, after)), f"the original changed on {tried.description}"


def the_graph_stays_simple(entry: Entry) -> None:
    for tried, masked in releases(entry):
        matrix = masked.to_scipy()
        assert not matrix.diagonal().any(), f"a node is linked with itself on {tried.description}"
        assert masked.directed <= tried.graph.directed, f"edges got directions on {tried.description}"
        one_way = abs(matrix - matrix.T).sum() > 0
        assert masked.directed or not one_way, f"an edge has one direction on {tried.description}"
        for node in range(len(masked)):
            assert (np.diff(masked.neighbours(node)) > 0).all(), f"an edge appears twice on {tried.description}"


def weights_are_numbers_of_the_original_or_none(entry: Entry) -> None:
    for tried, masked in releases(entry):
        if masked.weight is None:
            continue
        assert tried.graph.weight is not None, f"edges got weights on {tried.description}"
        assert np.isfinite(masked.weight).all(), f"a weight is no number on {tried.description}"
        if tried.masking.weights is not Weights.OWN:
            assert np.isin(masked.weight, tried.graph.weight).all(), f"a weight is new on {tried.description}"


def directions_and_weights_are_masked_or_refused_with_the_cure(entry: Entry) -> None:
    for label, cure in {"directed edges": "drop-directions", "weighted edges": "drop-weights"}.items():
        masking, graph = entry.build(), odd_graphs()[label]
        assert isinstance(masking, GraphMasking)
        accepted = masking.directions if graph.directed else masking.weights is not Weights.REFUSED
        message = refusal_of(partial(protect, graph, masking, seed=SEED), SchemaError)
        if accepted:
            assert not message, f"it declares to mask {label} and refuses them: {message}"
        else:
            assert cure in message, f"{label} are accepted, or refused without the cure: {message or 'none'}"


def nodes_and_their_attributes_are_unchanged(entry: Entry) -> None:
    for tried, masked in releases(entry):
        assert len(masked) == len(tried.graph), f"the number of nodes changed on {tried.description}"
        plain = tried.graph.without(tried.graph.names(role=Role.IDENTIFIER))
        shared = masked.only([each.name for each in plain.attributes])
        assert same_columns(columns_of(plain), columns_of(shared)), f"an attribute changed on {tried.description}"


def labels_are_dropped(entry: Entry) -> None:
    for tried, masked in releases(entry):
        assert not masked.names(role=Role.IDENTIFIER), f"labels of nodes are released on {tried.description}"


def attributes_and_files_without_edges_are_refused(entry: Entry) -> None:
    message = refusal_of(partial(protect, ordinary_graph(), entry.build(), ["age"], seed=SEED), SchemaError)
    assert "'age'" in message, f"an attribute is accepted, or not named in the error: {message or 'there is none'}"
    message = refusal_of(partial(protect, ordinary(), entry.build(), seed=SEED), SchemaError)
    assert "graph" in message, f"a file without edges is accepted, or the error names no cure: {message or 'none'}"


def a_recipe_with_it_goes_to_toml_and_back(entry: Entry) -> None:
    for values in settings(entry):
        recipe = Recipe.of(entry.build(**values))
        back = Recipe.from_dict(tomllib.loads(recipe.to_toml()))
        assert back == recipe, f"{recipe} comes back as {back}"


def its_law_never_excludes_the_truth(entry: Entry) -> None:
    for tried, masked in releases(entry):
        if not isinstance(tried.masking, HasGraphLaw) or not len(masked):
            continue
        law = tried.masking.graph_law(masked, tried.graph)
        assert 0 <= law.kept <= 1, f"the share of edges kept is {law.kept} on {tried.description}"
        statistic = masked.degrees_by_direction.astype(float) if law.statistic is None else law.statistic
        known = tried.graph if masked.directed else tried.graph.undirected
        allowed = law.log_degree(known.degrees_by_direction.astype(float), statistic)
        assert np.isfinite(np.diagonal(allowed)).all(), f"a true degree is called impossible on {tried.description}"


CHECKS = (
    it_masks_an_ordinary_graph,
    it_masks_or_refuses_every_graph,
    the_same_seed_gives_the_same_graph,
    what_it_is_given_never_changes,
    the_graph_stays_simple,
    weights_are_numbers_of_the_original_or_none,
    directions_and_weights_are_masked_or_refused_with_the_cure,
    nodes_and_their_attributes_are_unchanged,
    labels_are_dropped,
    attributes_and_files_without_edges_are_refused,
    a_recipe_with_it_goes_to_toml_and_back,
    its_law_never_excludes_the_truth,
)
