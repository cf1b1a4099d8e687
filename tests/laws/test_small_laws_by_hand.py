"""Small parts of laws, each beside its definition on a few values."""

from dataclasses import replace

import numpy as np
import pytest

from sdckit.candidates import Candidates, Groups
from sdckit.laws import inference, row_density, unknown_values
from sdckit.laws.blocks import Deviations, Equality, Intervals, Margin, Table
from sdckit.laws.holes import hole_blocks, knows_holes, suppressed_attributes
from sdckit.laws.inference import _rows_open, candidate_graph, inferred, whole_graph
from sdckit.laws.informed import _that_matter, law_of_no_masking, untouched
from sdckit.laws.learned_equality import LearnedEquality
from sdckit.laws.learned_tables import LearnedNumbers
from sdckit.laws.presence import as_many_present, log_density
from sdckit.laws.promises import _in_runs, _promised_categories, _promised_runs, promised
from sdckit.laws.release_law import ReleaseLaw, RowClasses, Source
from sdckit.laws.row_density import likeliest_pairs, log_gains, log_margins, log_row_density
from sdckit.laws.several import joined, of_rows
from sdckit.laws.unknown_values import _log_margin, _shares, margins
from sdckit.matching.graph import CandidateGraph
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.recipe import Recipe
from tests.laws.test_ball_by_hand import law_of
from tests.laws.views import categories, numbers, of_all_pairs, view_of

INF, NAN = np.inf, np.nan
ROWS = RowClasses(np.array([0, 1, 1]), np.array([1, 2]), np.array([0, 1]))


# Several releases -----------------------------------------------------------------------------------------------------


def test_blocks_of_other_rows_say_nothing_where_there_is_none():
    rows = np.array([1, -1, 0])
    table = of_rows(Table(("x",), np.array([[1.0, 2.0]]), np.array([0]), np.array([0, 1])), rows)
    assert of_all_pairs(table, 1, 3).tolist() == [[2, 0, 1]]
    equality = of_rows(Equality(("x",), np.array([5]), np.array([5, 7]), np.array([-1.0, -2.0])), rows)
    assert of_all_pairs(equality, 1, 3).tolist() == [[-2, 0, 0]]
    box = of_rows(Intervals(("x",), np.array([[0.0]]), np.array([[1.0]]), np.array([[0.5], [9.0]])), rows)
    assert of_all_pairs(box, 1, 3).tolist() == [[-INF, 0, 0]]
    points = Deviations(("x",), np.array([[1.0]]), np.array([[1.0], [NAN]]))
    assert of_all_pairs(of_rows(points, np.array([0, 1])), 1, 2).tolist() == [[0, -INF]]
    assert of_all_pairs(of_rows(points, rows), 1, 3).tolist() == [[0, 0, 0]]


def test_linked_rows_are_classes_of_pairs():
    one, other = law_of(np.array([[1.0, 2.0]]), [1, 2]), law_of(np.array([[5.0, 7.0]]), [2, 1])
    both = joined(replace(one, exact=True, doubt=0.25), replace(other, exact=True, doubt=0.5), np.array([0, 2, -1]))
    found = sum(of_all_pairs(block, 1, len(both.rows.sizes)) for block in both.blocks)[0, both.rows.of]
    assert np.exp(found) == pytest.approx([1 * 5, 2 * 7, 2]) and both.rows.sizes.sum() == 3
    assert both.exact and both.doubt == 0.5 and both.rows.of[both.rows.first].tolist() == list(range(3))
    assert not joined(replace(one, exact=True), other, np.array([0, 2, -1])).exact


# Holes ----------------------------------------------------------------------------------------------------------------


def test_a_hole_goes_with_a_hole_unless_values_are_suppressed():
    data, masked = numbers({"x": [1.0, None], "y": [1.0, 2.0]}), numbers({"x": [None, 2.0], "y": [1.0, 2.0]})
    view = view_of(data, masked)
    rows = RowClasses.by(view.released, ["x", "y"])
    (block,) = hole_blocks(view, rows)
    assert block.names == ("x",) and np.exp(of_all_pairs(block, 2, 2)[:, rows.of]).tolist() == [[0, 1], [1, 0]]
    (block,) = hole_blocks(view, rows, {"x"})
    assert np.exp(of_all_pairs(block, 2, 2)[:, rows.of]).tolist() == [[1, 1], [1, 0]]
    assert hole_blocks(view_of(data, masked, missing=0.5), rows) == []
    assert knows_holes(view) and knows_holes(view_of(data, masked, noise=0.1))
    assert not knows_holes(replace(view, exact=False)) and not knows_holes(replace(view, holes=True))
    recipe = Recipe.of(["local-suppression:attributes=x+y", "rounding:attributes=y"])
    assert suppressed_attributes(recipe, masked) == {"x", "y"}
    assert suppressed_attributes(Recipe.of("rounding", ["y"]), masked) == set()


