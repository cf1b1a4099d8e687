"""The attack by who knows method and parameters, on the printed example and on the reference files."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import columns, reference_file
from tests.methods.files import correlated, numeric

from sdckit.catalogue import build, entries
from sdckit.errors import NotApplicableError, SdcError
from sdckit.intruder import Intruder
from sdckit.methods.microaggregation.optimal_univariate import OptimalUnivariate
from sdckit.methods.swapping.rank_swapping import RankSwapping
from sdckit.methods.swapping.rank_swapping_buckets import RankSwappingBuckets
from sdckit.microdata import Microdata
from sdckit.recipe import Recipe
from sdckit.release import Release, protect
from sdckit.risk.linkage.distance_linkage import DistanceLinkage
from sdckit.risk.transparency.intersection_attack import IntersectionAttack
from sdckit.testing.files import a_file


def printed_example() -> Release:
    """Ten records, four attributes, rank swapping with a window of two ranks (slides of 2015)."""
    table = columns(reference_file("published", "rank_swapping_example.csv"))
    original = {f"a{j}": [float(x) for x in table[f"a{j}"]] for j in range(1, 5)}
    masked = {f"a{j}": [float(x) for x in table[f"m{j}"]] for j in range(1, 5)}
    recipe = Recipe.of(RankSwapping(window=0.2))
    return Release.in_order(
        Microdata.from_frame(pl.DataFrame(original)), Microdata.from_frame(pl.DataFrame(masked)), recipe=recipe
    )


def set_sizes(release, intruder=Intruder()):
    """How many rows the recipe leaves possible, record by record."""
    view = intruder.view(release)
    return IntersectionAttack().attack(view).links(np.arange(len(view))).count


def test_the_printed_example_leaves_the_printed_sets():
    release = printed_example()
    sizes = {
        "a1": [5, 5, 3, 5, 4, 4, 3, 5, 5, 5],
        "a2": [4, 5, 5, 3, 5, 4, 3, 5, 5, 5],
        "a3": [3, 3, 5, 4, 5, 5, 5, 5, 5, 4],
        "a4": [5, 4, 3, 5, 5, 5, 4, 3, 5, 5],
    }
    for name, expected in sizes.items():
        assert set_sizes(release, Intruder(attributes=(name,))).tolist() == expected
    records = np.arange(10)
    together = IntersectionAttack().attack(Intruder().view(release)).links(records, release.true_rows(records))
    assert together.count.tolist() == [1, 1, 1, 1, 2, 1, 1, 1, 2, 2]
    assert together.truth_covered.all()
    assert together.nearest[together.count == 1].tolist() == [0, 1, 2, 3, 5, 6, 7]
    assert IntersectionAttack().measure(release).details["certain_matches"] == 0.7


def test_a_part_of_the_records_is_linked_as_all_of_them_are():
    release = protect(a_file(60), ("rank-swapping:window=0.2", "mdav", "local-suppression"), seed=1)
    attack = IntersectionAttack().attack(Intruder().view(release))
    some = np.array([3, 4, 17, 59])
    part, whole = attack.links(some), attack.links(np.arange(60))
    assert part.count.tolist() == whole.count[some].tolist()
    assert part.nearest.tolist() == whole.nearest[some].tolist()


def test_on_large_files_a_sample_of_the_records_is_linked():
    release = protect(numeric(correlated(400, 3, seed=1)), RankSwapping(window=0.1), seed=1)
    whole, part = IntersectionAttack().measure(release), IntersectionAttack(max_records=100).measure(release)
    assert np.isfinite(part.by_record).sum() == part.details["records_attacked"] == 100
    judged = np.isfinite(part.by_record)
    assert part.by_record[judged].tolist() == whole.by_record[judged].tolist()
    assert part.interval[0] <= whole.value <= part.interval[1]


@pytest.mark.parametrize("window", [0.02, 0.1, 0.2])
@pytest.mark.parametrize("file", ["census", "eia"])
def test_no_true_record_is_ever_excluded_on_the_reference_files(file, window, request):
    release = protect(numeric(request.getfixturevalue(file)), RankSwapping(window=window), seed=1)
    score = IntersectionAttack().measure(release)
    assert score.details["coverage"] == 1
    assert score.details["coverage_promised"]
    assert score.value >= DistanceLinkage().measure(release).value


@pytest.mark.parametrize("group_size", [3, 5, 10])
def test_univariate_microaggregation_hides_nobody_of_census(census, group_size):
    """Shares of singletons with the first two attributes known, each record attacked alone (ALGORITHMS 2)."""
    singles = {3: 0.9648, 5: 0.9222, 10: 0.7028}
    release = protect(numeric(census), OptimalUnivariate(group_size=group_size), seed=1)
    score = IntersectionAttack(single_target=True).measure(release, Intruder(attributes=("a", "b")))
    assert score.details["coverage"] == 1
    assert score.details["certain_matches"] == pytest.approx(singles[group_size], abs=5e-5)


def test_risk_falls_as_the_window_widens(census):
    data = numeric(census)
    found = [
        IntersectionAttack().measure(protect(data, RankSwapping(window=w), seed=2)).value for w in (0.02, 0.1, 0.2)
    ]
    assert found == sorted(found, reverse=True)


@given(st.integers(2, 30), st.integers(0, 999), st.sampled_from([0.0, 0.1, 0.5]))
def test_no_set_grows_when_an_attribute_is_added(records, seed, window):
    release = protect(numeric(np.round(correlated(records, 3, seed))), RankSwapping(window=window), seed=seed)
    sizes = [set_sizes(release, Intruder(attributes=names)) for names in (("a",), ("a", "b"), ("a", "b", "c"))]
    assert (sizes[1] <= sizes[0]).all()
    assert (sizes[2] <= sizes[1]).all()


def test_a_window_assumed_too_narrow_shows_in_empty_sets_and_too_wide_in_larger_ones():
    release = protect(numeric(correlated(300, 4, seed=1)), RankSwapping(window=0.1), seed=1)
    narrow, true, wide = (
        IntersectionAttack().measure(
            Release.in_order(release.original, release.masked, Recipe.of(RankSwapping(window=w)))
        )
        for w in (0.02, 0.1, 0.2)
    )
    assert narrow.details["empty_sets"] > 0.5
    assert narrow.details["coverage"] < 1
    assert wide.details["coverage"] == true.details["coverage"] == 1
    assert true.details["mean_set"] < wide.details["mean_set"]


def test_an_attack_with_a_window_assumed_too_wide_still_beats_plain_linkage():
    data = numeric(correlated(300, 4, seed=1))
    releases = [protect(data, RankSwapping(window=0.1), seed=seed) for seed in range(5)]
    wide = Recipe.of(RankSwapping(window=0.2))
    attacked = [
        IntersectionAttack().measure(Release.in_order(each.original, each.masked, wide)).value for each in releases
    ]
    linked = [DistanceLinkage().measure(each).value for each in releases]
    assert np.mean(attacked) > np.mean(linked)


def test_resistant_swapping_leaves_every_record_possible():
    release = protect(numeric(correlated(100, 3, seed=1)), RankSwappingBuckets(buckets=5), seed=1)
    assert (set_sizes(release) == 100).all()
    assert IntersectionAttack().measure(release).value == pytest.approx(DistanceLinkage().measure(release).value)


@pytest.mark.parametrize("entry", entries("masking", Microdata), ids=lambda entry: entry.name)
def test_whatever_is_promised_holds_for_every_masking(entry):
    """Coverage is 1 wherever a method promises it, whole numbers, ties and a category included."""
    rng = np.random.default_rng(5)
    frame = pl.DataFrame(
        {
            "age": rng.integers(0, 30, 60),
            "pay": np.round(rng.lognormal(3, 1, 60), 2),
            "tax": np.round(rng.lognormal(2, 1, 60), 1),
            "sex": rng.choice(["f", "m"], 60),
        }
    )
    data = Microdata.from_frame(frame, roles=dict.fromkeys(frame.columns, "key"))
    try:
        release = protect(data, entry.build(), seed=3)
    except SdcError:
        pytest.skip(f"{entry.name} does not mask this file as it is")
    if not release.corresponds:
        pytest.skip(f"{entry.name} releases no row of a record")
    for alone in (True, False):
        score = IntersectionAttack(single_target=alone).measure(release)
        if score.details["coverage_promised"]:
            assert score.details["coverage"] == 1
            assert score.details["empty_sets"] == (0 if len(release.masked) == 60 else pytest.approx(0.5, abs=0.5))


def test_a_chain_is_attacked_through_its_steps():
    """Swapping, then rounding: both hold, and the sets grow with the second step."""
    data = numeric(correlated(200, 3, seed=2) * 100)
    chain = protect(data, [RankSwapping(window=0.05), build("masking", "rounding", base=50)], seed=1)
    score = IntersectionAttack().measure(chain)
    assert score.details["coverage"] == 1
    assert score.details["coverage_promised"]


def test_an_intruder_who_does_not_know_the_recipe_cannot_attack():
    release = protect(numeric(correlated(20, 2, seed=1)), RankSwapping(), seed=1)
    with pytest.raises(NotApplicableError, match="recipe"):
        IntersectionAttack().measure(release, Intruder(knows_method=False))
    with pytest.raises(NotApplicableError, match="recipe"):
        IntersectionAttack().measure(Release.in_order(release.original, release.masked))


def test_one_record_is_always_found():
    release = protect(numeric(np.array([[3.0, 4.0]])), RankSwapping(), seed=1)
    assert IntersectionAttack().measure(release).details["certain_matches"] == 1


def test_aligning_the_known_part_of_a_column_leaves_fewer_rows_and_promises_nothing(census):
    release = protect(numeric(census), OptimalUnivariate(group_size=5), seed=1)
    some = Intruder(records=tuple(range(0, 1080, 3)), attributes=("a",))
    bracketed = IntersectionAttack().measure(release, some)
    aligned = IntersectionAttack(align=True).measure(release, some)
    assert aligned.details["mean_set"] < bracketed.details["mean_set"]
    assert bracketed.details["coverage"] == 1
    assert bracketed.details["coverage_promised"]
    assert not aligned.details["coverage_promised"]


def mixed_file(records, seed):
    rng = np.random.default_rng(seed)
    columns = {
        **{f"n{j}": rng.normal(size=records).round(4) for j in range(3)},
        **{f"c{j}": rng.choice(list("abcde"), records) for j in range(3)},
    }
    return Microdata.from_frame(pl.DataFrame(columns), roles=dict.fromkeys(columns, "key"))


def informed_and_plain(data, methods, intruder=Intruder()):
    release = protect(data, methods, seed=1)
    return [build("risk", name).measure(release, intruder) for name in ("intersection-attack", "mixed-linkage")]


def test_categories_that_were_changed_at_random_still_help_in_a_set():
    data = mixed_file(300, 1)
    recipe = Recipe.of(["pram:stay=0.9", "rank-swapping:window=0.2"])
    informed, plain = informed_and_plain(data, recipe)
    numbers_only = Intruder(attributes=("n0", "n1", "n2"))
    assert informed.value > plain.value
    assert informed.value > informed_and_plain(data, recipe, numbers_only)[0].value


@pytest.mark.parametrize(
    "method", ["mdav:group_size=5", "v-mdav:group_size=4", "mondrian-relaxed", "sugeno-projection"]
)
@pytest.mark.parametrize("known", [("n0", "n1", "n2", "c0", "c1"), ("n0", "c0", "c1", "c2")])
def test_sets_that_are_not_promised_do_not_weaken_the_attack(method, known):
    release = protect(mixed_file(400, 2), method, ("n0", "n1", "n2"), seed=1)
    view = Intruder(attributes=known).view(release)
    attack = IntersectionAttack().attack(view)
    everyone = np.arange(len(view))
    by_likely = attack.links(everyone, everyone)
    by_promised = replace(attack, constraints=attack.promised, certain=True).links(everyone, everyone)
    found, plain = ((each.truth_tied / np.maximum(each.ties, 1)).mean() for each in (by_likely, by_promised))
    assert found >= plain - 0.01


def test_a_likely_set_is_no_certain_match():
    release = protect(mixed_file(60, 3), "mdav:group_size=3", ("n0", "n1", "n2"), seed=1)
    score = build("risk", "intersection-attack").measure(release, Intruder(attributes=("n0", "n1", "n2")))
    assert not score.details["coverage_promised"]
    assert score.details["certain_matches"] == 0  # by what is promised every row is possible
