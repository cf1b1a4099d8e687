"""What is learned by masking again: from which replays, with which blocks and weights."""

from dataclasses import replace

import numpy as np
import pytest

from sdckit.laws import learned
from sdckit.laws.blocks import Equality, Intervals, Table
from sdckit.laws.household_files import HOUSEHOLD
from sdckit.laws.learned import learned_blocks
from sdckit.laws.learned_tables import number_law
from sdckit.laws.possible_rows import candidates_of
from sdckit.laws.release_law import ReleaseLaw, RowClasses
from sdckit.laws.replays import Replay
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.recipe import Recipe
from tests.laws.views import categories, numbers, view_of

RNG = np.random.default_rng
DATA = numbers({"x": np.arange(12.0), "y": np.arange(12.0)[::-1]})
CHAIN = Recipe.of("mdav:group_size=3", ["x", "y"])


def again(shift: float, data=DATA) -> Replay:
    moved = {each.name: np.roll(data.columns[each.name], int(shift)) for each in data.attributes}
    return Replay(data.with_columns(moved), np.arange(len(data)), data)


def learned_with(monkeypatch, count: int, weights: list[float] | None = None, data=DATA, chain=CHAIN, **knowledge):
    """The blocks that are learned from so many replays, and what the weights were judged by."""
    seen = {}
    view = view_of(data, data, chain, **knowledge)

    def judged(trials, first, rng):
        seen.update(trials=trials, first=first.tolist())
        return np.ones(len(first)) if weights is None else np.array([*weights, *np.zeros(len(first) - len(weights))])

    def replays(files, recipe, released, rng):
        seen.setdefault("files", []).append(files())
        return [again(number, data) for number in range(count)]

    def law(view, tries, name, *, whole):
        seen.update(tries=len(tries), whole=whole)
        return original(view, tries, name, whole=whole)

    original = learned._learned
    monkeypatch.setattr(learned, "weights_of_blocks", judged)
    monkeypatch.setattr(learned, "replays", replays)
    monkeypatch.setattr(learned, "_learned", law)
    rows = RowClasses.by(view.released, view.attributes)
    seen["view"], seen["rows"] = view, rows
    seen["blocks"] = learned_blocks(view, chain, list(view.attributes), rows, RNG(1), whole=not knowledge)
    monkeypatch.undo()
    return seen


@pytest.mark.parametrize(("count", "from_these"), [(1, 1), (5, 5), (6, 3), (8, 5)])
def test_the_last_three_replays_judge_what_the_others_teach(count, from_these, monkeypatch):
    found = learned_with(monkeypatch, count)
    assert found["tries"] == from_these and len(found["trials"]) == min(count, 3)
    rows = [trial.blocks[0].of_row.tolist() for trial in found["trials"]]
    assert rows == [np.roll(np.arange(12), shift).tolist() for shift in range(count)][-3:] and found["whole"]


def test_tables_of_single_numbers_count_at_first_and_finer_ones_and_axes_do_not(monkeypatch):
    """Both numbers are masked together, so that axes take the place of finer tables."""
    found = learned_with(monkeypatch, 5)
    assert found["first"][:2] == [1.0, 1.0] and set(found["first"][2:]) <= {0.0, 1.0} and found["first"][-1] == 0.0
    single = learned_with(monkeypatch, 5, chain=Recipe.of("rank-swapping", ["x", "y"]))
    assert single["first"][:4] == [1.0, 1.0, 0.0, 0.0]


def test_blocks_have_their_weights_and_those_without_are_left_out(monkeypatch):
    found = learned_with(monkeypatch, 5, [2.0, 0.0])
    (block,) = found["blocks"]
    columns = [DATA.columns["x"]] * 5
    after = [(np.roll(columns[0], shift), np.roll(columns[0], shift)) for shift in range(5)]
    law = number_law("x", columns, after, by_record=True)
    expected = law.table(columns[0], columns[0], found["rows"].first)
    assert block.names == ("x",) and block.entries == pytest.approx(2 * expected.entries)
    assert block.of_record.tolist() == expected.of_record.tolist() and block.of_row.tolist() == expected.of_row.tolist()
    assert learned_with(monkeypatch, 5, [0.0])["blocks"] == []


