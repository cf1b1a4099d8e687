"""Minimal, maximal and weighted disclosure risk of Truta, Fotouhi and Barth-Jones."""

from itertools import combinations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit.errors import NotApplicableError, ParameterError
from sdckit.hierarchy import Hierarchy
from sdckit.intruder import Intruder
from sdckit.measure import Measure
from sdckit.microdata import Microdata
from sdckit.release import Release, protect
from sdckit.risk.global_risk.change_factors import inversion_factor
from sdckit.risk.global_risk.disclosure_risk import Keys
from sdckit.risk.global_risk.maximal_disclosure_risk import MaximalDisclosureRisk
from sdckit.risk.global_risk.minimal_disclosure_risk import MinimalDisclosureRisk
from sdckit.risk.global_risk.weak_change import AnyChange, ByLeaves, WeakChange
from sdckit.risk.global_risk.weighted_disclosure_risk import WeightedDisclosureRisk
from sdckit.risk.global_risk.weights import GivenWeights, InverseSize, UpTo, Weights, broken_rules
from sdckit.rows import Sampled

ZIPS = ["48201", "48202", "48301", "88202", "88301"]
INITIAL = [(30, "M", "48201")] * 2 + [(41, "F", "48202"), (52, "F", "48301"), (52, "M", "48301"), (65, "F", "88202")]
MASKED = [(30, "M", "48201"), (41, "M", "48201"), (30, "F", "48202")] + [(52, "F", "48301")] * 2 + [(65, "F", "88202")]


def file(rows: list[tuple[int | None, str | None, str | None]]) -> Microdata:
    return Microdata.from_frame(
        pl.DataFrame(rows, schema={"Age": pl.Int64, "Sex": pl.String, "Zip": pl.String}, orient="row"),
        roles=dict.fromkeys(("Age", "Sex", "Zip"), "key"),
        hierarchies={"Zip": Hierarchy.by_prefix(ZIPS)},
    )


def golden() -> Release:
    return Release.in_order(file(INITIAL), file(MASKED))


def risk(measure: Measure, release: Release, intruder: Intruder = Intruder()) -> float:
    return measure.measure(release, intruder, seed=1).value


@pytest.mark.parametrize(
    ("subset", "least", "most"),
    [
        ("Zip", 0.333333, 0.666667),
        ("Sex", 0.0, 0.231481),
        ("Sex Zip", 0.277778, 0.555556),
        ("Age", 0.144444, 0.505556),
        ("Age Zip", 0.288889, 0.577778),
        ("Age Sex", 0.240741, 0.481481),
        ("Age Sex Zip", 0.240741, 0.481481),
    ],
)
def test_the_worked_example_by_subset(subset, least, most):
    keys = tuple(subset.split())
    assert MinimalDisclosureRisk().by_subset(golden())[keys] == pytest.approx(least, abs=1e-6)
    assert MaximalDisclosureRisk().by_subset(golden())[keys] == pytest.approx(most, abs=1e-6)


def test_the_worked_example_as_a_whole():
    minimal, maximal = MinimalDisclosureRisk().measure(golden()), MaximalDisclosureRisk().measure(golden())
    assert minimal.value == pytest.approx(1 / 3) and maximal.value == pytest.approx(2 / 3)
    assert minimal.details["subset"] == maximal.details["subset"] == ("Zip",)
    assert minimal.details["factors"] == pytest.approx({"Age": 2 / 15, "Sex": 1 / 6, "Zip": 0})


def test_the_worked_example_s_classification_matrix():
    cells = Keys.of(golden(), Intruder(), WeakChange(), None).cells((0, 1, 2))
    assert cells.counted() == {"1,1": 2, "1,2": 2, "2,1": 2}


rows = st.lists(st.tuples(st.integers(0, 3), st.sampled_from("FM"), st.sampled_from(ZIPS[:4])), min_size=1, max_size=15)
all_weights = st.sampled_from(
    [Weights(), UpTo(1), UpTo(2), InverseSize(), InverseSize(0.5), GivenWeights(((4, 1), (2, 3)))]
)


@given(rows, st.integers(0, 999), all_weights)
def test_the_search_finds_the_largest_of_all_subsets_and_the_three_are_in_order(initial, seed, weights):
    rng = np.random.default_rng(seed)
    masked = [
        (int(a + rng.integers(0, 2)), str(rng.choice([s, "F"])), str(rng.choice([z, "48202"]))) for a, s, z in initial
    ]
    release = Release.in_order(file(initial), file(masked))
    values = []
    for measure in (MinimalDisclosureRisk(), WeightedDisclosureRisk(weights=weights), MaximalDisclosureRisk()):
        score = measure.measure(release)
        assert score.value == pytest.approx(max(measure.by_subset(release).values()), abs=1e-12)
        assert np.nanmean(score.by_record) == pytest.approx(score.value, abs=1e-12)
        values.append(score.value)
    assert 0 <= values[0] <= values[1] + 1e-12 and values[1] <= values[2] + 1e-12 and values[2] <= 1 + 1e-12


