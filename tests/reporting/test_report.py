"""The report: what it says, what it must not say, and that it stands alone."""

import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars
import pytest

import sdckit
from sdckit.edits import Edit, Edits
from sdckit.errors import FileError, SdcError
from sdckit.evaluation.assess import Assessment
from sdckit.evaluation.component_descriptions import describe_component
from sdckit.evaluation.dossier import Dossier
from sdckit.evaluation.main_figures import WITHOUT_RECIPE
from sdckit.measure import Score
from sdckit.release import Release
from sdckit.reporting.chart_scripts import javascript_bundle
from sdckit.reporting.document import describe_dossier
from sdckit.reporting.page import render
from sdckit.reporting.sections import transparency

Text = Callable[[Assessment, bool], str]
Specs = Callable[[str], list[dict[str, Any]]]
SEED = "918273645"


def measured(release: Release, *scores: Score) -> Assessment:
    return Assessment(release, sdckit.Intruder(), {score.name: score for score in scores})


def test_both_editions_are_written_whole(result: Assessment, tmp_path: Path) -> None:
    for public in (False, True):
        path = sdckit.report(result, tmp_path / f"{public}.html", public=public)
        html = path.read_text(encoding="utf-8")
        assert html.startswith("<!DOCTYPE html>") and html.rstrip().endswith("</html>")
        assert "vegaEmbed" in html
    assert sorted(each.name for each in tmp_path.iterdir()) == ["False.html", "True.html"]


def test_broken_edits_are_counted_in_the_internal_edition_alone(tmp_path: Path) -> None:
    turnover = np.arange(100.0, 140.0)
    frame = polars.DataFrame({"turnover": turnover, "costs": turnover / 4, "profit": turnover * 3 / 4})
    edits = Edits([Edit({"turnover": 1, "costs": -1, "profit": -1}, 0, 0)])
    original = replace(sdckit.Microdata.from_frame(frame), edits=edits)
    masked = original.with_columns({"turnover": turnover + (np.arange(40) < 30)})
    result = sdckit.assess(Release.in_order(original, masked), "il1s")
    internal, public = (
        sdckit.report(result, tmp_path / f"{public}.html", public=public).read_text(encoding="utf-8")
        for public in (False, True)
    )
    assert "broken in 30 of 40 records (0 before)" in internal
    assert "broken in" not in public


