"""The dossier: a report as JSON, and the report again from it, without the data."""

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
from sdckit.evaluation.gate import gate
from sdckit.evaluation.policy import Policy
from sdckit.evaluation.risk_utility_map import Point, RiskUtilityMap
from sdckit.measure import Score
from sdckit.reporting.dossier import Dossier, dossier, schema, shown
from sdckit.reporting.page import page_of

SEED = "918273645"


@pytest.fixture(scope="module")
def attacked(result: Assessment) -> Assessment:
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
    return replace(
        result,
        attack=sdckit.attack(result.release, seed=1),
        map=swept,
        gate=gate(result.release, policy),
        corrections=tuple(corrected_statistics(noisy.masked, noisy.recipe, ["age", "income"], seed=1, replicates=50)),
    )


@pytest.mark.parametrize("public", [False, True])
def test_the_page_from_the_json_is_the_page_from_the_data(attacked: Assessment, public: bool, tmp_path: Path) -> None:
    direct = sdckit.report(attacked, tmp_path / "direct.html", public=public)
    written = dossier(attacked, public=public).write(tmp_path / "dossier.json")
    rebuilt = sdckit.report(Dossier.read(written), tmp_path / "rebuilt.html")
    assert rebuilt.read_text(encoding="utf-8") == direct.read_text(encoding="utf-8")
    assert "If method and parameters are public" in direct.read_text(encoding="utf-8")


@pytest.mark.parametrize("public", [False, True])
def test_a_dossier_keeps_to_its_schema(attacked: Assessment, public: bool) -> None:
    jsonschema.Draft202012Validator.check_schema(schema())
    for result in (attacked, replace(attacked, attack=None, map=None, gate=None, corrections=())):
        jsonschema.validate(json.loads(dossier(result, public=public).to_json()), schema())


def test_the_schema_refuses_what_is_no_dossier(attacked: Assessment) -> None:
    told = dossier(attacked).to_dict() | {"format": "other"}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(json.loads(json.dumps(told)), schema())
    told = json.loads(dossier(attacked).to_json())
    told["figures"]["scores"][0]["by_record"] = [0.5]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(told, schema())


def test_the_figures_agree_with_the_assessment_to_the_last_digit(attacked: Assessment) -> None:
    back = json.loads(dossier(attacked).to_json())["figures"]
    assert {score["name"]: score["value"] for score in back["scores"]} == {
        name: score.value for name, score in attacked.scores.items()
    }
    assert back["recipe"][0]["method"] == "rank-swapping"


def test_the_public_json_holds_no_value_of_the_original_no_record_and_no_seed(
    people: polars.DataFrame, attacked: Assessment
) -> None:
    text = dossier(attacked, public=True).to_json()
    assert SEED not in text and '"record"' not in text
    for name in ("person", "income", "spending"):
        assert not [value for value in people[name] if str(value) in text], name


def test_the_internal_json_holds_no_seed_and_no_figure_of_every_record(attacked: Assessment) -> None:
    text = dossier(attacked).to_json()
    assert SEED not in text and "by_record" not in text


def test_an_internal_dossier_is_not_published(attacked: Assessment, tmp_path: Path) -> None:
    with pytest.raises(SdcError, match="from the data"):
        sdckit.report(dossier(attacked), tmp_path / "public.html", public=True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"format": "other"}, "not a dossier"),
        ({"edition": 99}, "edition 99"),
        ({"sections": [{"name": "../page", "title": "x", "content": {}}]}, "does not know"),
        ({"sections": [{"title": "x"}]}, "a name, a title and a content"),
        ({"sections": 3}, "a name, a title and a content"),
    ],
)
def test_what_is_no_dossier_is_refused(attacked: Assessment, change: dict[str, Any], told: str) -> None:
    with pytest.raises(FileError, match=told):
        Dossier.from_dict(dossier(attacked).to_dict() | change)


def test_a_dossier_cut_short_is_refused(attacked: Assessment, tmp_path: Path) -> None:
    held = dossier(attacked).to_dict()
    del held["terms"]
    with pytest.raises(FileError, match="no 'terms'"):
        Dossier.from_dict(held)
    with pytest.raises(FileError, match="not a dossier"):
        Dossier.from_dict([1, 2])
    broken = tmp_path / "half.json"
    broken.write_text(dossier(attacked).to_json()[:1000], encoding="utf-8")
    with pytest.raises(FileError, match="not JSON"):
        Dossier.read(broken)


@pytest.mark.parametrize("public", [False, True])
def test_the_policy_and_the_map_are_told_in_both_editions(attacked: Assessment, public: bool) -> None:
    told = dossier(attacked, public=public)
    page = page_of(told)
    assert "The policy is not met" in page and 'id="policy"' in page and 'id="risk_utility_map"' in page
    assert [rule["met"] for rule in told.figures["gate"]["rules"]] == [True, False]
    assert [each["setting"] for each in told.figures["map"]["settings"] if each["released"]] == [
        "rank-swapping(window=0.2)"
    ]


def test_inside_the_figures_of_the_policy_are_those_of_the_assessment(attacked: Assessment) -> None:
    told = dossier(attacked).figures["gate"]["rules"]
    assert [rule["value"] for rule in told] == [attacked["distance-linkage"].value, attacked["il1"].value]


def test_corrections_are_told_in_both_editions(attacked: Assessment) -> None:
    for public in (False, True):
        assert "Corrections for researchers" in page_of(dossier(attacked, public=public))


def test_terms_come_from_the_dossier_and_not_from_this_catalogue(attacked: Assessment) -> None:
    held = dossier(attacked)
    terms = {**held.terms, "il1": {**held.terms["il1"], "title": "A title of its own"}}
    assert "A title of its own" in page_of(replace(held, terms=terms))


def test_text_from_a_dossier_is_escaped(attacked: Assessment) -> None:
    held = dossier(attacked)
    hostile = "<script>alert(1)</script>"
    terms = {name: {**term, "title": hostile, "definition": hostile} for name, term in held.terms.items()}
    assert hostile not in page_of(replace(held, terms=terms, recipe=hostile, made=hostile))


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
    assert json.loads(json.dumps(shown(value), allow_nan=False)) == shown(value)


def test_scores_and_numpy_figures_are_shown_as_plain_values() -> None:
    told = shown({"score": Score(0.5, by_record=np.ones(3), name="x", kind="risk"), "n": np.int64(3), "x": np.nan})
    assert told["score"]["value"] == 0.5 and "by_record" not in told["score"]
    assert told["n"] == 3 and told["x"] is None


def test_no_array_and_no_file_gets_into_a_dossier(attacked: Assessment) -> None:
    with pytest.raises(TypeError, match="not an array"):
        shown({"x": np.arange(3.0)})
    with pytest.raises(TypeError):
        shown({"x": attacked.release.original})
