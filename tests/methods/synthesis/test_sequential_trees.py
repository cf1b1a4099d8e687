import numpy as np
import polars as pl
import pytest

from sdckit.draws import Draws
from sdckit.errors import SchemaError
from sdckit.kernels.cart import LEAF, grow, leaves, sorted_within_leaves
from sdckit.kernels.copied_values import rows_with_copies
from sdckit.methods.synthesis.partial_trees import PartialTrees
from sdckit.methods.synthesis.sequential_trees import SequentialTrees
from sdckit.microdata import Microdata
from sdckit.release import protect
from sdckit.rows import Unrelated


def people(records=500, seed=0):
    """A region, a number that depends on it, a curve of the number, and a category with missing values."""
    rng = np.random.default_rng([seed, 2016])
    region = rng.integers(0, 3, records)
    income = np.exp(region + 0.5 * rng.normal(size=records))
    tax = np.where(income > 3, 0.4 * income, 0.0) + 0.05 * np.abs(rng.normal(size=records))
    grade = [
        None if hole else ("high" if value > 4 else "low")
        for hole, value in zip(rng.random(records) < 0.1, income, strict=True)
    ]
    return pl.DataFrame({"my region": [f"r{each}" for each in region], "income": income, "tax": tax, "grade": grade})


def synthetic(method, frame, seed=1):
    return protect(frame, method, seed=seed, allow_undeclared=True)


def test_the_file_has_the_asked_number_of_rows_and_they_are_nobodys():
    for size in (0.5, 1, 2.5):
        release = synthetic(SequentialTrees(size=size), people())
        assert len(release.masked) == 500 * size
        assert isinstance(release.rows, Unrelated)


def test_distributions_and_relations_survive():
    frame = people(4000)
    release = synthetic(SequentialTrees(), frame)
    made = release.masked.to_frame()
    for name in ("my region", "grade"):
        shares = [dict(file[name].value_counts(normalize=True).iter_rows()) for file in (frame, made)]
        assert shares[1] == pytest.approx(shares[0], abs=0.04)
    ranks = [np.corrcoef(file["income"].rank(), file["tax"].rank())[0, 1] for file in (frame, made)]
    assert ranks[1] == pytest.approx(ranks[0], abs=0.05)
    agree = [
        ((file["income"] > 4) == (file["grade"] == "high")).mean() for file in (frame.drop_nulls(), made.drop_nulls())
    ]
    assert agree[1] > 0.95 * agree[0]


def test_without_smoothing_every_number_is_an_original_one_and_with_it_none():
    frame = people()
    for smoothing in (False, True):
        made = synthetic(SequentialTrees(smoothing=smoothing), frame).masked.columns["income"]
        assert np.isin(made, frame["income"].to_numpy()).all() == (not smoothing)
        assert np.isin(made, frame["income"].to_numpy()).any() == (not smoothing)


def test_smaller_leaves_repeat_more_of_one_record_and_the_notes_say_so():
    frame = pl.DataFrame({f"v{index}": column for index, column in enumerate(_factors(800).T)})
    shares = []
    for leaf in (5, 20, 80):
        release = synthetic(SequentialTrees(leaf_size=leaf, smoothing=False), frame)
        copied = rows_with_copies(release.original.matrix(frame.columns), release.masked.matrix(frame.columns)).mean()
        assert f"sequential-trees: {copied:.1%} of the rows carry two or more numbers" in " ".join(release.notes())
        shares.append(copied)
    assert shares == sorted(shares, reverse=True) and shares[0] > 0.2
    assert "0.0% of the rows" in " ".join(synthetic(SequentialTrees(leaf_size=5), frame).notes())


def _factors(records):
    rng = np.random.default_rng(7)
    return rng.normal(size=(records, 1)) + 0.3 * rng.normal(size=(records, 5))


def test_a_leaf_of_one_record_copies_it():
    frame = people(200).select("income", "tax")
    made = synthetic(SequentialTrees(leaf_size=1, smoothing=False), frame).masked
    tax = dict(zip(frame["income"], frame["tax"], strict=True))
    own = np.array([tax[each] for each in made.columns["income"]])
    unsplit = np.sqrt(2 * 1e-8 * 200) * frame["tax"].std()  # two values this near gain less than a split must
    assert np.abs(made.columns["tax"] - own).max() < unsplit


def test_leaves_of_the_whole_file_make_attributes_independent():
    frame = people(3000).select("income", "tax")
    made = synthetic(SequentialTrees(leaf_size=3000), frame).masked.matrix(["income", "tax"])
    assert abs(np.corrcoef(made.T)[0, 1]) < 0.06


def test_households_are_refused_with_the_cure():
    data = Microdata.from_frame(people().with_columns(house=pl.lit("h")), roles={"house": "household"})
    with pytest.raises(SchemaError, match="cannot keep the households of 'house'"):
        protect(data, SequentialTrees(), seed=1)


def test_names_are_refused_and_not_drawn():
    frame = people().with_columns(name=pl.Series([f"person {index}" for index in range(500)]))
    with pytest.raises(SchemaError, match="'name' has a category of its own for most records"):
        synthetic(SequentialTrees(), frame)
    release = protect(Microdata.from_frame(frame, roles={"name": "identifier"}), SequentialTrees(), seed=1)
    assert "name" not in release.masked


