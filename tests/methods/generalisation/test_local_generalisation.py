"""Local generalisation: real classes, the least generalised records first, and nothing lost by the last ones."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.methods.categories import ZIPS, protected, random_keys, unordered, zips
from tests.methods.generalisation.test_optimal_generalisation import people

from sdckit.errors import ParameterError, SchemaError
from sdckit.hierarchy import ROOT, Hierarchy
from sdckit.kernels import class_moves
from sdckit.kernels.class_models import DistinctDiversity, EntropyDiversity, Presence, Rule, SmallestSize
from sdckit.kernels.class_moves import move_rows
from sdckit.kernels.class_refinement import Partition, Tree
from sdckit.kernels.class_splits import children, split_classes
from sdckit.kernels.equivalence_classes import class_of
from sdckit.kernels.lattice_rows import Levels, RowTable
from sdckit.kernels.thin_lattice import thinned
from sdckit.loss.categorical.normalised_certainty_penalty import NormalisedCertaintyPenalty
from sdckit.methods.category_trees import texts_of
from sdckit.methods.generalisation.local_generalisation import LocalGeneralisation
from sdckit.methods.generalisation.optimal_generalisation import OptimalGeneralisation
from sdckit.microdata import Microdata
from sdckit.release import protect

NAMES = ("zip", "age", "sex")


def sizes_of_equal_rows(masked: Microdata, names=NAMES) -> np.ndarray:
    classes = class_of(masked.codes(names).astype(np.int64))
    return classes.sizes[classes.of]


@given(
    st.integers(1, 60), st.integers(1, 5), st.integers(0, 99), st.sampled_from([0.0, 0.2]), st.sampled_from([0.01, 0.3])
)
@settings(max_examples=40, deadline=None)
def test_every_row_looks_like_k_rows_and_covers_its_record(records, k, seed, missing, share):
    data = people(records, seed, missing)
    if any(data.missing(name) == records for name in ("zip", "age")):
        return
    masked = protected(LocalGeneralisation(group_size=min(k, records), share=share), data)
    assert sizes_of_equal_rows(masked).min() >= min(k, records)
    for name in NAMES:
        tree, before, after = data.attribute(name).hierarchy, data.values(name), masked.values(name)
        for old, new in zip(before, after, strict=True):
            if old is None:
                assert new is None
            elif new is not None:
                text = str(int(old)) if name == "age" else old
                assert str(new) in ((text, ROOT) if tree is None else tree.ancestors(text))


@pytest.mark.parametrize("k", [2, 5])
def test_it_loses_less_than_one_level_for_all(k):
    data = people(400, 7)
    local = protect(data, LocalGeneralisation(group_size=k), seed=1)
    overall = protect(data, OptimalGeneralisation(group_size=k, suppression=0.0), seed=1)
    loss = NormalisedCertaintyPenalty()
    assert loss.measure(local).value < loss.measure(overall).value


def test_by_hand_only_the_lone_ones_are_generalised():
    masked = protected(LocalGeneralisation(group_size=2), zips(["48201", "48201", "48202", "48301"]))
    assert list(masked.values("zip")) == ["48201", "48201", "48***", "48***"]


def test_by_hand_a_last_record_joins_the_class_where_it_costs_least():
    masked = protected(LocalGeneralisation(group_size=2), zips(["48201", "48201", "88202", "88202", "88301"]))
    assert list(masked.values("zip")) == ["48201", "48201", "88***", "88***", "88***"]


def test_a_last_record_is_suppressed_where_that_is_allowed():
    masked = protected(
        LocalGeneralisation(group_size=2, suppression=0.2), zips(["48201"] * 2 + ["88202"] * 2 + ["88301"])
    )
    assert list(masked.values("zip")) == ["48201", "48201", "88202", "88202", None]


def test_a_missing_value_is_a_value_of_its_own():
    masked = protected(LocalGeneralisation(group_size=2), unordered(a=["x", "x", None, None], b=["u", "u", "v", "v"]))
    assert list(masked.values("a")) == ["x", "x", None, None]
    mixed = protected(LocalGeneralisation(group_size=2), unordered(a=["x", None], b=["u", "u"]))
    assert list(mixed.values("a")) == [None, None] and list(mixed.values("b")) == ["u", "u"]


def test_levels_have_a_floor_and_a_ceiling():
    data = people(200, 3)
    low = protected(LocalGeneralisation(group_size=2, min_levels="age=1"), data)
    assert not set(low.values("age")) & set(texts_of(data.attribute("age")))
    high = protected(LocalGeneralisation(group_size=2, max_levels="sex=0+age=1", suppression=1.0), data)
    assert ROOT not in set(high.values("sex")) | set(high.values("age"))
    with pytest.raises(SchemaError, match="more than suppression allows"):
        protected(LocalGeneralisation(group_size=60, max_levels="sex=0+age=0+zip=0"), data)


def test_under_a_ceiling_the_last_records_stay_on_their_side():
    data = people(200, 3)
    masked = protected(LocalGeneralisation(group_size=3, models="entropy-l-diversity(1.5+sex)"), data, ("zip", "age"))
    assert ROOT not in set(masked.values("sex"))
    guarded = LocalGeneralisation(group_size=8, max_levels="sex=0", models="recursive-l-diversity(9+2+age)")
    masked = protected(guarded, data, ("zip", "sex"))
    assert set(masked.values("sex")) == {"f", "m"}


def test_importance_moves_the_loss_to_the_other_attributes():
    data = people(300, 5)
    loss = NormalisedCertaintyPenalty()
    plain = loss.measure(protect(data, LocalGeneralisation(group_size=5), seed=1)).by_attribute
    guarded = loss.measure(protect(data, LocalGeneralisation(group_size=5, importance="zip=20"), seed=1)).by_attribute
    assert guarded["zip"] < plain["zip"]


@pytest.mark.parametrize("loss", ["ncp", "precision", "entropy"])
def test_every_loss_of_cells_gives_real_classes(loss):
    masked = protected(LocalGeneralisation(group_size=4, loss=loss), people(150, 2))
    assert sizes_of_equal_rows(masked).min() >= 4


def test_a_loss_of_classes_is_for_one_level_for_all():
    with pytest.raises(ParameterError, match="ncp, precision, entropy"):
        LocalGeneralisation(loss="discernibility")


def test_a_hierarchy_that_misses_a_value_is_named():
    frame = pl.DataFrame({"zip": ["48201", "99999"]})
    short = {"zip": Hierarchy.by_prefix(ZIPS)}
    with pytest.raises(SchemaError, match="'zip': the value"):
        protected(
            LocalGeneralisation(group_size=2), Microdata.from_frame(frame, roles={"zip": "key"}, hierarchies=short)
        )


def test_the_population_hides_a_research_subset():
    rng = np.random.default_rng(4)
    frame = pl.DataFrame({"zip": rng.choice(ZIPS, 200), "chosen": (rng.random(200) < 0.2).astype(int)})
    data = Microdata.from_frame(
        frame, roles={"zip": "key", "chosen": "other"}, hierarchies={"zip": Hierarchy.by_prefix(ZIPS)}
    )
    chosen = frame["chosen"].to_numpy() == 1
    for method in (LocalGeneralisation, OptimalGeneralisation):
        masked = protected(method(group_size=1, models="k-map(30)", subset="chosen", suppression=0.0), data)
        values = masked.values("zip")
        assert all(value is None for value in values[~chosen])
        for value in set(values[chosen]):
            covered = [value in data.attribute("zip").hierarchy.ancestors(own) for own in frame["zip"]]
            assert sum(covered) >= 30


def test_weights_are_the_population_of_k_map():
    frame = pl.DataFrame({"zip": ["48201", "48202", "88202"], "w": [10.0, 3.0, 10.0]})
    data = Microdata.from_frame(
        frame, roles={"zip": "key", "w": "weight"}, hierarchies={"zip": Hierarchy.by_prefix(ZIPS)}
    )
    masked = protected(OptimalGeneralisation(group_size=1, models="k-map(10)", suppression=0.0), data)
    assert list(masked.values("zip")) == ["4820*", "4820*", "8820*"]


@pytest.mark.slow
def test_many_keys_are_searched_on_fewer_levels():
    data = random_keys(300, [3] * 18, 1)
    names = tuple(each.name for each in data.attributes)
    masked = protected(LocalGeneralisation(group_size=3), data)
    assert sizes_of_equal_rows(masked, names).min() >= 3
    assert all(set(texts_of(data.attribute(name))) & set(masked.values(name)) for name in names[:2])


def test_thinning_keeps_the_coarsest_level():
    keys = [Levels(np.arange(12).reshape(6, 2) * (j + 1), np.zeros((6, 2))) for j in range(4)]
    thin = thinned(keys, 20)
    assert np.prod([len(key.nodes) for key in thin]) <= 20
    assert all((key.nodes[-1] == whole.nodes[-1]).all() for key, whole in zip(thin, keys, strict=True))


def flat(categories: int) -> Tree:
    """A root, 0, above all categories."""
    paths = np.column_stack([np.zeros(categories, dtype=np.int64), np.arange(1, categories + 1)])
    return Tree(paths, np.array([1.0] + [0.0] * categories))


BINARY = Tree(np.array([[0, 1, 3], [0, 1, 4], [0, 2, 5], [0, 2, 6]]), np.array([1.0, 0.5, 0.5, 0, 0, 0, 0]))


def partition(rows, sizes, trees, weights=None, counts=(), population=None, of=None) -> Partition:
    rows, sizes = np.array(rows, dtype=np.int64), np.array(sizes, dtype=float)
    table = RowTable(rows, sizes, sizes if population is None else np.array(population, dtype=float), list(counts))
    of = np.zeros(len(rows), dtype=np.int64) if of is None else np.array(of)
    return Partition(table, trees, [1.0] * len(trees) if weights is None else weights, of)


def groups(found: Partition) -> list[list[int]]:
    return sorted(np.flatnonzero(found.of == each).tolist() for each in range(found.count))


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ([3, 3, 3], [[0], [1], [2]]),
        ([4, 5, 2, 2], [[0], [1], [2, 3]]),  # what remains is sufficient
        ([4, 5, 2], [[0, 2], [1]]),  # it is not, and the smallest sufficient part stays with it
        ([4, 4, 5, 2], [[0, 1, 3], [2]]),
        ([4, 2], [[0, 1]]),
        ([2, 2, 1], [[0, 1, 2]]),
        ([7], [[0]]),
    ],
)
def test_parts_of_three_records_leave_their_class_by_hand(sizes, expected):
    rows = np.arange(len(sizes))[:, None]
    assert groups(split_classes(partition(rows, sizes, [flat(len(sizes))]), Rule([SmallestSize(3)]))) == expected


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [([3, 3, 3, 3], [[0], [1], [2], [3]]), ([3, 2, 5, 1], [[0, 1], [2, 3]]), ([2, 2, 1, 1], [[0, 1, 2, 3]])],
)
def test_a_class_is_split_level_by_level(sizes, expected):
    found = split_classes(partition([[0], [1], [2], [3]], sizes, [BINARY]), Rule([SmallestSize(3)]))
    assert groups(found) == expected


@pytest.mark.parametrize(("weights", "expected"), [((1.0, 2.0), [[0, 2], [1, 3]]), ((2.0, 1.0), [[0, 1], [2, 3]])])
def test_the_key_that_gains_most_is_split_first(weights, expected):
    rows = [[0, 0], [0, 1], [1, 0], [1, 1]]
    found = split_classes(partition(rows, [2] * 4, [flat(2), flat(2)], weights), Rule([SmallestSize(4)]))
    assert groups(found) == expected


def test_an_empty_remainder_is_no_class_that_could_be_insufficient():
    """A share of 0 of the population is below the limit, but all records left."""
    start = partition([[0], [1]], [2, 2], [flat(2)], population=[4, 4])
    assert groups(split_classes(start, Rule([Presence(0.3, 0.7)]))) == [[0], [1]]


def test_a_remainder_that_stays_insufficient_keeps_its_class_whole():
    """Each of the first three is diverse; the many equal values of the last outweigh any two of them."""
    counts = np.array([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0], [30.0, 0.0]])
    start = partition(np.arange(4)[:, None], counts.sum(axis=1), [flat(4)], counts=[counts])
    assert groups(split_classes(start, Rule([EntropyDiversity(0, 1.9)]))) == [[0, 1, 2, 3]]


@pytest.mark.parametrize("seed", range(8))
def test_classes_stay_sufficient_and_only_become_finer(seed):
    rng = np.random.default_rng(seed)
    rows = np.array([[a, b] for a in range(4) for b in range(3)])
    counts = rng.integers(0, 5, (12, 3)).astype(float)
    of = np.where(rng.random(12) < 0.15, -1, rng.integers(0, 2, 12))
    of[:2] = 0, 1
    start = partition(rows, counts.sum(axis=1), [BINARY, flat(3)], counts=[counts], of=of)
    rule = Rule([SmallestSize(3), DistinctDiversity(0, 2)])
    found = split_classes(start, rule)
    assert rule.sufficient(found.classes).tolist().count(False) <= rule.sufficient(start.classes).tolist().count(False)
    assert ((found.of < 0) == (of < 0)).all()
    assert all(len(set(of[found.of == each])) == 1 for each in range(found.count))
    assert found.count >= start.count
    assert groups(split_classes(found, rule)) == groups(found)


def test_nothing_to_split():
    start = partition(np.empty((0, 1)), [], [flat(2)])
    assert split_classes(start, Rule([SmallestSize(3)])).count == 0


def test_the_node_below_is_one_level_down_or_the_last():
    nodes, codes = np.array([0, 0, 1, 2, 4]), np.array([1, 2, 0, 3, 1])
    assert children(BINARY, nodes, codes).tolist() == [1, 2, 3, 6, 4]


def astray() -> Partition:
    """A row of category 2 with two others below the first branch, beside a class of the branch it belongs to."""
    return partition([[0], [1], [2], [3], [2]], [1] * 5, [BINARY], of=[0, 0, 0, 1, 1])


@pytest.mark.parametrize(("k", "expected"), [(2, [[0, 1], [2, 3, 4]]), (3, [[0, 1, 2], [3, 4]])])
def test_a_row_moves_to_its_branch_where_those_it_leaves_stay_enough(k, expected):
    """There it costs 3 · ½ − 2 · ½, and where it is 1."""
    assert groups(move_rows(astray(), Rule([SmallestSize(k)]))) == expected


def test_a_row_stays_where_it_would_cost_a_class_more_than_it_saves():
    """With two records of category 3, it would cost 3 · ½."""
    start = partition([[0], [1], [2], [3]], [1, 1, 1, 2], [BINARY], of=[0, 0, 0, 1])
    assert groups(move_rows(start, Rule([SmallestSize(2)]))) == [[0, 1, 2], [3]]


def test_a_row_moves_to_the_cheapest_class_that_stays_diverse_with_it():
    """Row 2 costs least beside row 3, which would have two values of one kind and one of the other.

    So it joins rows 4 and 5, and then row 5 costs nothing beside row 3, which has the same category.
    """
    counts = np.array([[1.0, 0], [0, 1], [1, 0], [1, 1], [0, 1], [1, 1]])
    rows = [[0], [1], [2], [2], [3], [2]]
    start = partition(rows, counts.sum(axis=1), [BINARY], counts=[counts], of=[0, 0, 0, 1, 2, 2])
    assert groups(move_rows(start, Rule([EntropyDiversity(0, 1.9)]))) == [[0, 1], [2, 4], [3, 5]]


@pytest.mark.parametrize("limit", ["MOST_MOVES", "MOST_COMPARISONS"])
def test_no_more_rows_are_tried_than_there_is_time_for(limit, monkeypatch):
    monkeypatch.setattr(class_moves, limit, 0)
    assert groups(move_rows(astray(), Rule([SmallestSize(2)]))) == [[0, 1, 2], [3, 4]]


def total_loss(found: Partition) -> float:
    return float((found.loss_of(found.nodes) * found.classes.sizes).sum())


@pytest.mark.parametrize("seed", range(4))
def test_rows_that_leave_their_class_never_cost_more_than_before(seed):
    """Also where the lowest nodes are above the categories, as where levels have a floor."""
    rng = np.random.default_rng(seed)
    rows = np.array([[a, b] for a in range(4) for b in range(4)])
    lifted = Tree(np.array([[6, 4], [6, 4], [6, 5], [6, 5]]), np.array([np.inf] * 4 + [0.5, 0.5, 1.0]))
    of = rng.integers(0, 4, 16)
    of[:4] = range(4)
    start = partition(rows, rng.integers(1, 4, 16), [lifted, BINARY], of=of)
    assert total_loss(start.refined()) <= total_loss(start)
    assert total_loss(move_rows(start, Rule([SmallestSize(2)]))) <= total_loss(start)


def test_a_class_dissolves_where_its_rows_belong_above_a_floor():
    """Two rows that share only the root join the classes of their branches, whose lowest nodes are the branches."""
    lifted = Tree(np.array([[6, 4], [6, 4], [6, 5], [6, 5]]), np.array([np.inf] * 4 + [0.5, 0.5, 1.0]))
    start = partition([[0], [2], [1], [3]], [1, 1, 2, 2], [lifted], of=[0, 0, 1, 2])
    assert groups(start.refined()) == groups(move_rows(start, Rule([SmallestSize(1)]))) == [[0, 2], [1, 3]]
