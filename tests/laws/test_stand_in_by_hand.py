"""A stand-in for the original, replays of it and laws between two releases, each beside its definition."""

from dataclasses import replace

import numpy as np
import pytest

from sdckit.attribute import Level
from sdckit.laws import replays as replaying
from sdckit.laws import row_law, stand_in
from sdckit.laws.blocks import Equality, Table
from sdckit.laws.household_files import HOUSEHOLD, needed, with_known_households, with_random_households
from sdckit.laws.release_law import RowClasses, Source
from sdckit.laws.replays import Replay, moved, replay, replays
from sdckit.laws.row_law import _rows_as_records, in_same_order, published_row_law
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.recipe import Recipe
from tests.laws.test_ball_by_hand import law_of
from tests.laws.views import categories, numbers, view_of

NAN = np.nan
RNG = np.random.default_rng


def test_known_quantiles_take_the_ranks_of_a_column():
    """Of three values, the lowest has the first third of the known ones; holes have any of them."""
    found = stand_in._with_quantiles(np.array([5.0, 1.0, 9.0]), np.array([10.0, 20.0, 30.0]), RNG(1))
    assert found.tolist() == [20, 10, 30]
    found = stand_in._with_quantiles(np.array([5.0, 1.0, 9.0]), np.arange(12.0), RNG(1))
    assert found.tolist() == [6, 2, 10]
    holes = stand_in._with_quantiles(np.array([NAN, 4.0, NAN]), np.array([3.0, 7.0]), RNG(1))
    assert holes[1] == 7.0 and set(holes.tolist()) <= {3.0, 7.0}
    tied = stand_in._with_quantiles(np.array([2.0, 2.0]), np.array([1.0, 2.0]), RNG(1))
    assert tied.tolist() == [1, 2]


def test_points_are_ranks_and_corners():
    """Ranks in the release, and categories at 0.3 from the centre; three of them are 0.52 apart."""
    file = Microdata(
        (Attribute("x", Kind.CONTINUOUS, Role.KEY), Attribute("t", Kind.UNORDERED, Role.KEY, ("a", "b", "c"))),
        {"x": np.array([4.0, 1.0, NAN]), "t": np.array([0, 2, -1])},
    )
    released = file.with_columns({"x": np.array([1.0, 2.0, 4.0]), "t": np.array([0, 1, 2])})
    mine, theirs = stand_in._points(file, released, ["x", "t"], RNG(1))
    assert mine[:2, 0].tolist() == pytest.approx([2 / 3, 0]) and 0 <= mine[2, 0] <= 1
    assert theirs[:, 0].tolist() == pytest.approx([0, 1 / 3, 2 / 3])
    angles = 2 * np.pi * np.arange(3) / 3
    assert theirs[:, 1:] == pytest.approx(0.3 * np.column_stack([np.cos(angles), np.sin(angles)]))
    assert mine[:2, 1:] == pytest.approx(theirs[[0, 2], 1:])
    assert any(mine[2, 1:] == pytest.approx(theirs[code, 1:]) for code in range(3))


def test_records_are_added_between_records_and_near_ones():
    file = Microdata(
        (
            Attribute("x", Kind.CONTINUOUS, Role.KEY),
            Attribute("whole", Kind.DISCRETE, Role.KEY),
            Attribute("often", Kind.CONTINUOUS, Role.KEY),
            Attribute("t", Kind.UNORDERED, Role.KEY, ("a", "b")),
        ),
        {
            "x": np.arange(8) + 0.5,
            "whole": 10.0 * np.arange(8),
            "often": np.repeat([1.5, 2.5], 4),
            "t": np.repeat([0, 1], 4),
        },
    )
    assert stand_in._enlarged(file, 8, RNG(1)) is file and stand_in._enlarged(file, 3, RNG(1)) is file
    assert len(stand_in._enlarged(file, 9, RNG(1))) == 9
    larger = stand_in._enlarged(file, 60, RNG(1))
    assert len(larger) == 60 and larger.lineage is None
    for name in ("x", "whole", "often", "t"):
        assert np.array_equal(larger.columns[name][:8], file.columns[name])
    new = {name: column[8:] for name, column in larger.columns.items()}
    assert not np.isin(new["x"], file.columns["x"]).all() and (new["whole"] % 1 == 0).all()
    assert not np.isin(new["whole"], file.columns["whole"]).all()
    assert set(new["often"].tolist()) == {1.5, 2.5} and set(new["t"].tolist()) == {0, 1}
    assert new["x"].min() >= 0.5 and new["x"].max() <= 7.5


