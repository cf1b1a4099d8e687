import numpy as np
import pytest
from tests.methods.files import correlated, numeric

from sdckit import Intruder, Release, build, protect
from sdckit.errors import ParameterError
from sdckit.risk.linkage.explain import explain
from sdckit.testing.files import a_file, with_missing


def test_the_nearest_rows_by_hand():
    """Both attributes range over 10, and each counts half."""
    original = numeric(np.array([[0.0, 0.0], [10.0, 10.0], [4.0, 2.0]]))
    masked = numeric(np.array([[1.0, 0.0], [9.0, 9.0], [8.0, 2.0]]))
    told = explain(Release.in_order(original, masked), 2, nearest=2)
    assert [near.row for near in told.neighbours] == [2, 0]
    assert told.neighbours[0].own and not told.neighbours[1].own
    assert told.neighbours[0].by_attribute == pytest.approx({"a": 0.2, "b": 0.0})
    assert told.neighbours[1].by_attribute == pytest.approx({"a": 0.15, "b": 0.1})
    assert (told.closer, told.ties, told.chance) == (0, 1, 1)


@pytest.mark.parametrize("missing", [False, True])
def test_the_chance_is_that_of_the_linkage(missing):
    data = with_missing(a_file(40)) if missing else a_file(40)
    release = protect(data, "rank-swapping:window=0.3", seed=1)
    by_record = build("risk", "mixed-linkage").measure(release).by_record
    for record in range(40):
        told = explain(release, record)
        assert told.chance == pytest.approx(by_record[record])
        for near in told.neighbours:
            assert sum(near.by_attribute.values()) == pytest.approx(near.distance)


def test_the_own_row_is_told_however_far_it_is():
    release = protect(numeric(correlated(50, 2, seed=1)), "rank-swapping:window=1", seed=1)
    for record in range(50):
        told = explain(release, record, nearest=1)
        assert sum(near.own for near in told.neighbours) == 1
        assert told.closer <= len(release.masked) - 1


def test_a_record_that_was_left_out_has_no_row():
    data = numeric(correlated(10, 2, seed=2))
    told = explain(Release(data, data.take(np.arange(5))), 8)
    assert told.closer is None and told.chance == 0


def test_a_record_that_is_not_known_is_refused():
    data = numeric(correlated(10, 2, seed=3))
    with pytest.raises(ParameterError, match="does not know record 7"):
        explain(Release.in_order(data, data), 7, Intruder(records=(1, 2)))
