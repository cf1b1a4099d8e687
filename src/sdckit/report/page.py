"""The page: every section that has something to show, in one HTML text with styles, scripts and data inside."""

import json
import pkgutil
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from importlib import import_module
from typing import Any

from jinja2 import Environment, PackageLoader
from markupsafe import Markup

import sdckit
from sdckit.charts.chart import Chart
from sdckit.errors import SdcError
from sdckit.evaluation.assess import Assessment
from sdckit.report import sections, words


@dataclass(frozen=True)
class Section:
    """A part of the page, as found in the folder: `content` gives what its template shows, or None for nothing."""

    name: str
    title: str
    order: int
    content: Any


@lru_cache(maxsize=1)
def every_section() -> tuple[Section, ...]:
    """The sections there are, found by looking into the folder, in their order."""
    found = []
    for info in pkgutil.iter_modules(sections.__path__):
        module = import_module(f"{sections.__name__}.{info.name}")
        found.append(Section(info.name, module.TITLE, module.ORDER, module.content))
    return tuple(sorted(found, key=lambda section: (section.order, section.name)))


def page(result: Assessment, *, public: bool) -> str:
    """The whole page; for a public one the result must be publishable."""
    environment = _environment()
    figures = Figures()
    environment.globals["draw"] = figures.place
    parts = []
    for section in every_section():
        content: Mapping[str, Any] | None = section.content(result, public=public)
        if content is not None:
            body = environment.get_template(f"{section.name}.html").render(content, public=public)
            parts.append({"name": section.name, "title": section.title, "body": Markup(body)})
    return environment.get_template("page.html").render(
        parts=parts,
        public=public,
        specs=Markup(figures.as_json()),
        bundle=Markup(javascript_bundle()),
        records=len(result.release.masked),
        attributes=len(result.release.masked.attributes),
        recipe=result.release.recipe,
        today=date.today().isoformat(),
        version=sdckit.__version__,
    )


class Figures:
    """The charts of a page: a place for each in the text, and all their specs once at its end."""

    def __init__(self) -> None:
        self.specs: list[dict[str, Any]] = []

    def place(self, chart: Chart) -> Markup:
        """An empty place which the script at the end of the page fills."""
        self.specs.append(chart.vega_lite())
        return Markup('<div class="chart" id="chart-{}" role="img" aria-label="{}"></div>').format(
            len(self.specs) - 1, chart.title
        )

    def as_json(self) -> str:
        """The specs as JSON that cannot end the script element it stands in."""
        text = json.dumps(self.specs, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


@lru_cache(maxsize=1)
def javascript_bundle() -> str:
    """The scripts that draw the charts, for one script element."""
    try:
        import vl_convert
    except ModuleNotFoundError:
        raise SdcError(
            "a report needs vl-convert-python, which carries the scripts that draw the charts offline; "
            "install it with: pip install 'sdckit[all]'"
        ) from None
    bundle: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return bundle.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("sdckit.report"), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters.update(
        percent=words.percent,
        figure=words.figure,
        between=words.between,
        out_of=words.out_of,
        listed=words.listed,
        prose=words.prose,
    )
    environment.globals["words"] = words.words
    return environment