def test_near_records_are_the_five_nearest():
    """On a line, those of the first record are the next five; a new record has the category of either."""
    town = Attribute("t", Kind.UNORDERED, Role.KEY, tuple(map(str, range(40))))
    file = Microdata((Attribute("x", Kind.CONTINUOUS, Role.KEY), town), {"x": np.arange(40) + 0.25, "t": np.arange(40)})
    larger = stand_in._enlarged(file, 4_000, RNG(1))
    gap = np.abs(larger.columns["x"] - 0.25 - larger.columns["t"])
    assert 4.5 < gap.max() <= 5
    part = stand_in._moved(numbers({"z": [1.0]}), numbers({"x": np.arange(40.0)}), RNG(1), only=np.zeros(2_000, int))
    assert 2.4 < part.columns["x"].max() <= 2.5 and part.columns["x"].min() == 0


def test_known_records_are_completed_by_near_rows():
    """What is known stays; what is not known of a record comes from the release."""
    known = numbers({"x": [*np.arange(59.0), None]})
    released = numbers({"x": np.arange(60.0), "y": 100 + np.arange(60.0)})
    found = stand_in.stand_in(known, released, RNG(1))
    assert found.columns["x"][:59].tolist() == list(range(59)) and 0 <= found.columns["x"][59] <= 59
    assert np.abs(found.columns["y"] - 100 - found.columns["x"])[:59].max() < 15
    few = stand_in.stand_in(known.take(np.arange(49)), released, RNG(1), 80)
    assert len(few) == 60
    enough = stand_in.stand_in(known.take(np.arange(50)), released, RNG(1), 80)
    assert len(enough) == 80


def test_rows_are_moved_part_of_the_way_to_a_near_one():
    released = numbers({"x": np.arange(40.0), "y": np.repeat(np.arange(20.0), 2)})
    known = numbers({"z": [1.0]})
    found = stand_in._moved(known, released, RNG(1))
    gap = np.abs(found.columns["x"] - released.columns["x"])
    assert 0 < gap.max() <= 0.5 * 5 and (found.columns["x"] != released.columns["x"]).mean() > 0.7
    part = stand_in._moved(known, released, RNG(1), only=np.array([3, 3, 7]))
    assert len(part) == 3


def test_suppressed_categories_are_drawn_from_those_that_are_seen():
    town = Attribute("t", Kind.UNORDERED, Role.KEY, ("a", "b", "c", "group"))
    released = Microdata((town,), {"t": np.array([3, -1, 0, 0, 3, -1] * 5)})
    known = Microdata((replace(town, categories=("a", "b", "c")),), {"t": np.array([1, 2, 1])})
    found = stand_in._moved(known, released, RNG(1))
    assert found.attribute("t").categories == ("a", "b", "c")
    assert set(found.columns["t"].tolist()) == {0, 1, 2}
    unknown = stand_in._moved(numbers({"x": [1.0]}), released, RNG(1))
    assert set(unknown.columns["t"].tolist()) <= {0, 3}


# Replays --------------------------------------------------------------------------------------------------------------


def test_what_became_of_each_record():
    attributes = Attribute("x", Kind.CONTINUOUS), Attribute("t", Kind.UNORDERED, categories=("a", "b"))
    masked = Microdata(attributes, {"x": [5.0, 6.0], "t": [1, 0]})
    again = Replay(masked, np.array([1, -1, 0]), masked)
    assert moved(again, "x").tolist() == pytest.approx([6, NAN, 5], nan_ok=True)
    assert moved(again, "t").tolist() == [0, -1, 1]


def test_a_sampled_file_is_replayed_with_the_rows_of_its_records():
    data = numbers({"x": np.arange(10.0), "y": np.arange(10.0)})
    again = replay(data, Recipe.of("simple-sampling:share=0.5", ["x", "y"]), data.only(["x"]), RNG(1))
    assert list(again.masked.columns) == ["x"] and again.before is data
    present = np.flatnonzero(again.row_of >= 0)
    assert len(present) == len(again.masked) == 5
    assert again.masked.columns["x"][again.row_of[present]].tolist() == present.tolist()
    assert replay(data, Recipe.of("additive-noise", ["z"]), data, RNG(1)) is None


