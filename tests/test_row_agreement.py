"""Two plain files show the order of their rows, or the correspondence is unknown; never a wrong one."""

from dataclasses import replace
from itertools import groupby, permutations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit import Microdata, Recipe, Release, protect
from sdckit.attribute import Role
from sdckit.errors import SchemaError
from sdckit.row_agreement import (
    _repeats,
    _sorted_by,
    disagreement,
    rows_by_agreement,
    rows_matched_on,
    unmasked_columns,
)
from sdckit.rows import Matched, Sampled, Unknown, Unrelated
from sdckit.testing.files import a_file

NOISE = Recipe.of("additive-noise", ["income"])


def survey(records: int = 60, seed: int = 0, **columns: object) -> Microdata:
    rng = np.random.default_rng(seed)
    frame = {
        "income": rng.normal(size=records),
        "region": rng.integers(0, 4, records),
        "sex": rng.integers(0, 2, records),
    }
    return Microdata.from_frame(pl.DataFrame({**frame, **columns}))


def masked_twin(original: Microdata) -> Microdata:
    """The file with other incomes; plain, as read from a file."""
    return original.with_columns({"income": original.columns["income"] + 0.25})


def rearranged(data: Microdata, order: object) -> Microdata:
    """The rows in another order, plain as read from a file."""
    return Microdata(data.attributes, {name: column[order] for name, column in data.columns.items()})


def test_unmasked_columns_that_agree_show_the_order() -> None:
    original = survey()
    rows = rows_by_agreement(original, masked_twin(original), NOISE)
    assert isinstance(rows, Matched) and np.array_equal(rows.origin, np.arange(60))


def test_only_columns_in_both_files_and_out_of_the_recipe_are_evidence() -> None:
    original = survey(note=["a"] * 60)
    assert unmasked_columns(original, masked_twin(original).without(["sex"]), NOISE) == ("region", "note")


@given(st.integers(0, 1000), st.integers(1, 59))
def test_shuffled_rows_are_never_taken_for_ordered_ones(seed: int, moved: int) -> None:
    original = survey(seed=seed)
    order = np.random.default_rng(seed).permutation(60) if moved % 2 else np.roll(np.arange(60), moved)
    shuffled = rearranged(masked_twin(original), order)
    agree = all(np.array_equal(original.columns[name], shuffled.columns[name]) for name in ("region", "sex"))
    assert isinstance(rows_by_agreement(original, shuffled, NOISE), Matched if agree else Unknown)


@pytest.mark.parametrize("by", [["region"], ["sex"], ["region", "sex"], ["sex", "region"]])
@pytest.mark.parametrize("descending", [False, True])
def test_a_masked_file_sorted_as_the_original_is_not_taken_for_one_in_its_order(
    by: list[str], descending: bool
) -> None:
    plain = survey(200)
    frame = pl.DataFrame(dict(plain.columns))
    original = Microdata.from_frame(frame.sort(by, descending=descending))
    anew = masked_twin(original).to_frame().sort([*by, "income"], descending=descending)
    kept = Microdata.from_frame(anew)
    same = np.array_equal(kept.columns["income"], masked_twin(original).columns["income"])
    assert not same
    rows = rows_by_agreement(original, kept, NOISE)
    assert isinstance(rows, Unknown)


def test_sorting_within_households_is_excluded_by_what_differs_in_them() -> None:
    household = np.repeat(np.arange(40), 3)
    person = np.tile(np.arange(3), 40)
    original = survey(120, household=household, person=person)
    assert isinstance(rows_by_agreement(original, masked_twin(original), NOISE), Matched)
    bare = original.without(["person", "region", "sex"])
    rows = rows_by_agreement(bare, masked_twin(bare), NOISE)
    assert isinstance(rows, Unknown) and "sorted by columns left unmasked (household)" in rows.reason


