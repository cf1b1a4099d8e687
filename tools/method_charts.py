"""The curves of a masking as drawings: risk on the left, loss on the right, over one parameter, a pair a file."""

import html
from collections.abc import Sequence

from sdckit.catalogue import Entry
from sdckit.formatting import figure
from tools.method_curves import Point, stored
from tools.method_files import NODES, RECORDS
from tools.method_pictures import line, svg, text

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 300, 170, 44, 16, 26, 38
LETTER = 5.6  # the width of a letter of the legend
RISKS = ("ordinary", "informed")
FILES = {
    "firms": f"{RECORDS} firms, four skewed amounts",
    "persons": f"{RECORDS} persons, age and two amounts",
    "patients": f"{RECORDS} patients, sex and postcode",
    "residents": f"{RECORDS} residents, four categories",
    "network": f"a network with hubs, {NODES} people",
    "ring": f"a network of neighbours, {NODES} people",
    "network of calls": f"calls in a network with hubs, directed and weighted, {NODES} people",
    "ring of calls": f"calls in a network of neighbours, directed and weighted, {NODES} people",
}


def curves(entry: Entry) -> list[str]:
    """A figure for each parameter and file, in HTML; a sentence where there is nothing to vary."""
    points = stored().get(entry.name, [])
    figures = []
    for file in dict.fromkeys(point.file for point in points):
        for parameter in dict.fromkeys(point.parameter for point in points):
            chosen = [point for point in points if (point.file, point.parameter) == (file, parameter)]
            if len(chosen) == 1:
                figures.append(f"On {FILES[file]}: {in_words(chosen[0])}.")
            elif chosen:
                figures.append(chart(entry.name, file, parameter, chosen))
    return figures


def in_words(point: Point) -> str:
    """The figures of one point."""
    return ", ".join(f"{label} {figure(value)}" for label, value in point.figures.items())


def chart(name: str, file: str, parameter: str, points: Sequence[Point]) -> str:
    """Risk and loss over one parameter, with the same in words."""
    measures = [label for label in points[0].figures if label not in RISKS]
    parts = panel(0, "re-identified", parameter, points, RISKS, top=1.0)
    parts += panel(WIDTH, "loss", parameter, points, measures)
    words = "; ".join(f"{parameter} {point.value:g}: {in_words(point)}" for point in points)
    title = f"{name} on {FILES[file]}. {words}."
    caption = html.escape(f"{FILES[file].capitalize()}.")
    return f'<figure class="curves">{svg(2 * WIDTH, HEIGHT, parts, title)}<figcaption>{caption}</figcaption></figure>'


def panel(
    offset: float, title: str, parameter: str, points: Sequence[Point], labels: Sequence[str], top: float = 0.0
) -> list[str]:
    """One half: a line for each label; the values of the parameter are evenly spaced, in their order."""
    present = [label for label in labels if all(label in point.figures for point in points)]
    high = top or max((point.figures[label] for point in points for label in present), default=1) or 1
    right, bottom = offset + WIDTH - RIGHT, HEIGHT - BOTTOM
    step = (WIDTH - LEFT - RIGHT) / max(len(points) - 1, 1)
    xs = [offset + LEFT + step * index for index in range(len(points))]
    parts = [
        f'<path class="frame" d="M{offset + LEFT} {TOP}V{bottom}H{right}"/>',
        text(offset + LEFT, 14, title, "start"),
    ]
    parts += [text(x, bottom + 14, f"{point.value:g}", "label") for x, point in zip(xs, points, strict=True)]
    parts += [text((offset + LEFT + right) / 2, HEIGHT - 6, parameter, "axis")]
    parts += [text(offset + LEFT - 5, y + 4, shown, "end") for y, shown in ((bottom, "0"), (TOP, f"{high:.3g}"))]
    start = right
    for index, label in reversed(list(enumerate(present))):
        ys = [bottom - (bottom - TOP) * min(point.figures[label] / high, 1) for point in points]
        drawn = " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(xs, ys, strict=True))
        parts.append(f'<polyline class="curve-{index}" points="{drawn}"/>')
        parts += [
            f'<circle class="curve-{index}" cx="{x:.1f}" cy="{y:.1f}" r="2.5"/>' for x, y in zip(xs, ys, strict=True)
        ]
        start -= LETTER * len(label) + 28
        parts.append(line(start, 10, start + 14, 10, f"curve-{index}"))
        parts.append(text(start + 18, 14, label, "start"))
    if not present:
        parts.append(text((offset + LEFT + right) / 2, (TOP + bottom) / 2, "does not apply", "axis"))
    return parts
