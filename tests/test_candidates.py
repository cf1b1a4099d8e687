from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

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


@given(st.integers(0, 2**32 - 1))
def test_a_row_is_admitted_where_every_value_and_every_group_fits(seed):
    """A plain search over records and rows: a missing value fits where nothing is known or it may be missing."""
    rng = np.random.default_rng(seed)
    records, rows = rng.integers(1, 5, 2)
    town = Attribute("town", Kind.UNORDERED, Role.KEY, categories=("Ely", "Rye", "Wells", "new"))
    age = np.where(rng.random(rows) < 0.3, NAN, rng.integers(0, 4, rows))
    released = Microdata(
        (Attribute("age", Kind.DISCRETE, Role.KEY), town), {"age": age, "town": rng.integers(-1, 4, rows)}
    )
    lower = rng.choice([-np.inf, 0.0, 1.0, 2.0], records)
    upper = np.where(rng.random(records) < 0.3, np.inf, np.maximum(lower, rng.integers(0, 4, records)))
    allowed = rng.random((records, 3)) < 0.7
    listed = [np.flatnonzero(rng.random(3) < 0.7) for _ in range(records)]
    starts = np.concatenate([[0], np.cumsum([len(each) for each in listed])])
    groups = Groups(rng.integers(0, 3, rows), starts, np.concatenate(listed).astype(np.int64))
    missing = frozenset(name for name in ("age", "town") if rng.random() < 0.3)
    possible = Candidates(int(records), {"age": lower}, {"age": upper}, {"town": allowed}, (groups,), missing)

    def admitted_pair(record, row):
        value, code = age[row], released.columns["town"][row]
        anything = (lower[record] == -np.inf and upper[record] == np.inf) or "age" in missing
        number_fits = anything if np.isnan(value) else lower[record] <= value <= upper[record]
        any_town = bool(allowed[record].all()) or "town" in missing
        town_fits = any_town if code < 0 else code < 3 and bool(allowed[record, code])
        return bool(number_fits and town_fits and groups.of_row[row] in listed[record])

    found = [possible.admits(released, record).tolist() for record in range(records)]
    assert found == [[admitted_pair(record, row) for row in range(rows)] for record in range(records)]
    assert [groups.members(record).tolist() for record in range(records)] == [each.tolist() for each in listed]


def ends_of(candidates, name="x"):
    return list(zip(candidates.lower[name].tolist(), candidates.upper[name].tolist(), strict=True))


def test_intervals_are_cut_to_the_range_of_the_released_values_unless_nothing_is_known():
    inf = np.inf
    box = Candidates(
        4,
        {"x": np.array([-inf, -inf, 1.0, 9.0]), "y": np.array([1.0] * 4)},
        {"x": np.array([inf, 3.0, inf, 12.0]), "y": np.array([2.0] * 4)},
    )
    cut = box.clipped({"x": (0.0, 10.0)})
    assert ends_of(cut) == [(-inf, inf), (0.0, 3.0), (1.0, 10.0), (9.0, 10.0)]
    assert ends_of(cut, "y") == [(1.0, 2.0)] * 4


def test_intervals_grow_at_both_ends_by_their_own_slack():
    box = Candidates(1, {"x": np.array([1.0]), "y": np.array([5.0])}, {"x": np.array([2.0]), "y": np.array([5.0])})
    wide = box.widened({"x": 0.5, "z": 3.0})
    assert (ends_of(wide), ends_of(wide, "y")) == ([(0.5, 2.5)], [(5.0, 5.0)])
    assert box.widened({"x": 0.0, "z": 3.0}) is box


def test_rounding_errors_are_those_of_the_largest_value_computed_with():
    unit = 2.0**40  # 1e-12 of it is about one
    box = Candidates(1, {"x": np.array([1.0])}, {"x": np.array([-2.0])})
    known = Candidates(1, {"x": np.array([-unit])}, {"x": np.array([np.inf])})
    wide = box.with_rounding_error(known)
    assert ends_of(wide) == [(1.0 - 1e-12 * unit, -2.0 + 1e-12 * unit)]
    alone = box.with_rounding_error(Candidates(1))
    assert ends_of(alone) == [(1.0 - 1e-12 * 2.0, -2.0 + 1e-12 * 2.0)]