def test_of_a_part_of_the_records_a_stand_in_is_masked(monkeypatch):
    known = tuple(range(8))
    found = learned_with(monkeypatch, 5, records=known)
    assert not found["whole"] and len(found["files"]) == 1 and len(found["files"][0]) == 12
    exact = learned_with(monkeypatch, 5)
    assert exact["files"][0] is exact["view"].known


def test_a_recipe_that_does_not_run_again_teaches_nothing(monkeypatch):
    found = learned_with(monkeypatch, 0)
    assert found["blocks"] is None and len(found["files"]) == 2  # of the file, and of a stand-in


def test_categories_are_learned_by_their_codes(monkeypatch):
    letters = categories({"t": "aabbccaabbcc", "u": "abcabcabcabc"})
    found = learned_with(monkeypatch, 5, data=letters, chain=Recipe.of("pram", ["t", "u"]))
    assert [block.names for block in found["blocks"]] == [("t",), ("u",)] and found["first"] == [1.0, 1.0]
    assert found["blocks"][0].of_row.tolist() == letters.columns["t"][found["rows"].first].tolist()


def test_households_are_read_where_a_step_masks_them_as_a_whole(monkeypatch):
    """Who knows the whole file knows who lives together; of a part, households are made up."""
    home = Attribute("home", Kind.DISCRETE, Role.HOUSEHOLD, integral=True)
    columns = {"home": np.repeat(np.arange(4.0), 3), "x": np.repeat(np.arange(4.0), 3), "y": np.repeat(5.0, 12)}
    housed = Microdata((home, *DATA.attributes), columns)
    together = CHAIN.at_level("household")
    assert "home" not in learned_with(monkeypatch, 5, data=housed)["files"][0]
    assert "home" in learned_with(monkeypatch, 5, data=housed, chain=together)["files"][0]
    part = learned_with(monkeypatch, 5, data=housed, chain=together, records=tuple(range(8)))
    assert HOUSEHOLD in part["files"][0] and not part["whole"]


# Records without a possible row ---------------------------------------------------------------------------------------


def test_records_that_promises_leave_nothing_have_rows_that_break_the_fewest():
    """Record 1 has no possible row; intervals are dropped for it, and an inequality counts −12."""
    rows = RowClasses(np.arange(3), np.ones(3, np.int64), np.arange(3))
    table = Table(("t",), np.log(np.array([[1.0, 2.0, 3.0]] * 3)), np.arange(3), np.arange(3))
    equal = Equality(("x",), np.array([0, 9, 1]), np.array([0, 0, 1]), np.array([-np.inf, -np.inf, -3.0]))
    box = Intervals(("y",), np.zeros((3, 1)), np.ones((3, 1)), np.array([[0.5], [0.5], [0.5]]))
    law = ReleaseLaw(3, rows, (table, equal, replace(box, lower=np.array([[0.0], [0.7], [0.0]]))), {})
    found = candidates_of(law, 2)
    assert found.starts.tolist() == [0, 2, 4, 5] and found.classes.tolist() == [1, 0, 2, 1, 2]
    expected = [np.log(2), 0.0, np.log(3) - 3, np.log(2) - 12, np.log(3)]
    assert found.log_likelihood == pytest.approx(expected)
    left = np.exp(-12.0) / (3 * np.exp(-3.0) + 3 * np.exp(-12.0))
    assert found.left_out[1] == pytest.approx(left) and found.unlisted[1] == pytest.approx(left)
    some = candidates_of(law, 2, np.array([2, 1]))
    assert some.classes.tolist() == [2, 2, 1] and some.starts.tolist() == [0, 1, 3]
    possible = candidates_of(law, 3, np.array([0, 2]))
    assert possible.classes.tolist() == [1, 0, 2, 2]