@pytest.mark.parametrize("sorted_by_region", [False, True])
def test_a_panel_put_in_another_order_of_its_firms_is_not_taken_for_one_in_order(sorted_by_region: bool) -> None:
    firms, years = 40, 3
    region = np.repeat(np.arange(firms) // 10, years) if sorted_by_region else [0] * firms * years
    original = survey(firms * years, region=region, sex=np.tile([2019, 2020, 2021], firms))
    order = np.arange(firms * years).reshape(-1, 10, years)[:, ::-1].reshape(-1)  # firms in reverse within ten
    anew = rearranged(masked_twin(original), order)
    assert all(np.array_equal(original.columns[name], anew.columns[name]) for name in ("region", "sex"))
    rows = rows_by_agreement(original, anew, NOISE)
    assert isinstance(rows, Unknown) and "repeat one pattern" in rows.reason


def test_households_of_different_sizes_repeat_no_pattern() -> None:
    sizes = np.random.default_rng(3).integers(1, 5, 40)
    person = np.concatenate([np.arange(size) for size in sizes])
    original = survey(len(person), region=[0] * len(person), sex=person)
    assert isinstance(rows_by_agreement(original, masked_twin(original), NOISE), Matched)


@pytest.mark.parametrize("sampled", [False, True])
def test_the_lineage_of_another_file_is_not_trusted(sampled: bool) -> None:
    original = survey()
    recipe = Recipe.of("simple-sampling:share=0.5") if sampled else NOISE
    masked = protect(original, recipe, seed=1).masked.take(np.arange(20))
    assert isinstance(Release(original, masked, recipe).rows, Sampled)
    other = rearranged(original, np.arange(60)[::-1])
    rows = Release(other, masked, recipe).rows
    assert isinstance(rows, Unknown) and "not the file that was masked" in rows.reason


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        ({"region": [1] * 60, "sex": [2] * 60}, "would agree in another order"),
        ({"region": [1] * 30 + [2] + [1] * 29, "sex": [2] * 60}, "would agree in another order"),
        ({"region": sorted([1, 2] * 30), "sex": [2] * 60}, "sorted by columns left unmasked (region)"),
    ],
)
def test_agreement_that_means_nothing_is_unknown(columns: dict[str, list[int]], reason: str) -> None:
    original = survey(**columns)
    rows = rows_by_agreement(original, masked_twin(original), NOISE)
    assert isinstance(rows, Unknown) and reason in rows.reason


@given(st.lists(st.integers(0, 2), min_size=2, max_size=5), st.integers(0, 119))
def test_few_records_never_show_an_order_unless_all_differ(regions: list[int], which: int) -> None:
    size = len(regions)
    original = survey(size, region=regions, sex=[0] * size)
    orders = list(permutations(range(size)))
    shuffled = rearranged(masked_twin(original), np.array(orders[which % len(orders)]))
    rows = rows_by_agreement(original, shuffled, NOISE)
    if isinstance(rows, Matched):
        assert np.array_equal(shuffled.columns["region"], original.columns["region"]) and len(set(regions)) == size


def test_missing_values_agree_with_missing_values_alone() -> None:
    region = [None if number % 7 == 0 else number % 3 for number in range(60)]
    original = survey(region=region)
    assert isinstance(rows_by_agreement(original, masked_twin(original), NOISE), Matched)
    filled = masked_twin(original).with_columns({"region": np.nan_to_num(original.columns["region"], nan=1.0)})
    assert isinstance(rows_by_agreement(original, filled, NOISE), Unknown)


def test_duplicates_are_no_obstacle_where_most_records_differ() -> None:
    original = survey()
    twice = rearranged(original, np.r_[np.arange(60), np.arange(30)])
    assert isinstance(rows_by_agreement(twice, masked_twin(twice), NOISE), Matched)


def test_a_sample_a_synthesis_and_a_file_without_recipe_show_nothing() -> None:
    original = survey()
    sample = rearranged(masked_twin(original), np.arange(50))
    rows = rows_by_agreement(original, sample, NOISE)
    assert isinstance(rows, Unknown) and "60 records" in rows.reason and "50" in rows.reason
    assert isinstance(rows_by_agreement(original, masked_twin(original), None), Unknown)


def test_a_recipe_that_masks_every_column_shows_nothing() -> None:
    original = survey()
    rows = rows_by_agreement(original, original, Recipe.of("additive-noise", ["income", "region", "sex"]))
    assert isinstance(rows, Unknown) and "masked every column" in rows.reason


def test_a_synthesised_file_is_unrelated(monkeypatch: pytest.MonkeyPatch) -> None:
    from sdckit.rows import Rows

    monkeypatch.setattr(type(NOISE.steps[0].masking), "rows", Rows.SYNTHESISED)
    assert isinstance(rows_by_agreement(survey(), survey(), NOISE), Unrelated)


@pytest.mark.slow
def test_a_million_rows_are_compared_in_seconds() -> None:
    original = survey(1_000_000)
    assert isinstance(rows_by_agreement(original, masked_twin(original), NOISE), Matched)


