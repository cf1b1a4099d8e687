"""The figures of pages written by hand: each function marked `drawn` draws one, from the code that the page is about.

`<!-- figure NAME: TEXT -->` in a page is replaced by the drawing when the docs are built. The text says in figures what
is drawn; the build ends where the code draws something else than the text says. `python -m tools.figures` prints the
texts.
"""

import importlib
import pkgutil
from collections.abc import Callable

from tools.method_pictures import Picture

FIGURES: dict[str, Callable[[], Picture]] = {}


class OutdatedFigure(Exception):
    """A figure that is not drawn, or not as its text says, which ends the build."""


def drawn(draw: Callable[[], Picture]) -> Callable[[], Picture]:
    """A figure that pages can name."""
    FIGURES[draw.__name__] = draw
    return draw


def every_figure() -> dict[str, Callable[[], Picture]]:
    """All figures of the modules in this folder."""
    for module in pkgutil.iter_modules(__path__):
        if not module.name.startswith("_"):
            importlib.import_module(f"{__name__}.{module.name}")
    return FIGURES


def figure(name: str, words: str) -> str:
    """The drawing as HTML; an error if there is none, or if it shows something else than its text says."""
    figures = every_figure()
    if name not in figures:
        raise OutdatedFigure(f"no function of tools/figures draws {name!r}")
    picture = figures[name]()
    if " ".join(words.split()) != picture.text:
        raise OutdatedFigure(
            f"the figure {name} shows something else than its text; look at it. It shows:\n{picture.text}"
        )
    return picture.figure