def test_partial_synthesis_keeps_rows_and_given_attributes():
    frame = people(2000)
    release = protect(
        frame, PartialTrees(given=("income", "my region")), ["tax", "grade"], seed=1, allow_undeclared=True
    )
    made = release.masked.to_frame()
    assert made["income"].to_list() == frame["income"].to_list()
    assert made["grade"].null_count() == frame["grade"].null_count()
    assert made["tax"].to_list() != frame["tax"].to_list()
    residual = (made["tax"] - frame["tax"]).abs().mean()
    shuffled = (frame["tax"].shuffle(seed=1) - frame["tax"]).abs().mean()
    assert residual < 0.2 * shuffled


def test_a_replaced_attribute_that_the_given_ones_determine_is_noted():
    """As a level of education is by its number: a draw from the leaf is the value itself."""
    frame = people().with_columns(number=pl.col("my region").str.slice(1).cast(pl.Int64), grade=pl.lit("same"))
    release = protect(frame, PartialTrees(given=("number",)), ["my region", "tax", "grade"], seed=1)
    notes = [note for note in release.notes() if "determined" in note]
    assert len(notes) == 1 and notes[0].startswith("'my region' is determined by the given attributes")


def test_a_tree_by_hand():
    line = np.array([[1, 1, 2, 2, 3, 3, 3, 3]], dtype=np.uint8)
    tree = grow(line, np.array([0.0, 0, 5, 5, 5, 5, 5, 5]), 0, 2)
    assert tree.feature.tolist() == [0, LEAF, LEAF] and tree.threshold[0] == 1
    assert tree.size.tolist() == [8, 2, 6]
    assert leaves(tree, line).tolist() == [1, 1, 2, 2, 2, 2, 2, 2]
    assert grow(line, np.array([0.0, 0, 5, 5, 5, 5, 5, 5]), 0, 3).feature.tolist() == [0, LEAF, LEAF]
    classes = grow(line, np.array([2.0, 2, 0, 0, 1, 1, 1, 1]), 3, 2)
    assert sorted(classes.size[classes.feature == LEAF].tolist()) == [2, 2, 4]


def brute_force(bins, target, leaf_size):
    """The lowest squared error that any single split leaves."""
    best = ((target - target.mean()) ** 2).sum()
    for line in bins:
        for last in np.unique(line)[:-1]:
            left = line <= last
            if leaf_size <= left.sum() <= len(target) - leaf_size:
                parts = [target[left], target[~left]]
                best = min(best, sum(((part - part.mean()) ** 2).sum() for part in parts))
    return best


@pytest.mark.parametrize("classes", [0, 3])
def test_the_first_split_is_the_best_of_all(classes):
    rng = np.random.default_rng(1)
    for _ in range(20):
        bins = rng.integers(0, 6, (3, 40)).astype(np.uint8)
        target = rng.integers(0, 3, 40).astype(float) if classes else rng.normal(size=40) + bins[0]
        tree = grow(bins, target, classes, 15)
        parts = [
            target[tree.order[tree.start[node] : tree.start[node] + tree.size[node]]]
            for node in np.flatnonzero(tree.feature == LEAF)
        ]
        if classes:
            coded = np.eye(3)[target.astype(int)]
            reached = sum(
                ((np.eye(3)[p.astype(int)] - np.eye(3)[p.astype(int)].mean(axis=0)) ** 2).sum() for p in parts
            )
            best = min(
                sum(((c - c.mean(axis=0)) ** 2).sum() for c in (coded[line <= last], coded[line > last]))
                for line in bins
                for last in np.unique(line)[:-1]
                if 15 <= (line <= last).sum() <= 25
            )
        else:
            reached, best = sum(((p - p.mean()) ** 2).sum() for p in parts), brute_force(bins, target, 15)
        assert reached <= best + 1e-9
        assert len(parts) <= 2


def test_every_leaf_has_enough_records_and_its_values_in_order():
    rng = np.random.default_rng(2)
    bins = rng.integers(0, 200, (4, 1000)).astype(np.uint8)
    target = bins[0] + rng.normal(size=1000)
    tree = sorted_within_leaves(grow(bins, target, 0, 7), target)
    ends = np.flatnonzero(tree.feature == LEAF)
    assert (tree.size[ends] >= 7).all() and tree.size[ends].sum() == 1000
    found = leaves(tree, bins)
    for node in ends:
        records = tree.order[tree.start[node] : tree.start[node] + tree.size[node]]
        assert (np.diff(target[records]) >= 0).all() and (found[records] == node).all()


def test_missing_numbers_are_drawn_in_their_share():
    frame = people(3000).with_columns(income=pl.when(pl.col("tax") > 1).then(None).otherwise(pl.col("income")))
    made = synthetic(SequentialTrees(), frame.select("tax", "income")).masked.to_frame()
    assert made["income"].null_count() == pytest.approx(frame["income"].null_count(), rel=0.1)
    assert made.filter(pl.col("tax") < 0.5)["income"].null_count() < 0.05 * len(made)


def test_a_file_drawn_by_the_same_seed_is_the_same():
    data = Microdata.from_frame(people())
    one, other = (SequentialTrees().protect(data, draws=Draws.of(3)) for _ in range(2))
    assert np.array_equal(one.columns["income"], other.columns["income"])


@pytest.mark.parametrize("method", ["sequential-trees", "gaussian-copula", "partial-trees"])
def test_a_file_of_one_record_is_refused_as_it_could_only_be_repeated(method):
    with pytest.raises(SchemaError, match="would repeat"):
        protect(people()[:1], method, seed=1)
