"""The publishable gate: what is met stays met, and nothing of a record is published."""

import math
from dataclasses import replace
from typing import Any

import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit.evaluation.gate import Finding, Verdict
from sdckit.evaluation.policy import Policy, Rule
from sdckit.evaluation.publishable_gate import WITHHELD, publishable_gate
from sdckit.evaluation.published_rounding import rounded_beyond
from sdckit.microdata import Microdata

figures = st.floats(0, 1e4) | st.sampled_from([0.05, 0.0500001, 0.049999, 0.1, 0.0])


def rule(**table: Any) -> Rule:
    return Policy.from_dict({"rules": [{"measure": "distance-linkage", "max": 1, **table}]}).rules[0]


@pytest.fixture(scope="module")
def masked() -> Microdata:
    return Microdata.from_frame(polars.DataFrame({"income": [1.0, 2.0], "age": [30, 40], "town": ["Ely", "Wells"]}))


def published(finding: Finding, masked: Microdata, by_attribute: bool = True) -> Finding:
    (finding,) = publishable_gate(Verdict((finding,)), masked, {"certain_matches"}, by_attribute=by_attribute).findings
    return finding


@given(value=figures, low=figures, width=figures)
def test_rounding_neither_breaks_a_rule_nor_mends_it(masked: Microdata, value: float, low: float, width: float) -> None:
    for limits in ({"max": low}, {"min": low, "max": math.inf}, {"min": low, "max": low + width}):
        finding = Finding(replace(rule(), **limits), value)  # type: ignore[arg-type]
        public = published(finding, masked)
        assert public.met == finding.met
        assert public.value is not None and public.value == pytest.approx(value, rel=0.01)


@given(value=figures, limit=figures)
def test_a_rounded_figure_stays_on_its_side_of_the_limit(value: float, limit: float) -> None:
    public = rounded_beyond(value, limit)
    if value != limit:
        assert (public > limit) == (value > limit)
    assert public == pytest.approx(value, rel=0.01)


def test_a_figure_is_published_to_three_digits(masked: Microdata) -> None:
    public = published(Finding(rule(max=0.5), 0.123456, (0.111111, 0.144444)), masked)
    assert (public.value, public.interval, public.rule.limit) == (0.123, (0.111, 0.144), "≤ 0.5")


@pytest.mark.parametrize("figure", ["worst_record", "by_attribute.person", "largest_distance.income", "odd_figure"])
def test_what_is_not_a_figure_of_the_whole_file_is_only_published_as_met_or_not(figure: str, masked: Microdata) -> None:
    for value in (0.2718, 0.8182):
        finding = Finding(rule(figure=figure, max=0.5), value)
        public = published(finding, masked)
        assert (
            public.value is None
            and public.met == finding.met
            and not public.left_out
            and public.description == WITHHELD
        )
        assert "person" not in public.rule.title and "income" not in public.rule.title


def test_an_attribute_is_published_where_every_attribute_has_enough_values(masked: Microdata) -> None:
    finding = Finding(rule(figure="by_attribute.income", max=0.5), 0.25)
    assert published(finding, masked).value == 0.25
    assert published(finding, masked, by_attribute=False).value is None


def test_notes_and_reasons_are_not_published(masked: Microdata) -> None:
    public = published(Finding(rule(note="as Mr Zq asked"), None, reason="reason-4711"), masked)
    assert public.rule.note == "" and "4711" not in public.reason and not public.met
    assert published(Finding(rule(optional=True), None, reason="reason-4711"), masked).left_out


def test_a_parameter_with_a_text_that_is_no_released_attribute_is_not_published(masked: Microdata) -> None:
    open_rule, hidden = (rule(measure="regression-loss", target=name) for name in ("income", "person"))
    assert published(Finding(open_rule, 0.1), masked).value == 0.1
    public = published(Finding(hidden, 0.1), masked)
    assert public.value is None and public.met and public.rule.title == "regression-loss"
    assert "target" not in public.to_dict()["parameters"] and "person" not in str(public.rule)
