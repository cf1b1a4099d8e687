"""Possible rows: what the recipe leaves open is counted, and strict k-anonymity follows from it."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit import Intruder, Microdata, Release, build, protect
from sdckit.candidates import Candidates
from sdckit.errors import NotApplicableError, ParameterError
from sdckit.hierarchy import Hierarchy
from sdckit.microdata import Attribute, Kind, Role
from sdckit.recipe import Recipe, Step
from sdckit.row_sets import RowSets

POSSIBLE = build("risk", "possible-rows")


def k_anonymity(holes):
    return build("risk", "k-anonymity", holes=holes, group_size=3)


def suppressed(holes="any-value"):
    return build("masking", "local-suppression", group_size=3, holes=holes)


def file_of(rows):
    columns = {f"k{column}": [row[column] for row in rows] for column in range(len(rows[0]))}
    return Microdata.from_frame(pl.DataFrame(columns), roles=dict.fromkeys(columns, "key"))


def masked_by_hand(rows, released):
    """A release in which some values went missing, under the recipe that does so."""
    data = file_of(rows)
    gone = np.array([[value is None for value in row] for row in released])
    masked = data.with_columns(
        {name: np.where(gone[:, j], -1, data.columns[name]) for j, name in enumerate(data.names())}
    )
    return Release.in_order(data, masked, Recipe((Step(suppressed(), data.names()),)))


@pytest.fixture
def three_that_are_one():
    """Each row agrees with three by the usual rule, and nobody but its own record can be the first."""
    rows = [("a", "x"), ("b", "y"), ("c", "z")]
    return masked_by_hand(rows, [("a", None), (None, "y"), (None, None)])


def test_where_the_usual_rule_says_three_a_single_row_may_be_possible(three_that_are_one):
    assert k_anonymity("any-value").measure(three_that_are_one).details["smallest_class"] == 3
    score = POSSIBLE.measure(three_that_are_one)
    assert score.by_record.tolist() == [1 / 2, 1 / 2, 1]  # c, z contradicts a and y
    assert score.value == pytest.approx(2 / 3)
    assert (score.details["smallest_set"], score.details["smallest_class"]) == (1, 3)
    assert score.details["one_possible_row"] == pytest.approx(1 / 3)


def test_the_two_strict_rules_differ(three_that_are_one):
    found = {
        holes: k_anonymity(holes).measure(three_that_are_one).details["smallest_class"]
        for holes in ("any-value", "candidates", "own-value")
    }
    assert found == {"any-value": 3, "candidates": 1, "own-value": 1}
    rows = [("a", "x"), ("a", "y"), ("a", "z")]
    release = masked_by_hand(rows, [("a", None), ("a", "y"), ("a", None)])
    assert k_anonymity("candidates").measure(release).details["smallest_class"] == 2
    assert k_anonymity("own-value").measure(release).details["smallest_class"] == 1


def test_without_holes_all_three_rules_agree():
    data = file_of([("a", "x")] * 3 + [("b", "x")] * 2)
    release = Release.in_order(data, data, Recipe((Step(suppressed(), data.names()),)))
    scores = [k_anonymity(holes).measure(release) for holes in ("any-value", "own-value", "candidates")]
    assert [score.value for score in scores] == [0.4] * 3
    assert POSSIBLE.measure(release).value == pytest.approx((3 / 3 + 2 / 2) / 5)


@given(
    st.lists(st.tuples(*[st.sampled_from("abc")] * 3), min_size=3, max_size=14),
    st.sampled_from(["own-value", "candidates"]),
)
def test_strict_suppression_is_strictly_anonymous(rows, holes):
    release = protect(file_of(rows), suppressed(holes), seed=1)
    assert k_anonymity(holes).measure(release).value == 0
    assert k_anonymity("candidates").measure(release).value == 0
    assert k_anonymity("any-value").measure(release).value == 0


def test_recoding_is_seen_through_a_later_suppression():
    codes = ("11", "12", "21", "22")
    attributes = (
        Attribute("post code", Kind.PARTIALLY_ORDERED, Role.KEY, codes, Hierarchy.by_prefix(codes)),
        Attribute("town", Kind.UNORDERED, Role.KEY, categories=("Ely", "Rye")),
    )
    data = Microdata(
        attributes, {"post code": np.array([0, 1, 0, 2, 3, 2, 3, 3]), "town": np.array([0, 0, 1, 0, 0, 0, 1, 1])}
    )
    recipe = Recipe(
        (
            Step(build("masking", "global-recoding"), ("post code",)),
            Step(build("masking", "local-suppression", group_size=2), ("post code", "town")),
        )
    )
    release = protect(data, recipe, seed=1)
    known = Candidates.known(data, ("post code", "town"))
    sizes = RowSets.of_candidates(release.recipe.candidates(known, release.masked), release.masked).sizes
    lifted = data.columns["post code"] // 2
    district = {str(category): code for code, category in enumerate(release.masked.attribute("post code").categories)}
    released = {"1*": 0, "2*": 1}
    nodes = release.masked.columns["post code"]
    texts = {code: text for text, code in district.items()}
    of_row = np.array(
        [released.get(texts[code], int(texts[code][0]) - 1) if code >= 0 else -1 for code in nodes.tolist()]
    )
    towns = release.masked.columns["town"]
    by_hand = [
        int((((of_row < 0) | (of_row == lifted[i])) & ((towns < 0) | (towns == data.columns["town"][i]))).sum())
        for i in range(len(data))
    ]
    assert sizes.tolist() == by_hand
    assert max(by_hand) < len(data)


def test_records_that_were_left_out_count_for_nothing():
    data = file_of([(value,) for value in "abcdefgh"])
    release = protect(data, "simple-sampling:share=0.5", seed=1)
    score = POSSIBLE.measure(release)
    assert score.value == pytest.approx(0.5)  # each drawn record has one possible row, the others none
    assert score.details["smallest_set"] == 1
    assert k_anonymity("candidates").measure(release).value == 1


def test_knowing_fewer_keys_leaves_more_rows_open():
    rng = np.random.default_rng(1)
    release = protect(file_of([tuple(row) for row in rng.choice(list("abcd"), (80, 3)).tolist()]), suppressed(), seed=1)
    values = [POSSIBLE.measure(release, Intruder(attributes=("k0", "k1", "k2")[:known])).value for known in (1, 2, 3)]
    assert values == sorted(values) and values[0] < values[-1]


def test_an_intruder_without_the_recipe_or_with_errors_rules_out_nothing():
    data = file_of([("a",), ("b",), ("b",)])
    with pytest.raises(NotApplicableError):
        POSSIBLE.measure(Release.in_order(data, data))
    numbers = Microdata.from_frame(pl.DataFrame({"x": [1.0, 2.0, 3.0]}))
    with pytest.raises(NotApplicableError, match="exactly"):
        POSSIBLE.measure(protect(numbers, "rounding", seed=1), Intruder(noise=0.1))


def test_the_notes_warn_and_give_the_price():
    rng = np.random.default_rng(2)
    data = file_of([tuple(row) for row in rng.choice(list("abcdef"), (120, 3)).tolist()])
    release = protect(data, suppressed(), seed=1)
    warning, price = release.notes()
    assert "fewer than 3 possible rows" in warning and "candidates" in warning
    lost = {
        holes: sum(protect(data, suppressed(holes), seed=1).masked.missing(name) for name in data.names())
        for holes in ("any-value", "own-value", "candidates")
    }
    for holes, values in lost.items():
        assert f"{holes} {values}" in price
    assert len(protect(data, suppressed("own-value"), seed=1).notes()) == 1  # no warning where the rule is strict


def test_a_part_of_the_keys_is_counted_by_the_usual_rule_alone():
    with pytest.raises(ParameterError, match="leave out known"):
        protect(file_of([("a", "x")] * 4), build("masking", "local-suppression", known=1, holes="own-value"))


def test_an_unknown_rule_is_refused():
    with pytest.raises(ParameterError, match="any-value"):
        build("masking", "local-suppression", holes="wildcard")
