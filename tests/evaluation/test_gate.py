"""A policy is read with care, and held against a release with the figures of `assess`."""

import math
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.risk.synthesis.stand_ins import release_of

from sdckit import Intruder, Score, assess, build, entries, protect
from sdckit.errors import SdcError
from sdckit.evaluation.gate import Finding, Verdict, distinct_figure, figures_of, gate
from sdckit.evaluation.junit import junit_xml
from sdckit.evaluation.measurement import Measurement
from sdckit.evaluation.policy import RULE_WORDS, Policy, Rule
from sdckit.evaluation.release_warnings import release_warnings
from sdckit.measure import Need
from sdckit.microdata import Microdata
from sdckit.release import Release
from sdckit.rows import Sampled
from sdckit.testing.files import ordinary

LINKAGE = build("risk", "distance-linkage")


@pytest.fixture(scope="module")
def release():
    return protect(ordinary(), "mdav:group_size=4", seed=1)


def policy(*rules, **tables):
    return Policy.from_dict({"rules": list(rules), **tables})


def test_every_figure_agrees_with_assess_to_the_last_digit(release):
    every = assess(release, seed=3, before=False)
    rules = [{"measure": name, "max": 1 if every[name].kind == "risk" else 1e9} for name in every]
    verdict = gate(release, policy(*rules), seed=3)
    assert [finding.value for finding in verdict.findings] == [every[name].value for name in every]
    assert [finding.interval for finding in verdict.findings] == [every[name].interval for name in every]
    assert verdict.met


def test_limits_are_inclusive(release):
    value = assess(release, "distance-linkage")["distance-linkage"].value
    rules = [{"measure": "distance-linkage", key: value} for key in ("max", "min")]
    below = {"measure": "distance-linkage", "max": value - 1e-9}
    above = {"measure": "distance-linkage", "min": value + 1e-9}
    assert [finding.met for finding in gate(release, policy(*rules, below, above)).findings] == [
        True,
        True,
        False,
        False,
    ]


@pytest.mark.parametrize(("group_size", "records"), [(10, 1000), (3, 100), (5, 30), (20, 1000)])
def test_a_mean_of_equal_probabilities_meets_the_limit_that_each_of_them_meets(group_size, records):
    limit = 1 / group_size
    mean = float(np.full(records, limit).mean())
    assert mean > limit  # by the rounding of a sum
    finding = Finding(Rule(LINKAGE, max=limit), mean)
    assert finding.met
    assert finding.description == f"{limit:.15g} (limit {limit:.15g})"


def test_a_limit_is_shown_with_all_its_digits():
    finding = Finding(Rule(LINKAGE, max=0.1234567), 0.1234569)
    assert not finding.met
    assert finding.description == "0.1234569 (limit 0.1234567)"


def test_one_broken_rule_breaks_the_policy(release):
    kept, broken = {"measure": "il2", "max": 1}, {"measure": "il1", "max": 0}
    assert gate(release, policy(kept)).met
    assert not gate(release, policy(kept, broken)).met


def test_a_detail_the_worst_record_and_an_attribute_can_be_limited(release):
    figures = {
        "certain_matches": "intersection-attack",
        "worst_record": "distance-linkage",
        "upper": "distance-linkage",
        "by_attribute.rent": "il1",
    }
    verdict = gate(release, policy(*({"measure": name, "figure": each, "max": 1} for each, name in figures.items())))
    scores = assess(release, set(figures.values()), before=False)
    linkage = scores["distance-linkage"]
    assert [finding.value for finding in verdict.findings] == [
        scores["intersection-attack"].details["certain_matches"],
        linkage.by_record.max(),
        linkage.interval[1],
        scores["il1"].by_attribute["rent"],
    ]


def test_parameters_reach_the_measure(release):
    small, large = ({"measure": "k-anonymity", "group_size": size, "max": 0} for size in (1, 61))
    assert [finding.met for finding in gate(release, policy(small, large)).findings] == [True, False]


def test_the_intruder_of_the_policy_attacks(release):
    intruder = Intruder(attributes=("rent",), records=0.5)
    verdict = gate(
        release,
        policy({"measure": "distance-linkage", "max": 1}, intruder={"attributes": ["rent"], "records": 0.5}),
        seed=2,
    )
    assert verdict.findings[0].value == assess(release, LINKAGE, intruder=intruder, seed=2)["distance-linkage"].value


