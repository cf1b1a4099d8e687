"""Missing keys: each figure by both readings, the stricter one counts, and blank rows protect nobody."""

import json
from io import StringIO

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console
from tests.risk.uniqueness.francdat import file_of, untouched

from sdckit import Release, assess, build, gate, protect
from sdckit.catalogue import entries
from sdckit.cli.scores import _risks as table_of_risks
from sdckit.errors import ParameterError
from sdckit.evaluation.dossier import Dossier
from sdckit.evaluation.hole_readings import hole_readings, suppressed_records
from sdckit.evaluation.policy import Policy
from sdckit.evaluation.release_warnings import release_warnings
from sdckit.holes import Holes
from sdckit.reporting.sections import risk as risk_section
from sdckit.reporting.sections import the_file as file_section
from sdckit.risk.uniqueness.key_measure import KeyMeasure
from sdckit.rows import Sampled

MEASURES = sorted(entry.name for entry in entries("risk") if issubclass(entry.component, KeyMeasure))
rows = st.lists(st.tuples(*[st.sampled_from(["a", "b", None])] * 3), min_size=2, max_size=14)
secrets = st.sampled_from(["p", "q", "r"])


def risk(name, release, **values):
    return build("risk", name, **values).measure(release, seed=1)


def agree(one, other):
    return all(a is None or b is None or a == b for a, b in zip(one, other, strict=True))


def group(records, one, reading):
    """The records that agree with one, by their positions."""
    return [i for i, each in enumerate(records) if (agree(each, one) if reading == "any-value" else each == one)]


def with_blank_rows(distinct=60, blank=10):
    """An untouched file in which every record is a sample unique, and the same file with blank keys in some rows."""
    keys = [(str(number), str(number % 7), "x") for number in range(distinct)]
    more = {"confidential": [str(number % 3) for number in range(distinct)], "household": list(range(distinct))}
    original = file_of(keys, [4.0] * distinct, **more)
    gone = np.arange(distinct) < blank
    return Release.in_order(
        original,
        original.with_columns({name: np.where(gone, -1, original.columns[name]) for name in ("key1", "key2", "key3")}),
    )


def test_ten_blank_rows_do_not_make_a_file_anonymous():
    release = with_blank_rows()
    anonymity = risk("k-anonymity", release, group_size=5)
    assert anonymity.value == pytest.approx(50 / 60)
    assert anonymity.details["by_holes"] == {"any-value": 0, "own-value": pytest.approx(50 / 60)}
    assert anonymity.details["smallest_class_by_holes"] == {"any-value": 11, "own-value": 1}
    assert (anonymity.details["suppressed_records"], anonymity.details["holes_counted_as"]) == (10, "own-value")
    unique, prosecutor = risk("uniqueness", release), risk("prosecutor-risk", release)
    assert unique.details["by_holes"] == {"any-value": 0, "own-value": pytest.approx(50 / 60)}
    assert (prosecutor.value, prosecutor.details["by_holes"]["any-value"]) == (1, pytest.approx(1 / 11))


def test_the_gate_counts_the_stricter_figure_and_old_policies_still_load():
    release = with_blank_rows()
    rule = {"measure": "k-anonymity", "group_size": 5, "max": 0}
    assert not gate(release, Policy.from_dict({"rules": [rule]})).met
    assert gate(release, Policy.from_dict({"rules": [rule | {"holes": "any-value"}]})).met
    assert not gate(release, Policy.from_dict({"rules": [rule | {"holes": "own-value"}]})).met
    former = {"measure": "k-anonymity", "figure": "smallest_class_of_equal_rows", "min": 2}
    assert gate(release, Policy.from_dict({"rules": [former]})).findings[0].value == 1
    beside = {"measure": "prosecutor-risk", "figure": "by_holes.any-value", "max": 0.1}
    assert gate(release, Policy.from_dict({"rules": [beside]})).met


@pytest.mark.parametrize("name", MEASURES)
def test_the_stricter_reading_counts_and_both_are_shown(name):
    release = with_blank_rows()
    readings = {holes: risk(name, release, holes=holes).value for holes in ("any-value", "own-value")}
    score = risk(name, release)
    assert score.details["by_holes"] == readings
    assert score.value == max(readings.values())
    assert score.details["suppressed_records"] == 10
    assert json.dumps(score.to_dict())


@pytest.mark.parametrize("name", MEASURES)
def test_without_holes_there_is_one_reading(name):
    release = with_blank_rows(blank=0)
    score = risk(name, release)
    assert "by_holes" not in score.details
    assert score.value == risk(name, release, holes="any-value").value == risk(name, release, holes="own-value").value


