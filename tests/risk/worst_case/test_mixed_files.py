"""Learned linkages on files of every kind of attribute: they include mixed linkage, and one rule for ties."""

from dataclasses import replace

import numpy as np
import pytest
from tests.conftest import reference_file
from tests.methods.files import correlated, numeric

from sdckit import Intruder, Schema, build, protect, read_release
from sdckit.candidates import Candidates
from sdckit.catalogue import entries
from sdckit.linear_distances.pairs import compare
from sdckit.recipe import Recipe, Step
from sdckit.release import Release
from sdckit.risk.worst_case.compared_files import compared_files
from sdckit.testing.files import POST_CODES, a_file, with_missing

pytestmark = pytest.mark.slow  # the kernels that learn take long to compile

FAMILIES = [entry.name for entry in entries("risk") if entry.family == "worst_case"]
by_name = pytest.mark.parametrize("name", FAMILIES)
KEYS = ("age", "yearly income", "post code", "town")


def masked(data, seed=1):
    steps = (
        Step(build("masking", "additive-noise", variance_share=0.3), ("age", "yearly income")),
        Step(build("masking", "pram"), ("town",)),
    )
    return protect(data, Recipe(steps), seed=seed)


def learned(name, release, budget=1.0, **parameters):
    return build("risk", name, budget=budget, **parameters).measure(release, Intruder(attributes=KEYS), seed=1)


@by_name
@pytest.mark.parametrize("holes", [False, True], ids=["complete", "holes"])
def test_the_figure_is_below_its_bound_whatever_the_rule_for_ties(name, holes):
    data = a_file(60, coarse=True)
    release = masked(with_missing(data) if holes else data)
    for strict in (True, False):
        score = learned(name, release, strict=strict)
        assert 0 <= score.value <= score.bound + 1e-12 <= 1 + 1e-12
        assert score.details["ties"] == ("no link" if strict else "shared")
        assert np.nanmean(score.by_record) == pytest.approx(score.value)
        assert set(score.by_attribute) == set(KEYS)


@by_name
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_mixed_linkage_is_one_of_the_distances(name, seed):
    """The distance of mixed linkage has equal weights: without missing values what it links alone is linked here."""
    release = masked(a_file(80, seed), seed)
    mixed = build("risk", "mixed-linkage").measure(release, Intruder(attributes=KEYS))
    score = learned(name, release)
    assert score.value >= mixed.details["strict"]
    assert score.bound >= mixed.details["strict"]


@pytest.mark.parametrize("recipe", ["rank-swapping-10", "mdav-5", "noise-1", "pram-and-mdav-5"])
def test_it_finds_at_least_what_mixed_linkage_finds_on_adult(recipe):
    """Numbers masked, categories of four attributes: mixed linkage has its share of ties as well."""
    release = adult(recipe)
    mixed = build("risk", "mixed-linkage").measure(release)
    score = build("risk", "weighted-mean-linkage", budget=2.0).measure(release, seed=1)
    assert mixed.value <= score.value <= score.bound


def test_it_finds_at_least_what_mixed_linkage_finds_where_values_are_suppressed():
    release = adult("local-suppression-3-and-rank-swapping-10")
    mixed = build("risk", "mixed-linkage").measure(release)
    for apart in (False, True):
        score = build("risk", "weighted-mean-linkage", budget=2.0, missing_apart=apart).measure(release, seed=1)
        assert mixed.value <= score.value <= score.bound


def adult(recipe):
    schema = Schema.from_toml(reference_file("data", "arena", "schema.toml"))
    original, release = (reference_file("data", "arena", f"{name}.csv") for name in ("original", recipe))
    return read_release(original, release, schema=schema, rows_in_order=True)


@by_name
def test_a_file_of_categories_alone_is_linked(name):
    data = a_file(40)
    intruder = Intruder(attributes=("post code", "town"))
    score = build("risk", name, budget=0.5).measure(Release.in_order(data, data), intruder, seed=1)
    sizes = np.unique(np.column_stack([data.columns["post code"], data.columns["town"]]), axis=0)
    assert score.value == pytest.approx(len(sizes) / 40) == pytest.approx(score.bound)  # equal records share a link