def test_an_existing_file_is_kept_unless_forced(result: Assessment, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(FileError, match="force"):
        sdckit.report(result, path)
    assert path.read_text(encoding="utf-8") == "mine"
    sdckit.report(result, path, force=True)
    assert path.read_text(encoding="utf-8") != "mine"


def test_nothing_is_fetched_when_the_page_opens(result: Assessment, text: Text) -> None:
    html = text(result, False)
    assert re.findall(r'(?:src|srcset|action|data)\s*=\s*["\']', html) == []
    assert all(target.startswith("#") for target in re.findall(r'href="([^"]*)"', html))
    assert "@import" not in html and "url(" not in html and "<link" not in html
    assert "default-src 'none'" in html


def test_the_internal_edition_names_the_most_exposed(result: Assessment, text: Text, specs: Specs) -> None:
    html = text(result, False)
    assert 'id="most_exposed"' in html
    assert any("record" in each for spec in specs(html) for each in spec["data"]["values"])


def test_no_edition_carries_the_seed(result: Assessment, text: Text) -> None:
    assert SEED not in text(result, False) and SEED not in text(result, True)


def test_the_public_edition_holds_no_value_of_the_original(
    people: polars.DataFrame, result: Assessment, text: Text
) -> None:
    html = text(result, True)
    for name in ("person", "income", "spending"):
        assert not [value for value in people[name] if str(value) in html], name


def test_the_public_edition_names_no_record(result: Assessment, text: Text, specs: Specs) -> None:
    html = text(result, True)
    assert 'id="most_exposed"' not in html
    assert not any("record" in each for spec in specs(html) for each in spec["data"]["values"])


@pytest.mark.slow
def test_the_public_edition_does_not_depend_on_the_order_of_the_records(result: Assessment, text: Text) -> None:
    shuffle = np.random.default_rng(3).permutation(120)
    moved = {
        name: score if score.by_record is None else replace(score, by_record=score.by_record[shuffle])
        for name, score in result.scores.items()
    }
    assert text(replace(result, scores=moved), True) == text(result, True)


@pytest.mark.slow
def test_beyond_the_figures_the_public_edition_does_not_depend_on_the_original(
    people: polars.DataFrame, result: Assessment, text: Text
) -> None:
    release = result.release
    names = ("income", "age", "spending")
    other = release.original.with_matrix(names, release.original.matrix(names)[::-1] * 3 + 7)
    assert text(replace(result, release=replace(release, original=other)), True) == text(result, True)


def test_a_category_that_was_masked_away_is_not_published(people: polars.DataFrame, text: Text) -> None:
    town = ["Xanadu" if row < 20 else town for row, town in enumerate(people["town"])]
    original = people.with_columns(polars.Series("town", town))
    release = Release.in_order(original, people)  # type: ignore[arg-type]
    score = Score(0.1, name="made-up", kind="risk")
    assert "Xanadu" in text(measured(release, score), False)
    assert "Xanadu" not in text(measured(release, score), True)


def test_an_identifier_left_in_a_file_masked_elsewhere_is_not_published(people: polars.DataFrame, text: Text) -> None:
    original = sdckit.Microdata.from_frame(people, roles={"person": "identifier"})
    release = Release.in_order(original, people)  # type: ignore[arg-type]
    html = text(measured(release, Score(0.1, name="made-up", kind="risk")), True)
    assert "person" not in html and "-zq" not in html


def test_reasons_and_details_stay_internal(result: Assessment, text: Text) -> None:
    scores = {"made-up": Score(0.2, name="made-up", kind="risk", details={"odd_figure": 0.4711})}
    other = replace(result, scores=scores, skipped={"other": "reason-4712"})
    assert "reason-4712" in text(other, False) and "0.471" in text(other, False)
    assert "reason-4712" not in text(other, True) and "0.471" not in text(other, True)


@pytest.mark.slow
def test_the_records_of_an_intruder_are_a_share_in_public(result: Assessment, text: Text) -> None:
    known = replace(result, intruder=sdckit.Intruder(records=tuple(range(60))))
    assert "50% of the records" in text(known, True)
    assert "60 of the records" in text(known, False)


def test_a_figure_of_one_record_is_not_published_by_attribute(text: Text, specs: Specs) -> None:
    sparse = polars.DataFrame({"a": [0.0] * 29 + [7.0], "b": np.arange(1.0, 31.0)})
    moved = sparse.with_columns(polars.Series("a", [0.0] * 29 + [8.0]), polars.col("b") + 1)
    release = Release.in_order(sparse, moved)  # type: ignore[arg-type]
    score = Score(0.5, by_attribute={"a": 0.142857, "b": 0.858}, name="made-up", kind="loss")
    fields = [
        key for spec in specs(text(measured(release, score), True)) for each in spec["data"]["values"] for key in each
    ]
    assert "attribute" not in fields


def test_few_records_are_refused_a_public_edition_and_nothing_is_written(tmp_path: Path) -> None:
    release = Release.in_order(polars.DataFrame({"x": [1.0]}), polars.DataFrame({"x": [2.0]}))  # type: ignore[arg-type]
    result = measured(release, Score(1.0, name="made-up", kind="loss"))
    with pytest.raises(SdcError, match="internal"):
        sdckit.report(result, tmp_path / "public.html", public=True)
    assert list(tmp_path.iterdir()) == []
    sdckit.report(result, tmp_path / "internal.html")


def test_names_with_special_characters_are_escaped(text: Text, specs: Specs) -> None:
    name = '</script><script>alert("1")</script>&<b>'
    before = polars.DataFrame({name: np.arange(100.0), "town <i>": ["<u>a", "b"] * 50})
    after = polars.DataFrame({name: np.arange(100.0)[::-1], "town <i>": ["b", "<u>a"] * 50})
    score = Score(0.5, by_attribute={name: 1.0, "other": 0.5}, name="made-up", kind="loss")
    for public in (False, True):
        html = text(measured(Release.in_order(before, after), score), public)  # type: ignore[arg-type]
        assert "<script>alert" not in html and "<b>" not in html and "<i>" not in html and "<u>" not in html
        assert any(name in spec["description"] for spec in specs(html))


def test_a_measure_unknown_to_the_catalogue_appears_in_full(result: Assessment, text: Text) -> None:
    scores = {
        "new-risk": Score(0.123, interval=(0.1, 0.15), baseline=0.01, bound=0.2, name="new-risk", kind="risk"),
        "new-loss": Score(0.456, by_attribute={"age": 0.4, "income": 0.5}, name="new-loss", kind="loss"),
    }
    for public in (False, True):
        html = text(replace(result, scores=scores, before={}), public)
        assert "new-risk" in html and "12.3%" in html and "10.0% to 15.0%" in html and "20.0%" in html
        assert "new-loss" in html and "0.456" in html


def test_every_figure_is_in_the_page_the_main_ones_first_and_the_others_folded(result: Assessment, text: Text) -> None:
    section = text(result, False).partition('<section id="risk">')[2].partition("</section>")[0]
    open_part, _, folded = section.partition("<details>")
    assert f"All {len(result.of_kind('risk'))} risks measured" in folded
    assert all(describe_component(score.name).title in folded for score in result.of_kind("risk"))
    assert WITHOUT_RECIPE in open_part and "Log-linear risk" not in open_part
    assert open_part.count("<tr>") < 10


def test_what_is_folded_is_printed(result: Assessment, text: Text) -> None:
    html = text(result, False)
    assert 'addEventListener("beforeprint"' in html and "details::details-content" in html


def test_the_cost_of_transparency_is_the_difference_of_the_two_intruders(result: Assessment) -> None:
    attack = sdckit.attack(result.release, seed=1)
    content = transparency.content(Dossier(result, attack), public=False)
    assert content is not None and attack.informed is not None
    assert content["cost"] == max(attack.informed.value - attack.ordinary.value, 0.0)


@pytest.mark.slow
def test_the_internal_edition_explains_confident_claims_and_the_public_one_names_no_record(
    result: Assessment,
) -> None:
    dossier = Dossier(result, sdckit.attack(result.release, seed=1))
    internal, public = (describe_dossier(dossier, public=each) for each in (False, True))
    sections = [{section.name for section in document.sections} for document in (internal, public)]
    assert {"how_surely", "attribute_laws", "evidence"} <= sections[0]
    assert {"how_surely", "attribute_laws"} <= sections[1] and "evidence" not in sections[1]
    published = public.figures["attack"]
    assert published["explanations"] == [] == published["worth_of_attributes"]
    assert internal.figures["attack"]["explanations"] and internal.figures["attack"]["worth_of_attributes"]
    for score in (published["ordinary"], published["informed"]):
        assert all(each["count"] >= 10 for each in score["details"]["calibration"])
    laws = next(section for section in public.sections if section.name == "attribute_laws")
    assert all(row["without"] is None for row in laws.content["rows"])
    assert "Re-identified without it" in render(internal) and "Re-identified without it" not in render(public)


@pytest.mark.slow
def test_the_masking_is_described_with_parameters_definition_and_source(result: Assessment, text: Text) -> None:
    for public in (False, True):
        html = text(result, public)
        assert "window" in html and "0.2" in html and "Swap each value with that of a record" in html
        assert "R. A. Moore" in html


def test_what_was_not_tested_is_listed(result: Assessment, text: Text) -> None:
    html = text(replace(result, scores={"il1": result.scores["il1"]}, before={}), False)
    assert "Measures not requested" in html and "distance-linkage" in html
    assert "Not the worst case" in html
    assert "risk before masking was not measured" in html


def test_a_file_masked_elsewhere_has_no_recipe(people: polars.DataFrame, text: Text) -> None:
    release = Release.in_order(people, people)  # type: ignore[arg-type]
    assert "masked elsewhere" in text(measured(release, Score(1.0, name="made-up", kind="risk")), False)


def test_one_attribute_and_many_attributes(text: Text, specs: Specs) -> None:
    rng = np.random.default_rng(4)
    for width in (1, 30):
        table = {f"v{number}": rng.normal(size=50) for number in range(width)}
        noisy = {name: column + rng.normal(size=50) for name, column in table.items()}
        release = Release.in_order(polars.DataFrame(table), polars.DataFrame(noisy))  # type: ignore[arg-type]
        html = text(sdckit.assess(release, ["il1", "distance-linkage"]), False)
        assert ("6 more attributes are left out" in html) == (width == 30)
        assert ('id="correlations"' in html) == (width == 30)


def test_many_records_do_not_make_a_large_page(text: Text) -> None:
    rng = np.random.default_rng(6)
    n = 200_000
    before = polars.DataFrame(
        {"x": rng.normal(size=n), "y": rng.normal(size=n), "z": rng.integers(0, 5000, n).astype(str)}
    )
    release = Release.in_order(before, before.with_columns(polars.col("x") + 1))  # type: ignore[arg-type]
    figures = rng.random(n)
    result = measured(release, Score(0.5, by_record=figures, name="made-up", kind="risk"))
    for public in (False, True):
        assert len(text(result, public)) < 100_000


def test_the_cure_is_named_where_the_scripts_are_missing(
    result: Assessment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    javascript_bundle.cache_clear()
    with pytest.raises(SdcError, match=r"pip install 'sdckit\[report\]'"):
        sdckit.report(result, tmp_path / "report.html")
    javascript_bundle.cache_clear()
    assert list(tmp_path.iterdir()) == []
