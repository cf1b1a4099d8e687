"""How likely each released node is that of each known one, by its degree and by the degrees of its neighbours."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.graph import Graph
from sdckit.graph_law import Floats, GraphLaw
from sdckit.kernels.neighbourhood_refinement import mixed_all
from sdckit.risk.graph.node_attributes import NodeAttributes

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MOST_KEPT = 0.999  # so that one neighbour that does not fit never excludes a candidate
WEIGHT_BINS = 8  # of equally many edges, in which weights are compared
EXISTENCE = (0.0, 0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98, 1.0)  # bins of the probability that an uncertain edge exists
ODD_WEIGHT = 0.02  # share of the weights that may be in any bin, whatever the law says of them


@dataclass(frozen=True, eq=False)
class Neighbours:
    """Neighbours of one kind: how many of each value the nodes of each class have.

    `direction`  0, or 1 for those that link to a node of a directed graph
    `bin`        the bin of the weights of these edges
    `exists`     the probability that such an edge was in the original
    """

    counts: "csr_array"
    direction: int = 0
    bin: int = 0
    exists: float = 1.0


class KindOfEdges(NamedTuple):
    """Edges of one kind: `number` of the kind, their two ends, and the rest as of neighbours."""

    number: int
    one: NDArray[np.int64]
    other: NDArray[np.int64]
    direction: int
    bin: int
    exists: float


def kinds_of_edges(graph: Graph, law: GraphLaw | None, bins: Floats | None) -> Iterator[KindOfEdges]:
    """The edges by direction, and by the bin of their weight or of the probability that they exist."""
    exists = None if law is None else law.exists
    for direction, (indptr, indices) in enumerate(graph.adjacencies):
        rows = np.repeat(np.arange(len(graph)), np.diff(indptr))
        kind = bins_of_links(graph, direction, bins)
        if exists is not None:
            kind = np.clip(np.searchsorted(EXISTENCE, exists, side="right") - 1, 0, len(EXISTENCE) - 2)
        for number in np.unique(kind):
            one = kind == number
            chance = 1.0 if exists is None else float(exists[one].mean())
            in_bin = int(number) if exists is None else 0
            yield KindOfEdges(int(number), rows[one], indices[one], direction, in_bin, chance)


@dataclass(frozen=True, eq=False)
class Profiles:
    """The nodes of a graph by class: nodes of one class have the same degree and neighbours of the same degrees.

    `of`          the class of each node, numbered by structure and not by the order of the nodes
    `sizes`       the number of nodes in each class
    `value`       the degree, or what stands for it, as a position in `values`
    `neighbours`  the neighbours of each kind
    `attributes`  the class of their attributes, where these are known
    """

    of: NDArray[np.int64]
    sizes: NDArray[np.int64]
    value: NDArray[np.int64]
    values: Floats
    neighbours: tuple[Neighbours, ...]
    attributes: NDArray[np.int64] | None = None

    @classmethod
    def of_graph(
        cls,
        graph: Graph,
        law: GraphLaw | None = None,
        bins: Floats | None = None,
        attributes: NDArray[np.int64] | None = None,
    ) -> "Profiles":
        """The profiles by degree, or of a release by what its law says; `bins` divide weights of edges.

        Nodes of one class have attributes of one class too, where these are given.
        """
        from scipy.sparse import csr_array

        statistic = None if law is None else law.statistic
        numbers = graph.degrees_by_direction.astype(np.float64) if statistic is None else statistic
        values, value_of = _distinct_rows(numbers)
        kinds = []
        signature = mixed_all(value_of.astype(np.uint64))
        if attributes is not None:
            signature += mixed_all((attributes + 1).astype(np.uint64) + np.uint64(2**60))
        for each in kinds_of_edges(graph, law, bins):
            column = value_of[each.other]
            counts = csr_array((np.ones(len(column)), (each.one, column)), shape=(len(graph), len(values)))
            mark = mixed_all(column.astype(np.uint64) + np.uint64((each.number + 1) * 2**40 + each.direction * 2**50))
            np.add.at(signature, each.one, mark)
            kinds.append(Neighbours(counts, each.direction, each.bin, each.exists))
        _, first, of, sizes = np.unique(signature, return_index=True, return_inverse=True, return_counts=True)
        sides = tuple(Neighbours(each.counts[first], each.direction, each.bin, each.exists) for each in kinds)
        marks = None if attributes is None else attributes[first]
        return cls(of, sizes, value_of[first], values, sides, marks)


def _distinct_rows(numbers: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """The distinct rows of a matrix, sorted, and the position of each row among them."""
    if numbers.shape[1] == 1:
        single, position = np.unique(numbers[:, 0], return_inverse=True)
        return single[:, None], position
    values, position = np.unique(numbers, axis=0, return_inverse=True)
    return values, position.ravel()


def bins_of_links(graph: Graph, direction: int, bins: Floats | None) -> NDArray[np.int64]:
    """The bin of the weight of each entry of one adjacency; 0 where weights say nothing."""
    if bins is None or graph.weight is None:
        return np.zeros(len(graph.indices), dtype=np.int64)
    weight = graph.weight[np.argsort(graph.indices, kind="stable")] if direction else graph.weight
    return np.searchsorted(bins, weight, side="right").astype(np.int64)


def weight_bins(released: Graph, law: GraphLaw) -> Floats | None:
    """The limits of bins of equally many released weights; None where weights say nothing."""
    if released.weight is None or law.weight_noise is None or not len(released.weight):
        return None
    return np.unique(np.quantile(released.weight, np.arange(1, WEIGHT_BINS) / WEIGHT_BINS))


def weight_transitions(known: Graph, bins: Floats | None, law: GraphLaw) -> Floats:
    """The probability of each bin of a released weight for a known weight of each bin."""
    if bins is None or known.weight is None or law.weight_noise is None:
        return np.ones((1, 1))
    from scipy.special import ndtr

    weights = np.sort(known.weight)[:: max(len(known.weight) // 4_000, 1)]
    of = np.searchsorted(bins, weights, side="right")
    limits = np.concatenate([[-np.inf], bins, [np.inf]])
    scale = np.maximum(law.weight_noise * np.abs(weights), 1e-9 * (1 + np.abs(weights)))[:, None]
    upper = np.diff(ndtr((limits[None, :] - weights[:, None]) / scale), axis=1)
    table = np.zeros((len(bins) + 1, len(bins) + 1))
    np.add.at(table, of, upper if law.weight_noise else np.eye(len(bins) + 1)[of])
    empty = table.sum(axis=1) == 0
    table[empty] = np.eye(len(table))[empty]
    table /= table.sum(axis=1, keepdims=True)
    return (1 - ODD_WEIGHT) * table + ODD_WEIGHT / len(table)


def degree_likelihoods(known: Profiles, released: Profiles, law: GraphLaw) -> tuple[Floats, Floats]:
    """The log-likelihood of each released degree for each known one, and its ratio to that for a random node."""
    degree = law.log_degree(known.values, released.values)
    with np.errstate(divide="ignore"):
        share = np.log(np.bincount(released.value, weights=released.sizes, minlength=len(released.values)))
    share = share - np.log(released.sizes.sum())
    return (degree + share, degree) if law.given_released else (degree, degree - share)


def log_likelihoods(
    known: Profiles,
    released: Profiles,
    law: GraphLaw,
    classes: NDArray[np.int64],
    among: NDArray[np.int64] | None = None,
    transitions: Floats | None = None,
) -> Floats:
    """Log-likelihood ratios of released classes, all or some, for these known classes, against a random node."""
    rows = np.arange(len(released.sizes)) if among is None else among
    degree, ratio_of_degree = degree_likelihoods(known, released, law)
    out: Floats = ratio_of_degree[known.value[classes]][:, released.value[rows]]
    kept = explained(known, released, law)
    if kept <= 0 or not released.neighbours:
        return out
    probability = np.exp(degree - degree.max(axis=1, initial=-700.0, keepdims=True))
    probability /= np.maximum(probability.sum(axis=1, keepdims=True), 1e-300)
    moves = np.ones((1, 1)) if transitions is None else transitions
    ends = [side.counts.T @ released.sizes.astype(np.float64) for side in released.neighbours]
    for direction in {side.direction for side in released.neighbours}:
        mine = [side for side in known.neighbours if side.direction == direction]
        sides = [pair for pair in zip(released.neighbours, ends, strict=True) if pair[0].direction == direction]
        total = sum(end.sum() for _, end in sides)
        links = np.maximum(sum((side.counts[classes].sum(axis=1) for side in mine), np.zeros(len(classes))), 1.0)
        likely = {side.bin: (side.counts[classes] @ probability) / links[:, None] for side in mine}
        for side, end in sides:
            expected = np.zeros((len(classes), len(released.values)))
            for number, part in likely.items():
                expected += moves[min(number, len(moves) - 1), min(side.bin, moves.shape[1] - 1)] * part
            # Where it leads to is compared with all edges, or with uncertain ones that are as likely as it is.
            background = end / (total if law.exists is None else end.sum())
            with np.errstate(divide="ignore", invalid="ignore"):
                ratio = np.where(background > 0, expected / background, 0.0)
            stays = min(kept * side.exists, MOST_KEPT)
            out += np.asarray(side.counts[rows] @ np.log(stays * ratio + (1 - stays)).T).T
    return out


def explained(known: Profiles, released: Profiles, law: GraphLaw) -> float:
    """The share of the released edges that are known ones: of those that are kept, where others were added."""
    before, after = (
        sum(float(side.counts.sum(axis=1) @ graph.sizes) for side in graph.neighbours) for graph in (known, released)
    )
    added = law.exists is None and after > before
    return min(law.kept * (before / after if added else 1.0), MOST_KEPT)


@dataclass(frozen=True, eq=False)
class ProfilePair:
    """The nodes of both graphs by class, and the laws of links and of attributes by which they are compared."""

    known: Profiles
    released: Profiles
    law: GraphLaw
    transitions: Floats
    bins: Floats | None
    attributes: NodeAttributes | None = None

    @classmethod
    def of_graphs(
        cls, known: Graph, released: Graph, law: GraphLaw, attributes: NodeAttributes | None = None
    ) -> "ProfilePair":
        """The pair of a known and a released graph; weights count where both have them."""
        bins = weight_bins(released, law) if known.weight is not None else None
        of_known, of_released = (None, None) if attributes is None else (attributes.of_known, attributes.of_released)
        profiles = Profiles.of_graph(known, None, bins, of_known), Profiles.of_graph(released, law, bins, of_released)
        return cls(*profiles, law, weight_transitions(known, bins, law), bins, attributes)

    def log_likelihoods(self, classes: NDArray[np.int64]) -> Floats:
        """Log-likelihood ratios of all released classes for these known classes, by links and by attributes."""
        links = log_likelihoods(self.known, self.released, self.law, classes, None, self.transitions)
        mine, theirs = self.known.attributes, self.released.attributes
        if self.attributes is None or mine is None or theirs is None:
            return links
        return links + self.attributes.log_likelihoods(mine[classes])[:, theirs]
