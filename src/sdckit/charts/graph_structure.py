"""Graph structure: degrees before and after, the largest eigenvalues, and a picture of a small graph. Internal only."""

from typing import Any

import numpy as np

from sdckit.charts.chart import AFTER, BEFORE, FAINT, GUESSING, Chart, drawn
from sdckit.evaluation.dossier import Dossier
from sdckit.evaluation.main_figures import main_risks
from sdckit.graph import Graph
from sdckit.release import Release

PUBLIC = False  # draws the original
SMALL = 150  # nodes up to which a picture can be read
EIGENVALUES = 20
LARGEST_SPECTRUM = 20_000  # nodes up to which eigenvalues are worth their time in a report
STEPS = 150  # of the spring layout
FILES = ("before", "after")
COLOUR = {"field": "file", "type": "nominal", "scale": {"domain": list(FILES), "range": [BEFORE, AFTER]}}


def draw(dossier: Dossier, *, public: bool) -> tuple[Chart, ...]:
    """The charts of a graph; none for a file without edges."""
    release = dossier.release
    if not isinstance(release.original, Graph) or not isinstance(release.masked, Graph):
        return ()
    charts = [degree_chart(release.original, release.masked)]
    plain = release.original.plain, release.masked.plain
    if len(release.original) <= LARGEST_SPECTRUM and release.original.edge_count and release.masked.edge_count:
        charts.append(spectrum_chart(*plain))
    if len(release.original) <= SMALL and release.corresponds:
        charts.append(picture(release, exposure(dossier)))
    return tuple(charts)


def degree_chart(original: Graph, masked: Graph) -> Chart:
    """The share of nodes with at least each degree, before and after, on logarithmic axes."""
    records: list[dict[str, Any]] = []
    for file, graph in zip(FILES, (original, masked), strict=True):
        values, counts = np.unique(graph.degrees, return_counts=True)
        above = counts[::-1].cumsum()[::-1] / max(len(graph), 1)
        chosen = np.unique(np.linspace(0, len(values) - 1, min(len(values), 120)).astype(int))
        records += [
            {"file": file, "degree": int(values[at]), "share": drawn(float(above[at]))}
            for at in chosen
            if values[at] > 0
        ]
    spec: dict[str, Any] = {
        "height": 220,
        "mark": {"type": "line", "interpolate": "step-after", "tooltip": True},
        "encoding": {
            "x": {"field": "degree", "type": "quantitative", "scale": {"type": "log"}, "axis": {"title": "degree"}},
            "y": {
                "field": "share",
                "type": "quantitative",
                "scale": {"type": "log"},
                "axis": {"title": "share of nodes with this degree or more", "format": "~%"},
            },
            "color": COLOUR,
        },
    }
    isolated = [int((graph.degrees == 0).sum()) for graph in (original, masked)]
    note = f"nodes without any link: {isolated[0]:,} before, {isolated[1]:,} after" if any(isolated) else ""
    return Chart("Degrees", tuple(records), spec, note)


def spectrum_chart(original: Graph, masked: Graph) -> Chart:
    """The largest eigenvalues of the adjacency before and after."""
    records = [
        {"file": file, "number": number, "eigenvalue": drawn(float(value))}
        for file, graph in zip(FILES, (original, masked), strict=True)
        for number, value in enumerate(largest_eigenvalues(graph), start=1)
    ]
    spec: dict[str, Any] = {
        "height": 220,
        "mark": {"type": "point", "filled": True, "tooltip": True},
        "encoding": {
            "x": {"field": "number", "type": "ordinal", "axis": {"title": "eigenvalue, by size", "labelAngle": 0}},
            "y": {"field": "eigenvalue", "type": "quantitative", "axis": {"title": None}},
            "color": COLOUR,
        },
    }
    return Chart("Largest eigenvalues of the adjacency", tuple(records), spec)


