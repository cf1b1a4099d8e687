"""What an intruder knows of a graph: the links of the original, perhaps some of them only, and whom to look for."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import NotApplicableError
from sdckit.graph import Graph
from sdckit.intruder import Intruder
from sdckit.kernels.intervals import wilson
from sdckit.measure import Score
from sdckit.randomness import child, generator
from sdckit.release import Release

SIZES = ((1, 1), (2, 4), (5, 10), (11, 20))  # the classes of candidate sets of Hay et al.


@dataclass(frozen=True, eq=False)
class KnownGraph:
    """A graph attack as the intruder sees it; the true rows are for the scoring alone.

    `known`     the original graph as far as its links are known
    `released`  the masked graph
    `targets`   the nodes of the original that are looked for
    """

    known: Graph
    released: Graph
    targets: NDArray[np.int64]


def known_graph(release: Release, intruder: Intruder, seed: int | None, *, plain: bool = True) -> KnownGraph:
    """What the intruder knows; an error where the release has no edges to attack.

    Plain graphs have edges without directions, weights and probabilities; otherwise both have what the release has.
    """
    known, released = graphs_of(release)
    if plain:
        released = drawn_world(released).plain
    known = known.plain if plain else known if released.directed else known.undirected
    if intruder.file is not None:
        raise NotApplicableError("an intruder's own file has no edges; graph attacks use the original")
    known = with_unknown_links(known, intruder.missing, child(generator(seed or 0), "intruder", "edges"))
    return KnownGraph(known, released, intruder.known_records(release, seed))


def with_unknown_links(graph: Graph, missing: float, rng: np.random.Generator) -> Graph:
    """The graph without a share of its links, which the intruder does not know."""
    return graph.with_some_edges(rng.random(graph.edge_count) >= missing) if missing else graph


def graphs_of(release: Release) -> tuple[Graph, Graph]:
    """Both graphs of a release; an error where it is one of microdata."""
    original, masked = release.original, release.masked
    if not isinstance(original, Graph) or not isinstance(masked, Graph):
        raise NotApplicableError("this measures the edges of graphs, and the release has none")
    return original, masked


def drawn_world(graph: Graph) -> Graph:
    """The graph of the edges that are likelier than not, which every reader of an uncertain graph can make."""
    if graph.probability is None:
        return graph
    return replace(graph.with_some_edges(graph.of_edges(graph.probability) >= 0.5), probability=None)


def candidate_score(
    release: Release,
    targets: NDArray[np.int64],
    known: NDArray[np.uint64],
    released: NDArray[np.uint64],
    details: dict[str, object] | None = None,
) -> Score:
    """The expected share of targets re-identified by a guess among the rows whose signature equals the known one.

    `known` are the signatures of all nodes of the original, `released` those of the masked graph.
    """
    truth = release.true_rows(targets)
    values, counts = np.unique(released, return_counts=True)
    at = np.minimum(np.searchsorted(values, known[targets]), max(len(values) - 1, 0))
    sizes = np.where(values[at] == known[targets], counts[at], 0) if len(values) else np.zeros(len(targets), dtype=int)
    covered = (truth >= 0) & (released[np.maximum(truth, 0)] == known[targets])
    found = np.where(covered, 1.0 / np.maximum(sizes, 1), 0.0)
    return Score(
        float(found.mean()),
        by_record=release.on_records(targets, found),
        interval=wilson(float(found.sum()), len(found)),
        baseline=1.0 / len(release.masked),
        details=size_details(sizes) | {"truth_covered": float(covered.mean())} | (details or {}),
    )


def size_details(sizes: NDArray[np.int64]) -> dict[str, object]:
    """How large the candidate sets are: the shares of targets by size, and those with exactly one."""
    shares = {
        (f"{low}" if low == high else f"{low}–{high}"): float(((sizes >= low) & (sizes <= high)).mean())
        for low, high in SIZES
    }
    above = SIZES[-1][1]
    by_size = {"none": float((sizes == 0).mean())} | shares | {f">{above}": float((sizes > above).mean())}
    return {"unique": float((sizes == 1).mean()), "candidates_by_size": by_size}
