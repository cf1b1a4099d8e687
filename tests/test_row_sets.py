"""Row sets against a plain search, and their arithmetic by hand."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array, csr_array

from sdckit.candidates import Candidates, Groups
from sdckit.kernels.intersections import intersection_rows
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.recipe import Recipe
from sdckit.release import protect
from sdckit.row_sets import Constraints, RowSets
from sdckit.testing.files import ordinary


def sets_of(*lists, row_count):
    """Sets of rows written as lists."""
    starts = np.concatenate([[0], np.cumsum([len(each) for each in lists])]).astype(np.int64)
    return RowSets(starts, np.array([row for each in lists for row in each], dtype=np.int64), row_count)


def as_lists(sets):
    return [sets.of(record).tolist() for record in range(len(sets))]


def random_case(seed):
    """Some records' candidates in a file of a number and a category, both with missing values, and groups of rows."""
    rng = np.random.default_rng(seed)
    records, rows = int(rng.integers(1, 7)), int(rng.integers(1, 9))
    number = rng.integers(0, 5, rows).astype(float)
    number[rng.random(rows) < 0.2] = np.nan
    attributes = (
        Attribute("age", Kind.DISCRETE, Role.KEY),
        Attribute("region", Kind.UNORDERED, Role.KEY, categories=("N", "S", "E")),
    )
    codes = rng.integers(-1, 3, rows).astype(np.int32)
    released = Microdata(attributes=attributes, columns={"age": number, "region": codes})
    lower = rng.integers(0, 5, records).astype(float)
    upper = lower + rng.integers(0, 3, records)
    unknown = rng.random(records) < 0.2
    lower[unknown], upper[unknown] = -np.inf, np.inf
    listed = [np.flatnonzero(rng.random(3) < 0.7) for _ in range(records)]
    starts = np.concatenate([[0], np.cumsum([len(each) for each in listed])]).astype(np.int64)
    groups = Groups(rng.integers(0, 3, rows), starts, np.concatenate(listed).astype(np.int64))
    missing = frozenset(name for name in ("age", "region") if rng.random() < 0.5)
    possible = Candidates(
        records,
        {"age": lower} if rng.random() < 0.8 else {},
        {"age": upper},
        {"region": rng.random((records, 3)) < 0.6} if rng.random() < 0.8 else {},
        (groups,) if rng.random() < 0.5 else (),
        missing,
    )
    return possible, released


@given(st.integers(0, 2**32 - 1))
def test_rows_are_those_that_a_plain_search_admits(seed):
    possible, released = random_case(seed)
    found = RowSets.of_candidates(possible, released)
    expected = [np.flatnonzero(possible.admits(released, record)).tolist() for record in range(possible.records)]
    assert as_lists(found) == expected


@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.integers(1, 6))
def test_sets_are_those_of_a_table_of_truth_values(seed, records, rows):
    rng = np.random.default_rng(seed)
    one, other = rng.random((2, records, rows)) < 0.5
    truth = rng.integers(-1, rows, records)
    first, second = RowSets.of_adjacency(csr_array(one)), RowSets.of_adjacency(csr_array(other))
    assert as_lists(first) == [np.flatnonzero(line).tolist() for line in one]
    assert first.sizes.tolist() == one.sum(axis=1).tolist()
    assert first.contains(truth).tolist() == [row >= 0 and bool(one[record, row]) for record, row in enumerate(truth)]
    assert as_lists(first.intersect(second)) == [np.flatnonzero(line).tolist() for line in one & other]


def test_an_intersection_by_hand():
    one, other = sets_of([0, 2], [1], [], row_count=3), sets_of([2], [0, 2], [0, 1, 2], row_count=3)
    assert as_lists(one.intersect(other)) == [[2], [], []]
    assert one.contains(np.array([2, -1, 0])).tolist() == [True, False, False]


def test_links_that_are_zero_or_listed_twice_count_as_what_they_are():
    matrix = coo_array(([1, 1, 0, 2], ([0, 0, 0, 1], [2, 2, 1, 0])), shape=(2, 3))
    assert as_lists(RowSets.of_adjacency(matrix)) == [[2], [0]]


def test_sets_that_rule_nothing_out_have_every_row():
    assert as_lists(RowSets.everything(2, 3)) == [[0, 1, 2]] * 2


def test_sets_of_other_rows_do_not_intersect():
    with pytest.raises(ValueError, match="same records and rows"):
        RowSets.everything(2, 3).intersect(RowSets.everything(2, 4))


def test_the_window_of_rank_swapping_leaves_the_ranks_within_it():
    data = Microdata.from_frame(pl.DataFrame({"age": np.arange(20.0)}))
    release = protect(data, "rank-swapping:window=0.1", seed=1)
    possible = release.recipe.candidates(Candidates.known(data, ["age"]), release.masked)
    sets = RowSets.of_candidates(possible, release.masked)
    assert sets.contains(np.arange(20)).all()
    for record in range(20):
        values = np.sort(release.masked.columns["age"][sets.of(record)])
        assert values.tolist() == list(range(max(record - 2, 0), min(record + 2, 19) + 1))


def test_a_chain_admits_the_same_rows_by_both_ways():
    data = ordinary()
    release = protect(data, ["rank-swapping:window=0.2", "local-suppression"], seed=1)
    assert isinstance(release.recipe, Recipe)
    keys = [name for name in data.names(role=Role.KEY) if name in release.masked]
    possible = release.recipe.candidates(Candidates.known(data, keys, complete=True), release.masked)
    sets = RowSets.of_candidates(possible, release.masked)
    assert as_lists(sets) == [
        np.flatnonzero(possible.admits(release.masked, record)).tolist() for record in range(len(data))
    ]


@given(st.integers(0, 2**32 - 1))
def test_constraints_on_some_records_are_those_among_all(seed):
    possible, released = random_case(seed)
    records = np.random.default_rng(seed).integers(0, possible.records, 4)
    constraints = Constraints.of(possible, released)
    part = RowSets(*intersection_rows(*constraints.of_records(records)), len(released))
    whole = RowSets.of_candidates(possible, released)
    assert as_lists(part) == [whole.of(record).tolist() for record in records]
    nothing = constraints.dropped()
    everything = RowSets(*intersection_rows(*nothing.of_records(records)), len(released))
    assert as_lists(everything) == [list(range(len(released)))] * 4


def test_categories_that_only_the_original_has_are_no_obstacle():
    region = Attribute("region", Kind.UNORDERED, Role.KEY, categories=("N", "S", "E"))
    released = Microdata((region,), {"region": np.array([0, 2, -1, 1])})
    possible = Candidates(2, {}, {}, {"region": np.array([[True, True], [False, True]])})
    assert as_lists(RowSets.of_candidates(possible, released)) == [[0, 2, 3], [3]]


def test_no_rows_and_no_records_are_sets():
    assert len(RowSets.everything(0, 3)) == 0 and as_lists(RowSets.everything(2, 0)) == [[], []]
    empty = RowSets.everything(2, 0)
    assert as_lists(empty.intersect(empty)) == [[], []]
    assert empty.contains(np.array([-1, -1])).tolist() == [False, False]