def test_categories_of_a_tree_differ_by_their_distance_in_it():
    data = a_file(40)
    view = Intruder(attributes=("post code",)).view(Release.in_order(data, data))
    files = compared_files(view, absolute=True)
    table = files.columns[0].table ** 2
    codes = np.unique(data.columns["post code"]).tolist()
    one, sibling, other = (codes.index(POST_CODES.index(code)) for code in ("48201", "48202", "88301"))
    assert table[one, one] == 0 and 0 < table[one, sibling] < table[one, other] == 1


@by_name
def test_equal_released_rows_share_a_link_as_in_the_other_linkages(name):
    """Microaggregated as a whole, a file has at least three equal rows of each kind: a strict rule finds nothing."""
    release = protect(numeric(correlated(30, 2, seed=4)), build("masking", "mdav", group_size=3), seed=1)
    shared = build("risk", name, budget=0.5).measure(release, seed=1)
    strict = build("risk", name, budget=0.5, strict=True).measure(release, seed=1)
    assert strict.value == strict.bound == 0
    assert 0 < shared.value <= shared.bound <= 1 / 3 + 1e-12
    plain = build("risk", "distance-linkage").measure(release)
    assert shared.value >= plain.value - 1e-12  # equal weights are a distance of every family


def test_missing_values_with_weights_of_their_own_belong_to_their_attribute():
    release = masked(with_missing(a_file(50)))
    view = Intruder(attributes=KEYS).view(release)
    files = compared_files(view, absolute=False).with_missing_apart()
    assert len(files.columns) == 8 and sorted(files.attributes) == sorted(2 * KEYS)
    score = learned("weighted-mean-linkage", release, missing_apart=True)
    assert sum(score.by_attribute.values()) == pytest.approx(1)
    complete = compared_files(Intruder(attributes=KEYS).view(masked(a_file(50))), absolute=False)
    assert complete.with_missing_apart() is complete


def test_an_attribute_that_the_whole_release_lacks_does_no_harm():
    data = a_file(40)
    release = masked(data)
    gone = release.masked.with_columns({"town": np.full(40, -1), "yearly income": np.full(40, np.nan)})
    score = learned("weighted-mean-linkage", Release.in_order(data, gone))
    without = build("risk", "weighted-mean-linkage").measure(
        Release.in_order(data, gone), Intruder(attributes=("age", "post code")), seed=1
    )
    assert score.value == pytest.approx(without.value)


def test_renamed_and_reordered_categories_differ_alike():
    release = masked(with_missing(a_file(50)))
    files = []
    for file in (release.original, release.masked):
        new_code = np.array([2, 0, 1, -1])  # Ely, Rye, Wells, missing
        attribute = replace(file.attribute("town"), categories=("Rye again", "Wells again", "Ely again"))
        files.append(file.with_columns({"town": new_code[file.columns["town"]]}, [attribute]))
    everyone = np.repeat(np.arange(50), 50), np.tile(np.arange(50), 50)
    differences = []
    for each in (release, Release.in_order(*files)):
        compared = compared_files(Intruder(attributes=KEYS).view(each), absolute=False)
        differences.append(compare(compared.known, compared.released, compared.columns).differences(*everyone))
    np.testing.assert_allclose(*differences)


@pytest.mark.parametrize("reverse", [False, True])
def test_rows_that_the_recipe_rules_out_are_no_candidates(reverse):
    data = a_file(60).only(("age", "yearly income", "post code"))
    release = protect(
        data, Recipe((Step(build("masking", "rank-swapping", window=0.1), ("age", "yearly income")),)), seed=1
    )
    risk = build("risk", "weighted-mean-linkage", within=True, reverse=reverse, budget=0.5)
    view, possible = risk.view(release, Intruder(), 1)
    candidates = release.recipe.candidates(Candidates.known(view.known, view.attributes), view.released)
    for record in range(60):
        np.testing.assert_array_equal(possible.of(record), np.flatnonzero(candidates.admits(view.released, record)))
    free = build("risk", "weighted-mean-linkage", reverse=reverse, budget=0.5).measure(release, seed=1)
    score = risk.measure(release, seed=1)
    assert free.value <= score.bound and score.value <= score.bound
