"""The picture on the page of a masking: the same hundred records, or the same small network, before and after.

Drawn when the docs are built, from the masking itself, so that no picture is older than its code. Amounts are points
in a plane, categories a table of counts, a network its edges. Each picture has a text that says in figures what it
shows.
"""

import html
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.catalogue import Entry
from sdckit.errors import SdcError
from sdckit.graph import Graph
from sdckit.microdata import Kind, Microdata
from sdckit.release import Release
from sdckit.rows import Matched, Sampled
from tools.method_files import SEED, Sample, pictured

WIDTH, HEIGHT, MARGIN = 300, 240, 34
STEPS = 400  # of the layout of a network
ARROW = (
    '<defs><marker id="arrow" viewBox="0 0 6 6" refX="9" refY="3" markerWidth="6" markerHeight="6" '
    'markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L6 3L0 6z"/></marker></defs>'
)


@dataclass(frozen=True)
class Picture:
    """An SVG and the text that stands for it."""

    svg: str
    text: str

    @property
    def figure(self) -> str:
        """Both as HTML, in one line."""
        return f'<figure class="before-after">{self.svg}<figcaption>{html.escape(self.text)}</figcaption></figure>'


def picture(entry: Entry) -> Picture | None:
    """What a masking does with its default parameters; none where it refuses the file."""
    sample = pictured(entry)
    try:
        release = sample.masked(entry)
    except SdcError:
        return None
    if isinstance(sample.data, Graph):
        return network(entry.name, sample.data, release.masked)
    if sample.data.attribute(sample.attributes[0]).kind & Kind.CONTINUOUS:
        return points(entry.name, sample, release)
    return counts(entry.name, sample, release)


def origins(release: Release) -> NDArray[np.int64] | None:
    """The record of each released row, where rows belong to records."""
    rows = release.rows
    return np.asarray(rows.origin) if isinstance(rows, Matched | Sampled) else None


def points(name: str, sample: Sample, release: Release) -> Picture:
    """Two amounts: each record's point before, and after with a line from where it was."""
    before = sample.data.matrix(sample.attributes[:2])
    after = release.masked.matrix(sample.attributes[:2])
    origin = origins(release)
    low = np.nanmin(np.vstack([before, after]), axis=0)
    high = np.nanmax(np.vstack([before, after]), axis=0)
    left, right = (panel(low, high, offset) for offset in (0, WIDTH))
    parts = [frame(sample.attributes[:2], low, high)]
    parts += [dot(*left(point), "before") for point in before]
    present = np.isfinite(after).all(axis=1)
    if origin is not None:
        parts += [
            line(*right(before[record]), *right(point), "move")
            for record, point in zip(origin[present], after[present], strict=True)
            if not np.array_equal(before[record], point)
        ]
        gone = np.setdiff1d(np.arange(len(before)), origin[present])
        parts += [dot(*right(before[record]), "gone") for record in gone]
    parts += [dot(*right(point), "after") for point in after[present]]
    words = f"{name}: {points_in_words(sample, before, after, origin)}"
    return Picture(svg(2 * WIDTH, HEIGHT, parts, words), words)


def points_in_words(
    sample: Sample, before: NDArray[np.float64], after: NDArray[np.float64], origin: NDArray[np.int64] | None
) -> str:
    """The figures of a picture of points."""
    amounts = " and ".join(sample.attributes[:2])
    distinct = len(np.unique(after[np.isfinite(after).all(axis=1)], axis=0))
    start = f"{amounts} of {len(before)} records before (left) and after (right)"
    if origin is None:
        return f"{start}; {len(after)} new rows belong to no record. {correlations(before, after)}"
    if len(after) < len(before):
        return f"{start}; {len(after)} records are released, and the others are hollow."
    missing = int((~np.isfinite(after)).any(axis=1).sum())
    if missing:
        return f"{start}; {missing} records lose a value and are hollow, the others are unchanged."
    moved = np.abs(after - before[origin]) / before.std(axis=0)
    changed = int((moved > 0).any(axis=1).sum())
    return (
        f"{start}; {changed} records change, by {moved.mean():.2f} standard deviations on average, "
        f"and take {distinct} different positions. {correlations(before, after)}"
    )


def correlations(before: NDArray[np.float64], after: NDArray[np.float64]) -> str:
    """The correlation of the two amounts, before and after."""
    values = [np.corrcoef(each.T)[0, 1] if each.std(axis=0).all() else np.nan for each in (before, after)]
    return "The correlation is {:.2f} before and {:.2f} after.".format(*values)


