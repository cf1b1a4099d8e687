import re

import pytest
from tests.risk.synthesis.stand_ins import population, release_of

from sdckit import assess, protect
from sdckit.evaluation.assess import Assessment
from sdckit.evaluation.dossier import Dossier
from sdckit.evaluation.measurement import quick_measures
from sdckit.methods import IpsoC
from sdckit.reporting.document import describe_dossier
from sdckit.reporting.sections.synthesis_attacks import content


@pytest.fixture(scope="module")
def result() -> Assessment:
    return assess(release_of(0.5, 150, control=100), also=["distance-to-closest-record"], seed=1)


def test_quick_attacks_are_measured_by_default_where_rows_were_synthesised(result):
    assert {"singling-out", "linkability", "copied-values"} <= set(result.scores)
    assert "singling-out" not in {measure.name for measure in quick_measures()}


def test_every_attack_is_listed_with_its_state_and_reason(result):
    rows = {row["name"]: row for row in content(Dossier(result), public=False)["rows"]}
    assert rows["singling-out"]["state"] == "yes"
    assert rows["singling-out"]["excess"] == result.scores["singling-out"].details["excess"] > 0
    assert rows["reconstruction"]["state"] == "no" and "no step" in rows["reconstruction"]["why"]
    assert rows["membership"]["state"] == "not measured" and "--also membership" in rows["membership"]["why"]
    assert all(row["why"] for row in rows.values())


def test_the_distance_test_carries_its_warning(result):
    (warning,) = content(Dossier(result), public=False)["warnings"]
    assert "proves nothing" in warning


def test_a_masked_file_has_no_such_section_unless_an_attack_was_measured():
    release = release_of(0.5, 60).untouched()
    assert content(Dossier(assess(release, ["uniqueness"])), public=False) is None
    assert content(Dossier(assess(release, ["singling-out"])), public=False)["synthesised"] is False


def test_a_partial_synthesis_has_the_section_which_says_what_applies():
    release = protect(population(80, 1), IpsoC(given=("region",)), ["a", "b"], seed=1)
    result = assess(release)
    shown = content(Dossier(result), public=False)
    rows = {row["name"]: row for row in shown["rows"]}
    assert not shown["synthesised"]
    assert rows["reconstruction"]["state"] == "yes"
    assert rows["singling-out"]["interval"] == result.scores["singling-out"].interval is not None
    assert rows["donor-leaves"]["state"] == "no" and "leaves" in rows["donor-leaves"]["why"]
    assert rows["membership"]["state"] == "not measured"


@pytest.mark.parametrize("public", [False, True])
def test_the_section_is_in_both_editions(result, public):
    sections = {each.name: each for each in describe_dossier(Dossier(result), public=public).sections}
    shown = sections["synthesis_attacks"].content
    assert shown["synthesised"]
    assert (shown["control"] is None) == public  # what the control shows is an internal figure
    assert not re.search(r"\d", shown["rows"][0]["why"])
