"""Which law a chain has, how it is learned by masking again, and what another release adds, on a few records."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from sdckit.laws import apart, chain_law, composed, learned
from sdckit.laws.apart import LawBesideOthers, Lines, LinkThroughAnother, _by_partner, _refined, _shares_of
from sdckit.laws.ball import Ball
from sdckit.laws.blocks import Deviations, Table
from sdckit.laws.chain_law import Part, components, knows_whole
from sdckit.laws.composed import _by_itself, composed_blocks
from sdckit.laws.joint_axes import Scale
from sdckit.laws.learned import as_known
from sdckit.laws.release_law import Candidates, RowClasses, Source
from sdckit.laws.replayed_equality import always_equal, replayed_equality
from sdckit.laws.replays import Replay
from sdckit.matching.graph import CandidateGraph
from sdckit.matching.sinkhorn import balanced_shares
from sdckit.recipe import Recipe
from sdckit.testing.files import a_file
from tests.laws.test_ball_by_hand import law_of
from tests.laws.views import categories, numbers, of_all_pairs, view_of

NAN = np.nan
RNG = np.random.default_rng


def chain(*steps: tuple[str, list[str]]) -> Recipe:
    return Recipe(tuple(step for method, names in steps for step in Recipe.of(method, names).steps))


# Which steps depend on each other -------------------------------------------------------------------------------------


def test_steps_on_the_same_attribute_depend_on_each_other_and_samplings_belong_to_all():
    data = numbers({"x": [1.0], "y": [1.0], "z": [1.0]})
    recipe = chain(
        ("rounding", ["x"]),
        ("simple-sampling", ["x", "y", "z"]),
        ("rounding", ["y"]),
        ("additive-noise", ["x"]),
        ("rounding", ["z"]),
    )
    assert components(recipe, data) == [[0, 1, 3], [1, 2], [1, 4]]
    joining = chain(("rounding", ["x"]), ("rounding", ["y"]), ("mdav", ["x", "y"]))
    assert components(joining, data) == [[0, 1, 2]]
    along = chain(("rounding", ["x"]), ("mdav", ["x", "y"]), ("rounding", ["y"]), ("rounding", ["z"]))
    assert components(along, data) == [[0, 1, 2], [3]]


def test_the_whole_file_is_known_where_every_value_of_every_record_is():
    data = numbers({"x": [1.0, 2.0], "y": [1.0, 2.0]})
    recipe = Recipe.of("mdav:group_size=2", ["x", "y"])
    assert knows_whole(view_of(data, data), recipe, ("x", "y"))
    assert not knows_whole(view_of(data, data, attributes=("x",)), recipe, ("x", "y"))
    assert not knows_whole(view_of(data, data, records=(0,)), recipe, ("x", "y"))
    assert not knows_whole(view_of(data, data, noise=0.1), recipe, ("x", "y"))
    assert not knows_whole(view_of(data, data, missing=0.1), recipe, ("x", "y"))


# Replays of deterministic steps ---------------------------------------------------------------------------------------


def replayed(again: list, released: list) -> list[np.ndarray]:
    view = view_of(numbers({"x": np.arange(float(len(again)))}), numbers({"x": released}))
    rows = RowClasses.by(view.released, ["x"])
    file = numbers({"x": again})
    blocks = replayed_equality(view, Replay(file, np.arange(len(again)), file), ["x"], rows)
    return [of_all_pairs(block, len(again), len(rows.sizes))[:, rows.of] for block in blocks]


def test_groups_of_the_same_size_in_a_replay_are_certain():
    (found,) = replayed([2.0, 2.0, 5.0, None], [5.0, 2.0, 2.0, None])
    assert np.exp(found).tolist() == [[0, 1, 1, 0], [0, 1, 1, 0], [1, 0, 0, 0], [0, 0, 0, 1]]


def test_groups_of_other_sizes_are_likely():
    """Of six records two are in groups whose sizes differ: ties were broken in another order."""
    certain, likely = replayed([1.0, 1.0, 3.0, 3.0, 5.0, 7.0], [1.0, 1.0, 3.0, 3.0, 5.0, 5.0])
    assert np.exp(certain[:4, :4]).tolist() == [[1, 1, 0, 0]] * 2 + [[0, 0, 1, 1]] * 2
    assert np.exp(certain[4:, 4:]).tolist() == [[1, 1], [1, 1]] and np.exp(certain[4:, :4]).max() == 0
    assert np.exp(likely[4, 4:]).tolist() == [1, 1]
    assert np.exp(likely[5]) == pytest.approx([1e-3 / 3] * 6)
    assert replayed([1.0, 2.0, 3.0, 3.0, 5.0, 7.0], [1.0, 1.0, 1.0, 1.0, 1.0, 7.0]) == []
    assert replayed([1.0, 2.0, 3.0, 7.0], [1.0, 2.0, 5.0, 5.0])  # half of them are enough


def test_steps_that_give_the_same_whatever_is_drawn_are_replayed():
    data = numbers({"x": [1.0, 2.0, 8.0, 9.0]})
    view = view_of(data, data)
    first = chain(("mdav:group_size=2", ["x"]), ("additive-noise", ["x"]), ("rounding", ["x"]))
    done, again = chain_law._deterministic(view, first, RNG(1))
    assert done == 1 and again.masked.columns["x"].tolist() == [1.5, 1.5, 8.5, 8.5]
    both = chain(("mdav:group_size=2", ["x"]), ("rounding:base=5", ["x"]))
    done, again = chain_law._deterministic(view, both, RNG(1))
    assert done == 2 and again.masked.columns["x"].tolist() == [0, 0, 10, 10]
    assert chain_law._deterministic(view, chain(("additive-noise", ["x"])), RNG(1)) == (0, None)
    sampled = chain(("mdav:group_size=2", ["x"]), ("simple-sampling", ["x"]))
    assert chain_law._deterministic(view, sampled, RNG(1))[0] == 1


@pytest.mark.parametrize("method", ["refined-microaggregation:group_size=2", "rank-swapping:window=0.25"])
def test_a_step_that_draws_is_random_though_few_records_leave_it_one_result(method):
    data = numbers({"x": [1.0, 2.0, 8.0, 9.0], "y": [1.0, 2.0, 8.0, 9.0]})
    assert chain_law._deterministic(view_of(data, data), chain((method, ["x", "y"])), RNG(1)) == (0, None)


def test_equal_results_of_steps_that_draw_are_likely_and_never_certain():
    """After three equal replays another result has a probability of 1 / 5, spread over the rows as they occur."""
    data = numbers({"x": [1.0, 2.0, 8.0, 9.0]})
    masked = numbers({"x": [1.5, 1.5, 8.5, 8.5]})
    view = view_of(data, masked)
    rows = RowClasses.by(masked, ["x"])
    again = Replay(masked, np.arange(4), data, drawn=True)
    (block,) = always_equal(view, [again] * 3, ["x"], rows)
    everyone, first = np.repeat(np.arange(4), len(rows.first)), np.tile(np.arange(len(rows.first)), 4)
    likelihood = np.exp(block.of_pairs(everyone, first)).reshape(4, -1)
    assert likelihood == pytest.approx(np.array([[1, 0.1], [1, 0.1], [0.1, 1], [0.1, 1]]))
    other = Replay(numbers({"x": [1.5, 8.5, 1.5, 8.5]}), np.arange(4), data, drawn=True)
    assert always_equal(view, [again, again, other], ["x"], rows) == []
    moved = numbers({"x": [1.0, 4.75, 4.75, 8.5]})  # replays agree, and the release is another
    assert always_equal(view, [Replay(moved, np.arange(4), data, drawn=True)] * 3, ["x"], rows) == []
    assert always_equal(view, [again] * 2, ["x"], rows) == []  # two results are not enough
    sampled = Replay(masked, np.array([0, 1, 2, -1]), data, drawn=True)
    assert always_equal(view, [sampled] * 3, ["x"], rows) == []


def parts_of(before: dict, after: dict, recipe: Recipe, **knowledge) -> list[Part]:
    data = numbers(before)
    view = view_of(data, numbers(after), recipe, **knowledge)
    rows = RowClasses.by(view.released, view.attributes)
    return chain_law.chain_law(view, recipe.resolve(data), rows, RNG(1))


FOUR, MEANS = {"x": [1.0, 2.0, 8.0, 9.0]}, {"x": [8.5, 1.5, 8.5, 1.5]}


def test_each_chain_has_the_best_law_that_there_is(monkeypatch):
    (determined,) = parts_of(FOUR, {"x": [0.0, 0.0, 10.0, 10.0]}, chain(("rounding:base=5", ["x"])))
    assert (determined.source, determined.exact, determined.names) == (Source.EXACT, True, ["x"])
    (closed,) = parts_of(FOUR, FOUR, chain(("additive-noise", ["x"])))
    assert closed.source is Source.EXACT and isinstance(closed.blocks[0], Deviations) and closed.exact
    (noise,) = parts_of(FOUR, FOUR, chain(("additive-noise", ["x"]), ("additive-noise", ["x"])))
    assert noise.source is Source.EXACT and not noise.exact
    (again,) = parts_of(FOUR, MEANS, chain(("mdav:group_size=2", ["x"])))
    assert again.source is Source.REPLAYED and not again.exact
    monkeypatch.setattr(chain_law, "learned_blocks", lambda *arguments, whole: [f"learned, whole: {whole}"])
    (part,) = parts_of(FOUR, MEANS, chain(("mdav:group_size=2", ["x"])), records=(0, 1, 2))
    assert part == Part(["learned, whole: False"], ["x"], Source.LEARNED, False)
    monkeypatch.setattr(chain_law, "_after_replay", lambda *arguments: None)
    (part,) = parts_of(FOUR, MEANS, chain(("mdav:group_size=2", ["x"])))
    assert part.blocks == ["learned, whole: True"]
    assert parts_of(FOUR | {"y": [1.0] * 4}, FOUR | {"y": [1.0] * 4}, chain(("mdav", ["x"])), attributes=("y",)) == []


def test_where_a_recipe_does_not_run_again_agreement_is_learned(monkeypatch):
    own, other = (Table((name,), np.zeros((1, 1)), np.zeros(4, int), np.zeros(2, int)) for name in "xy")
    monkeypatch.setattr(chain_law, "learned_blocks", lambda *arguments, whole: None)
    fitted = replace(law_of(np.ones((4, 2))), blocks=(own, other))
    monkeypatch.setattr(chain_law, "agreement_law", lambda view, rng: fitted)
    (part,) = parts_of(FOUR, MEANS, chain(("mdav:group_size=2", ["x"])), records=(0, 1, 2))
    assert part.blocks == [own]


def test_numbers_that_one_step_replays_and_another_disturbs():
    """Groups of both, then noise on y: x is equal to the replay, and y near the mean of its group."""
    before = {"x": [1.0, 2.0, 8.0, 9.0], "y": [1.0, 3.0, 20.0, 22.0]}
    recipe = chain(("mdav:group_size=2", ["x", "y"]), ("additive-noise:variance_share=0.1", ["y"]))
    parts = parts_of(before, {"x": [1.5, 1.5, 8.5, 8.5], "y": [2.2, 1.9, 20.0, 22.5]}, recipe)
    assert [(part.names, part.source, part.exact) for part in parts] == [
        (["x"], Source.REPLAYED, False),
        (["y"], Source.EXACT, False),
    ]
    (points,) = [block for block in parts[1].blocks if isinstance(block, Deviations)]
    assert points.of_record[0] == points.of_record[1] != points.of_record[2]


def test_noise_on_several_numbers_together_is_joined():
    data = {"x": [1.0, 2.0, 8.0, 9.0], "y": [5.0, 3.0, 20.0, 22.0]}
    twice = chain(("correlated-noise", ["x", "y"]), ("additive-noise", ["x"]))
    (part,) = parts_of(data, data, twice)
    assert part.source is Source.EXACT and part.blocks[0].names == ("x", "y")
    part = view_of(numbers(data), numbers(data), attributes=("x",))
    assert chain_law._noise_together(part, twice, twice.steps, ["x"], None) is None
    single = chain(("additive-noise", ["x", "y"]), ("additive-noise", ["x"]))
    view = view_of(numbers(data), numbers(data))
    assert chain_law._noise_together(view, single, single.steps, ["x", "y"], None) is None


# Chains that mask each attribute by itself ----------------------------------------------------------------------------


def test_an_attribute_is_masked_by_itself_unless_a_step_masks_several_together():
    data = a_file(6)
    view = view_of(data, data)
    assert _by_itself(view, chain(("additive-noise", ["age", "rent"]), ("rounding", ["rent"])), "rent")
    assert not _by_itself(view, chain(("additive-noise", ["age"]), ("mdav", ["age", "rent"])), "rent")
    assert _by_itself(view, chain(("mdav", ["age", "rent"]), ("rounding", ["savings"])), "savings")
    assert _by_itself(view, chain(("simple-sampling", ["age", "rent"]), ("rounding", ["rent"])), "rent")
    assert not _by_itself(view, chain(("pram", ["town"]), ("value-flip", ["post code"])), "post code")
    assert _by_itself(view, chain(("value-flip", ["post code"]), ("pram", ["town"])), "post code")


@pytest.mark.parametrize(
    ("steps", "knowledge", "whole"),
    [
        ((("additive-noise", ["x"]), ("rounding", ["x"])), {}, True),
        ((("additive-noise", ["x"]), ("rounding", ["x"])), {"records": (0, 1)}, False),
        ((("additive-noise", ["x"]), ("rounding", ["x"])), {"noise": 0.1}, False),
        ((("additive-noise", ["x"]), ("rounding", ["x"])), {"missing": 0.1}, False),
        ((("simple-sampling", ["x"]), ("additive-noise", ["x"]), ("rounding", ["x"])), {}, False),
        ((("additive-noise", ["x"]), ("simple-sampling", ["x"]), ("rounding", ["x"])), {}, True),
    ],
)
def test_a_chain_starts_from_the_whole_file_where_that_is_known(steps, knowledge, whole, monkeypatch):
    data = numbers(FOUR)
    recipe = chain(*steps)
    view = view_of(data, data, recipe, **knowledge)
    monkeypatch.setattr(composed, "composed_numbers", lambda view, steps, name, rows, whole: (len(steps), whole))
    assert composed_blocks(view, recipe, "x", RowClasses.by(view.released, ["x"])) == (2, whole)
    elsewhere = replace(view, exact=False, error=0.0)
    assert composed_blocks(elsewhere, recipe, "x", RowClasses.by(view.released, ["x"])) is None


def test_one_step_has_its_closed_law_and_maps_are_determined():
    data = numbers(FOUR)
    rows = RowClasses.by(data, ["x"])
    noise = chain(("additive-noise", ["x"]))
    blocks, exact = composed_blocks(view_of(data, data, noise), noise, "x", rows)
    assert isinstance(blocks[0], Deviations) and exact
    maps = chain(("rounding:base=1", ["x"]), ("rounding:base=1", ["x"]))
    assert composed_blocks(view_of(data, data, maps), maps, "x", rows)[1] is True


# What is learned ------------------------------------------------------------------------------------------------------


def test_a_file_as_the_intruder_would_know_it():
    data = numbers({"x": np.arange(2000.0), "y": np.arange(2000.0)})
    view = view_of(data, data, noise=0.5)
    found = as_known(view, data, ["x"], RNG(1))
    error = found.columns["x"] - data.columns["x"]
    assert error == pytest.approx(0.5 * data.columns["x"].std() * RNG(1).standard_normal(2000))
    assert found.columns["y"].tolist() == data.columns["y"].tolist()
    holes = view_of(data, data, missing=0.25)
    gone = as_known(holes, data, ["x"], RNG(1)).absent("x")
    assert np.array_equal(gone, RNG(1).random(2000) < holes.known.absent("x").mean())
    letters = categories({"t": "abc" * 20})
    seen = view_of(letters, letters, missing=0.5, noise=0.5)
    assert set(as_known(seen, letters, ["t"], RNG(1)).columns["t"].tolist()) == {-1, 0, 1, 2}


def test_numbers_that_a_step_masks_together():
    data = a_file(6)
    view = view_of(data, data)
    known = ["age", "rent", "town"]
    assert learned._masked_together(view, chain(("mdav", ["age", "rent", "town"])), known) == ("age", "rent")
    assert learned._masked_together(view, chain(("rank-swapping", ["age", "rent"])), known) == ()
    assert learned._masked_together(view, chain(("local-suppression", ["age", "rent"])), known) == ()
    assert learned._masked_together(view, chain(("mdav", ["age"])), known) == ()
    assert learned._masked_together(view, chain(("simple-sampling", ["age", "rent"])), known) == ()


def test_a_number_is_grouped_where_less_than_half_of_its_values_are_left():
    def grouped(after: list) -> bool:
        before = numbers({"x": [1.0, 2, 3, 4, 5, 6, None]})
        return learned._grouped([Replay(numbers({"x": after}), np.arange(7), before)], "x")

    assert grouped([1.0, 1, 1, 2, 2, 2, None]) and not grouped([1.0, 1, 2, 2, 3, 3, None])
    assert not grouped([1.0, 1, 1, 1, 1, 1, None])


def test_attributes_that_are_read_and_stay_unchanged():
    data = a_file(6)

    def unchanged(recipe: Recipe, **knowledge) -> list[str] | None:
        view = view_of(data, data, recipe, attributes=("age", "town", "post code"), **knowledge)
        return learned._read_unchanged(view, view.published_recipe)

    flips = chain(("value-flip", ["post code"]))
    read = flips.steps[0].masking.also_reads(data, ("post code",))
    assert "town" in read
    assert unchanged(flips) == ["age", "town"]
    assert unchanged(flips, missing=0.1) is None and unchanged(flips, noise=0.1) is None
    assert unchanged(chain(("rounding", ["age"]))) is None


def test_rows_with_the_same_unchanged_values_and_holes():
    before = numbers({"x": [1.0, 2.0, 1.0], "y": [5.0, None, 7.0]})
    masked = numbers({"x": [2.0, 1.0, 1.0], "y": [None, 6.0, 8.0]})
    again = Replay(masked, np.array([1, 0, 2]), before)
    of_record, of_row = learned._equal_values(again, ["x"], ["y"])
    assert of_record[0] == of_record[2] == of_row[1] == of_row[2] and of_record[1] == of_row[0] != of_record[0]
    whole = numbers({"x": [2.0, 1.0, 1.0], "y": [5.0, 6.0, 8.0]})
    assert learned._equal_values(Replay(whole, np.array([1, 0, 2]), whole), [], ["y"]) is None
    moved_holes = Replay(numbers({"x": [2.0, 1.0, 1.0], "y": [5.0, None, 8.0]}), np.array([1, 0, 2]), before)
    assert learned._equal_values(moved_holes, [], ["y"]) is None


def test_axes_are_learned_in_the_scale_of_each_replay(monkeypatch):
    seen = []
    monkeypatch.setattr(learned, "joint_axes", lambda names, trials: seen.append((names, trials)) or [])
    before = numbers({"x": [1.0, 3.0], "y": [2.0, 6.0]})
    masked = numbers({"x": [3.0, 2.0, 9.0], "y": [2.0, 4.0, 9.0]})
    learned._axes([Replay(masked, np.array([1, -1]), before)], ("x", "y"))
    ((names, (trial,)),) = seen
    scale = Scale.of(before.matrix(["x", "y"]))
    assert names == ("x", "y") and trial.before.tolist() == [[-1, -1], [1, 1]]
    assert trial.after[0].tolist() == [0, 0] and np.isnan(trial.after[1]).all()
    assert trial.rows.tolist() == scale(masked.matrix(["x", "y"])).tolist()


# What another release adds --------------------------------------------------------------------------------------------

LINK = LinkThroughAnother(
    Lines.of(csr_matrix(np.array([[0.5, 0.25, 0.0], [0.0, 0.0, 1.0]]))),
    Lines.of(csr_matrix(np.array([[2.0, 0.0, 1.0], [0.0, 3.0, 0.0]]))),
    np.array([0.25, 0.0]),
    3,
)


def test_the_ratio_of_a_pair_is_the_sum_over_its_links():
    found = LINK.log_ratio(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]))
    ratio = np.array([0.25 + 0.5 * 2, 0.25 + 0.25 * 3, 1.0, 0.0])
    assert np.exp(found) == pytest.approx(0.98 * ratio + 0.02)


def test_links_point_at_rows_that_fit_the_likeliest_partners(monkeypatch):
    def pairs() -> list[list[int]]:
        return sorted(np.column_stack(LINK.pointed_at(np.array([1, 0]))).tolist())

    assert pairs() == [[0, 0], [1, 0], [1, 1]]
    monkeypatch.setattr(apart, "POINTED", 1)
    assert pairs() == [[0, 0], [1, 0]]


def test_a_law_beside_another_lists_what_both_say():
    likelihood = np.array([[4.0, 1.0], [1.0, 3.0]])
    plain = law_of(likelihood)
    both = LawBesideOthers(2, plain.rows, plain.blocks, {}, links=(LINK,))
    ratio = 0.98 * np.array([[1.25, 1.0], [1.0, 0.0]]) + 0.02
    found = both.candidates(1)
    assert found.starts.tolist() == [0, 2, 4] and found.classes.tolist() == [0, 1, 0, 1]
    assert np.exp(found.log_likelihood) == pytest.approx([*(likelihood * ratio)[0], *(likelihood * ratio)[1]])
    parts = both.of_pairs(np.array([0, 1]), np.array([1, 1]))
    assert np.exp(parts[(apart.OTHER_RELEASE,)]) == pytest.approx(ratio[[0, 1], [1, 1]])
    twice = LawBesideOthers(2, plain.rows, plain.blocks, {}, links=(LINK, LINK))
    added = twice.of_pairs(np.array([0]), np.array([0]))[(apart.OTHER_RELEASES,)]
    assert np.exp(added) == pytest.approx([ratio[0, 0] ** 2])


def test_classes_are_divided_by_what_is_not_known():
    law = law_of(np.array([[4.0, 1.0]]), [2, 2])
    fine = _refined(law, np.array([0, 1, 1, 1]))
    assert [each.tolist() for each in fine.rows] == [[0, 1, 2, 2], [1, 1, 2], [0, 1, 2]]
    assert np.exp(of_all_pairs(fine.blocks[0], 1, 3)) == pytest.approx(np.array([[4, 4, 1]]))


@pytest.mark.parametrize("whole", [False, True])
def test_shares_of_candidates_by_record_or_balanced(whole):
    likelihood = np.array([[4.0, 1.0], [2.0, 3.0], [1.0, 1.0]])
    rows = RowClasses(np.array([0, 1, 1]), np.array([1, 2]), np.array([0, 1]))
    found = Candidates(np.array([0, 2, 4, 6]), np.tile([0, 1], 3), np.log(likelihood).ravel() - 800, *np.zeros((2, 3)))
    shares = _shares_of(found, rows, whole=whole).reshape(3, 2)
    if whole:
        graph = CandidateGraph.of(found.starts, found.classes, found.log_likelihood, rows.sizes, background=1e-8)
        assert shares.ravel() == pytest.approx(balanced_shares(graph, 20))
    else:
        weight = likelihood * [1, 2]
        assert shares == pytest.approx(weight / weight.sum(axis=1, keepdims=True))
        nobody = Candidates(np.array([0, 0, 1]), np.array([1]), np.zeros(1), *np.zeros((2, 2)))
        assert _shares_of(nobody, rows, whole=False).tolist() == [1.0]


def test_the_posterior_of_partners_is_shared_by_equal_rows(monkeypatch):
    """Class 1 of two rows leads to two classes of partners; the likeliest classes are followed while they are few."""
    law = law_of(np.array([[4.0, 1.0], [1.0, 3.0], [1.0, 1.0]]), [1, 2])
    partners = RowClasses(np.array([0, 1, 2]), np.ones(3, np.int64), np.arange(3))
    starts, classes = np.array([0, 2, 4, 6]), np.tile([0, 1], 3)
    graph = CandidateGraph.of(starts, classes, np.log(np.array([4.0, 1, 1, 3, 1, 1])), np.array([1, 2]))
    near = Ball(np.arange(3), np.arange(2), graph, np.zeros(3), np.zeros(2))
    shares = balanced_shares(graph).reshape(3, 2)
    found = _by_partner(near, law, partners).toarray()
    assert found == pytest.approx(np.column_stack([shares[:, 0], shares[:, 1] / 2, shares[:, 1] / 2]))
    monkeypatch.setattr(apart, "LIKELY", 2)
    few = _by_partner(near, law, partners).toarray()
    for record in range(3):
        first = shares[record].argmax()
        own = [shares[record, 0], 0, 0] if first == 0 else [0, shares[record, 1] / 2, shares[record, 1] / 2]
        assert few[record] == pytest.approx(own)
