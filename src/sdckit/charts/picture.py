"""A chart as a picture in a file: SVG or PNG."""

from pathlib import Path

from sdckit.charts.chart import Chart
from sdckit.errors import FileError

WIDTH = 560


def write_picture(chart: Chart, path: Path) -> None:
    """Write a chart as the picture that the ending of the path asks for."""
    try:
        import vl_convert
    except ImportError:
        raise FileError("pictures need vl-convert; install it with: pip install 'sdckit[all]'") from None
    told = chart.vega_lite() | {
        "width": WIDTH,
        "autosize": {"type": "pad"},
        "background": "white",
        "title": chart.title,
    }
    if path.suffix == ".svg":
        path.write_text(vl_convert.vegalite_to_svg(told), encoding="utf-8")
    elif path.suffix == ".png":
        path.write_bytes(vl_convert.vegalite_to_png(told, scale=2))
    else:
        raise FileError(f"{path} is neither .svg nor .png; a picture is one of these")