@given(st.permutations(range(20)), st.integers(1, 20))
def test_matching_on_a_column_recovers_any_order_and_any_sample(order: list[int], size: int) -> None:
    original = survey(20, number=np.arange(100, 120))
    kept = np.array(order[:size])
    rows = rows_matched_on(original, rearranged(masked_twin(original), kept), "number", NOISE)
    assert np.array_equal(rows.origin, kept)
    assert isinstance(rows, Matched if size == 20 else Sampled)


def test_one_and_the_text_1_match() -> None:
    original, masked = survey(3, number=[1, 2, 3]), survey(3, number=["3", "1", "2"])
    assert rows_matched_on(original, masked, "number").origin.tolist() == [2, 0, 1]


@pytest.mark.usefixtures("on_terminal")
@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ([1, 1, 2], [1, 2, 3], "'1' appears twice in the original"),
        ([1, 2, 3], [1, 1, 2], "'1' appears twice in the masked file"),
        ([1, 2, 3], [1, 2, 4], "such as '4', are not in the original"),
        ([1, None, 3], [1, 2, 3], "1 of its values are missing in the original"),
    ],
)
def test_a_column_that_does_not_identify_the_records_is_refused(before, after, message: str) -> None:
    with pytest.raises(SchemaError, match=message):
        rows_matched_on(survey(3, number=before), survey(3, number=after), "number")


def test_a_column_that_is_not_there_or_was_masked_is_refused() -> None:
    with pytest.raises(SchemaError, match="the masked file has no column 'number'"):
        rows_matched_on(survey(3, number=[1, 2, 3]), survey(3), "number")
    original = survey(3)
    with pytest.raises(SchemaError, match="the recipe masks it"):
        rows_matched_on(original, original, "income", NOISE)


def test_a_release_of_a_file_masked_here_needs_no_evidence() -> None:
    release = protect(a_file(30), "mdav", seed=1)
    assert isinstance(release.rows, Matched)
    plain = rearranged(release.masked, np.arange(30)[::-1])
    assert isinstance(Release(release.original, plain, release.recipe).rows, Unknown)


def two_regions(ones: int, zeros: int) -> list[int]:
    """An order of two values that is neither sorted nor repeats anything."""
    return [0, 0, *[1] * ones, *[0] * (zeros - 2)]


@pytest.mark.parametrize(("ones", "zeros", "shown"), [(17, 16, True), (16, 16, False)])
def test_an_order_is_shown_where_one_in_a_billion_would_agree(ones: int, zeros: int, shown: bool) -> None:
    """Of 33 rows with 16 of one value, one order in 1 166 803 110 agrees; of 32, one in 601 080 390."""
    region = two_regions(ones, zeros)
    assert (sum(region), len(region)) == (ones, ones + zeros)
    original = survey(len(region), region=region, sex=[0] * len(region))
    assert isinstance(rows_by_agreement(original, masked_twin(original), NOISE), Matched if shown else Unknown)