def test_what_does_not_apply_is_not_met_unless_it_is_optional():
    release = protect(ordinary(), "mdav", seed=1)
    rule = {"measure": "household-risk", "max": 1}
    strict, lenient = gate(release, policy(rule, rule | {"optional": True})).findings
    assert not strict.met and strict.reason.startswith("does not apply: ")
    assert lenient.met and lenient.left_out and lenient.value is None


@pytest.mark.parametrize("entry", entries("risk", Microdata), ids=lambda entry: entry.name)
def test_no_rule_is_left_out_because_the_recipe_was_not_given(entry):
    if Need.RECIPE not in entry.component.needs:
        return
    untold = protect(ordinary(), "mdav", seed=1).untouched()
    rule = {"measure": entry.name, "max": 1, "optional": True}
    verdict = gate(untold, policy(rule, {"measure": "il1", "max": 1e9}))
    assert not verdict.findings[0].left_out and not verdict.met


def test_a_measure_named_twice_is_measured_once(release, monkeypatch):
    measured = []

    def once(self, measure):
        measured.append(repr(measure))
        return original(self, measure)

    original = Measurement._measured
    monkeypatch.setattr(Measurement, "_measured", once)
    rules = [
        {"measure": "il1", "max": 1},
        {"measure": "il1", "figure": "cells", "min": 1},
        {"measure": "il1", "cap": 1, "max": 1},
    ]
    gate(release, policy(*rules))
    assert len(measured) == len(set(measured)) == 2


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ({"measure": "distance-linkag", "max": 0}, "risk or loss 'distance-linkag'; did you mean 'distance-linkage'"),
        ({"measure": "mdav", "max": 0}, "there is no risk or loss"),
        ({"measure": "il1", "mx": 0}, "no entry 'mx'; did you mean 'max'"),
        ({"measure": "k-anonymity", "groupsize": 3, "max": 0}, "did you mean 'group_size'"),
        ({"measure": "k-anonymity", "group_size": 0, "max": 0}, "rule 1: k-anonymity: group_size = 0 is out of range"),
        ({"measure": "il1"}, "has no limit"),
        ({"measure": "il1", "max": "5%"}, "'5%' is not a number"),
        ({"measure": "il1", "max": True}, "True is not a number"),
        ({"measure": "il1", "max": math.nan}, "nan is not a number"),
        ({"measure": "il1", "max": 0, "min": 1}, "no figure could satisfy both"),
        ({"measure": "distance-linkage", "max": 5}, "max = 5 is not a share; risks are shares, 0.05 for 5 %"),
        ({"measure": "distance-linkage", "figure": "upper", "max": -0.1}, "max = -0.1 is not a share"),
        ({"measure": "il1", "max": 0, "optional": "yes"}, "not true or false"),
        ({"measure": "il1", "max": 0, "note": 3}, "not a text"),
        ({"max": 0}, "names no measure"),
        ("il1", "names no measure"),
    ],
)
def test_a_mistake_in_a_rule_is_reported_with_its_position_and_cure(rule, words):
    with pytest.raises(SdcError, match="rule 1") as problem:
        policy(rule)
    assert words in str(problem.value)


def test_a_policy_without_rules_and_an_unknown_intruder_are_refused():
    with pytest.raises(SdcError, match=r"write \[\[rules\]\]"):
        Policy.from_dict({"steps": []})
    rule = {"measure": "il1", "max": 1}
    with pytest.raises(SdcError, match="did you mean 'attributes'"):
        policy(rule, intruder={"attribute": ["age"]})
    with pytest.raises(SdcError, match="wrong type"):
        policy(rule, intruder={"noise": "much"})
    with pytest.raises(SdcError, match="policy: the intruder's share"):
        policy(rule, intruder={"records": 7.5})


def test_a_misspelt_table_is_an_error():
    rule = {"measure": "il1", "max": 1}
    with pytest.raises(SdcError, match="no table 'intrudr'; did you mean 'intruder'"):
        policy(rule, intrudr={"attributes": ["age"]})
    with pytest.raises(SdcError, match="no table 'rule'; did you mean 'rules'"):
        Policy.from_dict({"rule": [rule]})


def test_a_count_of_a_risk_may_be_limited_above_one_and_a_policy_have_a_title():
    rule = {"measure": "intersection-attack", "figure": "certain_matches", "max": 3}
    assert Policy.from_dict({"title": "ours", "rules": [rule], "steps": []}).rules[0].max == 3