@pytest.mark.parametrize(("records", "count"), [(10, 30), (1_000, 20), (19_999, 3), (20_000, 3)])
def test_as_many_replays_as_a_law_is_learned_from(records, count, monkeypatch):
    """Twenty thousand pairs, three replays at least and thirty at most."""
    data = numbers({"x": np.zeros(records)})
    monkeypatch.setattr(replaying, "replay", lambda file, *others: Replay(file, np.arange(len(file)), file))
    assert len(replays(lambda: data, Recipe.of("rounding"), data, RNG(1))) == count
    calls = iter([Replay(data, np.arange(records), data), None])
    monkeypatch.setattr(replaying, "replay", lambda *arguments: next(calls))
    assert len(replays(lambda: data, Recipe.of("rounding"), data, RNG(1))) == 1


def test_decimals_are_dropped_where_the_release_has_more_of_them():
    file = numbers({"x": [1.0], "y": [1.0], "z": [1.0]}, decimals=1)
    released = numbers({"x": [0.15, None], "y": [0.5, 0.1]})
    found = replaying._as_precise(file, released)
    assert [found.attribute(name).decimals for name in "xyz"] == [None, 1, 1]


# Households -----------------------------------------------------------------------------------------------------------


def homes(numbers_of: list[int], ages: list[float]) -> Microdata:
    home = Attribute("home", Kind.DISCRETE, Role.HOUSEHOLD, integral=True)
    attributes = home, Attribute("age", Kind.CONTINUOUS, Role.KEY)
    return Microdata(attributes, {"home": np.array(numbers_of, float), "age": np.array(ages)})


def test_households_that_are_known_come_with_their_records():
    data = homes([1, 1, 2], [5.0, 6.0, 7.0])
    view = view_of(data, data, attributes=("age",), records=(0, 2))
    found = with_known_households(view)
    assert found.columns["home"].tolist() == [1, 2] and found.columns["age"].tolist() == [5, 7]
    both = view_of(data, data, attributes=("age", "home"))
    assert with_known_households(both) is both.known


def test_what_a_masking_reads_beside_its_attributes():
    data = homes([1, 1, 2], [5.0, 6.0, 7.0])
    view = view_of(data, data, attributes=("age",))
    plain = Recipe.of("rounding", ["age"]).steps[0].masking
    assert needed(plain, view, ("age",)) == []
    together = plain.at_level(Level.HOUSEHOLD)
    assert "home" in together.also_reads(view.released, ("age",)) and needed(together, view, ("age",)) == []


def test_random_households_have_one_value_each():
    data = homes([1, 1, 1, 2, 2, 2], [1.0, 2, 3, 4, 5, 6])
    view = view_of(data, data, attributes=("age",))
    chain = Recipe.of("rounding", ["age"]).at_level("household")
    file = numbers({"age": np.arange(10.0), "rent": np.arange(10.0)})
    found = with_random_households(file, view, chain, RNG(2))
    units = found.columns[HOUSEHOLD]
    sizes = np.bincount(units.astype(int))
    assert sorted(sizes[sizes > 0].tolist()) == [1, 3, 3, 3] and len(found) == 10
    for unit in np.unique(units):
        own = np.flatnonzero(units == unit)
        assert set(found.columns["age"][own].tolist()) == {file.columns["age"][own.min()]}
    assert found.columns["rent"].tolist() == file.columns["rent"].tolist()
    assert found.names(role=Role.HOUSEHOLD) == (HOUSEHOLD,)
    housed = with_random_households(homes([7] * 4, [1.0, 2, 3, 4]), view, chain, RNG(2))
    assert housed.names(role=Role.HOUSEHOLD) == (HOUSEHOLD,)
    hidden = replace(view, released=view.released.without(["home"]))
    again = with_random_households(file, hidden, chain, RNG(2))
    assert again.columns[HOUSEHOLD].tolist() == units.tolist()  # the sizes of the original


# Laws between two releases --------------------------------------------------------------------------------------------


def test_rows_in_the_same_position_fit_clearly_better():
    rng = RNG(3)
    count = 40
    noise = np.exp(0.5 * rng.standard_normal((count, count)))
    assert not in_same_order(law_of(noise))
    assert in_same_order(law_of(noise * np.where(np.eye(count), 3.0, 1.0)))
    assert not in_same_order(law_of(noise * np.roll(np.where(np.eye(count), 3.0, 1.0), 1, axis=1)))
    few = np.where(np.eye(10), 9.0, 1.0)
    assert not in_same_order(law_of(few))  # ten rows have no ten others near them
    eleven = np.where(np.eye(11), 9.0, 1.0) * np.exp(0.1 * rng.standard_normal((11, 11)))
    assert in_same_order(law_of(eleven))
    assert not in_same_order(law_of(np.where(np.eye(12), 9.0, 1.0)[:, :11], [1] * 11))


