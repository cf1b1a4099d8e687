import json

import numpy as np
import pytest

from sdckit import Release, Score
from sdckit.measure import Measure, loss, risk
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
