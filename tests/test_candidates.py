import numpy as np
import polars as pl
import pytest

from sdckit.candidates import Candidates, Groups, meanings
from sdckit.hierarchy import Hierarchy
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.release import Release

NAN = np.nan


@pytest.fixture
def data():
    return Microdata(
        (
            Attribute("age", Kind.CONTINUOUS, Role.KEY),
            Attribute("town", Kind.UNORDERED, Role.KEY, categories=("Ely", "Rye", "Wells")),
        ),
        {"age": np.array([30.0, NAN, 41.0]), "town": np.array([0, 1, -1])},
    )


def admitted(candidates, released):
    return [np.flatnonzero(candidates.admits(released, record)).tolist() for record in range(candidates.records)]


def test_what_is_known_exactly_admits_equal_rows_alone(data):
    assert admitted(Candidates.known(data, ("age", "town")), data) == [[0], [1], [2]]


def test_a_missing_value_is_not_known(data):
    assert admitted(Candidates.known(data, ("age",)), data) == [[0], [0, 1, 2], [2]]
    assert admitted(Candidates.known(data, ("town",)), data) == [[0], [1], [0, 1, 2]]


def test_what_may_be_missing_is_not_excluded_for_being_so(data):
    from dataclasses import replace

    open_minded = replace(Candidates.known(data, ("age",)), may_be_missing=frozenset({"age"}))
    assert admitted(open_minded, data) == [[0, 1], [0, 1, 2], [1, 2]]


def test_intervals_are_closed(data):
    box = Candidates(1, {"age": np.array([30.0])}, {"age": np.array([41.0])})
    assert admitted(box, data) == [[0, 2]]


def test_wider_intervals_admit_more(data):
    box = Candidates(1, {"age": np.array([31.0])}, {"age": np.array([40.0])})
    assert admitted(box, data) == [[]]
    assert admitted(box.widened({"age": 1.0}), data) == [[0, 2]]
    assert admitted(box.widened({}), data) == [[]]


def test_groups_admit_their_rows(data):
    groups = Groups(of_row=np.array([0, 1, 0]), starts=np.array([0, 1, 3]), listed=np.array([0, 0, 1]))
    assert admitted(Candidates(2, groups=(groups,)), data) == [[0, 2], [0, 1, 2]]


def test_a_step_replaces_the_restrictions_on_its_attributes(data):
    known = Candidates.known(data, ("age", "town"))
    step = Candidates(3, {"age": np.zeros(3)}, {"age": np.ones(3)}, certain=False)
    after = known.after(("age",), step)
    assert after.names == ("age", "town")
    assert after.upper["age"].tolist() == [1, 1, 1]
    assert not after.certain


def test_a_step_that_excludes_nothing_leaves_no_restriction(data):
    assert Candidates.known(data, ("age", "town")).after(("age",), None).names == ("town",)


def test_what_went_missing_once_may_be_missing_ever_after(data):
    suppressed = Candidates.known(data, ("age",)).after(
        ("age",), Candidates(3, {"age": np.zeros(3)}, {"age": np.ones(3)}, may_be_missing=frozenset({"age"}))
    )
    swapped = suppressed.after(("age",), Candidates(3, {"age": np.zeros(3)}, {"age": np.ones(3)}))
    assert swapped.may_be_missing == {"age"}


def test_pairs_are_judged_as_single_records_are(data):
    known = Candidates.known(data, ("age", "town"))
    records, rows = np.indices((3, 3)).reshape(2, -1)
    one_by_one = np.array([known.admits(data, record) for record in range(3)])
    assert np.array_equal(known.admits_pairs(data, records, rows).reshape(3, 3), one_by_one)


def test_a_category_that_only_the_masked_file_has_is_nobodys():
    original = Microdata.from_frame(pl.DataFrame({"x": [1, 2], "town": ["Ely", "Bath"]}))
    masked = Microdata.from_frame(pl.DataFrame({"x": [1, 2], "town": ["Ely", "York"]}))
    release = Release.in_order(original, masked)
    known = Candidates.known(release.original, ["town"])
    assert known.admits(release.masked, 0).tolist() == [True, False]
    assert known.admits(release.masked, 1).tolist() == [False, False]


def test_rounding_errors_of_a_computed_value_do_not_exclude_it():
    values = np.random.default_rng(1).lognormal(5, 2, 4000)
    data = Microdata((Attribute("x", Kind.CONTINUOUS, Role.KEY),), {"x": values * 1.1})
    computed = Candidates(4000, {"x": values + values / 10}, {"x": values + values / 10})
    records = np.arange(4000)
    excluded = ~computed.admits_pairs(data, records, records)
    assert excluded.sum() > 100  # the last digits differ, so the case can fail
    assert computed.with_rounding_error(computed).admits_pairs(data, records, records).all()


def test_rounding_errors_are_small_and_leave_zero_and_infinity():
    known = Candidates(3, {"x": np.array([0.0, -np.inf, 1e6])}, {"x": np.array([0.0, np.inf, 1e6])})
    wider = known.with_rounding_error(known)
    assert wider.lower["x"][:2].tolist() == [0.0, -np.inf]
    assert wider.upper["x"][:2].tolist() == [0.0, np.inf]
    assert 0 < wider.upper["x"][2] - wider.lower["x"][2] < 1e-5


def test_a_value_known_up_to_rounding_errors_is_known_exactly():
    known = Candidates(2, {"x": np.array([1.0, -2.0])}, {"x": np.array([1.0, -2.0])})
    assert known.with_rounding_error(known).exactly("x")
    assert not known.widened({"x": 0.001}).exactly("x")
    assert not Candidates(1, {"x": np.array([-np.inf])}, {"x": np.array([np.inf])}).exactly("x")


def test_a_released_node_of_a_hierarchy_means_the_categories_below_it():
    """Of Linz, Wels and Graz, the first two are in Upper Austria; the node of another tree means none of them."""
    tree = Hierarchy.by_levels([("Linz", "Upper Austria"), ("Wels", "Upper Austria"), ("Graz", "Styria")])
    categories = ("Linz", "Wels", "Graz", "Upper Austria", "Styria", "Bavaria")
    town = Attribute("town", Kind.PARTIALLY_ORDERED, Role.KEY, categories, tree)
    assert meanings(town, 3).astype(int).tolist() == [
        *([1, 0, 0], [0, 1, 0], [0, 0, 1]),
        *([1, 1, 0], [0, 0, 1], [0, 0, 0]),
    ]