# What is not known ----------------------------------------------------------------------------------------------------


def test_the_margin_of_an_equality_is_the_share_of_the_rows_with_the_value():
    unequal = np.log(np.array([0.1, 0.2, 0.3]))
    equality = Equality(("x",), np.array([0, 1]), np.array([0, 1, 0]), unequal)
    rows = RowClasses(np.array([0, 1, 2, 2]), np.array([1, 1, 2]), np.array([0, 1, 2]))
    assert _shares(np.array([7, 4, 7]), rows).tolist() == [0.75, 0.25, 0.75]
    share = np.array([0.75, 0.25, 0.75])
    found = _log_margin([equality], np.array([True, False]), np.zeros(3), rows)
    assert np.exp(found) == pytest.approx(share + (1 - share) * [0.1, 0.2, 0.3])


@pytest.mark.parametrize("sample", [2_000, 2])
def test_the_margin_of_other_blocks_is_the_mean_over_known_records(sample, monkeypatch):
    """Rows with the same value share a margin; between the values of a sample it is interpolated."""
    monkeypatch.setattr(unknown_values, "SAMPLE", sample)
    likelihood = np.array([[1.0, 2.0, 9.0, 4.0], [3.0, 2.0, 9.0, 1.0], [5.0, 5.0, 5.0, 5.0], [7.0, 7.0, 7.0, 7.0]])
    table = Table(("x",), np.log(likelihood), np.arange(4), np.arange(4))
    values, known = np.array([1.0, 2.0, 1.0, 3.0]), np.array([True, True, False, True])
    rows = RowClasses(np.arange(4), np.ones(4, np.int64), np.arange(4))
    found = np.exp(_log_margin([table], known, values, rows))
    if sample > 3:
        mean = likelihood[[0, 1, 3]].mean(axis=0)
        assert found == pytest.approx([mean[0], mean[1], mean[0], mean[3]])
    else:
        mean = likelihood[[0, 3]].mean(axis=0)  # of the first and the last known record, at the ends
        assert found == pytest.approx([mean[0], np.sqrt(mean[0] * mean[3]), mean[0], mean[3]])


def test_a_margin_is_never_below_what_one_record_s_own_row_has():
    table = Table(("x",), np.full((2, 2), -50.0), np.arange(2), np.arange(2))
    found = _log_margin([table], np.array([True, True]), np.array([1.0, 2.0]), ROWS)
    assert np.exp(found) == pytest.approx([np.exp(-0.5) / 2] * 2)


def test_margins_are_of_attributes_that_some_records_lack():
    data = numbers({"x": [1.0, 2.0, 2.0, 3.0], "y": [1.0, 2.0, 3.0, 4.0]})
    view = view_of(data, data, missing=0.3)
    view = replace(view, known=numbers({"x": [1.0, None, 2.0, 3.0], "y": [1.0, 2.0, 3.0, 4.0]}))
    rows = RowClasses.by(view.released, ["x", "y"])
    blocks = [untouched(view, name, rows) for name in ("x", "y")]
    (margin,) = margins(view, rows, blocks)
    assert isinstance(margin, Margin) and margin.names == ("x",) and margin.of_record.tolist() == [0, -1, 0, 0]
    assert np.exp(-of_all_pairs(margin, 4, 4)[0]) == pytest.approx([0.25, 0.5, 0.5, 0.25], rel=0.006)
    assert margins(replace(view, holes=False), rows, blocks) == [] and margins(view, rows, blocks[1:]) == []
    nobody = replace(view, known=numbers({"x": [None] * 4, "y": [1.0, 2.0, 3.0, 4.0]}))
    assert margins(nobody, rows, blocks) == []


# Promises -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lists", "runs"),
    [([[0, 1], [2]], True), ([[0, 2]], False), ([[1], [], [3, 4]], True), ([[2, 1]], False), ([[], []], True)],
)
def test_groups_are_in_runs_where_they_follow_each_other(lists, runs):
    starts = np.concatenate([[0], np.cumsum([len(each) for each in lists])])
    listed = np.array([each for group in lists for each in group], dtype=np.int64)
    assert _in_runs(Groups(np.zeros(3, int), starts, listed)) is runs


