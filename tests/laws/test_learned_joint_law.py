"""Laws learned of attributes that are masked together: axes that replays show, and how much each block counts."""

import numpy as np
import polars as pl
import pytest

from sdckit.intruder import Intruder
from sdckit.laws.blocks import Table
from sdckit.laws.evidence_weights import Judged, Trial, _loss, weights_of_blocks
from sdckit.laws.joint_axes import MaskedAgain, joint_axes, nearest_level
from sdckit.laws.learned_tables import HOLES, LearnedCategories
from sdckit.laws.stand_in import stand_in
from sdckit.methods import PartialTrees
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.recipe import Recipe
from sdckit.release import protect
from sdckit.risks import InformedIntruder, IntersectionAttack, MixedLinkage
from sdckit.testing.files import a_file

NAMES = ("yearly income", "rent")


def test_the_first_axis_is_the_combination_that_stays():
    """Values whose sum is kept and whose difference is drawn anew: the sum is the axis."""
    rng = np.random.default_rng(1)
    before = rng.standard_normal((400, 2))
    shift = rng.standard_normal(400)
    after = before + np.column_stack([shift, -shift])
    axis = joint_axes(("a", "b"), [MaskedAgain(before, after, after)])[0]
    assert axis.direction[0] == pytest.approx(axis.direction[1], rel=1e-3)
    table = axis.table(before, after)
    own = table.of_pairs(np.arange(400), np.arange(400))
    other = table.of_pairs(np.arange(400), np.roll(np.arange(400), 7))
    assert own.mean() > other.mean() + 3


def test_what_an_axis_says_is_a_distribution_over_the_rows():
    rng = np.random.default_rng(2)
    before, after = rng.standard_normal((2, 60, 2))
    for axis in joint_axes(("a", "b"), [MaskedAgain(before, after, after)]):
        table = axis.table(before, after)
        likelihood = np.array([np.exp(table.of_pairs(np.full(60, i), np.arange(60))).mean() for i in range(60)])
        assert likelihood == pytest.approx(1.0)


def test_the_nearest_level_is_that_of_all_levels():
    levels, values = np.array([0.0, 1.0, 4.0]), np.array([-3.0, 0.4, 0.6, 2.4, 2.6, 9.0, np.nan])
    assert nearest_level(values, levels).tolist() == [0, 0, 1, 1, 2, 2, -1]


def a_trial(rng: np.random.Generator, copies: int, strength: float, size: int = 60) -> Trial:
    """Records whose own rows are drawn by a law, and blocks that say it `copies` times, and too strongly."""
    law = rng.standard_normal((size, size))
    matched = np.array([rng.choice(size, p=np.exp(line) / np.exp(line).sum()) for line in law])
    each = Table(("x",), strength * law, np.arange(size), np.arange(size))
    return Trial([each] * copies, matched)


@pytest.mark.parametrize(("copies", "strength"), [(1, 1.0), (2, 1.0), (1, 3.0), (4, 1.0)])
def test_evidence_that_is_said_several_times_counts_once(copies, strength):
    rng = np.random.default_rng(3)
    trials = [a_trial(rng, copies, strength) for _ in range(30)]
    weights = weights_of_blocks(trials, np.ones(copies), rng)
    assert strength * weights.sum() == pytest.approx(1.0, abs=0.15)


def test_a_block_that_says_nothing_true_counts_nothing():
    rng = np.random.default_rng(4)
    trials = []
    for _ in range(30):
        trial = a_trial(rng, 1, 1.0)
        noise = Table(("y",), rng.standard_normal((60, 60)), np.arange(60), np.arange(60))
        trials.append(Trial([*trial.blocks, noise], trial.row_of))
    weights = weights_of_blocks(trials, np.ones(2), rng)
    assert weights[0] == pytest.approx(1.0, abs=0.15)
    assert weights[1] < 0.15


def test_where_guessing_predicts_better_no_block_counts():
    """Rows that have nothing to do with their records, and blocks of chance agreements."""
    rng = np.random.default_rng(8)
    noise = [Table((name,), rng.standard_normal((60, 60)), np.arange(60), np.arange(60)) for name in "abc"]
    trials = [Trial(noise, rng.permutation(60)) for _ in range(4)]
    assert weights_of_blocks(trials, np.array([1.0, 1.0, 0.0]), rng).tolist() == [0, 0, 0]