def counts(name: str, sample: Sample, release: Release) -> Picture:
    """A category: how many records of each original one are released as each other one."""
    attribute, pairs = most_changed(sample, release)
    rows, columns = sorted({one for one, _ in pairs}), sorted({other for _, other in pairs})
    cell, left, top = 44, 110, 46
    most = max(pairs.values())
    parts = [text(left + cell * len(columns) / 2, 14, "released", "axis"), text(6, top - 8, "original", "axis start")]
    for column, label in enumerate(columns):
        parts.append(text(left + cell * (column + 0.5), top - 8, label, "label"))
    for row, label in enumerate(rows):
        parts.append(text(left - 10, top + cell * (row + 0.5) + 4, label, "label end"))
        for column, released in enumerate(columns):
            number = pairs[label, released]
            x, y = left + cell * column, top + cell * row
            kind = "kept" if label == released else "changed"
            shade = f"{0.15 + 0.85 * number / most:.2f}" if number else "0.04"
            parts.append(
                f'<rect class="{kind}" x="{x + 1}" y="{y + 1}" width="{cell - 2}" height="{cell - 2}" '
                f'fill-opacity="{shade}"/>'
            )
            if number:
                parts.append(text(x + cell / 2, y + cell / 2 + 4, str(number), "count"))
    changed = sum(number for (one, other), number in pairs.items() if one != other)
    words = (
        f"{name}: {attribute} of {sum(pairs.values())} records, by original (rows) and released category (columns); "
        f"{changed} records change, and {len(columns)} of {len(rows)} categories remain."
    )
    return Picture(svg(left + cell * len(columns) + 10, top + cell * len(rows) + 10, parts, words), words)


def most_changed(sample: Sample, release: Release) -> tuple[str, Counter[tuple[str, str]]]:
    """The attribute with most changed values, with the number of records of each pair of categories."""
    origin = origins(release)
    assert origin is not None
    counted = {}
    for name in sample.attributes:
        before, after = labels(sample.data, name), labels(release.masked, name)
        counted[name] = Counter((before[record], value) for record, value in zip(origin, after, strict=True))
    name = max(counted, key=lambda each: sum(n for (one, other), n in counted[each].items() if one != other))
    return name, counted[name]


def labels(data: Microdata, name: str) -> list[str]:
    """The categories of a column as text; a missing one is a dash."""
    categories = data.attribute(name).categories or ()
    return [str(categories[code]) if code >= 0 else "–" for code in data.columns[name].astype(int)]


def network(name: str, before: Graph, after: Graph) -> Picture:
    """The edges of a network: those that stay, go and come."""
    nodes = layout(before)
    if len(after) != len(before) or after.probability is not None:
        return uncertain(name, before, after, nodes)
    if before.weight is not None:
        return calls(name, before, after, nodes)
    old, new = ({tuple(sorted(pair)) for pair in zip(*graph.edges, strict=True)} for graph in (before, after))
    left, right = (panel(nodes.min(axis=0), nodes.max(axis=0), offset) for offset in (0, WIDTH))
    parts = [line(*left(nodes[a]), *left(nodes[b]), "edge") for a, b in sorted(old)]
    for kind, edges in (("edge", old & new), ("gone-edge", old - new), ("new-edge", new - old)):
        parts += [line(*right(nodes[a]), *right(nodes[b]), kind) for a, b in sorted(edges)]
    parts += [dot(*side(node), kind) for side, kind in ((left, "before"), (right, "after")) for node in nodes]
    words = (
        f"{name}: a network of {len(before)} people before (left) and after (right); of {len(old)} edges "
        f"{len(old - new)} go (dashed) and {len(new - old)} come (coloured)."
    )
    return Picture(svg(2 * WIDTH, HEIGHT, parts, words), words)


def uncertain(name: str, before: Graph, after: Graph, nodes: NDArray[np.float64]) -> Picture:
    """The edges of a network before, and after with the probability of each as its darkness."""
    left, right = (panel(nodes.min(axis=0), nodes.max(axis=0), offset) for offset in (0, WIDTH))
    parts = [line(*left(nodes[a]), *left(nodes[b]), "edge") for a, b in zip(*before.edges, strict=True)]
    values = edge_probabilities(after)
    for (a, b), value in values.items():
        parts.append(line(*right(nodes[a]), *right(nodes[b]), "new-edge", f' stroke-opacity="{value:.2f}"'))
    parts += [dot(*side(node), kind) for side, kind in ((left, "before"), (right, "after")) for node in nodes]
    words = (
        f"{name}: a network of {len(before)} people with {before.edge_count} edges before (left); after (right) "
        f"{len(values)} edges have a probability, {sum(values.values()):.1f} in total, and are the darker the likelier."
    )
    return Picture(svg(2 * WIDTH, HEIGHT, parts, words), words)