def test_rows_of_groups_outside_the_run_are_impossible():
    """The second class has rows of groups 1 and 3; a record without any group has no row."""
    groups = Groups(np.array([0, 1, 3]), np.array([0, 2, 3, 3]), np.array([0, 1, 3]))
    found = of_all_pairs(_promised_runs(groups, ROWS, ["x"]), 3, 2)
    assert found.tolist() == [[0, 0], [-INF, 0], [-INF, -INF]]


def test_categories_that_are_promised_by_hand():
    view = view_of(categories({"x": "abc"}), categories({"x": "ca-"}))
    rows = RowClasses.by(view.released, ["x"])
    allowed = np.array([[True, False, False], [True, True, True], [True, False, True]])
    found = _promised_categories(view, "x", Candidates(3, allowed={"x": allowed}), rows)
    assert np.exp(of_all_pairs(found, 3, 3)[:, rows.of]).tolist() == [[0, 1, 0], [1, 1, 1], [1, 1, 0]]
    missing = Candidates(3, allowed={"x": allowed}, may_be_missing=frozenset({"x"}))
    found = _promised_categories(view, "x", missing, rows)
    assert np.exp(of_all_pairs(found, 3, 3)[:, rows.of])[:, 2].tolist() == [1, 1, 1]


def test_what_a_recipe_promises_becomes_blocks():
    """Rounding to 10 takes 12 and 18 to 10 and 20."""
    data = numbers({"x": [12.0, 18.0], "y": [1.0, 2.0]})
    view = view_of(data, numbers({"x": [20.0, 10.0], "y": [1.0, 2.0]}), Recipe.of("rounding:base=10", ["x"]))
    rows = RowClasses.by(view.released, ["x", "y"])
    (block,) = promised(view, rows, ["x"])
    assert block.names == ("x",) and np.exp(of_all_pairs(block, 2, 2)[:, rows.of]).tolist() == [[0, 1], [1, 0]]
    assert len(promised(view, rows, ["x", "y"])) == 2
    assert promised(replace(view, exact=False), rows, ["x"]) == []


# Values that are released unchanged -----------------------------------------------------------------------------------


def test_untouched_values_are_equal_near_or_mostly_equal():
    data, masked = numbers({"x": [1.0, 2.0, None]}), numbers({"x": [2.0, 1.0, None]})
    view = view_of(data, masked)
    rows = RowClasses.by(view.released, ["x"])
    exact = of_all_pairs(untouched(view, "x", rows), 3, 3)[:, rows.of]
    assert np.exp(exact).tolist() == [[0, 1, 0], [1, 0, 0], [1, 1, 1]]
    near = replace(view, exact=False, error=0.5)
    found = of_all_pairs(untouched(near, "x", rows), 3, 3)[:, rows.of]
    assert found[0, :2] == pytest.approx([-0.5 * (1 / 0.25) ** 2, 0]) and found[:2, 2].tolist() == [-INF] * 2
    mostly = of_all_pairs(untouched(replace(view, exact=False), "x", rows), 3, 3)[:, rows.of]
    assert np.exp(mostly[:2]) == pytest.approx(np.array([[1e-3 / 3, 1, 1e-3], [1, 1e-3 / 3, 1e-3]]))
    letters = view_of(categories({"x": "ab"}), categories({"x": "ba"}), noise=0.5)
    same = untouched(letters, "x", RowClasses.by(letters.released, ["x"]))
    assert np.exp(of_all_pairs(same, 2, 2)).tolist() == [[1, 0], [0, 1]]


def test_a_file_that_is_not_masked_is_untouched():
    data = numbers({"x": [1.0, 2.0, None]})
    law = law_of_no_masking(view_of(data, data))
    assert law.exact and law.sources == {"x": Source.UNTOUCHED} and len(law.blocks) == 2
    assert not law_of_no_masking(view_of(data, data, records=(0, 1))).exact


def test_steps_that_mask_each_attribute_by_itself_matter_for_known_ones_alone():
    data = numbers({"x": [1.0, 2.0], "y": [1.0, 2.0]})
    view = view_of(data, data, attributes=("x",))
    noise = Recipe.of(["additive-noise:attributes=x+y", "rounding:attributes=y", "simple-sampling:share=0.5"])
    steps = _that_matter(view, noise.steps)
    assert [(step.masking.name, step.attributes) for step in steps[:1]] == [("additive-noise", ("x",))]
    assert [step.masking.name for step in steps] == ["additive-noise", "simple-sampling"]
    together = Recipe.of(["mdav:group_size=2,attributes=x+y", "rounding:attributes=y"]).steps
    assert _that_matter(view, together) == together


