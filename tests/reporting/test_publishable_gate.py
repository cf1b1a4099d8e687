"""The publishable gate: what is met stays met, and nothing of a record is told."""

import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit.evaluation.assess import Assessment
from sdckit.evaluation.gate import Finding, Verdict, gate
from sdckit.evaluation.policy import Policy, Rule
from sdckit.microdata import Microdata
from sdckit.reporting.dossier import dossier
from sdckit.reporting.page import page_of
from sdckit.reporting.publishable import publishable
from sdckit.reporting.publishable_gate import WITHHELD, publishable_gate
from sdckit.reporting.rounded import rounded_beyond

figures = st.floats(0, 1e4) | st.sampled_from([0.05, 0.0500001, 0.049999, 0.1, 0.0])


def rule(**told: Any) -> Rule:
    return Policy.from_dict({"rules": [{"measure": "distance-linkage", "max": 1, **told}]}).rules[0]


@pytest.fixture(scope="module")
def masked(result: Assessment) -> Microdata:
    return publishable(result).release.masked


def published(finding: Finding, masked: Microdata, by_attribute: bool = True) -> Finding:
    (told,) = publishable_gate(Verdict((finding,)), masked, {"certain_matches"}, by_attribute=by_attribute).findings
    return told


@given(value=figures, low=figures, width=figures)
def test_rounding_neither_breaks_a_rule_nor_mends_it(masked: Microdata, value: float, low: float, width: float) -> None:
    for limits in ({"max": low}, {"min": low, "max": math.inf}, {"min": low, "max": low + width}):
        finding = Finding(replace(rule(), **limits), value)  # type: ignore[arg-type]
        told = published(finding, masked)
        assert told.met == finding.met
        assert told.value is not None and told.value == pytest.approx(value, rel=0.01)


@given(value=figures, limit=figures)
def test_a_rounded_figure_stays_on_its_side_of_the_limit(value: float, limit: float) -> None:
    told = rounded_beyond(value, limit)
    if value != limit:
        assert (told > limit) == (value > limit)
    assert told == pytest.approx(value, rel=0.01)


def test_a_figure_is_told_to_three_digits(masked: Microdata) -> None:
    told = published(Finding(rule(max=0.5), 0.123456, (0.111111, 0.144444)), masked)
    assert (told.value, told.interval, told.rule.limit) == (0.123, (0.111, 0.144), "≤ 0.5")


@pytest.mark.parametrize("figure", ["worst_record", "by_attribute.person", "largest_distance.income", "odd_figure"])
def test_what_is_not_a_figure_of_the_whole_file_is_only_told_to_be_met_or_not(figure: str, masked: Microdata) -> None:
    for value in (0.2718, 0.8182):
        finding = Finding(rule(figure=figure, max=0.5), value)
        told = published(finding, masked)
        assert told.value is None and told.met == finding.met and not told.left_out and told.description == WITHHELD
        assert "person" not in told.rule.title and "income" not in told.rule.title


def test_an_attribute_is_told_where_every_attribute_has_enough_values(masked: Microdata) -> None:
    finding = Finding(rule(figure="by_attribute.income", max=0.5), 0.25)
    assert published(finding, masked).value == 0.25
    assert published(finding, masked, by_attribute=False).value is None


def test_notes_and_reasons_are_not_told(masked: Microdata) -> None:
    told = published(Finding(rule(note="as Mr Zq asked"), None, reason="reason-4711"), masked)
    assert told.rule.note == "" and "4711" not in told.reason and not told.met
    assert published(Finding(rule(optional=True), None, reason="reason-4711"), masked).left_out


def test_a_parameter_with_a_text_that_is_no_released_attribute_is_not_told(masked: Microdata) -> None:
    open_rule, hidden = (rule(measure="regression-loss", target=name) for name in ("income", "person"))
    assert published(Finding(open_rule, 0.1), masked).value == 0.1
    told = published(Finding(hidden, 0.1), masked)
    assert told.value is None and told.met and told.rule.title == "regression-loss"
    assert "target" not in told.to_dict()["parameters"] and "person" not in str(told.rule)


def test_the_public_dossier_tells_rules_limits_figures_and_whether_they_are_met(result: Assessment) -> None:
    tables: list[dict[str, Any]] = [
        {"measure": "distance-linkage", "max": 0.5, "note": "note-4711"},
        {"measure": "distance-linkage", "figure": "worst_record", "max": 0},
        {"measure": "k-anonymity", "group_size": 4, "figure": "smallest_class", "min": 4},
        {"measure": "household-risk", "max": 0, "optional": True},
    ]
    held = replace(result, gate=gate(result.release, Policy.from_dict({"rules": tables})))
    told = dossier(held, public=True)
    rules = told.figures["gate"]["rules"]
    assert [each["met"] for each in rules] == [True, False, False, True]
    assert [each["value"] is None for each in rules] == [False, True, False, True]
    assert rules[2]["rule"] == "k-anonymity:group_size=4 smallest_class" and rules[2]["min"] == 4
    page = page_of(told)
    assert "The policy is not met" in page and WITHHELD in page and "≤ 0.5" in page and "left out" in page
    assert "note-4711" not in page and "note-4711" not in told.to_json()
    assert "note-4711" in page_of(dossier(held))