def test_an_unknown_figure_is_an_error_with_the_near_miss(release):
    rule = {"measure": "intersection-attack", "figure": "certain_match", "max": 0}
    with pytest.raises(SdcError, match="did you mean 'certain_matches'"):
        gate(release, policy(rule))


def test_no_parameter_of_a_measure_is_hidden_by_a_word_of_the_rules():
    for entry in (*entries("risk", Microdata), *entries("loss", Microdata)):
        assert not {declared.name for declared in entry.parameters} & set(RULE_WORDS), entry.name


def test_figures_within_a_detail_have_a_dot():
    score = Score(0.5, details={"m": {"age": 0.9}, "names": ("age",), "exact": True})
    assert dict(figures_of(score)) == {"value": 0.5, "m.age": 0.9, "exact": 1.0}


@given(st.floats(0, 1), st.floats(0, 1))
def test_a_figure_that_is_shown_as_its_limit_is_its_limit(value, limit):
    shown = float(distinct_figure(value, [limit]))
    assert abs(value - limit) <= 1e-12 or shown != limit


def test_a_rule_says_what_it_asks():
    rule = policy({"measure": "k-anonymity", "group_size": 3, "max": 0}).rules[0]
    assert (rule.title, rule.limit) == ("k-anonymity:group_size=3", "≤ 0")
    assert Rule(LINKAGE, "upper", min=0.1, max=0.2).limit == "≥ 0.1 and ≤ 0.2"
    assert Rule(LINKAGE, min=1, max=1).limit == "= 1"
    assert Rule(LINKAGE, "upper", max=1).title == "distance-linkage upper"


def test_junit_counts_and_escapes():
    odd = '<&" \x00\x1b ]]>'
    findings = (
        Finding(Rule(LINKAGE, max=0.5, note=odd), 0.9),
        Finding(Rule(LINKAGE, max=0.5), 0.1),
        Finding(Rule(LINKAGE, max=0.5, optional=True), None, reason=odd),
    )
    suite = ElementTree.fromstring(junit_xml(Verdict(findings), odd).encode()).find("testsuite")
    assert suite is not None
    assert {key: suite.get(key) for key in ("tests", "failures", "errors", "skipped")} == {
        "tests": "3",
        "failures": "1",
        "errors": "0",
        "skipped": "1",
    }
    failure, passed, skipped = suite
    assert failure.find("failure").get("message") == "0.9 (limit 0.5)"
    assert '<&"' in failure.find("failure").text
    assert passed.find("failure") is None and passed.find("skipped") is None
    assert '<&"' in skipped.find("skipped").get("message")


FORMER = [
    ({"measure": "probabilistic-linkage"}, "right_above_threshold", "correct_above_threshold"),
    ({"measure": "suda2", "largest": 2}, "largest_chance", "largest_probability"),
]


@pytest.mark.parametrize(("rule", "former", "present"), FORMER)
def test_a_figure_by_its_former_name_is_the_one_of_the_present_name(release, rule, former, present):
    old, new = ({**rule, "figure": name, "max": 1} for name in (former, present))
    findings = gate(release, policy(old, new)).findings
    assert findings[0].value == findings[1].value
    assert findings[0].rule.figure == present
    assert policy(old).to_dict() == policy(new).to_dict()


def test_former_names_of_details_are_no_longer_in_use_and_lead_to_details_that_are():
    data = ordinary()
    sample = Release(data, data.take(np.arange(0, len(data), 2)), rows=Sampled(np.arange(0, len(data), 2)))
    seen = 0
    for entry in entries("risk", Microdata):
        if entry.component.former_details:
            score = entry.build().measure(sample)
            for former, present in entry.component.former_details.items():
                assert former not in score.details and present in score.details, entry.name
                seen += 1
    assert seen


def test_a_rule_on_what_an_attribute_adds_to_a_linkage_has_it_computed_on_demand(release):
    intruder = Intruder(attributes=("age", "rent"))
    worth = LINKAGE.worth_of_attributes(release, intruder)
    document = {"intruder": {"attributes": ["age", "rent"]}}
    rules = [{"measure": "distance-linkage", "figure": f"by_attribute.{name}", "max": 1} for name in worth]
    findings = gate(release, policy(*rules, **document)).findings
    assert [finding.value for finding in findings] == list(worth.values())


