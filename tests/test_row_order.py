"""The order of the rows: a sorted file gives its masked values away, a shuffled one does not."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import isotonic_regression

from sdckit import Microdata, Release, protect
from sdckit.kernels.serial_order import neighbour_agreement, neighbour_rank_correlation, share_in_one_direction
from sdckit.microdata import Attribute, Kind, Role
from sdckit.recipe import Recipe
from sdckit.row_order import OrderTrace, _trace_within, order_traces, order_warnings, shuffled
from sdckit.rows import Matched, Sampled, Unknown

RNG = np.random.default_rng(5)
INCOMES = RNG.lognormal(7, 0.8, 400)


def release(frame: pl.DataFrame, *names: str, method: str = "additive-noise:variance_share=0.5") -> Release:
    return protect(frame, method, names, seed=2**127 + 3)


def test_smoothing_along_the_order_removes_most_of_the_noise() -> None:
    masked = release(pl.DataFrame({"income": np.sort(INCOMES)}), "income")
    before, after = masked.original.columns["income"], masked.masked.columns["income"]
    error, smoothed = after - before, isotonic_regression(after).x - before
    assert np.sqrt((smoothed**2).mean()) < np.sqrt((error**2).mean()) / 2
    assert [trace.attribute for trace in order_traces(masked)] == ["income"]


@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize(
    "method", ["additive-noise", "multiplicative-noise", "mdav", "rank-swapping", "rounding", "data-shuffling"]
)
def test_a_sorted_file_is_found_whatever_the_method(method: str, direction: int) -> None:
    frame = pl.DataFrame({"income": direction * np.sort(INCOMES), "age": RNG.integers(18, 90, 400)})
    assert [trace.attribute for trace in order_traces(release(frame, "income", "age", method=method))] == ["income"]


def test_a_sorted_masked_category_is_found() -> None:
    towns = pl.DataFrame({"town": np.sort(RNG.choice(list("abcdefgh"), 400)), "x": INCOMES})
    data = Microdata.from_frame(towns, roles={"town": "key", "x": "other"})
    assert [trace.attribute for trace in order_traces(protect(data, "pram", ["town"], seed=2**127))] == ["town"]


@pytest.mark.parametrize("size", [2, 4, 40])
def test_groups_that_are_sorted_within_are_found(size: int) -> None:
    groups = np.repeat(np.arange(400 // size), size)
    frame = pl.DataFrame(
        {"household": groups, "age": np.sort(RNG.permutation(INCOMES).reshape(-1, size), axis=1).ravel()}
    )
    (trace,) = order_traces(release(frame, "age"))
    assert trace.attribute == "age"
    assert trace.within == "household" or trace.correlation > 0.5


def test_a_random_order_and_a_shuffled_release_are_not_warned_of() -> None:
    frame = pl.DataFrame({"income": np.sort(INCOMES), "region": RNG.choice(["N", "S"], 400)})
    masked = release(frame, "income")
    assert order_traces(masked)
    assert not order_traces(shuffled(masked, np.random.default_rng(1)))
    assert not order_traces(release(frame.sample(fraction=1.0, shuffle=True, seed=3), "income"))


def test_only_masked_attributes_count_and_unknown_rows_show_nothing() -> None:
    frame = pl.DataFrame({"number": np.arange(400), "income": INCOMES})
    masked = release(frame, "income")
    assert not order_traces(masked)
    elsewhere = Release.in_order(masked.original, masked.masked)
    assert not order_traces(elsewhere)
    sorted_file = release(pl.DataFrame({"income": np.sort(INCOMES)}), "income")
    assert order_traces(Release.in_order(sorted_file.original, sorted_file.masked))
    assert not order_traces(Release(sorted_file.original, sorted_file.masked, None, Unknown("nobody says")))


@given(st.lists(st.integers(-5, 5), min_size=3, max_size=40))
def test_correlations_are_bounded_and_do_not_depend_on_direction(values: list[int]) -> None:
    column = np.array(values, dtype=float)
    assert -1 - 1e-9 <= neighbour_rank_correlation(column) <= 1 + 1e-9
    assert neighbour_rank_correlation(column) == pytest.approx(neighbour_rank_correlation(column[::-1]))
    assert neighbour_agreement(np.array(values) + 5) <= 1
    share, pairs = share_in_one_direction(column, np.ones(len(column) - 1, dtype=bool))
    assert pairs == np.count_nonzero(np.diff(column)) and (share >= 0.5 or pairs == 0)


def middle_of(noise: float, records: int = 200) -> np.ndarray:
    rng = np.random.default_rng(4)
    return np.arange(records) / records + noise * rng.normal(size=records)


@pytest.mark.parametrize(("noise", "found"), [(0.2, True), (0.4, False)])
def test_neighbours_of_medium_correlation_are_found_from_one_half_on(noise: float, found: bool) -> None:
    values = middle_of(noise)
    correlation = neighbour_rank_correlation(values)
    assert 0.2 < correlation < 0.8 and (correlation >= 0.5) is found
    traces = order_traces(release(pl.DataFrame({"income": values}), "income"))
    assert traces == ((OrderTrace("income", correlation),) if found else ())


@pytest.mark.parametrize(("records", "holes", "found"), [(20, 0, False), (21, 0, True), (23, 3, False), (23, 2, True)])
def test_few_values_show_no_order(records: int, holes: int, found: bool) -> None:
    values = [float(number) for number in range(records - holes)] + [None] * holes
    frame = pl.DataFrame({"income": pl.Series(values, dtype=pl.Float64)})
    assert bool(order_traces(release(frame, "income"))) is found


@pytest.mark.parametrize(
    ("falling", "rising", "found"), [(0, 21, True), (0, 20, False), (3, 27, True), (4, 27, False), (27, 3, True)]
)
def test_rows_are_sorted_within_groups_where_nine_of_ten_neighbours_go_one_way(
    falling: int, rising: int, found: bool
) -> None:
    steps = np.array([-1.0] * falling + [1.0] * rising)
    values = np.cumsum(np.concatenate([[0.0], steps]))
    data = Microdata.from_frame(pl.DataFrame({"income": values}))
    pairs = {"street": np.zeros(len(steps), dtype=bool), "region": np.ones(len(steps), dtype=bool)}
    trace = _trace_within(data, "income", np.arange(len(values)), pairs)
    expected = OrderTrace("income", max(rising, falling) / len(steps), "region")
    assert trace == expected if found else trace is None


def test_groups_without_order_and_categories_without_order_show_nothing() -> None:
    groups = np.repeat(np.arange(100), 4)
    frame = pl.DataFrame({"household": groups, "income": INCOMES, "town": np.tile(["a", "b", "c", "d"], 100)})
    data = Microdata.from_frame(frame, roles={"household": "other", "income": "key", "town": "key"})
    assert not order_traces(release(data, "income"))
    assert not order_traces(protect(data, "pram", ["town"], seed=2**127))
    seldom = pl.DataFrame(
        {"pair": np.repeat(np.arange(20), 2), "age": np.tile([1.0, 2.0], 20) + RNG.normal(0, 0.1, 40)}
    )
    assert not order_traces(release(seldom, "age"))  # 20 pairs that all rise are too few


def test_one_sentence_names_what_the_order_shows_and_the_cure() -> None:
    cure = (
        ": the order of the rows shows what was masked, as an intruder can average neighbours; write the rows in a "
        "random order (`protect --shuffle-rows --key-out KEY`; `publish` does so)"
    )
    assert str(OrderTrace("age", 0.75)) == f"neighbouring rows have similar values of 'age' (correlation 0.75){cure}"
    assert str(OrderTrace("age", 0.95, "home")) == f"the rows of each 'home' are sorted by 'age'{cure}"
    frame = pl.DataFrame({"income": np.sort(INCOMES), "rent": middle_of(0.1, 400), "note": ["x"] * 400})
    masked = release(frame, "income", "rent")
    low, high = sorted(trace.correlation for trace in order_traces(masked))
    assert order_warnings(masked) == [
        f"neighbouring rows have similar values of 'income', 'rent' (correlation {low:.2f} to {high:.2f}){cure}"
    ]
    assert order_warnings(release(frame.sample(fraction=1.0, shuffle=True, seed=3), "income")) == []


def test_shuffled_rows_are_those_of_their_records_under_new_household_numbers() -> None:
    homes = np.repeat([77, 12, 31, 5, 64], 2)
    data = Microdata.from_frame(pl.DataFrame({"home": homes, "age": np.arange(10.0)}), roles={"home": "household"})
    for rows in (Matched(np.arange(10)), Sampled(np.array([9, -1, 3, 4, 5, 6, 7, 8, 0, 1]))):
        plain = Release(data, Microdata(data.attributes, dict(data.columns)), Recipe.of("mdav", ["age"]), rows)
        mixed = shuffled(plain, np.random.default_rng(2))
        order = mixed.masked.columns["age"].astype(int)
        assert order.tolist() == np.random.default_rng(2).permutation(10).tolist()
        assert mixed.origin.tolist() == rows.origin[order].tolist()
        assert list(dict.fromkeys(mixed.masked.values("home").tolist())) == [1, 2, 3, 4, 5]
        assert [homes[order][at] for at in range(10)] == [
            homes[order][mixed.masked.values("home").tolist().index(number)] for number in mixed.masked.values("home")
        ]
    orders = {tuple(shuffled(plain).masked.columns["age"]) for _ in range(4)}
    assert len(orders) > 1


def test_members_of_a_household_that_is_masked_as_a_whole_are_no_trace() -> None:
    """Members have one value; only where whole households follow each other in order is there something to see."""
    rng = np.random.default_rng(8)
    rooms = rng.permutation(np.arange(60.0))
    homes = np.repeat(np.arange(60), 3)

    def traces(values: np.ndarray, level: str) -> list[str]:
        frame = pl.DataFrame({"home": homes, "rooms": values[homes], "age": rng.normal(size=180)})
        data = Microdata.from_frame(frame, roles={"home": "household", "rooms": "key", "age": "other"})
        step = {"method": "additive-noise", "attributes": ["rooms"]} | ({"level": level} if level else {})
        return [trace.attribute for trace in order_traces(protect(data, Recipe.from_dict({"steps": [step]}), seed=1))]

    assert traces(rooms, "household") == []
    assert traces(np.sort(rooms), "household") == ["rooms"]
    assert traces(rooms, "") == ["rooms"]


def test_ordered_categories_are_compared_by_their_ranks() -> None:
    codes = np.repeat([0, 1, 2], 30)
    codes[::7] = (codes[::7] + 1) % 3
    grade = Attribute("grade", Kind.DISCRETE, Role.KEY, categories=("low", "middle", "high"))
    data = Microdata((grade,), {"grade": codes})
    (trace,) = order_traces(protect(data, "rank-swapping", ["grade"], seed=1))
    assert trace.correlation == neighbour_rank_correlation(codes.astype(float)) != neighbour_agreement(codes)
