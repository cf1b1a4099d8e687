"""The document: a dossier as JSON, and the report again from it, without the data."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sdckit
from sdckit.errors import FileError, SdcError
from sdckit.evaluation.assess import Assessment
from sdckit.evaluation.corrections import corrected_statistics
from sdckit.evaluation.dossier import Dossier
from sdckit.evaluation.gate import gate
from sdckit.evaluation.policy import Policy
from sdckit.evaluation.publishable_gate import WITHHELD
from sdckit.evaluation.risk_utility_map import Point, RiskUtilityMap
from sdckit.measure import Score
from sdckit.reporting.document import Document, describe_dossier, schema, to_plain
from sdckit.reporting.page import render

pytestmark = pytest.mark.slow  # each test renders a whole report

SEED = "918273645"


@pytest.fixture(scope="module")
def full(result: Assessment) -> Dossier:
    policy = Policy.from_dict({"rules": [{"measure": "distance-linkage", "max": 0.5}, {"measure": "il1", "max": 0}]})
    noisy = sdckit.protect(result.release.original, "additive-noise:variance_share=0.3", ["age", "income"], seed=1)
    assert noisy.recipe is not None
    swept = RiskUtilityMap(
        tuple(
            Point(
                "rank-swapping",
                ({"method": "rank-swapping", "window": window},),
                seed,
                {"distance-linkage": risk, "il1": loss},
            )
            for window, seed, risk, loss in (
                (0.2, 918273645, 0.25, 0.5),
                (0.2, 564738291, 0.75, 0.5),
                (0.4, 918273645, 0.125, 0.75),
            )
        ),
        {"distance-linkage": "risk", "il1": "loss"},
        120,
    )
    return Dossier(
        result,
        attack=sdckit.attack(result.release, seed=1),
        map=swept,
        gate=gate(result.release, policy),
        corrections=tuple(corrected_statistics(noisy.masked, noisy.recipe, ["age", "income"], seed=1, replicates=50)),
    )


@pytest.mark.parametrize("public", [False, True])
def test_the_page_from_the_json_is_the_page_from_the_data(full: Dossier, public: bool, tmp_path: Path) -> None:
    direct = sdckit.report(full, tmp_path / "direct.html", public=public)
    written = describe_dossier(full, public=public).write(tmp_path / "dossier.json")
    rebuilt = sdckit.report(Document.read(written), tmp_path / "rebuilt.html")
    assert rebuilt.read_text(encoding="utf-8") == direct.read_text(encoding="utf-8")
    assert "If method and parameters are public" in direct.read_text(encoding="utf-8")


@pytest.mark.parametrize("public", [False, True])
def test_a_dossier_keeps_to_its_schema(full: Dossier, public: bool) -> None:
    jsonschema.Draft202012Validator.check_schema(schema())
    for result in (full, full.assessment):
        jsonschema.validate(json.loads(describe_dossier(result, public=public).to_json()), schema())


def test_the_schema_refuses_what_is_no_dossier(full: Dossier) -> None:
    document = describe_dossier(full).to_dict() | {"format": "other"}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(json.loads(json.dumps(document)), schema())
    document = json.loads(describe_dossier(full).to_json())
    document["figures"]["scores"][0]["by_record"] = [0.5]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, schema())


def test_the_figures_agree_with_the_assessment_to_the_last_digit(full: Dossier) -> None:
    back = json.loads(describe_dossier(full).to_json())["figures"]
    assert {score["name"]: score["value"] for score in back["scores"]} == {
        name: score.value for name, score in full.assessment.scores.items()
    }
    assert back["recipe"][0]["method"] == "rank-swapping"


def test_the_public_json_holds_no_value_of_the_original_no_record_and_no_seed(
    people: polars.DataFrame, full: Dossier
) -> None:
    text = describe_dossier(full, public=True).to_json()
    assert SEED not in text and '"record":' not in text
    for name in ("person", "income", "spending"):
        assert not [value for value in people[name] if str(value) in text], name


def test_the_internal_json_holds_no_seed_and_no_figure_of_every_record(full: Dossier) -> None:
    text = describe_dossier(full).to_json()
    assert SEED not in text and "by_record" not in text


def test_an_internal_dossier_is_not_published(full: Dossier, tmp_path: Path) -> None:
    with pytest.raises(SdcError, match="from the data"):
        sdckit.report(describe_dossier(full), tmp_path / "public.html", public=True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "other"}, "not a dossier"),
        ({"edition": 99}, "edition 99"),
        ({"sections": [{"name": "../page", "title": "x", "content": {}}]}, "that this sdckit lacks"),
        ({"sections": [{"title": "x"}]}, "a name, a title and a content"),
        ({"sections": 3}, "a name, a title and a content"),
    ],
)
def test_what_is_no_dossier_is_refused(full: Dossier, change: dict[str, Any], message: str) -> None:
    with pytest.raises(FileError, match=message):
        Document.from_dict(describe_dossier(full).to_dict() | change)


def test_a_dossier_cut_short_is_refused(full: Dossier, tmp_path: Path) -> None:
    document = describe_dossier(full).to_dict()
    del document["terms"]
    with pytest.raises(FileError, match="no 'terms'"):
        Document.from_dict(document)
    with pytest.raises(FileError, match="not a dossier"):
        Document.from_dict([1, 2])
    broken = tmp_path / "half.json"
    broken.write_text(describe_dossier(full).to_json()[:1000], encoding="utf-8")
    with pytest.raises(FileError, match="not JSON"):
        Document.read(broken)


@pytest.mark.parametrize("public", [False, True])
def test_the_policy_and_the_map_are_in_both_editions(full: Dossier, public: bool) -> None:
    document = describe_dossier(full, public=public)
    page = render(document)
    assert "The policy is not met" in page and 'id="policy"' in page and 'id="risk_utility_map"' in page
    assert [rule["met"] for rule in document.figures["gate"]["rules"]] == [True, False]
    assert [each["setting"] for each in document.figures["map"]["settings"] if each["released"]] == [
        "rank-swapping(window=0.2)"
    ]


def test_inside_the_figures_of_the_policy_are_those_of_the_assessment(full: Dossier) -> None:
    document = describe_dossier(full).figures["gate"]["rules"]
    assert [rule["value"] for rule in document] == [
        full.assessment["distance-linkage"].value,
        full.assessment["il1"].value,
    ]


def test_corrections_are_in_both_editions(full: Dossier) -> None:
    for public in (False, True):
        assert "Corrections for researchers" in render(describe_dossier(full, public=public))


def test_terms_come_from_the_dossier_and_not_from_this_catalogue(full: Dossier) -> None:
    document = describe_dossier(full)
    terms = {**document.terms, "il1": {**document.terms["il1"], "title": "A title of its own"}}
    assert "A title of its own" in render(replace(document, terms=terms))


def test_text_from_a_dossier_is_escaped(full: Dossier) -> None:
    document = describe_dossier(full)
    hostile = "<script>alert(1)</script>"
    terms = {name: {**term, "title": hostile, "definition": hostile} for name, term in document.terms.items()}
    assert hostile not in render(replace(document, terms=terms, recipe=hostile, made=hostile))


values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.text(max_size=3) | st.integers(0, 9), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(values)
def test_what_is_shown_is_what_json_gives_back(value: Any) -> None:
    assert json.loads(json.dumps(to_plain(value), allow_nan=False)) == to_plain(value)


def test_scores_and_numpy_figures_are_shown_as_plain_values() -> None:
    document = to_plain(
        {"score": Score(0.5, by_record=np.ones(3), name="x", kind="risk"), "n": np.int64(3), "x": np.nan}
    )
    assert document["score"]["value"] == 0.5 and "by_record" not in document["score"]
    assert document["n"] == 3 and document["x"] is None


def test_no_array_and_no_file_gets_into_a_dossier(full: Dossier) -> None:
    with pytest.raises(TypeError, match="not an array"):
        to_plain({"x": np.arange(3.0)})
    with pytest.raises(TypeError):
        to_plain({"x": full.release.original})


def test_the_public_edition_has_rules_limits_figures_and_whether_they_are_met(result: Assessment) -> None:
    tables: list[dict[str, Any]] = [
        {"measure": "distance-linkage", "max": 0.5, "note": "note-4711"},
        {"measure": "distance-linkage", "figure": "worst_record", "max": 0},
        {"measure": "k-anonymity", "group_size": 4, "figure": "smallest_class", "min": 4},
        {"measure": "household-risk", "max": 0, "optional": True},
    ]
    dossier = Dossier(result, gate=gate(result.release, Policy.from_dict({"rules": tables})))
    document = describe_dossier(dossier, public=True)
    rules = document.figures["gate"]["rules"]
    assert [each["met"] for each in rules] == [True, False, False, True]
    assert [each["value"] is None for each in rules] == [False, True, False, True]
    assert rules[2]["rule"] == "k-anonymity:group_size=4 smallest_class" and rules[2]["min"] == 4
    page = render(document)
    assert "The policy is not met" in page and WITHHELD in page and "≤ 0.5" in page and "left out" in page
    assert "note-4711" not in page and "note-4711" not in document.to_json()
    assert "note-4711" in render(describe_dossier(dossier))


def test_a_dossier_of_an_earlier_version_still_loads_and_renders() -> None:
    old = Path(__file__).with_name("dossier_edition_1.json")
    jsonschema.validate(json.loads(old.read_text("utf-8")), schema())
    document = Document.read(old)
    page = render(document)
    assert all(f'<section id="{section.name}">' in page for section in document.sections)
    assert {"policy", "transparency", "worst_case", "risk_utility_map", "corrections"} <= {
        section.name for section in document.sections
    }
    assert "The policy is not met" in page