@pytest.mark.parametrize(("sizes", "shown"), [((17, 18), True), ((17, 17), False)])
def test_a_sorted_file_counts_the_orders_within_its_groups(sizes: tuple[int, int], shown: bool) -> None:
    """In groups of 17 and 18 rows with 8 and 9 of one value one order in 24 310 × 48 620 agrees, over a billion."""
    sex = [value for size in sizes for value in two_regions(size // 2, size - size // 2)]
    assert sum(sex) == sizes[0] // 2 + sizes[1] // 2
    original = survey(sum(sizes), region=[1] * sizes[0] + [0] * sizes[1], sex=sex)
    rows = rows_by_agreement(original, masked_twin(original), NOISE)
    assert isinstance(rows, Matched) if shown else "sorted by columns left unmasked (region)" in rows.reason


def test_a_message_names_three_columns() -> None:
    same = {name: [1] * 6 for name in ("region", "sex", "a", "b")}
    original = survey(6, **same)
    rows = rows_by_agreement(original, masked_twin(original), NOISE)
    assert "(region, sex, a, …) would agree" in rows.reason
    three = original.without(["b"])
    assert "(region, sex, a) would agree" in rows_by_agreement(three, masked_twin(three), NOISE).reason


def codes_of(seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    block = rng.integers(0, 2, (rng.integers(1, 4), rng.integers(1, 3)))
    codes = np.tile(block, (rng.integers(1, 4), 1))
    codes[rng.integers(len(codes))] ^= rng.integers(0, 2)
    return codes.astype(np.int64)


@given(st.integers(0, 2**32 - 1))
def test_rows_are_sorted_by_columns_whose_combinations_follow_each_other(seed: int) -> None:
    codes = codes_of(seed)

    def consecutive(columns: list[int]) -> bool:
        runs = [key for key, _ in groupby(map(tuple, codes[:, columns].tolist()))]
        return len(runs) == len(set(runs))

    found: list[int] = []
    while more := [each for each in range(codes.shape[1]) if each not in found and consecutive([*found, each])]:
        found.append(more[0])
    assert _sorted_by(codes) == found


@given(st.integers(0, 2**32 - 1), st.booleans())
def test_a_pattern_repeats_where_each_row_is_that_of_one_period_before(seed: int, within: bool) -> None:
    codes = codes_of(seed)
    by = [0] if within else []
    rows = [tuple(row) for row in codes.tolist()]
    period = next((number for number in range(1, len(rows)) if rows[number] == rows[0]), None)
    pairs = [] if period is None else [(codes[i], codes[i + period]) for i in range(len(rows) - period)]
    compared = [(one, other) for one, other in pairs if (one[by] == other[by]).all()]
    expected = period is not None and all((one == other).all() for one, other in compared)
    assert _repeats(codes, by) is expected


def with_households(numbers: list[object], **columns: object) -> Microdata:
    data = survey(len(numbers), household=numbers, **columns)
    home = replace(data.attribute("household"), role=Role.HOUSEHOLD)
    return data.with_columns({}, [home])


@pytest.mark.parametrize(
    ("after", "alike"),
    [
        ([1.0, 1.0, 2.0, 3.0, None], True),
        ([1.0, 1.0, 2.0, 2.0, None], False),
        ([1.0, 2.0, 3.0, 4.0, None], False),
        ([1.0, 1.0, 2.0, None, None], False),
        ([1.0, 1.0, 2.0, 3.0, 4.0], False),
    ],
)
def test_households_numbered_anew_agree_where_the_same_records_live_together(after, alike: bool) -> None:
    numbers = [70.5, 70.5, 12.0, 31.0, None]
    original = with_households(numbers)
    masked = masked_twin(original).with_columns({"household": np.array(after, dtype=float)})
    found = disagreement(original, masked, NOISE, np.arange(5))
    assert (found is None) is alike
    if not alike:
        assert "'household' unmasked" in found


def test_household_numbers_that_are_new_are_no_evidence_of_the_order() -> None:
    original = with_households([70.5, 12.5, 31.5, 44.5]).without(["region", "sex"])
    kept = masked_twin(original)
    assert isinstance(rows_by_agreement(original, kept, NOISE), Matched)
    anew = kept.with_columns({"household": np.array([1.0, 2.0, 3.0, 4.0])})
    rows = rows_by_agreement(original, anew, NOISE)
    assert isinstance(rows, Unknown) and "would agree in another order" in rows.reason


def test_a_difference_is_counted_among_the_rows_of_records() -> None:
    original = survey(5, region=[0, 1, 2, 3, 0], sex=[0] * 5)
    origin = np.array([4, -1, 2, 3, 1])
    masked = rearranged(masked_twin(original), np.array([4, 0, 2, 3, 1]))
    assert disagreement(original, masked, NOISE, origin) is None
    wrong = disagreement(original, masked, NOISE, np.array([4, -1, 3, 2, 1]))
    assert "'region' unmasked, and it differs in 2 of 4 rows" in wrong
    assert disagreement(original, masked, None, np.arange(5)) is None


def test_weights_are_evidence_where_every_record_is_kept() -> None:
    data = survey(4, weight=[1.5, 2.5, 3.5, 4.5])
    weighted = data.with_columns({}, [replace(data.attribute("weight"), role=Role.WEIGHT)])
    assert "weight" in unmasked_columns(weighted, weighted, NOISE)
    assert unmasked_columns(weighted, weighted, Recipe.of("simple-sampling:share=0.5")) == ("income", "region", "sex")


def test_a_column_in_another_form_is_no_evidence() -> None:
    original, masked = survey(4, region=[1.5, 2.5, 1.0, 0.5]), survey(4, region=["a", "b", "c", "a"])
    assert unmasked_columns(original, masked, NOISE) == ("sex",)


def test_a_sampled_column_may_match_the_rows_and_a_misspelt_one_is_named() -> None:
    original = survey(4, number=[1, 2, 3, 4])
    sampled = Recipe.of("simple-sampling:share=0.5")
    assert rows_matched_on(original, original.take(np.array([2, 0])), "number", sampled).origin.tolist() == [2, 0]
    with pytest.raises(SchemaError, match=r"original has no column 'numbr'.*number"):
        rows_matched_on(original, original, "numbr")
