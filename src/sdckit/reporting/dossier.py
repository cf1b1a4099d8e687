"""Dossier: all that a report says, as plain values; written as JSON, and rendered again without the data.

A page is always made from a dossier, never from a result directly, so that the one rebuilt from the JSON is the same.
Its form is described by `dossier.schema.json` beside this file.
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
from sdckit.errors import FileError
from sdckit.evaluation.assess import Assessment
from sdckit.files.atomic import replacing
from sdckit.measure import Score, plain
from sdckit.reporting.found_sections import every_section
from sdckit.reporting.publishable import publishable
from sdckit.reporting.sections.risk_utility_map import map_figures
from sdckit.reporting.words import words

FORMAT = "sdckit-dossier"
EDITION = 1  # of the form: raised when an older reader would misread it


@dataclass(frozen=True)
class Told:
    """What one section shows."""

    name: str
    title: str
    content: Mapping[str, Any]


@dataclass(frozen=True)
class Dossier:
    """The facts of a page, the figures for a program, what each section shows, and the terms it uses.

    `figures` are those of `Assessment.to_dict`, the attack, the map, the gate and the corrections; `sections` hold the
    records of every chart.
    """

    public: bool
    made: str
    version: str
    records: int
    attributes: int
    recipe: str | None
    figures: Mapping[str, Any]
    sections: tuple[Told, ...]
    terms: Mapping[str, Mapping[str, Any]]

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {"format": FORMAT, "edition": EDITION, **asdict(self)}

    def to_json(self) -> str:
        """The text of the file."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=1, allow_nan=False) + "\n"

    def write(self, path: str | Path, *, force: bool = False) -> Path:
        """Write it as JSON; an existing file is kept unless `force`."""
        with replacing(path, force=force) as temporary:
            temporary.write_text(self.to_json(), encoding="utf-8")
        return Path(path)

    @classmethod
    def from_dict(cls, told: Any, where: str = "the dossier") -> "Dossier":
        """The dossier again; what is no dossier, or one of a later edition, is refused."""
        if not isinstance(told, dict) or told.get("format") != FORMAT:
            raise FileError(f"{where} is not a dossier; take what `sdckit report … --json-out` wrote")
        if told.get("edition") != EDITION:
            raise FileError(f"{where} is of edition {told.get('edition')}, and this sdckit reads {EDITION}; update it")
        names = [each.name for each in fields(cls)]
        missing = [name for name in names if name not in told]
        if missing:
            raise FileError(f"{where} has no {missing[0]!r}; it was cut short or changed by hand")
        try:
            sections = tuple(Told(each["name"], each["title"], each["content"]) for each in told["sections"])
        except (KeyError, TypeError):
            raise FileError(f"{where}: a section has a name, a title and a content; write the dossier again") from None
        known = {section.name for section in every_section()}
        strange = [section.name for section in sections if section.name not in known]
        if strange:
            raise FileError(f"{where} has a section {strange[0]!r} that this sdckit does not know; update it")
        return cls(**{**{name: told[name] for name in names}, "sections": sections})

    @classmethod
    def read(cls, path: str | Path) -> "Dossier":
        """Read it from JSON."""
        try:
            told = json.loads(Path(path).read_text(encoding="utf-8"))
        except ValueError:
            raise FileError(f"{path} is not JSON; take what `sdckit report … --json-out` wrote") from None
        return cls.from_dict(told, str(path))


def dossier(result: Assessment, *, public: bool = False) -> Dossier:
    """The dossier of an assessment; the public one holds nothing that must not be published."""
    return told_of(publishable(result) if public else result, public=public)


def told_of(result: Assessment, *, public: bool) -> Dossier:
    """The dossier of a result; for a public one the result must be publishable."""
    release = result.release
    sections = []
    for section in every_section():
        content = section.content(result, public=public)
        if content is not None:
            sections.append(Told(section.name, section.title, shown(content)))
    methods = [step.masking.name for step in release.recipe.steps] if release.recipe else []
    ruled = [each.rule.measure.name for each in result.gate.findings] if result.gate is not None else []
    names = dict.fromkeys([*methods, *result.scores, *result.before, *result.skipped, *ruled])
    more = {
        "attack": result.attack.to_dict() if result.attack is not None else None,
        "map": map_figures(result),
        "gate": result.gate.to_dict() if result.gate is not None else None,
        "corrections": [each.to_dict() for each in result.corrections],
    }
    return Dossier(
        public,
        date.today().isoformat(),
        sdckit.__version__,
        len(release.masked),
        len(release.masked.attributes),
        None if release.recipe is None else str(release.recipe),
        shown(result.to_dict() | more),
        tuple(sections),
        {name: shown(words(name)) for name in names},
    )


def shown(value: Any) -> Any:
    """What a template shows, as JSON gives it back: objects become mappings, and no array, thus no data, is let in."""
    if isinstance(value, Score):
        return shown(value.to_dict())
    if isinstance(value, Chart):
        return {"title": value.title, "records": shown(value.records), "spec": shown(value.spec), "note": value.note}
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: shown(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): shown(each) for key, each in value.items()}
    if isinstance(value, str | bool | int | float) or value is None or hasattr(value, "item"):
        found = plain(value)
        if isinstance(found, list):
            raise TypeError("a section shows figures, not an array of them; sum it up in a chart")
        return found
    if isinstance(value, Sequence | set | frozenset):
        return [shown(each) for each in value]
    raise TypeError(f"a section cannot show a {type(value).__name__}; give its figures as plain values")


def schema() -> dict[str, Any]:
    """The JSON schema of a dossier."""
    held: dict[str, Any] = json.loads(files("sdckit.reporting").joinpath("dossier.schema.json").read_text("utf-8"))
    return held
