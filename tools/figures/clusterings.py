"""What each clustering of `sdckit.fuzzy` does to the same points."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
from tools.figures import drawn
from tools.method_pictures import Picture, svg, text

START = np.array([[0.0, 0.0], [5.0, 1.0], [2.0, 5.0]])
UP_TO_TWO = LinearConstraints(at_most=np.array([[0.0, 1.0]]), limits=np.array([2.0]))
RADIUS = {"record": 3.0, "centre": 6.0, "line": 1.2}
WIDTH, HEIGHT, COLUMNS = 210, 176, 3  # of a panel


def points() -> NDArray[np.float64]:
    """Three clouds, a bridge between two of them, and four outliers."""
    rng = np.random.default_rng(7)
    clouds = [rng.normal(centre, 0.6, (size, 2)) for centre, size in ((START[0], 40), (START[1], 25), (START[2], 25))]
    bridge = np.linspace(START[0], START[1], 8)[2:-2]
    return np.vstack([*clouds, bridge, [[9.0, 7.0], [8.5, 7.5], [-3.0, 6.0], [9.5, -2.0]]])


def each_clustering() -> Iterator[tuple[str, Clusters]]:
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
    for title, found in each_clustering():
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


@drawn
def clusterings() -> Picture:
    """What each clustering of `sdckit.fuzzy` does to the same points."""
    everything = records()
    panels = list(dict.fromkeys(str(each["panel"]) for each in everything))
    parts, strengths = [], []
    for index, panel in enumerate(panels):
        left, top = WIDTH * (index % COLUMNS), HEIGHT * (index // COLUMNS)
        members = [each for each in everything if each["panel"] == panel]
        parts += [text(left + WIDTH / 2, top + 14, panel, "title"), *(mark(each, left, top) for each in members)]
        degrees = [each["membership"] for each in members if each["what"] == "record"]
        strengths.append(f"{panel}: {np.mean(degrees):.3f}")
    words = (
        "The same points, three clouds, a bridge between two of them and four outliers, by each clustering: the "
        "stronger the colour, the higher the membership; large circles are centres. Mean of the largest memberships: "
        f"{'; '.join(strengths)}."
    )
    rows = -(-len(panels) // COLUMNS)
    return Picture(svg(WIDTH * COLUMNS, HEIGHT * rows, parts, words), words)


def mark(each: dict[str, Any], left: float, top: float) -> str:
    """A point, a centre or a part of a line in its panel."""
    x = left + 10 + (each["x"] + 4) / 14.5 * (WIDTH - 20)
    y = top + HEIGHT - 6 - (each["y"] + 3.5) / 12 * (HEIGHT - 30)
    kind = f"mark-{each['cluster']}" + (" centre" if each["what"] == "centre" else "")
    shade = f"{0.05 + 0.95 * each['membership']:.2f}"
    return f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS[each["what"]]}" fill-opacity="{shade}"/>'