def resembling_by_group(rng: np.random.Generator, *, known: bool, size: int = 120) -> Trial:
    """Rows that resemble their records through an unchanged group alone, and a block that sees the resemblance."""
    group = np.repeat(np.arange(6), size // 6)
    before, after = (group + 0.3 * rng.standard_normal(size) for _ in range(2))
    entries = -0.5 * (before[:, None] - after) ** 2 / (2 * 0.3**2)
    block = Table(("y",), entries, np.arange(size), np.arange(size))
    return Trial([block], np.arange(size), (group, group) if known else None)


def test_a_resemblance_through_unchanged_values_is_not_counted_beside_them():
    rng = np.random.default_rng(5)
    alone, beside = (
        weights_of_blocks([resembling_by_group(rng, known=known) for _ in range(10)], np.ones(1), rng)[0]
        for known in (False, True)
    )
    assert alone > 0.5 and beside == pytest.approx(0, abs=0.1)


def test_rows_are_compared_with_the_same_unchanged_values_however_few_these_are():
    """A record whose unchanged values nobody shares is compared with nothing, and the others are still judged."""
    rng = np.random.default_rng(6)
    group = np.concatenate([np.zeros(30, dtype=np.int64), np.arange(1, 31)])
    block = Table(("y",), np.where(np.eye(60) > 0, 5.0, 0.0), np.arange(60), np.arange(60))
    trial = Trial([block], np.arange(60), (group, group))
    assert weights_of_blocks([trial] * 4, np.ones(1), rng)[0] >= 1


@pytest.mark.slow
def test_an_intruder_who_knows_what_trees_were_given_expects_what_is_found():
    """y follows x; the release has x unchanged and y drawn from the leaf of x: nothing but x is to be learned."""
    found, expected = [], []
    for seed in range(6):
        rng = np.random.default_rng(seed)
        x = rng.integers(0, 40, 300)
        frame = pl.DataFrame({"x": x, "y": x + rng.standard_normal(300), "z": x + 3 * rng.standard_normal(300)})
        release = protect(frame, PartialTrees(leaf_size=20, given=("x",)), ["y", "z"], seed=seed, allow_undeclared=True)
        score = InformedIntruder().measure(release, Intruder(attributes=("x", "y", "z")), seed=1)
        found.append(score.value)
        expected.append(score.details["expected_found"])
    assert np.mean(expected) == pytest.approx(np.mean(found), abs=0.02)


def test_a_stand_in_has_as_many_records_as_the_original():
    release = protect(a_file(300), "mdav", NAMES, seed=1)
    known = Intruder(records=0.3, attributes=NAMES).view(release, seed=1).known
    file = stand_in(known, release.masked, np.random.default_rng(1), 300)
    assert len(file) == 300
    for name in NAMES:
        assert np.array_equal(file.columns[name][: len(known)], known.columns[name])
        assert known.columns[name].min() <= file.columns[name].min()
        assert file.columns[name].max() <= known.columns[name].max()


@pytest.mark.slow
def test_a_projection_is_seen_through_by_a_part_of_the_records():
    gains = []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        columns = {name: np.round(np.exp(rng.standard_normal(500)), 4) for name in ("a", "b", "c")}
        attributes = [Attribute(name, Kind.CONTINUOUS, Role.KEY) for name in columns]
        attributes.append(Attribute("town", Kind.UNORDERED, Role.KEY, categories=tuple("stuvwxyz")))
        data = Microdata(tuple(attributes), columns | {"town": rng.integers(8, size=500)})
        release = protect(data, "z-score-projection", ["a", "b", "c"], seed=seed)
        known = Intruder(records=0.33)
        found = InformedIntruder().measure(release, known, seed=1).value
        gains.append(found - IntersectionAttack().measure(release, known, seed=1).value)
    assert np.mean(gains) > 0


def test_a_category_that_no_replay_showed_is_unlikely_for_every_record():
    law = LearnedCategories("town", np.log([[0.9, 0.1, 1.0], [0.1, 0.9, 1.0]]), None)
    table = law.table(np.array([0, 1]), np.array([0, 4, -1, 2]), slice(None))
    found = [table.of_pairs(np.array([0, 1]), np.array([row, row])) for row in range(4)]
    assert np.allclose(found, [np.log([0.9, 0.1]), [np.log(HOLES)] * 2, [0, 0], [np.log(HOLES)] * 2])


def test_a_table_without_lines_says_nothing():
    empty = Table(("town",), np.empty((0, 1)), np.array([-1, -1]), np.array([0, 0]))
    assert empty.of_pairs(np.array([0, 1]), np.array([0, 1])).tolist() == [0, 0]


def test_without_a_record_that_has_a_row_the_first_weights_stay():
    nobody = Trial([Table(("x",), np.ones((2, 2)), np.arange(2), np.arange(2))], np.array([-1, -1]))
    assert weights_of_blocks([nobody], np.array([0.7]), np.random.default_rng(1)).tolist() == [0.7]


def test_the_distances_along_an_axis_have_a_density_that_sums_to_one():
    rng = np.random.default_rng(5)
    before = rng.standard_normal((200, 2))
    after = before + 0.2 * rng.standard_normal((200, 2))
    for axis in joint_axes(("a", "b"), [MaskedAgain(before, after, after)]):
        assert np.exp(axis.log_density).sum() == pytest.approx(1.0)


@pytest.mark.parametrize("more", [0, 1, 7])
def test_a_stand_in_is_enlarged_by_as_many_records_as_are_lacking(more):
    data = a_file(60).only(NAMES)
    assert len(stand_in(data, data, np.random.default_rng(1), 60 + more)) == 60 + more


def test_the_nearest_group_of_a_single_number_is_told_from_its_neighbours():
    """Groups of five are finer than the cells of a table of ranks where few of the records are known."""
    data = a_file(700).only(["yearly income", "rent"])
    first = Recipe.of("principal-component-projection:group_size=5", ["yearly income"])
    chain = Recipe((*first.steps, *Recipe.of("local-suppression", ["yearly income", "rent"]).steps))
    release = protect(data, chain, seed=1)
    intruder = Intruder(("yearly income",), records=1 / 3)
    found = {attack: attack().measure(release, intruder, seed=1).value for attack in (InformedIntruder, MixedLinkage)}
    assert found[InformedIntruder] >= found[MixedLinkage] - 0.015


@pytest.mark.parametrize("ridge", [0.0, 3.0])
def test_the_slope_of_the_loss_of_weights_is_its_derivative(ridge):
    rng = np.random.default_rng(4)
    parts = [Judged(rng.normal(size=(3, records, 4)), np.zeros((records, 4))) for records in (5, 2)]
    weights, first = rng.random(3), rng.random(3)
    for index, slope in enumerate(_loss(weights, parts, first, ridge)[1]):
        step = np.eye(3)[index] * 1e-5
        ends = (_loss(weights + sign * step, parts, first, ridge)[0] for sign in (1, -1))
        assert (next(ends) - next(ends)) / 2e-5 == pytest.approx(slope, rel=1e-6)