def test_the_worth_of_attributes_is_computed_once_for_all_rules(release, monkeypatch):
    calls = []
    computed = type(LINKAGE).worth_of_attributes

    def counted(self, *given, **named):
        calls.append(self)
        return computed(self, *given, **named)

    monkeypatch.setattr(type(LINKAGE), "worth_of_attributes", counted)
    names = Intruder().view(release).names(LINKAGE.kinds)
    rules = [{"measure": "distance-linkage", "figure": f"by_attribute.{name}", "max": 1} for name in names]
    gate(release, policy(*rules, {"measure": "distance-linkage", "max": 1}))
    assert len(calls) == 1


def test_an_attribute_that_the_linkage_does_not_use_is_an_error_that_names_those_it_does(release):
    with pytest.raises(SdcError, match=r"no figure 'by_attribute\.nothing'"):
        gate(release, policy({"measure": "distance-linkage", "figure": "by_attribute.nothing", "max": 1}))


def test_a_former_name_of_a_parameter_is_shown_as_the_present_one():
    (rule,) = Policy.from_dict({"rules": [{"measure": "attribute-inference", "most": 1, "max": 0.5}]}).rules
    assert rule.given == ("max_records",)
    assert rule.title == "attribute-inference:max_records=1"


def test_a_policy_of_which_nothing_was_checked_is_not_met() -> None:
    rule = Policy.from_dict({"rules": [{"measure": "il1", "max": 1, "optional": True}]}).rules[0]
    left_out = Finding(rule, None, reason="does not apply")
    assert left_out.met and left_out.left_out
    for findings in ((), (left_out,), (left_out, left_out)):
        verdict = Verdict(findings)
        assert not verdict.met
        assert 'failures="1"' in junit_xml(verdict) and "nothing was checked" in junit_xml(verdict)
        assert "not met" in verdict._repr_html_()
    assert Verdict((left_out, Finding(rule, 0.5))).met
    assert not Verdict((left_out, Finding(rule, 1.5))).met


@given(
    st.none() | st.floats(-1e9, 1e9), st.none() | st.floats(-1e9, 1e9), st.sampled_from([math.nan, math.inf, -math.inf])
)
def test_no_figure_that_is_not_a_number_meets_a_limit(low: float | None, high: float | None, value: float) -> None:
    assume((low, high) != (None, None))
    limits = {"max": math.inf if high is None else high, "min": -math.inf if low is None else low}
    rule = Rule(build("loss", "il1"), **limits)
    within = (low is None or value >= low) and (high is None or value <= high) and not math.isnan(value)
    assert Finding(rule, value).met == within
    assert not Finding(replace(rule, optional=True), math.nan).met


@pytest.mark.parametrize("word", RULE_WORDS)
def test_an_entry_outside_of_a_rule_is_refused(word: str) -> None:
    with pytest.raises(SdcError, match=f"{word} .*outside"):
        Policy.from_dict({word: 0, "rules": [{"measure": "il1", "max": 1}]})


def test_the_excess_over_a_control_has_its_interval_and_needs_the_control():
    release = release_of(0.3, records=60, control=60)
    rules = policy({"measure": "linkability", "figure": "excess", "max": 1})
    [finding] = gate(release, rules).findings
    details = build("risk", "linkability").measure(release).details
    assert (finding.value, finding.interval) == (details["excess"], details["excess_interval"])
    with pytest.raises(SdcError, match="only beside control records"):
        gate(replace(release, control=None), rules)


@pytest.mark.parametrize("claimed", ["rank-swapping:window=0.5", "additive-noise:variance_share=100"])
def test_a_recipe_that_was_not_carried_out_meets_no_limit(claimed):
    """The informed intruder believes the recipe and finds few; the attack that needs none finds everybody."""
    data = ordinary().only(["age", "yearly income", "rent"])
    untouched = Release.in_order(data, data, protect(data, claimed, seed=1).recipe)
    rule = {"measure": "informed-intruder", "max": 0.3}
    verdict = gate(untouched, policy(rule), seed=1)
    assert verdict.findings[0].met
    assert [(each.rule.measure.name, each.value) for each in verdict.findings[1:]] == [("ordinary-intruder", 1.0)]
    assert not verdict.met
    assert any("no value was changed" in each for each in release_warnings(untouched))
    named = gate(untouched, policy(rule, {"measure": "ordinary-intruder", "max": 1}), seed=1)
    assert named.met  # a policy that limits the other intruder itself is taken at its word


def test_a_limit_that_both_intruders_meet_has_one_line(release):
    assert len(gate(release, policy({"measure": "informed-intruder", "max": 0.9}), seed=1).findings) == 1
