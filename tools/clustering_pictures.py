"""Draw what each clustering of `sdckit.fuzzy` does to the same points: `python -m tools.clustering_pictures`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.charts.chart import AFTER, BOUND, GUESSING, INK, THEME
from sdckit.fuzzy.c_means import c_means
from sdckit.fuzzy.c_medoids import c_medoids
from sdckit.fuzzy.c_regression import c_regression
from sdckit.fuzzy.clusters import Clusters
from sdckit.fuzzy.constrained_c_means import constrained_c_means
from sdckit.fuzzy.entropy_c_means import entropy_c_means
from sdckit.fuzzy.exponential_possibilistic_c_means import exponential_possibilistic_c_means
from sdckit.fuzzy.fuzzy_possibilistic_c_means import fuzzy_possibilistic_c_means
from sdckit.fuzzy.linear_constraints import LinearConstraints
from sdckit.fuzzy.noise_clustering import noise_clustering
from sdckit.fuzzy.possibilistic_c_means import possibilistic_c_means
from sdckit.fuzzy.possibilistic_fuzzy_c_means import possibilistic_fuzzy_c_means

PATH = Path(__file__).parent.parent / "docs" / "images" / "clusterings.png"
START = np.array([[0.0, 0.0], [5.0, 1.0], [2.0, 5.0]])
UP_TO_TWO = LinearConstraints(at_most=np.array([[0.0, 1.0]]), limits=np.array([2.0]))
SIZES = {"record": 35, "centre": 220, "line": 8}


def points() -> NDArray[np.float64]:
    """Three clouds, a bridge between two of them, and four outliers."""
    rng = np.random.default_rng(7)
    clouds = [rng.normal(centre, 0.6, (size, 2)) for centre, size in ((START[0], 40), (START[1], 25), (START[2], 25))]
    bridge = np.linspace(START[0], START[1], 8)[2:-2]
    return np.vstack([*clouds, bridge, [[9.0, 7.0], [8.5, 7.5], [-3.0, 6.0], [9.5, -2.0]]])


def clusterings() -> Iterator[tuple[str, Clusters]]:
    """Each clustering with a typical parameter, from the same start."""
    file = points()
    yield "k-means (m = 1)", c_means(file, START, 1)
    yield "fuzzy c-means, m = 2", c_means(file, START, 2)
    yield "noise clustering", noise_clustering(file, START, 2, 1.5)
    yield "possibilistic c-means", possibilistic_c_means(file, START, 2)
    yield "exponential possibilistic", exponential_possibilistic_c_means(file, START, 2)
    yield "fuzzy possibilistic", fuzzy_possibilistic_c_means(file, START, 2)
    yield "possibilistic-fuzzy", possibilistic_fuzzy_c_means(file, START, 2)
    yield "entropy-regularised", entropy_c_means(file, START, 0.5)
    yield "medoids, m = 2", c_medoids(file, START, 2)
    yield "constrained to y ≤ 2", constrained_c_means(file, START, 2, UP_TO_TWO)


def records() -> list[dict[str, Any]]:
    """The points with their strongest cluster and membership in it, and the centres, for each clustering."""
    file, drawn = points(), []
    for title, found in clusterings():
        degrees = found.memberships(file)
        drawn += _records(title, file, degrees)
        drawn += [
            {"panel": title, "x": x, "y": y, "cluster": str(number), "membership": 1.0, "what": "centre"}
            for number, (x, y) in enumerate(found.centres.tolist())
        ]
    lines = c_regression(file[:, 0], file[:, 1], (file[:, 1] > 2.5).astype(np.int64), 2.0)
    title = "c-regression, two lines"
    drawn += _records(title, file, lines.memberships(file[:, 0], file[:, 1]))
    for x in np.linspace(-3, 9, 25):
        for model, y in enumerate(lines.predictions(np.array([x]))[0, :, 0].tolist()):
            drawn.append({"panel": title, "x": x, "y": y, "cluster": str(model), "membership": 1.0, "what": "line"})
    return drawn


def _records(title: str, file: NDArray[np.float64], degrees: NDArray[np.float64]) -> list[dict[str, Any]]:
    return [
        {"panel": title, "x": x, "y": y, "cluster": str(row.argmax()), "membership": float(row.max()), "what": "record"}
        for (x, y), row in zip(file.tolist(), degrees, strict=True)
    ]


def specification() -> dict[str, Any]:
    """Nine panels; the stronger the colour the higher the membership."""
    axis = {"type": "quantitative", "axis": {"title": None, "labels": False, "grid": False}}
    values = [each | {"size": SIZES[each["what"]]} for each in records()]
    panels = list(dict.fromkeys(each["panel"] for each in values))
    return {
        "data": {"values": values},
        "config": THEME,
        "background": "white",
        "width": 190,
        "height": 150,
        "mark": {"type": "point", "filled": True, "stroke": INK, "strokeWidth": 0.4},
        "encoding": {
            "facet": {"field": "panel", "columns": 3, "sort": panels, "header": {"title": None, "labelFontSize": 12}},
            "x": {"field": "x", "scale": {"domain": [-4, 10.5]}, **axis},
            "y": {"field": "y", "scale": {"domain": [-3.5, 8.5]}, **axis},
            "color": {
                "field": "cluster",
                "type": "nominal",
                "scale": {"domain": ["0", "1", "2"], "range": [AFTER, GUESSING, BOUND]},
                "legend": None,
            },
            "opacity": {
                "field": "membership",
                "type": "quantitative",
                "scale": {"domain": [0, 1], "range": [0.05, 1]},
                "legend": None,
            },
            "shape": {
                "field": "what",
                "type": "nominal",
                "scale": {"domain": ["record", "centre", "line"], "range": ["circle", "diamond", "square"]},
                "legend": None,
            },
            "size": {"field": "size", "type": "quantitative", "scale": None, "legend": None},
            "order": {"field": "size", "type": "quantitative"},
        },
    }


def main() -> None:
    """Write the picture."""
    import vl_convert

    PATH.write_bytes(vl_convert.vegalite_to_png(specification(), scale=1.5))
    print(f"written: {PATH.name}")


if __name__ == "__main__":
    main()
