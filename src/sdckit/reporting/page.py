"""The page: every section that has something to show, in one HTML text with styles, scripts and data inside."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from jinja2 import BytecodeCache, ChoiceLoader, DictLoader, Environment, PackageLoader
from jinja2.bccache import Bucket
from markupsafe import Markup

from sdckit.charts.chart import Chart
from sdckit.evaluation.component_descriptions import describe_component
from sdckit.formatting import between, figure, percent
from sdckit.reporting.chart_scripts import javascript_bundle
from sdckit.reporting.document import Document
from sdckit.reporting.section_catalogue import every_section
from sdckit.reporting.text_filters import listed, out_of, prose


def render(document: Document) -> str:
    """The whole page, from a document alone."""
    environment = _environment({section.name: section.template for section in every_section()})
    charts = Charts()
    environment.globals["draw"] = charts.add
    environment.globals["describe"] = lambda name: document.terms.get(name) or describe_component(name)
    parts = []
    for section in document.sections:
        body = environment.get_template(section.name).render(
            {"unit": document.unit, **section.content}, public=document.public
        )
        parts.append({"name": section.name, "title": section.title, "body": Markup(body), "charts": section.charts})
    body = environment.get_template("body.html").render(parts=parts, document=document)
    return environment.get_template("page.html").render(
        body=Markup(body),
        document=document,
        specs=Markup(charts.to_json()),
        bundle=Markup(javascript_bundle()),
    )


class Charts:
    """The charts of a page: an empty element for each in the text, and all their specifications once at its end."""

    def __init__(self) -> None:
        self.specs: list[dict[str, Any]] = []

    def add(self, document: Mapping[str, Any]) -> Markup:
        """An empty element, which the script at the end of the page fills with the chart."""
        chart = Chart(document["title"], tuple(document["records"]), document["spec"], document["note"])
        self.specs.append(chart.vega_lite())
        return Markup('<div class="chart" id="chart-{}" role="img" aria-label="{}"></div>').format(
            len(self.specs) - 1, chart.title
        )

    def to_json(self) -> str:
        """The specifications as JSON that cannot end the script element around it."""
        text = json.dumps(self.specs, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


class Compiled(BytecodeCache):
    """Compiled templates, kept for the next report of this process."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill a bucket with what was compiled from the same text."""
        if bucket.key in self.kept:
            bucket.bytecode_from_string(self.kept[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what was compiled."""
        self.kept[bucket.key] = bucket.bytecode_to_string()


COMPILED = Compiled()


def _environment(sections: Mapping[str, str]) -> Environment:
    """Templates of the sections by their names, beside those of the page."""
    environment = Environment(
        loader=ChoiceLoader([PackageLoader("sdckit.reporting"), DictLoader(sections)]),
        bytecode_cache=COMPILED,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters = {"percent": percent, "figure": figure, "between": between, "between_figures": _between_figures}
    environment.filters.update(filters | {"out_of": out_of, "listed": listed, "prose": prose})
    return environment


def _between_figures(interval: Sequence[float] | None) -> str:
    return between(interval, figure)