# Inference ------------------------------------------------------------------------------------------------------------


def test_the_rows_open_are_the_exponential_of_the_entropy():
    graph = CandidateGraph.of(np.array([0, 2, 2, 3]), np.array([0, 1, 1]), np.zeros(3), np.array([1, 2]))
    found = _rows_open(graph, np.array([0.5, 0.5, 1.0]))
    assert found == pytest.approx([np.exp(-0.5 * np.log(0.5) - 0.5 * np.log(0.25)), 1.0, 2.0])
    assert _rows_open(graph, np.array([1.0, 0.0, 1.0]))[0] == 1.0


def test_the_graph_of_a_whole_file_compares_with_anybody_where_somebody_may_be_absent():
    likelihood = np.array([[4.0, 1.0], [2.0, 3.0]])
    everybody, left_out = whole_graph(law_of(likelihood), 2, 0, 5)
    assert everybody.weights == pytest.approx([1.0, 0.25, 1.0, 2 / 3]) and left_out.tolist() == [0, 0]
    law = law_of(likelihood)
    graph, _ = whole_graph(law, 2, 1, 5)
    found = law.candidates(200)
    logs = found.log_likelihood - log_density(law, found)[found.classes]
    edges = found.starts, found.classes, logs, law.rows.sizes
    expected = as_many_present(CandidateGraph.of(*edges, background=1e-8, strangers=1))
    assert graph.weights == pytest.approx(expected.weights) and graph.absences == 1
    fewer = law_of(np.vstack([likelihood, [1.0, 1.0]]))
    assert whole_graph(fewer, 3, 0, 5)[0].absences == 1


def test_a_ball_is_for_targets_in_a_large_file(monkeypatch):
    law = law_of(np.eye(4) + 0.1)
    calls = []

    def ball(law, targets, strangers, largest):
        calls.append((strangers, largest))

    monkeypatch.setattr(inference, "ball_around", ball)
    candidate_graph(law, targets=np.array([0]), largest=3, strangers=2, ball=7)
    assert calls == [(2, 7)]
    for values in ({"targets": np.array([0]), "largest": 4}, {"targets": np.arange(4), "largest": 3}, {"largest": 3}):
        near = candidate_graph(law, **values)
        assert near.records.tolist() == near.classes.tolist() == [0, 1, 2, 3] and near.outside.tolist() == [0] * 4
    assert len(calls) == 1


def test_an_inference_by_hand():
    """Two records and two rows: the posterior is that of the two matchings."""
    likelihood = np.array([[4.0, 1.0], [2.0, 3.0]])
    data = numbers({"x": [1.0, 2.0]})
    view = view_of(data, data)
    found = inferred(view, law_of(likelihood), np.random.default_rng(1))
    kept = 12 / (12 + 2)
    assert found.confidence == pytest.approx([kept, kept]) and found.claimed.tolist() == [0, 1]
    assert found.index(np.array([1])).tolist() == [1] and found.outside.tolist() == [0, 0]
    assert found.of_truth(np.array([0, -1])) == pytest.approx([kept, 0])
    assert found.correct(np.array([0, 0])).tolist() == [1, 0]
    entropy = -(kept * np.log(kept) + (1 - kept) * np.log(1 - kept))
    assert found.rows_open == pytest.approx(np.exp([entropy, entropy]))
    doubted = inferred(view, replace(law_of(likelihood), doubt=0.5), np.random.default_rng(1))
    assert doubted.confidence == pytest.approx([kept / 2, kept / 2]) and doubted.rows_open == pytest.approx(
        found.rows_open
    )


# How likely a row is for anybody --------------------------------------------------------------------------------------

PARTS = [np.random.default_rng(number).gamma(1.0, size=(4, 3)) for number in range(3)]


def gain(one: np.ndarray, other: np.ndarray, own: float) -> np.ndarray:
    apart = one.mean(axis=0) * other.mean(axis=0)
    both = one * other
    together = (both.sum(axis=0) - own * both.max(axis=0) + 5 * apart) / (4 - own + 5)
    return np.log(together + 1e-12) - np.log(apart + 1e-12)


