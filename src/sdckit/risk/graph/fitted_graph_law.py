"""A law of degrees and edges that an intruder fits without the recipe, and the laws of a recipe's steps composed."""

from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from sdckit.graph import Graph
from sdckit.graph_law import (
    Floats,
    GraphLaw,
    HasGraphLaw,
    by_direction,
    degrees_by_probability,
    exchanged_degrees,
    normal_degrees,
)
from sdckit.kernels.edge_switching import switched
from sdckit.recipe import Recipe
from sdckit.risk.graph.known_graph import KnownGraph
from sdckit.risk.graph.pair_likelihoods import MOST_KEPT, Profiles, log_likelihoods

KEPT = (0.99, 0.95, 0.9, 0.7, 0.4)  # shares of edges kept that are tried
NOISE = (0.0, 0.3, 1.0)  # standard deviations of degrees that are tried, in units of the root of the degree
SWITCHES = 5  # of each edge, after which a graph is random
RANDOM_GRAPHS = 2  # that agreement by accident is averaged over
FEW = 500  # nodes below which accidents differ too much between random graphs to be compared with
LEAST_GAIN = 0.1  # share of nodes above that of a random graph from which edges count as kept
TRIED = 200  # nodes on which the laws are compared


def noisy_degrees(noise: float, known: Floats, released: Floats) -> Floats:
    """Degrees with an error whose standard deviation is a multiple of the root of the degree."""
    return normal_degrees(known, noise * np.sqrt(known + 1), released)


def thinned_degrees(share: float, known: Floats, released: Floats) -> Floats:
    """Degrees in a sample of the nodes: of d neighbours a binomial number is in it."""
    return normal_degrees(known * share, np.sqrt(known * share * (1 - share)), released)


def fitted_law(view: KnownGraph, rng: np.random.Generator) -> GraphLaw:
    """The law of degrees under which the released degrees are likeliest, and the share of edges kept that fits it.

    The share is the one under which most nodes are the likeliest ones of their own likeliest nodes, compared with a
    random graph of the same degrees: that two nodes choose each other needs no truth. The likelihood itself would
    prefer vague laws, as neighbours of neighbours are alike and it counts that as agreement.
    """
    if view.released.probability is not None:
        log_degree, statistic = degrees_by_probability(view.released, view.released.probability)
        return GraphLaw(log_degree, MOST_KEPT, statistic, True, view.released.probability, None)
    known, released = Profiles.of_graph(view.known), Profiles.of_graph(view.released)
    laws = [GraphLaw(by_direction(partial(noisy_degrees, noise)), kept) for noise in NOISE for kept in KEPT]
    laws += [GraphLaw(exchanged_degrees(1 - kept, view.released), kept) for kept in KEPT]
    fits = [_fit(law, known, released) for law in laws]
    likely = [law for law, fit in zip(laws, fits, strict=True) if fit >= max(fits) - 1e-9 * abs(max(fits))]
    classes = known.of[rng.choice(view.targets, min(TRIED, len(view.targets)), replace=False)]
    agreements = np.array([_agreement(law, known, released, classes) for law in likely])
    if len(view.targets) < FEW:
        return likely[int(np.argmax(agreements))]
    by_accident = np.zeros(len(likely))
    for _ in range(RANDOM_GRAPHS):
        wanted = SWITCHES * view.released.edge_count
        directed = view.released.directed
        keys, _ = switched(len(view.released), view.released.edge_keys, wanted, rng, directed=directed)
        random = Profiles.of_graph(view.released.with_keys(keys))
        by_accident += [_agreement(law, known, random, classes) / RANDOM_GRAPHS for law in likely]
    best = likely[int(np.argmax(agreements - by_accident))]
    return best if (agreements - by_accident).max() > LEAST_GAIN else replace(best, kept=0.0)


def _fit(law: GraphLaw, known: Profiles, released: Profiles) -> float:
    """The log-likelihood of the released degrees, whoever has which."""
    before = np.bincount(known.value, weights=known.sizes, minlength=len(known.values))
    after = np.bincount(released.value, weights=released.sizes, minlength=len(released.values))
    mixture = before @ np.exp(law.log_degree(known.values, released.values)) / before.sum()
    return float(after @ np.log(np.maximum(mixture, 1e-300)))


def _agreement(law: GraphLaw, known: Profiles, released: Profiles, classes: NDArray[np.int64]) -> float:
    """The share of nodes that are the likeliest ones of their own likeliest nodes."""
    chosen = log_likelihoods(known, released, law, classes).argmax(axis=1)
    rows, position = np.unique(chosen, return_inverse=True)
    back = log_likelihoods(known, released, law, np.arange(len(known.sizes)), rows).argmax(axis=0)
    return float(((back[position] == classes) / released.sizes[chosen]).mean())


def recipe_law(recipe: Recipe, released: Graph, known: Graph) -> GraphLaw | None:
    """The law of a recipe's steps that mask edges, one after the other; None where one of them has none.

    Where nodes were left out, the degrees are those in a sample.
    """
    steps = [step.masking for step in recipe.steps if step.masking.domain is Graph]
    if not all(isinstance(step, HasGraphLaw) for step in steps):
        return None
    laws = [step.graph_law(released, known) for step in steps if isinstance(step, HasGraphLaw)]
    share = len(released) / max(len(known), 1)
    if share < 1:
        laws = [GraphLaw(by_direction(partial(thinned_degrees, share)), 1.0), *laws]
    if not laws:
        return None
    law = laws[0]
    for later in laws[1:]:
        law = _composed(law, later)
    return law


def _composed(first: GraphLaw, second: GraphLaw) -> GraphLaw:
    """The law of one masking after another; degrees in between are those that occur before or after."""

    def log_degree(known: Floats, released: Floats) -> Floats:
        columns = known.shape[1]
        between = np.unique(np.concatenate([known, released[:, :columns].round()]), axis=0)
        entering, leaving = first.log_degree(known, between), second.log_degree(between, released)
        with np.errstate(divide="ignore"):
            scale = entering.max(axis=1, keepdims=True)
            scale = np.where(np.isfinite(scale), scale, 0.0)
            return np.asarray(np.log(np.exp(entering - scale) @ np.exp(leaving)) + scale)

    exact = first.weight_noise is not None and second.weight_noise is not None
    return GraphLaw(
        log_degree,
        first.kept * second.kept,
        second.statistic,
        second.given_released,
        second.exists,
        float(np.hypot(first.weight_noise or 0.0, second.weight_noise or 0.0)) if exact else None,
        second.blocks if second.blocks is not None else first.blocks,
        max(first.block_size, second.block_size),
    )
