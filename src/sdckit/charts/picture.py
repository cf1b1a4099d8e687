"""A chart as a picture in a file: SVG or PNG."""

from pathlib import Path
from typing import Any

from sdckit.charts.chart import Chart
from sdckit.errors import FileError

WIDTH = 560


def write_picture(chart: Chart, path: Path) -> None:
    """Write a chart as the picture that the ending of the path asks for."""
    if path.suffix == ".svg":
        path.write_text(svg(chart), encoding="utf-8")
    elif path.suffix == ".png":
        path.write_bytes(_converter().vegalite_to_png(_alone(chart), scale=2))
    else:
        raise FileError(f"{path} is neither .svg nor .png; name a picture with one of these endings")


def svg(chart: Chart) -> str:
    """A chart as the text of an SVG."""
    drawn: str = _converter().vegalite_to_svg(_alone(chart))
    return drawn


def _alone(chart: Chart) -> dict[str, Any]:
    """The specification of a chart on its own, with a width and a title."""
    own = {"width": WIDTH, "autosize": {"type": "pad"}, "background": "white", "title": chart.title}
    return chart.vega_lite() | own


def _converter() -> Any:
    try:
        import vl_convert
    except ImportError:
        raise FileError("pictures need vl-convert; install it with: pip install 'sdckit[report]'") from None
    return vl_convert
