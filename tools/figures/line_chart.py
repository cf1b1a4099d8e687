"""A chart of lines over one quantity."""

from collections.abc import Mapping, Sequence

from tools.method_pictures import Picture, line, svg, text

HEIGHT, MARGIN = 240, 40


def line_chart(
    title: str, axes: tuple[str, str], lines: Mapping[str, Sequence[tuple[float, float]]], words: str, top: float = 1.0
) -> Picture:
    """Lines over one quantity, with a legend on the right."""
    width, right, bottom = 460, 350, HEIGHT
    high = max(x for points in lines.values() for x, _ in points)
    low = min(x for points in lines.values() for x, _ in points)

    def position(x: float, y: float) -> tuple[float, float]:
        return MARGIN + (x - low) / (high - low) * (right - MARGIN), bottom - y / top * (bottom - 30)

    parts = [f'<path class="frame" d="M{MARGIN} 26V{bottom}H{right}"/>', text(MARGIN, 14, axes[1], "start")]
    parts += [text((MARGIN + right) / 2, bottom + 32, axes[0], "axis")]
    parts += [text(position(x, 0)[0], bottom + 14, f"{x:g}", "label") for x in (low, high)]
    parts += [text(MARGIN - 5, position(low, y)[1] + 4, f"{y:g}", "end") for y in (0.0, top)]
    for index, (label, points) in enumerate(lines.items()):
        path = " ".join("{:.1f},{:.1f}".format(*position(*point)) for point in points)
        parts.append(f'<polyline class="curve-{index}" points="{path}"/>')
        if label:
            height = 40 + 20 * index
            parts.append(line(right + 8, height, right + 28, height, f"curve-{index}"))
            parts.append(text(right + 34, height + 4, label, "start"))
    return Picture(svg(width, bottom + 40, parts, f"{title}. {words}"), f"{title}. {words}")
