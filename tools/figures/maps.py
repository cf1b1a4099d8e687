"""Maps of risk and loss, from the stored curves of the maskings."""

from collections.abc import Sequence
from dataclasses import dataclass

from sdckit.catalogue import entries, find
from sdckit.graph import Graph
from sdckit.rows import Rows
from tools.figures import drawn
from tools.method_curves import stored
from tools.method_pictures import Picture, dot, svg, text

MARGIN = 40


@drawn
def settings_map() -> Picture:
    """Every setting of every masking that releases all records of one file: what is re-identified, and what is lost."""
    kept = [name for name in stored() if getattr(find("masking", name).component, "rows", None) is Rows.KEPT]
    points = settings(kept, "firms", "il1s")
    title = f"{len(points)} settings of {len({each.name for each in points})} maskings on a file of 200 firms"
    return scatter(title, points, "il1s", by_family=False)


@drawn
def firms_map() -> Picture:
    """Five maskings of amounts on one file."""
    names = ("mdav", "additive-noise", "rank-swapping", "rank-swapping-distribution", "multiplicative-noise")
    return scatter(
        "Five maskings with their usual parameters on a file of 200 firms", settings(names, "firms", "il1s"), "il1s"
    )


@drawn
def graph_map() -> Picture:
    """The maskings of graphs on one network."""
    names = [entry.name for entry in entries("masking") if entry.domain is Graph]
    points = settings(names, "network", "clustering-loss")
    return scatter("The graph methods on a network of 120 people with hubs", points, "clustering-loss")


@dataclass(frozen=True)
class Setting:
    """A masking with its parameters, and where it is on a map."""

    name: str
    risk: float
    loss: float


def settings(names: Sequence[str], file: str, loss: str) -> list[Setting]:
    """Every point of the stored curves of some maskings on a file, with a loss of up to 1."""
    return [
        Setting(name, each.figures["informed"], each.figures[loss])
        for name in names
        for each in stored().get(name, ())
        if each.file == file and {"informed", loss} <= each.figures.keys() and each.figures[loss] <= 1
    ]


def frontier(points: Sequence[Setting]) -> list[Setting]:
    """The settings that no other one beats in risk and loss, from the safest on."""
    pairs = {(each.risk, each.loss) for each in points}
    best = [
        each
        for each in points
        if not any(
            risk <= each.risk and loss <= each.loss and (risk, loss) != (each.risk, each.loss) for risk, loss in pairs
        )
    ]
    return sorted(best, key=lambda each: (each.risk, -each.loss))


def scatter(title: str, points: Sequence[Setting], loss: str, by_family: bool = True) -> Picture:
    """Risk to the right, loss upwards, the frontier as a line; with a mark of its own for each masking."""
    best, top = frontier(points), max(each.loss for each in points)
    names = list(dict.fromkeys(each.name for each in points)) if by_family else []

    def position(each: Setting) -> tuple[float, float]:
        return MARGIN + each.risk * 400, 280 - each.loss / top * 240

    parts = [f'<path class="frame" d="M{MARGIN} 34V280H{MARGIN + 404}"/>', text(MARGIN, 22, loss, "start")]
    parts += [text(MARGIN + 200, 312, "re-identified by the informed intruder", "axis")]
    parts += [text(MARGIN + 400 * x, 294, f"{x:g}", "label") for x in (0, 0.5, 1)]
    parts += [text(MARGIN - 5, 44, f"{top:.2g}", "end"), text(MARGIN - 5, 284, "0", "end")]
    path = " ".join("{:.1f},{:.1f}".format(*position(each)) for each in best)
    parts.append(f'<polyline class="curve-1" points="{path}"/>')
    for each in points:
        x, y = position(each)
        parts.append(
            marked(x, y, names.index(each.name)) if by_family else dot(x, y, "after" if each in best else "before")
        )
    for index, name in enumerate(names):
        parts += [marked(470, 44 + 20 * index, index), text(482, 48 + 20 * index, name, "start")]
    ends = [f"a risk of {each.risk:.3f} and a loss of {each.loss:.3f} ({each.name})" for each in (best[0], best[-1])]
    words = (
        f"{title}, from the curves on their pages: risk to the right, loss ({loss}, up to 1) upwards. {len(best)} of "
        f"{len(points)} settings are on the frontier, from {ends[0]} to {ends[1]}."
    )
    return Picture(svg(700 if by_family else 460, 320, parts, words), words)


def marked(x: float, y: float, index: int) -> str:
    """A mark: one of four forms, in one of three colours."""
    colour = f"mark-{index % 3}"
    forms = (
        f'<circle class="{colour}" cx="{x:.1f}" cy="{y:.1f}" r="4"/>',
        f'<rect class="{colour}" x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8"/>',
        f'<path class="{colour}" d="M{x - 5:.1f} {y + 4:.1f}L{x:.1f} {y - 5:.1f}L{x + 5:.1f} {y + 4:.1f}z"/>',
        f'<path class="{colour}" d="M{x:.1f} {y - 5:.1f}l5 5l-5 5l-5 -5z"/>',
    )
    return forms[index // 3 % 4]