@pytest.mark.parametrize(
    ("low", "high", "exact"),
    [
        (5.0, 5.0, True),
        (0.0, 0.0, True),
        (1.0, 1.0 + 0.9e-10, True),
        (1.0, 1.0 + 1.5e-10, False),
        (-1e4 - 0.9e-6, -1e4, True),
        (-1e4 - 1.5e-6, -1e4, False),
        (-np.inf, 1.0, False),
        (1.0, np.inf, False),
    ],
)
def test_a_value_is_known_exactly_up_to_ten_digits(low, high, exact):
    box = Candidates(2, {"x": np.array([3.0, low])}, {"x": np.array([3.0, high])})
    assert box.exactly("x") is exact


def test_only_some_attributes_remain_with_what_belongs_to_them(data):
    known = replace(
        Candidates.known(data, ("age", "town")), may_be_missing=frozenset({"age", "town"}), likely=frozenset({"town"})
    )
    part = known.only(["town", "other"])
    assert (part.names, part.may_be_missing, part.likely) == (("town",), {"town"}, {"town"})
    assert (set(part.lower), set(part.upper), set(part.allowed)) == (set(), set(), {"town"})
    assert known.only(["age"]).upper.keys() == {"age"} and not known.only(["age"]).unpromised


def test_what_is_not_certain_is_likely_and_promises_nothing(data):
    groups = Groups(np.zeros(3, dtype=int), np.arange(4), np.zeros(3, dtype=int))
    ends = {"age": np.zeros(3)}
    likely = Candidates(3, ends, ends, groups=(groups,), certain=False)
    assert likely.likely == {"age"} and not likely.groups[0].promised
    assert likely.promised().names == () and likely.promised().groups == () and likely.promised().certain
    certain = Candidates(3, ends, ends, groups=(groups,))
    assert certain.likely == frozenset() and certain.promised().groups == (groups,)
    assert certain.promised().names == ("age",)


def test_a_column_enters_whole_only_if_no_value_went_missing(data):
    known = Candidates.known(data, ("age", "town"), complete=True)
    assert known.complete and known.entering(["age"]).complete
    gone = replace(known, may_be_missing=frozenset({"age"}))
    assert not gone.entering(["age"]).complete and gone.entering(["town"]).complete
    assert not Candidates.known(data, ("age",)).complete
    assert not Candidates.known(data, ("age",)).entering(["age"]).complete


def test_what_is_computed_from_likely_values_is_likely(data):
    groups = Groups(np.zeros(3, dtype=int), np.arange(4), np.zeros(3, dtype=int))
    before = replace(Candidates.known(data, ("age", "town")), likely=frozenset({"age"}), groups=(groups,))
    ends = {"age": np.zeros(3)}
    step = Candidates(3, ends, ends, groups=(groups,), may_be_missing=frozenset({"age"}))
    after = before.after(("age",), step)
    assert after.likely == {"age"} and [each.promised for each in after.groups] == [True, False]
    assert after.certain and after.may_be_missing == {"age"}
    of_town = before.after(("town",), replace(step, allowed={"town": np.ones((3, 3), dtype=bool)}))
    assert of_town.likely == {"age"} and [each.promised for each in of_town.groups] == [True, True]
    certain = replace(before, likely=frozenset())
    assert certain.after(("age",), step).likely == frozenset()
    assert not replace(certain, certain=False).after(("age",), step).certain


def test_a_root_without_a_hierarchy_means_everything():
    plain = Attribute("town", Kind.UNORDERED, Role.KEY, ("Ely", "Rye", "*", "Bath"))
    assert meanings(plain, 2).tolist() == [[True, False], [False, True], [True, True], [False, False]]
    assert meanings(plain, 6).tolist() == np.eye(4, 6, dtype=bool).tolist()


def test_coarse_categories_are_known_as_all_that_are_below_them():
    tree = Hierarchy.by_levels([("Linz", "Upper Austria"), ("Wels", "Upper Austria"), ("Graz", "Styria")])
    town = Attribute("town", Kind.PARTIALLY_ORDERED, Role.KEY, ("Linz", "Wels", "Graz"), tree)
    original = Microdata((town,), {"town": np.array([0, 1, 2])})
    coarse = replace(town, categories=("Linz", "Wels", "Graz", "Upper Austria"))
    released = Microdata((coarse,), {"town": np.array([3, 2, -1])})
    known = Candidates.known(released, ["town"], original=original)
    assert known.allowed["town"].tolist() == [[True, True, False], [False, False, True], [True, True, True]]
    assert Candidates.known(released, ["town"]).allowed["town"].shape == (3, 4)