@pytest.mark.parametrize("own", [0.0, 0.7])
def test_margins_and_what_pairs_gain(own):
    lift = [False, True, False]
    assert log_margins(PARTS, lift) == pytest.approx(np.log(PARTS[0].mean(axis=0)) + np.log(PARTS[2].mean(axis=0)))
    found = log_gains(PARTS, [(0, 1), (1, 2)], own)
    assert found == pytest.approx(gain(PARTS[0], PARTS[1], own) + gain(PARTS[1], PARTS[2], own))
    assert log_gains(PARTS, [], own).tolist() == [0] * 3


def test_the_tree_of_pairs_is_that_of_the_largest_gains():
    """Two parts that go together, one that goes a little with both, and one that goes against all."""
    like = np.array([[9.0, 0.1], [0.1, 9.0]])
    little = np.array([[2.0, 1.0], [1.0, 2.0]])
    parts, weights = [like, like, little, little[::-1]], np.ones(2)
    assert likeliest_pairs(parts, weights) == [(0, 1), (0, 2)]
    assert likeliest_pairs(parts, weights, [True, True, False, False]) == [(0, 2), (1, 2)]
    assert likeliest_pairs(parts, np.array([0.0, 0.0])) == []


def test_the_density_of_rows_by_parts_and_pairs(monkeypatch):
    blocks = [Table((name,), np.log(each), np.arange(4), np.arange(3)) for name, each in zip("abc", PARTS, strict=True)]
    rows = RowClasses(np.array([0, 1, 2, 2]), np.array([1, 1, 2]), np.array([0, 1, 2]))
    box = Intervals(("a",), np.zeros((4, 1)), np.ones((4, 1)), np.zeros((3, 1)))
    law = ReleaseLaw(4, rows, (*blocks, box), {})
    pairs = likeliest_pairs(PARTS, np.array([1.0, 1.0, 2.0]), own=0.5)
    expected = log_margins(PARTS, [False] * 3) + log_gains(PARTS, pairs, 0.5)
    assert log_row_density(law, 0.5) == pytest.approx(expected)
    monkeypatch.setattr(row_density, "BLOCK", 2)
    assert log_row_density(law, 0.5) == pytest.approx(expected)
    monkeypatch.setattr(row_density, "SAMPLE", 2)
    some = [each[[0, 3]] for each in PARTS]
    assert log_row_density(replace(law, blocks=tuple(blocks[:1]))) == pytest.approx(log_margins(some[:1], [False]))
    lifts = tuple(replace(each, lift=True) for each in blocks)
    assert log_row_density(replace(law, blocks=lifts)).tolist() == [0] * 3
    assert log_row_density(replace(law, blocks=())).tolist() == [0] * 3
    twice = replace(law, blocks=(blocks[0], blocks[0]))
    monkeypatch.undo()
    assert log_row_density(twice) == pytest.approx(log_margins([PARTS[0] ** 2], [False]))


# Numbers that stay the same -------------------------------------------------------------------------------------------


def test_a_row_with_the_value_of_a_record_gains_by_how_rare_it_is():
    """Values in two cells; of four rows two have the value 1, and one is missing."""
    entries = np.log(np.array([[2.0, 0.5, 1.0], [0.5, 4.0, 1.0]]))
    law = LearnedEquality(LearnedNumbers("x", entries, None), 0.3)
    values, released = np.array([1.0, 9.0, NAN]), np.array([1.0, 1.0, NAN, 5.0])
    found = law.blocks(values, released, slice(None)).of_pairs(*np.divmod(np.arange(12), 4)).reshape(3, 4)
    rare, often = np.log1p(0.3 / (4.0 * 0.25)), np.log1p(0.3 / (2.0 * 0.5))
    assert found[0] == pytest.approx([often, often, 0, 0]) and found[1] == pytest.approx([0, 0, 0, 0], abs=1e-12)
    assert found[2].tolist() == [0, 0, 0, 0]
    own = law.blocks(np.array([5.0]), released, np.array([3, 0])).of_pairs(np.zeros(2, int), np.arange(2))
    assert own == pytest.approx([rare, 0], abs=1e-12)


def test_categories_of_the_release_alone_have_a_column():
    town = Attribute("x", Kind.UNORDERED, Role.KEY, ("a", "b", "c", "d"))
    view = view_of(categories({"x": "ab"}), Microdata((town,), {"x": np.array([3, 0])}))
    rows = RowClasses.by(view.released, ["x"])
    found = _promised_categories(view, "x", Candidates(2, allowed={"x": np.eye(2, 3, dtype=bool)}), rows)
    assert np.exp(of_all_pairs(found, 2, 2)[:, rows.of]).tolist() == [[0, 1], [0, 0]]