def largest_eigenvalues(graph: Graph) -> np.ndarray:
    """The largest eigenvalues, the first one first."""
    from scipy.sparse.linalg import eigsh

    matrix: Any = graph.to_scipy()
    if len(graph) <= 4 * EIGENVALUES:
        every: np.ndarray = np.linalg.eigvalsh(matrix.toarray())[::-1]
        return every[:EIGENVALUES]
    start = np.ones(len(graph))
    found = eigsh(matrix, k=EIGENVALUES, which="LA", return_eigenvectors=False, v0=start)
    largest: np.ndarray = np.sort(found)[::-1]
    return largest


def exposure(dossier: Dossier) -> np.ndarray:
    """The highest risk of each node among the main ones that have figures by node; 0 where there are none."""
    figures = [risk.score.by_record for risk in main_risks(dossier.assessment) if risk.score.by_record is not None]
    if not figures:
        return np.zeros(len(dossier.release.original))
    highest: np.ndarray = np.nan_to_num(np.column_stack(figures)).max(axis=1)
    return highest


def picture(release: Release, risk: np.ndarray) -> Chart:
    """The original graph: nodes by their risk, edges that the masking kept and deleted."""
    graph, masked = release.original, release.masked
    assert isinstance(graph, Graph) and isinstance(masked, Graph)
    graph, masked = graph.plain, masked.plain
    rows = release.true_rows(np.arange(len(graph)))
    position = layout(graph)
    low, high = graph.edges
    kept = {(int(a), int(b)) for a, b in zip(*masked.edges, strict=True)}
    records: list[dict[str, Any]] = []
    for one, other in zip(low.tolist(), high.tolist(), strict=True):
        ends = tuple(sorted((int(rows[one]), int(rows[other]))))
        records.append(
            {"x": drawn(position[one, 0]), "y": drawn(position[one, 1]), "x2": drawn(position[other, 0])}
            | {"y2": drawn(position[other, 1]), "edge": "kept" if ends in kept else "deleted"}
        )
    records += [
        {"x": drawn(x), "y": drawn(y), "node": node, "risk": drawn(float(risk[node]))}
        for node, (x, y) in enumerate(position.tolist())
    ]
    hidden = {"axis": None, "type": "quantitative", "scale": {"nice": False}}
    layers = [
        {
            "transform": [{"filter": "datum.edge != null"}],
            "mark": {"type": "rule", "opacity": 0.5},
            "encoding": {
                "x": {"field": "x", **hidden},
                "y": {"field": "y", **hidden},
                "x2": {"field": "x2"},
                "y2": {"field": "y2"},
                "color": {
                    "field": "edge",
                    "type": "nominal",
                    "scale": {"domain": ["kept", "deleted"], "range": [FAINT, GUESSING]},
                },
            },
        },
        {
            "transform": [{"filter": "datum.node != null"}],
            "mark": {"type": "circle", "size": 90, "opacity": 1, "tooltip": True},
            "encoding": {
                "x": {"field": "x", **hidden},
                "y": {"field": "y", **hidden},
                "color": {"field": "risk", "type": "quantitative", "scale": {"domain": [0, 1], "scheme": "oranges"}},
            },
        },
    ]
    spec = {"height": 420, "layer": layers, "resolve": {"scale": {"color": "independent"}}}
    return Chart("The original graph, nodes by risk", tuple(records), spec)


def layout(graph: Graph) -> np.ndarray:
    """Positions of the nodes on a plane: linked ones attract each other, all push each other away."""
    nodes = len(graph)
    angle = 2 * np.pi * np.arange(nodes) / max(nodes, 1)
    position = np.column_stack([np.cos(angle), np.sin(angle)])
    links = graph.to_scipy().toarray() > 0
    spring = 1 / np.sqrt(max(nodes, 1))
    for step in range(STEPS):
        apart = position[:, None, :] - position[None, :, :]
        distance = np.maximum(np.hypot(apart[..., 0], apart[..., 1]), 1e-3)
        force = spring**2 / distance - np.where(links, distance**2 / spring, 0.0)
        move = (apart / distance[..., None] * force[..., None]).sum(axis=1)
        length = np.maximum(np.hypot(move[:, 0], move[:, 1]), 1e-9)
        limit = 0.15 * (1 - step / STEPS)
        position = position + move / length[:, None] * np.minimum(length, limit)[:, None]
    return position
