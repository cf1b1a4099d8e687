"""The page: every section that has something to show, in one HTML text with styles, scripts and data inside."""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from jinja2 import Environment, PackageLoader
from markupsafe import Markup

from sdckit.charts.chart import Chart
from sdckit.errors import SdcError
from sdckit.evaluation.assess import Assessment
from sdckit.reporting import words
from sdckit.reporting.dossier import Dossier, told_of
from sdckit.reporting.found_sections import every_section

__all__ = ["every_section", "page", "page_of"]


def page(result: Assessment, *, public: bool) -> str:
    """The whole page of a result; for a public one the result must be publishable."""
    return page_of(told_of(result, public=public))


def page_of(told: Dossier) -> str:
    """The whole page, from a dossier alone."""
    environment = _environment()
    figures = Figures()
    environment.globals["draw"] = figures.place
    environment.globals["words"] = lambda name: told.terms.get(name) or words.words(name)
    parts = []
    for section in told.sections:
        body = environment.get_template(f"{section.name}.html").render(section.content, public=told.public)
        parts.append({"name": section.name, "title": section.title, "body": Markup(body)})
    return environment.get_template("page.html").render(
        parts=parts,
        public=told.public,
        specs=Markup(figures.as_json()),
        bundle=Markup(javascript_bundle()),
        records=told.records,
        attributes=told.attributes,
        recipe=told.recipe,
        today=told.made,
        version=told.version,
    )


class Figures:
    """The charts of a page: a place for each in the text, and all their specs once at its end."""

    def __init__(self) -> None:
        self.specs: list[dict[str, Any]] = []

    def place(self, told: Mapping[str, Any]) -> Markup:
        """An empty place which the script at the end of the page fills with the chart told."""
        chart = Chart(told["title"], tuple(told["records"]), told["spec"], told["note"])
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
        loader=PackageLoader("sdckit.reporting"), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters.update(
        percent=words.percent,
        figure=words.figure,
        between=words.between,
        out_of=words.out_of,
        listed=words.listed,
        prose=words.prose,
    )
    return environment
