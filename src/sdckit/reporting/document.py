"""Document: a dossier as plain values, written as JSON, from which a page is rendered without the data.

A page is always rendered from a document, never from a result directly, so that the one rendered again from the JSON is
the same. Its form is described by `dossier.schema.json` beside this file.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, is_dataclass
from datetime import date
from importlib.resources import files
from pathlib import Path
from typing import Any

import sdckit
from sdckit.charts.chart import Chart
from sdckit.charts.chart_catalogue import charts_for_section
from sdckit.charts.risk_utility_map import map_figures
from sdckit.errors import FileError
from sdckit.evaluation.assess import Assessment
from sdckit.evaluation.component_descriptions import describe_component
from sdckit.evaluation.dossier import Dossier
from sdckit.evaluation.publishable import publishable
from sdckit.files.atomic import OWNER_ONLY, replacing
from sdckit.input_file import read_json
from sdckit.measure import Score, plain
from sdckit.reporting.section_catalogue import Section, every_section

FORMAT = "sdckit-dossier"
EDITION = 1  # of the form: raised when an older reader would misread it


@dataclass(frozen=True)
class SectionContent:
    """What one section shows: the values for its template, and the further charts that declare this section."""

    name: str
    title: str
    content: Mapping[str, Any]
    charts: tuple[Mapping[str, Any], ...] = ()

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> "SectionContent":
        """The section again, from JSON; a TypeError where its name or its title is no text."""
        name, title = document["name"], document["title"]
        if not isinstance(name, str) or not isinstance(title, str):
            raise TypeError("the name and the title of a section are text")
        return cls(name, title, document["content"], tuple(document.get("charts", ())))


@dataclass(frozen=True)
class Document:
    """The facts of a page, the figures for a program, what each section shows, and the terms it uses.

    `figures` are those of `Dossier.to_dict` and of the map; `sections` have the records of every chart.
    """

    public: bool
    made: str
    version: str
    records: int
    attributes: int
    recipe: str | None
    figures: Mapping[str, Any]
    sections: tuple[SectionContent, ...]
    terms: Mapping[str, Mapping[str, Any]]

    @property
    def unit(self) -> str:
        """What a row of the release is, a record or a node, by the section on the file."""
        return next((each.content.get("unit", "record") for each in self.sections if each.name == "the_file"), "record")

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {"format": FORMAT, "edition": EDITION, **asdict(self)}

    def to_json(self) -> str:
        """The text of the file."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=1, allow_nan=False) + "\n"

    def write(self, path: str | Path, *, force: bool = False) -> Path:
        """Write it as JSON, an internal one for its owner alone; an existing file is kept unless `force`."""
        with replacing(path, force=force, mode=None if self.public else OWNER_ONLY) as temporary:
            temporary.write_text(self.to_json(), encoding="utf-8")
        return Path(path)

    @classmethod
    def from_dict(cls, document: Any, source: str = "the dossier") -> "Document":
        """The document from plain values; anything but a dossier of a known edition is refused."""
        if not isinstance(document, dict) or document.get("format") != FORMAT:
            raise FileError(f"{source} is not a dossier; give the file that `sdckit report … --json-out` wrote")
        if document.get("edition") != EDITION:
            raise FileError(
                f"{source} is of edition {document.get('edition')}, and this sdckit reads {EDITION}; update sdckit"
            )
        names = [each.name for each in fields(cls)]
        missing = [name for name in names if name not in document]
        if missing:
            raise FileError(f"{source} has no {missing[0]!r}; it was cut short or changed by hand")
        try:
            sections = tuple(SectionContent.from_dict(each) for each in document["sections"])
        except (AttributeError, KeyError, TypeError):
            raise FileError(f"{source}: a section has a name, a title and a content; write the dossier again") from None
        known = {section.name for section in every_section()}
        strange = [section.name for section in sections if section.name not in known]
        if strange:
            raise FileError(
                f"{source} has a section {strange[0]!r} that this sdckit lacks; update it, or install what adds it"
            )
        return cls(**{**{name: document[name] for name in names}, "sections": sections})

    @classmethod
    def read(cls, path: str | Path) -> "Document":
        """Read it from JSON."""
        document = read_json(path, "JSON; give the file that `sdckit report … --json-out` wrote")
        return cls.from_dict(document, str(path))


def describe_dossier(result: Assessment | Dossier, *, public: bool = False) -> Document:
    """The document of a dossier, or of an assessment alone; a public one has nothing that must not be published."""
    dossier = Dossier.of(result)
    return _describe(publishable(dossier) if public else dossier, public=public)


def _describe(dossier: Dossier, *, public: bool) -> Document:
    release, assessment = dossier.release, dossier.assessment
    sections = [
        content
        for section in every_section()
        if section.applies(dossier, public=public)
        and (content := _describe_section(section, dossier, public=public)) is not None
    ]
    methods = [step.masking.name for step in release.recipe.steps] if release.recipe else []
    rules = [each.rule.measure.name for each in dossier.gate.findings] if dossier.gate is not None else []
    names = dict.fromkeys([*methods, *assessment.scores, *assessment.before, *assessment.skipped, *rules])
    return Document(
        public,
        date.today().isoformat(),
        sdckit.__version__,
        dossier.records,
        len(release.masked.attributes),
        None if release.recipe is None else str(release.recipe),
        to_plain(dossier.to_dict() | {"map": map_figures(dossier)}),
        tuple(sections),
        {name: to_plain(describe_component(name)) for name in names},
    )


def _describe_section(section: Section, dossier: Dossier, *, public: bool) -> SectionContent | None:
    content = section.content(dossier, public=public)
    if content is None:
        return None
    charts = tuple(to_plain(chart) for chart in charts_for_section(section.name, dossier, public=public))
    return SectionContent(section.name, section.title, to_plain(content), charts)


def to_plain(value: Any) -> Any:
    """A value as JSON gives it back: objects become mappings, and no array, thus no data, is accepted."""
    if isinstance(value, Score):
        return to_plain(value.to_dict())
    if isinstance(value, Chart):
        return {
            "title": value.title,
            "records": to_plain(value.records),
            "spec": to_plain(value.spec),
            "note": value.note,
        }
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: to_plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): to_plain(each) for key, each in value.items()}
    if isinstance(value, str | bool | int | float) or value is None or hasattr(value, "item"):
        converted = plain(value)
        if isinstance(converted, list):
            raise TypeError("a section shows figures, not an array of them; summarise it in a chart")
        return converted
    if isinstance(value, Sequence | set | frozenset):
        return [to_plain(each) for each in value]
    raise TypeError(f"a section cannot show a {type(value).__name__}; give its figures as plain values")


def schema() -> dict[str, Any]:
    """The JSON schema of a dossier."""
    text = files("sdckit.reporting").joinpath("dossier.schema.json").read_text("utf-8")
    document: dict[str, Any] = json.loads(text)
    return document
