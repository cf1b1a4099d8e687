"""Sections and charts are found in their folders, and a stranger adds one with one file."""

import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType

import polars
import pytest

import sdckit
from sdckit.charts import chart_catalogue
from sdckit.errors import SdcError
from sdckit.evaluation.assess import Assessment
from sdckit.evaluation.dossier import Dossier
from sdckit.measure import Score
from sdckit.release import Release
from sdckit.reporting import section_catalogue, sections
from sdckit.reporting.document import describe_dossier
from sdckit.reporting.page import render
from sdckit.reporting.section_catalogue import every_section, read_section

SECTION = """
TITLE = "A section of mine"
ORDER = 11
TEMPLATE = "<p>{{ count }} scores by my count</p>"

def content(dossier, *, public):
    return {"count": len(dossier.assessment)}
"""
CHART = """
from sdckit.charts.chart import Chart

SECTION = "own_section"

def draw(dossier, *, public):
    records = tuple({"name": name, "value": score.value} for name, score in dossier.assessment.items())
    return [Chart("A chart of mine", records, {"mark": "bar", "encoding": {"x": {"field": "value"}}})]
"""


@pytest.fixture
def small() -> Dossier:
    file = polars.DataFrame({"x": [float(row) for row in range(20)]})
    score = Score(0.5, name="il1", kind="loss")
    return Dossier(Assessment(Release.in_order(file, file), sdckit.Intruder(), {"il1": score}))  # type: ignore[arg-type]


@pytest.fixture
def stranger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package outside that adds a section and a chart, one file each."""
    (tmp_path / "own_section.py").write_text(SECTION, encoding="utf-8")
    (tmp_path / "own_chart.py").write_text(CHART, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    modules = {"sdckit.sections": "own_section", "sdckit.charts": "own_chart"}

    def points(group: str) -> list[EntryPoint]:
        return [EntryPoint("own", modules[group], group)]

    for catalogue in (section_catalogue, chart_catalogue):
        monkeypatch.setattr(catalogue, "entry_points", points)
    every_section.cache_clear()
    chart_catalogue.every_chart.cache_clear()
    yield
    every_section.cache_clear()
    chart_catalogue.every_chart.cache_clear()
    for name in modules.values():
        sys.modules.pop(name, None)


def test_every_file_in_the_folder_is_a_section_in_its_order() -> None:
    names = {path.stem for path in Path(sections.__path__[0]).glob("*.py")} - {"__init__"}
    assert {section.name for section in every_section()} == names
    orders = [section.order for section in every_section()]
    assert orders == sorted(orders) and every_section()[0].name == "verdict"


@pytest.mark.usefixtures("stranger")
@pytest.mark.parametrize("public", [False, True])
def test_a_section_and_a_chart_of_a_stranger_are_in_the_report(small: Dossier, public: bool) -> None:
    document = describe_dossier(small, public=public)
    page = render(document)
    assert [section.name for section in document.sections][:2] == ["verdict", "own_section"]
    assert "1 scores by my count" in page and "A chart of mine" in page.partition("<script>")[0]


def test_a_section_without_a_template_is_refused() -> None:
    module = ModuleType("half")
    module.TITLE, module.ORDER = "Half", 1  # type: ignore[attr-defined]
    with pytest.raises(SdcError, match="'half' declares no TEMPLATE"):
        read_section(module)


def test_a_section_that_needs_what_no_dossier_has_is_refused() -> None:
    module = ModuleType("own")
    vars(module).update(TITLE="Own", ORDER=1, TEMPLATE="", content=dict, NEEDS=("gates",))
    with pytest.raises(SdcError, match="needs 'gates'; a dossier has assessment"):
        read_section(module)


def test_a_section_is_left_out_without_what_it_needs_and_in_public_where_it_says_so(small: Dossier) -> None:
    applying = {section.name for section in every_section() if section.applies(small, public=False)}
    assert not applying & {"policy", "transparency", "risk_utility_map", "corrections"}
    assert "most_exposed" in applying
    public = {section.name for section in every_section() if section.applies(small, public=True)}
    assert applying - public == {"counts", "graph", "most_exposed", "relations", "worst_case"}