def calls(name: str, before: Graph, after: Graph, nodes: NDArray[np.float64]) -> Picture:
    """The directed, weighted edges of a network before and after: the wider, the heavier."""
    parts = [ARROW]
    for graph, offset, kind in ((before, 0, "before"), (after, WIDTH, "after")):
        side = panel(nodes.min(axis=0), nodes.max(axis=0), offset)
        for (a, b), weight in zip(pairs(graph), graph.of_edges(graph.weight).tolist(), strict=True):
            look = f' stroke-width="{0.5 + weight / 5:.1f}"' + (' marker-end="url(#arrow)"' if graph.directed else "")
            parts.append(line(*side(nodes[a]), *side(nodes[b]), "edge", look))
        parts += [dot(*side(node), kind) for node in nodes]
    was, became = (f"{graph.edge_count} {graph.kind_of_edges}{sum_of_weights(graph)}" for graph in (before, after))
    words = (
        f"{name}: a network of {len(before)} people who call each other, lines the wider the more calls. {was} before "
        f"(left) are {became} after (right)."
    )
    return Picture(svg(2 * WIDTH, HEIGHT, parts, words), words)


def sum_of_weights(graph: Graph) -> str:
    return "" if graph.weight is None else f" with {graph.of_edges(graph.weight).sum():g} calls"


def edge_probabilities(graph: Graph) -> dict[tuple[int, int], float]:
    """The probability of each edge, by its ends."""
    return dict(zip(pairs(graph), graph.of_edges(graph.probability).tolist(), strict=True))


def pairs(graph: Graph) -> list[tuple[int, int]]:
    """The two ends of each edge."""
    one, other = graph.edges
    return list(zip(one.tolist(), other.tolist(), strict=True))


def layout(graph: Graph) -> NDArray[np.float64]:
    """Positions of the nodes: all repel each other, linked ones attract, less and less."""
    rng = np.random.default_rng(SEED)
    nodes = rng.normal(size=(len(graph), 2))
    linked = np.asarray(graph.plain.to_scipy().todense()) > 0
    ideal = 1 / np.sqrt(len(graph))
    for step in range(STEPS):
        gap = nodes[:, None] - nodes[None]
        distance = np.maximum(np.linalg.norm(gap, axis=2), 1e-3)
        force = ideal**2 / distance**2 - np.where(linked, distance / ideal, 0) - 0.02
        move = (gap * force[..., None]).sum(axis=1)
        length = np.maximum(np.linalg.norm(move, axis=1, keepdims=True), 1e-9)
        nodes = nodes + move / length * np.minimum(length, 0.1 * (1 - step / STEPS))
    return nodes


def panel(
    low: NDArray[np.float64], high: NDArray[np.float64], offset: float
) -> Callable[[NDArray[np.float64]], tuple[float, float]]:
    """From values to a position in the left or right half."""
    size = np.where(high > low, high - low, 1)

    def position(point: NDArray[np.float64]) -> tuple[float, float]:
        x, y = (point - low) / size
        return offset + MARGIN + x * (WIDTH - 2 * MARGIN), HEIGHT - MARGIN - y * (HEIGHT - 2 * MARGIN)

    return position


def frame(names: tuple[str, ...], low: NDArray[np.float64], high: NDArray[np.float64]) -> str:
    """The axes of both halves, with the ends of their range."""
    parts = []
    for offset, title in ((0, "original"), (WIDTH, "masked")):
        left, right, bottom, top = offset + MARGIN - 8, offset + WIDTH - MARGIN + 8, HEIGHT - MARGIN + 8, MARGIN - 8
        parts.append(f'<path class="frame" d="M{left} {top}V{bottom}H{right}"/>')
        parts.append(text((left + right) / 2, 16, title, "title"))
        parts.append(text((left + right) / 2, HEIGHT - 4, names[0], "axis"))
        parts += [text(left, HEIGHT - 8, f"{low[0]:.3g}", "label"), text(right, HEIGHT - 8, f"{high[0]:.3g}", "label")]
        turned = f"translate({left - 8} {HEIGHT / 2}) rotate(-90)"
        parts.append(f'<text class="axis" transform="{turned}">{html.escape(names[1])}</text>')
    return "".join(parts)


def dot(x: float, y: float, kind: str) -> str:
    return f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="3.2"/>'


def line(x: float, y: float, to_x: float, to_y: float, kind: str, more: str = "") -> str:
    return f'<line class="{kind}" x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}"{more}/>'


def text(x: float, y: float, words: str, kind: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{html.escape(words)}</text>'


def svg(width: float, height: float, parts: list[str], title: str = "") -> str:
    """A drawing; its title is what a reader hears who cannot see it."""
    size = f'viewBox="0 0 {width:.0f} {height:.0f}" style="max-width:{width:.0f}px"'
    return f'<svg role="img" aria-label="{html.escape(title)}" {size}>{"".join(parts)}</svg>'
