import numpy as np
import polars as pl
import pytest

from sdckit import Intruder, Microdata, Release, build
from sdckit.errors import NotApplicableError, ParameterError
from sdckit.kernels.gower_neighbours import gower_neighbours
from sdckit.rows import Unrelated


def file(**columns: object) -> Microdata:
    frame = pl.DataFrame(columns)
    return Microdata.from_frame(frame, roles=dict.fromkeys(frame.columns, "key"))


def test_links_by_hand():
    """The first person is nearest to row 0 by both attributes, the second to row 0 by one and to row 1 by the other."""
    release = Release(file(a=[1.0, 2.0], b=[1.0, 9.0]), file(a=[1.1, 8.0], b=[1.2, 8.0]), rows=Unrelated())
    score = build("risk", "linkability").measure(release)
    assert score.by_record.tolist() == [1, 0]
    assert score.baseline == pytest.approx(0.5)


def test_a_person_who_is_copied_twice_is_linked_by_either_copy():
    people = file(a=[1.0, 2.0, None], b=[1.0, 9.0, 5.0])
    copies = Release(people, people.take(np.array([0, 0, 1, 1, 1, 2, 2])), rows=Unrelated())
    score = build("risk", "linkability").measure(copies)
    assert score.by_record.tolist() == [1, 1, 1]
    assert score.baseline == pytest.approx(1 / 3)  # three different rows


def test_more_neighbours_link_more():
    rng = np.random.default_rng(1)
    original, released = (file(**{name: rng.normal(size=100) for name in "abcd"}) for _ in range(2))
    release = Release(original, released, rows=Unrelated())
    found = [build("risk", "linkability", neighbours=k).measure(release).value for k in (1, 5, 20, 100)]
    assert found == sorted(found)
    assert found[-1] == 1  # all rows are among the nearest


def test_the_division_of_the_attributes_can_be_chosen():
    release = Release(file(a=[1.0], b=[2.0], c=[3.0]), file(a=[1.0], b=[2.0], c=[3.0]), rows=Unrelated())
    details = build("risk", "linkability", first=("c",)).measure(release).details
    assert details["first"] == ("c",) and details["second"] == ("a", "b")
    with pytest.raises(ParameterError, match="'d'"):
        build("risk", "linkability", first=("d",)).measure(release)


def test_one_attribute_is_too_few():
    release = Release(file(a=[1.0], b=[2.0]), file(a=[1.0], b=[2.0]), rows=Unrelated())
    with pytest.raises(NotApplicableError, match="two files"):
        build("risk", "linkability").measure(release, Intruder(attributes=("a",)))


@pytest.mark.parametrize("neighbours", [1, 3])
def test_neighbours_agree_with_sorting_all_distances(neighbours):
    rng = np.random.default_rng(2)
    records = np.column_stack([rng.integers(0, 3, 15) / 2, rng.integers(0, 3, 15)])
    rows = np.column_stack([rng.integers(0, 3, 20) / 2, rng.integers(0, 3, 20)])
    priority = rng.permutation(20)
    found = gower_neighbours(records, rows, np.array([False, True]), priority, neighbours)
    for record, nearest in zip(records, found.rows, strict=True):
        distance = np.abs(rows[:, 0] - record[0]) + (rows[:, 1] != record[1])
        assert nearest.tolist() == np.lexsort([priority, distance])[:neighbours].tolist()


def test_a_missing_value_counts_as_the_mean_distance():
    """Of a row without a value the distance is the mean: 0.5, between that of an equal and of a distant row."""
    rows = np.array([[0.0], [1.0], [np.nan]])
    found = gower_neighbours(np.array([[0.0]]), rows, np.array([False]), np.arange(3), 3)
    assert found.rows[0].tolist() == [0, 2, 1]
    assert found.distances[0].tolist() == [0, 0.5, 1]


@pytest.mark.parametrize("categorical", [False, True])
def test_a_column_that_no_row_has_keeps_no_row_away(categorical):
    rows = np.array([[np.nan, 1.0], [np.nan, 0.0]])
    records = np.array([[0.5, 0.0], [np.nan, 1.0], [0.0, np.nan]])
    found = gower_neighbours(records, rows, np.array([categorical, True]), np.arange(2), 2)
    assert found.rows.tolist() == [[1, 0], [0, 1], [0, 1]]
    assert found.distances.tolist() == [[0, 1], [0, 1], [0, 0]]


def test_the_mean_distance_of_numbers_is_that_of_all_pairs():
    rng = np.random.default_rng(5)
    records, rows = rng.random((9, 1)), np.append(rng.random(7), np.nan)[:, None]
    found = gower_neighbours(records, rows, np.array([False]), np.arange(8), 8)
    of_hole = found.distances[found.rows == 7]
    assert of_hole == pytest.approx(np.full(9, np.abs(records - rows[:7, 0]).mean()))


def test_the_mean_distance_of_categories_is_the_share_of_pairs_that_differ():
    """Of 2 · 3 pairs, 0 agrees with one row and 4 with none: 5 of 6 differ."""
    rows = np.array([[0.0], [1.0], [2.0], [np.nan]])
    found = gower_neighbours(np.array([[0.0], [4.0]]), rows, np.array([True]), np.arange(4), 4)
    assert found.distances[found.rows == 3] == pytest.approx([5 / 6, 5 / 6])
