import json

import numpy as np
import pytest

from sdckit import Intruder, Release, Score, assess, build, protect
from sdckit.catalogue import entries
from sdckit.errors import NotApplicableError, ParameterError, SdcError, UnknownNameError
from sdckit.evaluation.assess import _default_measures
from sdckit.evaluation.measurement import quick_measures
from sdckit.measure import Measure, risk
from sdckit.microdata import Microdata
from sdckit.progress import Cancelled
from sdckit.testing.files import a_file, odd_files, ordinary


@pytest.fixture(scope="module")
def release():
    return protect(ordinary(), "rank-swapping", seed=1)


@risk("method-only", reference="nobody")
class MethodOnly(Measure):
    """An attack that needs the recipe."""

    def measure(self, release, intruder=Intruder(), *, seed=None):
        if release.recipe is None:
            raise NotApplicableError("there is no recipe")
        return Score(0.5)


def test_the_quick_measures_are_taken_when_none_is_named_and_all_on_request(release):
    quick = {each.name for each in quick_measures()}
    result = assess(release)
    assert set(result) | set(result.skipped) == quick
    assert {
        "informed-intruder",
        "ordinary-intruder",
        "distance-linkage",
        "uniqueness",
        "interval-disclosure",
        "il1",
        "il5",
    } <= set(result)
    every = _default_measures(release, (), every=True)
    assert (
        {each.name for each in every}
        == {entry.name for entry in entries(domain=Microdata) if entry.kind != "masking"}
        > quick
    )
    assert all(score.name == name for name, score in result.items())


def test_only_what_is_named_is_measured_in_that_order(release):
    assert list(assess(release, ["il2", "distance-linkage", build("loss", "il1", cap=1)])) == [
        "il2",
        "distance-linkage",
        "il1",
    ]


def test_a_single_name_is_accepted(release):
    assert list(assess(release, "il1")) == ["il1"]
    assert list(assess(release, build("loss", "il1"))) == ["il1"]


def test_parameters_are_written_behind_the_name(release):
    assert assess(release, "il1:cap=0.001")["il1"].value <= 0.001


@pytest.mark.parametrize(
    ("measures", "error", "words"),
    [
        (["uniquenes"], UnknownNameError, "did you mean 'uniqueness'"),
        (["mdav"], ParameterError, "'mdav' is a masking"),
        ([], ParameterError, "no measure is named"),
        (["il1", "il1:cap=1"], ParameterError, "named twice"),
        (["il1:cap"], ParameterError, "name=value"),
        (["il1:cup=1"], ParameterError, "did you mean 'cap'"),
    ],
)
def test_wrong_measures_are_refused_with_the_cure(release, measures, error, words):
    with pytest.raises(error, match=words):
        assess(release, measures)


def test_what_does_not_apply_is_left_out_with_the_reason_unless_it_is_named():
    data = odd_files()["one number"]
    release = protect(data, "rank-swapping", seed=1)
    result = assess(release)
    assert "il5" not in result
    assert "two ordered attributes" in result.skipped["il5"]
    with pytest.raises(KeyError, match="two ordered attributes"):
        result["il5"]
    with pytest.raises(NotApplicableError, match="il5 does not apply"):
        assess(release, ["il5"])


def test_risks_are_measured_before_and_after(release):
    result = assess(release, ["distance-linkage", "il1"])
    assert list(result.before) == ["distance-linkage"]
    assert result.before["distance-linkage"].value == 1 > result["distance-linkage"].value
    assert not assess(release, ["distance-linkage"], before=False).before


def test_an_attack_on_the_method_has_no_figure_before(release):
    result = assess(release, [MethodOnly()])
    assert result["method-only"].value == 0.5
    assert not result.before


def test_a_file_masked_elsewhere_is_assessed_too():
    original = a_file(20)
    masked = original.without(("name",)).with_matrix(("rent",), original.matrix(("rent",)) + 1)
    assert assess(Release.in_order(original, masked), ["il1"])["il1"].by_attribute["rent"] > 0


def test_nothing_that_applies_is_an_error():
    data = a_file(5).only(("town",)).with_roles(town="other")
    with pytest.raises(SdcError):
        assess(Release.in_order(data, data), ["distance-linkage", "uniqueness"])


def test_the_result_is_json_without_a_record_or_a_seed(release):
    document = json.loads(json.dumps(assess(release, seed=12345).to_dict(), allow_nan=False))
    assert set(document) >= {"scores", "before", "skipped", "recipe", "records", "released_records"}
    assert "12345" not in json.dumps(document)
    assert all("by_record" not in score for score in document["scores"])
    assert all(0 <= score["value"] <= 1 for score in document["scores"] if score["kind"] == "risk")


class Watcher:
    """Notes what is reported, and cancels after so many pieces."""

    def __init__(self, pieces: int) -> None:
        self.seen: list[object] = []
        self.pieces = pieces

    @property
    def cancelled(self) -> bool:
        return len(self.seen) > self.pieces

    def begin(self, total: int | None = None) -> None:
        self.seen.append(total)

    def advance(self, label: str = "") -> None:
        self.seen.append(label)


def test_progress_is_reported_measure_by_measure(release):
    watcher = Watcher(9)
    assess(release, ["il1", "il2"], progress=watcher)
    assert watcher.seen == [2, "il1", "il2"]


def test_an_assessment_can_be_cancelled_between_measures(release):
    watcher = Watcher(1)
    with pytest.raises(Cancelled):
        assess(release, ["il1", "il2"], progress=watcher)
    assert watcher.seen == [2, "il1"]


def test_scores_come_by_kind(release):
    result = assess(release, ["il1", "uniqueness", "il2"])
    assert [score.name for score in result.of_kind("loss")] == ["il1", "il2"]
    assert len(result) == 3


def test_the_intruder_is_the_one_given(release):
    result = assess(release, "distance-linkage", intruder=Intruder(records=(3, 4)))
    assert np.flatnonzero(np.isfinite(result["distance-linkage"].by_record)).tolist() == [3, 4]