def test_the_gain_is_compared_with_its_standard_error():
    """Six standard errors decide: the gain of each row over the mean of ten near ones."""
    rng = RNG(4)
    count, scale = 30, 0.4
    for strength in (0.3, 0.6):
        logs = scale * rng.standard_normal((count, count)) + strength * np.eye(count)
        at, shifts = np.arange(count), (*range(-5, 0), *range(1, 6))
        near = np.mean([logs[at, (at + shift) % count] for shift in shifts], axis=0)
        gain = np.diag(logs) - near
        expected = gain.mean() > 6 * gain.std() / np.sqrt(count)
        assert in_same_order(law_of(np.exp(logs))) is bool(expected)


def test_impossible_pairs_count_as_very_unlikely():
    fit = np.where(np.eye(20), 1.0, 0.0)
    assert in_same_order(law_of(fit + np.where(RNG(1).random((20, 20)) < 0.02, 0.5, 0.0)))


def test_the_rows_of_one_release_are_the_records_of_the_other():
    data = numbers({"x": [1.0, 2.0], "y": [3.0, 4.0]})
    weighted = data.with_columns({}, [replace(data.attribute("y"), role=Role.WEIGHT)])
    view, other = view_of(weighted, weighted), view_of(weighted, weighted)
    rows = _rows_as_records(view, other)
    assert rows.attributes == ("x",) and rows.original is not view.original and len(rows) == 2
    sampled = replace(view, original=numbers({"x": [1.0, 2.0, 3.0], "y": [3.0, 4.0, 5.0]}))
    assert _rows_as_records(sampled, other).original is sampled.original


def test_a_law_by_two_recipes_is_that_of_the_other_for_what_the_first_left_unchanged(monkeypatch):
    """Of x, rounded in the second release only, the law is determined; of y, masked in both, it is learned."""
    data = numbers({"x": [1.0, 12.0, 23.0], "y": [3.0, 4.0, 5.0]})
    first = view_of(data, data, Recipe.of("rounding:base=2", ["y"]))
    rounded = numbers({"x": [0.0, 10.0, 20.0], "y": [3.0, 4.0, 5.0]})
    second = view_of(data, rounded, Recipe.of("rounding:base=10", ["x"]))
    law = published_row_law(first, second, RNG(1))
    parts = law.of_pairs(*np.divmod(np.arange(9), 3))
    assert np.exp(parts["x",]).reshape(3, 3)[:, law.rows.of].tolist() == np.eye(3).tolist()
    assert set(law.sources.values()) == {Source.LEARNED} and law.records == 3
    calls = []
    monkeypatch.setattr(row_law, "agreement_law", lambda rows, rng: calls.append(rows.attributes))
    published_row_law(first, replace(second, recipe=None), RNG(1))
    published_row_law(replace(first, recipe=None), second, RNG(1))
    monkeypatch.setattr(row_law, "replay", lambda *arguments: None)
    published_row_law(first, second, RNG(1))
    assert calls == [("x", "y")] * 3


def test_values_that_are_always_equal_are_equal_but_for_a_doubt():
    view = view_of(categories({"x": "aab"}), categories({"x": "ab-"}))
    rows = RowClasses.by(view.released, ["x"])
    file = categories({"x": "ab"})
    tried = [(Replay(file, np.arange(2), file), Replay(file, np.arange(2), file))]
    block = row_law._learned(view, "x", tried, rows)
    assert isinstance(block, Equality) and block.of_record.tolist() == [0, 0, 1]
    assert block.of_row[rows.of].tolist() == [0, 1, -1]
    assert np.exp(block.unequal) == pytest.approx([1e-3 / 3] * 3)
    other = Replay(categories({"x": "ba"}), np.arange(2), file)
    assert isinstance(row_law._learned(view, "x", [(tried[0][0], other)], rows), Table)


def test_a_file_is_tried_out_several_times(monkeypatch):
    data = numbers({"x": np.arange(60.0)})
    view = view_of(data, data, Recipe.of("rounding:base=2", ["x"]))
    monkeypatch.setattr(row_law, "PAIRS", 130)
    assert len(row_law._tried_out(view, view, RNG(1))) == 3
    monkeypatch.setattr(row_law, "MOST", 2)
    assert len(row_law._tried_out(view, view, RNG(1))) == 2
