"""Spectrum loss: how far the largest adjacency eigenvalue and the algebraic connectivity moved."""

from typing import Any

import numpy as np

from sdckit.graph import Graph
from sdckit.graph_measure import GraphMeasure
from sdckit.intruder import Intruder
from sdckit.loss.graph.graph_pair import graph_pair, relative_change
from sdckit.measure import Cost, Score, loss
from sdckit.release import Release

DENSE = 300  # nodes up to which all eigenvalues are computed
NOTHING = 1e-9  # eigenvalues below are 0


@loss("spectrum-loss", domain=Graph, cost=Cost.SLOW, heading="Spectrum changed", reference="ying2008")
class SpectrumLoss(GraphMeasure):
    r"""Mean relative change of the largest eigenvalue of the adjacency and of the second smallest of the Laplacian.

    The first, λ₁, governs how fast something spreads; the second, μ₂, how hard the graph is to cut in two: 0 where it
    is disconnected. An uncertain graph is measured by its expected adjacency.

    Formula: $\frac{1}{2} (\frac{|\lambda_1 - \lambda'_1|}{\lambda_1} + \frac{|\mu_2 - \mu'_2|}{\mu_2})$,  $\lambda_1$
    the largest eigenvalue of the adjacency matrix, $\mu_2$ the second smallest of the Laplacian

    Use it when spreading or communities are analysed, or a masking that keeps the spectrum is compared.
    """

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        before, after = (spectrum(graph) for graph in graph_pair(release))
        changes = [relative_change(one, other) for one, other in zip(before, after, strict=True)]
        return Score(
            float(np.mean(changes)),
            details={
                "largest_eigenvalue": before[0],
                "masked_largest_eigenvalue": after[0],
                "algebraic_connectivity": before[1],
                "masked_algebraic_connectivity": after[1],
            },
        )


def spectrum(graph: Graph) -> tuple[float, float]:
    """λ₁ of the adjacency and μ₂ of the Laplacian; 0 for graphs too small to have them."""
    if len(graph) < 2 or not graph.edge_count:
        return 0.0, 0.0
    matrix = graph.to_scipy()
    return _tidy(_largest(matrix)), _tidy(_second_smallest(matrix))


def _tidy(value: float) -> float:
    """An eigenvalue to nine digits, so that the order of the nodes does not show in the last ones."""
    return 0.0 if abs(value) < NOTHING else float(f"{value:.9g}")


def _largest(matrix: Any) -> float:
    from scipy.sparse.linalg import eigsh

    if matrix.shape[0] <= DENSE:
        return float(np.linalg.eigvalsh(matrix.toarray())[-1])
    return float(eigsh(matrix, k=1, which="LA", return_eigenvectors=False, v0=np.ones(matrix.shape[0]), tol=1e-10)[0])


def _second_smallest(matrix: Any) -> float:
    from scipy.sparse import csc_array
    from scipy.sparse.csgraph import connected_components, laplacian
    from scipy.sparse.linalg import eigsh

    if connected_components(matrix, directed=False)[0] > 1:
        return 0.0
    lap: Any = laplacian(matrix)
    if matrix.shape[0] <= DENSE:
        return float(np.linalg.eigvalsh(lap.toarray())[1])
    sparse: Any = csc_array(lap)
    start = np.random.default_rng(0).standard_normal(matrix.shape[0])
    found = eigsh(sparse, k=2, sigma=-1e-3, which="LM", return_eigenvectors=False, v0=start)
    return float(np.sort(found)[1])