def test_an_untouched_file_of_uniques_is_wholly_at_risk_and_one_of_twins_half():
    unique = file([(age, "F", "48201") for age in range(8)])
    twins = file([(age // 2, "F", "48201") for age in range(8)])
    assert risk(MinimalDisclosureRisk(), Release.in_order(unique, unique)) == 1
    assert risk(MinimalDisclosureRisk(), Release.in_order(twins, twins)) == 0
    assert risk(MaximalDisclosureRisk(), Release.in_order(twins, twins)) == 0.5


def test_an_order_preserving_masking_leaves_the_factor_at_zero_and_lowers_the_risk_by_clusters_alone():
    ages = np.arange(30.0)
    data = file([(int(age), "F", "48201") for age in ages])
    release = protect(data, "optimal-univariate:group_size=3", ["Age"], seed=1)
    score = MaximalDisclosureRisk().measure(release)
    assert score.details["factors"]["Age"] == 0
    assert score.value == pytest.approx(1 / 3)


def test_a_key_that_was_changed_everywhere_is_left_out():
    data = file([(age, "F" if age % 2 else "M", "48201") for age in range(8)])
    flipped = file([(age, "M" if age % 2 else "F", "48201") for age in range(8)])
    score = MinimalDisclosureRisk().measure(Release.in_order(data, flipped))
    assert score.details["factors"]["Sex"] == 1
    assert score.value == 1 and "Sex" not in score.details["subset"]


def test_a_sample_is_judged_by_the_clusters_of_the_whole():
    data = file([(age // 2, "F", "48201") for age in range(8)])
    sample = Release(data, data.take(np.arange(0, 8, 2)))
    assert risk(MinimalDisclosureRisk(), sample) == 0  # unique in the sample, twins in the file
    assert risk(MaximalDisclosureRisk(), sample) == pytest.approx(4 * 0.5 / 8)


def test_rows_that_come_from_nobody_only_hide_the_others():
    data = file([(age, "F", "48201") for age in range(4)])
    masked = data.take(np.array([0, 1, 2, 3, 0, 1]))
    release = Release(data, masked, rows=Sampled(np.array([0, 1, 2, 3, -1, -1])))
    assert risk(MinimalDisclosureRisk(), release) == 0.5
    assert risk(MaximalDisclosureRisk(), release) == pytest.approx((2 + 2 * 0.5) / 4)


STEPS = ["global-recoding:levels=2", "additive-noise:variance_share=0.1", "pram:stay=0.9", "simple-sampling:share=0.5"]


def test_any_chain_is_judged():
    rng = np.random.default_rng(3)
    data = file([(int(age), str(rng.choice(["F", "M"])), str(rng.choice(ZIPS))) for age in rng.integers(0, 90, 200)])
    once = protect(data, "global-recoding:levels=2", seed=1)
    chain = protect(data, STEPS, seed=1)
    for measure in (MinimalDisclosureRisk(), MaximalDisclosureRisk()):
        assert risk(measure, chain) < risk(measure, once) <= risk(measure, data_untouched(data))


def data_untouched(data: Microdata) -> Release:
    return Release.in_order(data, data)


def test_suppressed_values_count_as_changed_and_missing_originals_are_skipped():
    before = np.array([1.0, 2.0, 3.0, np.nan])
    assert inversion_factor(before, np.array([1.0, 2.0, 3.0, np.nan])) == 0
    assert inversion_factor(before, np.full(4, np.nan)) == 1
    assert inversion_factor(before, np.array([1.0, np.nan, 3.0, np.nan])) == pytest.approx(4 * (2 / 2) / 6)
    data = file([(1, "F", "48201"), (2, None, "48202"), (3, "M", "88202")])
    gone = file([(1, None, "48201"), (2, None, "48202"), (3, "M", None)])
    factors = MaximalDisclosureRisk().measure(Release.in_order(data, gone)).details["factors"]
    assert factors == pytest.approx({"Age": 0, "Sex": 1 / 2, "Zip": 1 / 3})


def test_changes_within_the_tree_are_weak():
    data = file([(1, "F", "48201")] * 4)
    moved = file([(1, "F", zip_) for zip_ in ("48201", "48202", "48301", "88202")])
    for rule, expected in (
        (WeakChange(), 0 + 1 / 5 + 3 / 5 + 1),
        (ByLeaves(), 0 + 2 / 5 + 3 / 5 + 1),
        (AnyChange(), 3),
    ):
        factors = MaximalDisclosureRisk(weak_change=rule).measure(Release.in_order(data, moved)).details["factors"]
        assert factors["Zip"] == pytest.approx(expected / 4)


def test_a_rule_of_one_s_own():
    class Never(WeakChange):
        def factor(self, tree, one, other):
            return 0.0

    score = MaximalDisclosureRisk(weak_change=Never()).measure(golden())
    assert score.details["factors"]["Zip"] == 0


@pytest.mark.usefixtures("on_terminal")
def test_a_category_that_is_not_in_the_hierarchy_is_named():
    frame = pl.DataFrame({"Age": [1], "Sex": ["F"], "Zip": ["elsewhere"]})
    with pytest.raises(NotApplicableError, match="'elsewhere' is not in the hierarchy of 'Zip'"):
        MaximalDisclosureRisk().measure(Release.in_order(file([(1, "F", "48201")]), frame))


@pytest.mark.parametrize(
    ("matrix", "rule", "cell"),
    [
        ([[2, 3], [1, 1]], "R1", "w[1,1] < w[1,2]"),
        ([[4, 3, 1], [1, 3, 2], [1, 1, 1]], "R2", "w[2,3] > w[3,3]"),
        ([[4, 3, 3], [1, 3, 2]], "R3", "w[1,3] > w[2,3]"),
        ([[2, 1], [1, 3]], "R4", "w[1,1] < w[2,2]"),
        ([[1, 1], [2, 1]], "R6", "w[1,1] < w[2,1]"),
        ([[5, 1, 1], [3, 4, 1], [3, 2, 3]], "R7", "w[3,1] > w[3,2]"),
        ([[5, 1, 1], [1, 5, 1], [1, 2, 5]], "R8", "w[2,1] < w[3,2]"),
        ([[0, 0], [0, 0]], "R0", "w[1,1] = 0"),
        ([[1, -1], [0, 0]], "R0", "w[1,2] = -1"),
    ],
)  # fmt: skip
def test_the_rule_that_a_weight_matrix_breaks_is_named_with_its_place(matrix, rule, cell):
    broken = broken_rules(np.array(matrix, dtype=float))
    assert any(message.startswith(f"rule {rule}:") and cell in message for message in broken), broken
    with pytest.raises(ParameterError, match="breaks rule R"):
        GivenWeights(tuple(map(tuple, matrix)))


def test_the_last_rule_only_fixes_the_scale():
    whole = np.full((2, 2), 0.5)
    assert broken_rules(whole, records=2) == []
    assert broken_rules(whole, records=3)[0].startswith("rule R9")


@pytest.mark.parametrize("weights", [Weights(), UpTo(3), InverseSize(0.7), InverseSize()])
def test_the_weights_offered_keep_every_rule(weights):
    sizes = np.arange(1, 9)
    i, j = np.repeat(sizes, 8), np.tile(sizes, 8)
    assert broken_rules(weights(i, j).reshape(8, 8)) == []


def test_risk_falls_as_more_noise_is_added():
    rng = np.random.default_rng(5)
    data = file([(int(age), str(rng.choice(["F", "M"])), str(rng.choice(ZIPS))) for age in rng.integers(0, 90, 400)])
    noisy = [protect(data, f"additive-noise:variance_share={level}", ["Age"], seed=1) for level in (0.01, 0.1, 1)]
    values = [risk(MaximalDisclosureRisk(), release) for release in noisy]
    assert values == sorted(values, reverse=True) and values[0] > values[-1]


def test_every_pair_of_keys_is_a_subset_looked_at():
    subsets = MaximalDisclosureRisk().by_subset(golden())
    assert set(subsets) == {s for size in (1, 2, 3) for s in combinations(("Age", "Sex", "Zip"), size)}


def test_nothing_is_found_in_a_file_that_was_suppressed_altogether():
    data = file(INITIAL)
    gone = file([(None, None, None)] * len(INITIAL))
    score = MaximalDisclosureRisk().measure(Release.in_order(data, gone))
    assert score.value == 0 and score.details["subset"] == () and not score.by_record.any()


def test_a_constant_key_tells_nothing():
    data = file([(30, "F", "48201")] * 5)
    assert risk(MaximalDisclosureRisk(), Release.in_order(data, data)) == pytest.approx(1 / 5)
    assert risk(MinimalDisclosureRisk(), Release.in_order(data, data)) == 0


def test_many_keys_are_searched_without_trying_all_subsets():
    rng = np.random.default_rng(7)
    values = np.round(rng.normal(size=(300, 13)), 1)
    frame = pl.DataFrame({f"k{cell}": column for cell, column in enumerate(values.T)})
    score = MinimalDisclosureRisk().measure(protect(Microdata.from_frame(frame), "rank-swapping:window=0.1", seed=1))
    assert score.details["subsets_looked_at"] < 2**13 / 10


@pytest.mark.parametrize("measure", [MinimalDisclosureRisk(), MaximalDisclosureRisk()])
@pytest.mark.parametrize("most", [1, 3])
def test_a_search_that_is_cut_short_climbs_and_keeps_a_bound(measure, most, monkeypatch):
    rng = np.random.default_rng(6)
    names = list("abcdef")
    frame = pl.DataFrame({name: rng.integers(0, 4, 60) for name in names})
    data = Microdata.from_frame(frame, roles=dict.fromkeys(names, "key"))
    release = protect(data, "rank-swapping:window=0.2", seed=2)
    truth = max(measure.by_subset(release).values())
    assert measure.measure(release).value == pytest.approx(truth)
    monkeypatch.setattr("sdckit.risk.global_risk.disclosure_risk.MOST_SUBSETS", most)
    cut = measure.measure(release)
    assert cut.value <= truth + 1e-12
    assert (cut.bound if cut.bound is not None else cut.value) >= truth - 1e-12