@pytest.mark.parametrize(
    "name", ["k-anonymity", "uniqueness", "prosecutor-risk", "unsafe-combinations", "distinct-l-diversity"]
)
def test_the_other_records_are_as_exposed_as_without_the_blank_rows(name):
    release = with_blank_rows()
    rest = np.arange(10, 60)
    apart = risk(name, untouched(release.masked.take(rest)))
    assert risk(name, release).by_record[rest].tolist() == apart.by_record.tolist()


@settings(max_examples=40, deadline=None)
@given(rows, st.integers(2, 4))
def test_figures_by_both_readings_are_those_of_an_enumeration(records, k):
    release = untouched(file_of(records))
    for reading in ("any-value", "own-value"):
        sizes = np.array([len(group(records, one, reading)) for one in records])
        assert risk("k-anonymity", release, group_size=k, holes=reading).value == pytest.approx((sizes < k).mean())
        assert risk("uniqueness", release, holes=reading).value == pytest.approx((sizes == 1).mean())
        assert risk("prosecutor-risk", release, holes=reading).value == pytest.approx(1 / sizes.min())


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["a", "b", None]), st.sampled_from(["x", None]), secrets), min_size=2))
def test_diversity_and_closeness_by_both_readings_are_those_of_an_enumeration(records):
    keys, values = [record[:2] for record in records], [record[2] for record in records]
    release = untouched(file_of(keys, confidential=values))
    shares = {value: values.count(value) / len(values) for value in "pqr"}
    for reading in ("any-value", "own-value"):
        groups = [[values[i] for i in group(keys, one, reading)] for one in keys]
        uniform = np.mean([len(set(each)) < 2 for each in groups])
        gaps = [sum(abs(each.count(v) / len(each) - shares[v]) for v in "pqr") / 2 for each in groups]
        assert risk("distinct-l-diversity", release, holes=reading).value == pytest.approx(uniform)
        far = np.mean([gap > 0.2 + 1e-12 for gap in gaps])
        assert risk("t-closeness", release, holes=reading).value == pytest.approx(far)


def test_a_rule_that_a_measure_does_not_have_is_refused_with_those_it_has():
    with pytest.raises(ParameterError, match="uniqueness: holes = candidates is not one of stricter, any-value, own"):
        build("risk", "uniqueness", holes="candidates")
    with pytest.raises(ParameterError, match="local-suppression: holes = stricter"):
        protect(file_of([("a",), ("b",), ("c",)]), build("masking", "local-suppression", holes="stricter"), seed=1)
    assert build("risk", "k-anonymity").holes is Holes.STRICTER


def test_a_person_of_unknown_value_is_no_double_by_the_stricter_reading():
    """Of five persons three have a, one has b and one is unknown; the release has one a and the b."""
    data = file_of([("a",), ("a",), ("a",), ("b",), (None,)])
    release = Release(data, data.take(np.array([0, 3])), rows=Sampled(np.array([0, 3])))
    assert risk("marketer-risk", release, holes="any-value").by_record[[0, 3]] == pytest.approx([1 / 4, 1 / 2])
    score = risk("marketer-risk", release)
    assert score.by_record[[0, 3]] == pytest.approx([1 / 3, 1])
    assert score.details["by_holes"] == {"any-value": pytest.approx(3 / 8), "own-value": pytest.approx(2 / 3)}


def test_json_of_an_assessment_has_both_readings():
    payload = assess(with_blank_rows(), ["uniqueness"]).to_dict()
    assert payload["scores"][0]["details"]["by_holes"]["any-value"] == 0


def test_terminal_and_report_show_both_readings_and_count_the_blank_records():
    release = with_blank_rows()
    result = assess(release, ["uniqueness"])
    shown = (("missing key as any value", "0%"), ("missing key as own value", "83.3%"))
    assert hole_readings(result["uniqueness"]) == shown
    (row,) = risk_section.content(Dossier(result), public=False)["main"]
    assert all(f"{label}: {text}" in row["more"] for label, text in shown)
    assert file_section.content(Dossier(result), public=False)["suppressed"] == suppressed_records(release) == 10
    assert any(
        message.startswith("10 of the 60 released records have all keys missing")
        for message in release_warnings(release)
    )
    assert not any("all keys missing" in message for message in release_warnings(release.untouched()))
    console = Console(width=100, record=True, file=StringIO())
    console.print(table_of_risks(result, 8))
    text = console.export_text()
    assert all(label in text for label, _ in shown)
