import json

import numpy as np
import pytest

from sdckit import Release, Score
from sdckit.errors import NotApplicableError
from sdckit.measure import Composite, Cost, Measure, loss, number, plain, risk
from sdckit.parameters import param
from sdckit.testing.files import a_file


@risk("half", reference="nobody")
class Half(Measure):
    """One in two."""

    extra: float = param(0.0, "what to add", low=0)

    def measure(self, release, intruder=None, *, seed=None):
        return Score(0.5 + self.extra)


def test_a_measure_has_a_kind_a_name_and_parameters():
    data = a_file(2)
    assert (Half.kind, Half.name, loss("other", reference="nobody")(type("Other", (Measure,), {})).kind) == (
        "risk",
        "half",
        "loss",
    )
    assert Half(extra=0.25).measure(Release.in_order(data, data)).value == 0.75


def test_a_score_is_written_without_nan_and_without_records():
    score = Score(
        0.5,
        by_record=np.array([0.5, np.nan]),
        by_attribute={"age": np.float64(np.nan)},
        interval=(0.1, np.inf),
        baseline=0.0,
        details={"names": ("a", "b"), "table": np.array([[1.0, np.nan]]), "n": np.int64(3), "deep": {1: np.inf}},
        name="half",
        kind="risk",
    )
    assert score.to_dict() == {
        "name": "half",
        "kind": "risk",
        "value": 0.5,
        "interval": [0.1, None],
        "baseline": 0.0,
        "bound": None,
        "by_attribute": {"age": None},
        "details": {"names": ["a", "b"], "table": [[1.0, None]], "n": 3, "deep": {"1": None}},
    }
    assert score.to_dict(by_record=True)["by_record"] == [0.5, None]
    json.dumps(score.to_dict(by_record=True), allow_nan=False)


def test_records_are_not_shown_by_accident():
    assert "by_record" not in repr(Score(0.5, by_record=np.array([0.5])))


def test_a_measure_that_measures_nothing_says_so():
    data = a_file(2)
    with pytest.raises(TypeError, match="must define measure"):
        Measure().measure(Release.in_order(data, data))


def test_a_measure_is_quick_and_measured_by_default_unless_it_says_otherwise():
    assert Half.by_default and Half.cost is Cost.QUICK and Half.headline is None and Half.extends == ""
    assert Measure.by_default and Measure.reads_confidential and not Measure.for_synthesis and not Measure.anytime
    seldom = risk("seldom", reference="nobody", by_default=False, headline=3)(type("Seldom", (Measure,), {}))
    assert not seldom.by_default and seldom.headline == 3
    lost = loss("lost", reference="nobody", headline=2)(type("Lost", (Measure,), {}))
    assert (lost.headline, lost.reference, lost.by_default) == (2, "nobody", True)


def test_a_composite_combines_the_scores_of_its_parts_and_the_reasons_of_those_that_do_not_apply():
    class Never(Measure):
        name = "never"

        def measure(self, release, intruder=None, *, seed=None):
            raise NotApplicableError("no recipe")

    class Sum(Composite):
        def parts(self):
            return (Half(), Never())

        def combine(self, scores):
            assert isinstance(scores["never"], NotApplicableError)
            return Score(scores["half"].value + len(scores))

    data = a_file(2)
    release = Release.in_order(data, data)
    assert Sum().measure(release).value == 2.5
    with pytest.raises(TypeError, match="must define parts"):
        Composite().measure(release)
    with pytest.raises(TypeError, match="must define combine"):
        Composite().combine({})


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (np.nan, None),
        (np.float64(np.inf), None),
        (np.int64(3), 3),
        (np.bool_(True), True),
        ((1.5, [np.nan]), [1.5, [None]]),
        ("text", "text"),
        (None, None),
        ({2: (np.inf,)}, {"2": [None]}),
        (np.array([1.0, np.nan]), [1.0, None]),
    ],
)
def test_a_value_is_written_as_json_can(value, written):
    assert plain(value) == written
    assert number(1.5) == 1.5 and number(-np.inf) is None


def test_what_a_score_does_not_have_is_none():
    written = Score(0.5, bound=1.0).to_dict(by_record=True)
    assert (written["bound"], written["interval"], written["baseline"], written["by_attribute"]) == (1.0, *[None] * 3)
    assert "by_record" not in written
