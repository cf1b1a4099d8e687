from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit import Intruder, Microdata, build, protect
from sdckit.capabilities import Statistic
from sdckit.draws import Draws
from sdckit.errors import NotApplicableError
from sdckit.kernels.reconstruction import _least_sum, others_needed, solved_values, width_left
from sdckit.masking import Masking, masking
from sdckit.microdata import Kind
from sdckit.row_order import shuffled


@masking("same-products", kind=Kind.ORDERED, reference="a stand-in for tests, 2025")
class SameProducts(Masking):
    """Replace y by its regression on the others and residuals rotated so that all products stay the same."""

    preserves = frozenset({Statistic.MEANS, Statistic.COVARIANCES})

    def design(self, data: Microdata, attributes: Sequence[str]) -> np.ndarray:
        others = [each for each in data.attributes if each.name not in attributes]
        columns = [
            (data.columns[each.name] == code).astype(float)
            for each in others
            if each.coded
            for code in range(1, len(each.categories))
        ]
        columns += [data.columns[each.name] for each in others if not each.coded]
        return np.column_stack(columns) if columns else np.empty((len(data), 0))

    def protect(self, data: Microdata, attributes: Sequence[str] = (), *, draws: Draws) -> Microdata:
        x = np.hstack([np.ones((len(data), 1)), self.design(data, attributes)])
        y = data.matrix(attributes)
        basis = np.linalg.qr(x)[0]
        noise = draws.over(len(data)).normal(y.shape[1])
        fitted = basis @ (basis.T @ y)
        rotated = np.linalg.qr(noise - basis @ (basis.T @ noise))[0] @ np.linalg.qr(y - fitted)[1]
        return data.with_matrix(attributes, self.published(data, attributes, fitted + rotated))


def regions(records: int = 300, smallest: int = 3) -> Microdata:
    """People in four regions, three of whom live in the last one, with an age and an income."""
    rng = np.random.default_rng(1)
    region = np.where(np.arange(records) < smallest, "W", rng.choice(list("NES"), records))
    frame = pl.DataFrame({"region": region, "age": rng.normal(40, 10, records), "income": rng.normal(0, 1, records)})
    roles = {"region": "key", "age": "key", "income": "confidential"}
    return Microdata.from_frame(frame, roles=roles)


def brute_force(design: np.ndarray) -> list[int]:
    """Others needed for each record: the smallest set of records with which it is determined by xᵗy."""
    needed = []
    for record in range(len(design)):
        others = [each for each in range(len(design)) if each != record]
        for size in range(len(design)):
            if any(determined(design, record, set(others) - set(known)) for known in combinations(others, size)):
                needed.append(size)
                break
    return needed


def determined(design: np.ndarray, record: int, unknown: set[int]) -> bool:
    """Whether the value of a record follows when those of the unknown others do not."""
    rows = design[[record, *sorted(unknown)]]
    return np.linalg.matrix_rank(rows) > np.linalg.matrix_rank(rows[1:]) if unknown else bool(rows.any())


@given(st.integers(0, 500))
def test_the_number_of_others_is_that_of_solving_the_system(seed):
    rng = np.random.default_rng(seed)
    design = np.column_stack([np.ones(7), rng.integers(0, 2, (7, 2))]).astype(float)
    found = others_needed(design, rng)
    assert found.exact
    assert found.number.tolist() == brute_force(design)


@pytest.mark.parametrize("seed", [1, 2])
def test_the_weights_found_have_the_support_that_is_claimed(seed):
    rng = np.random.default_rng(seed)
    design = np.column_stack([np.ones(60), rng.normal(size=60), rng.integers(0, 3, (60, 3))])
    found = others_needed(design, rng)
    for record in range(0, 60, 7):
        products = design @ found.weights[record]
        there = np.abs(products) > 1e-9 * np.abs(products).max()
        assert there[record]
        assert there.sum() - 1 == found.number[record]


def test_numbers_in_general_position_need_all_but_as_many_as_columns():
    rng = np.random.default_rng(3)
    design = np.column_stack([np.ones(12), rng.normal(size=(12, 2))])
    assert (others_needed(design, rng).number == 12 - 3).all()


@pytest.mark.parametrize("unknown", [1, 3, 5])
def test_a_few_unknown_records_are_solved_exactly(unknown):
    rng = np.random.default_rng(4)
    design = np.column_stack([np.ones(200), rng.normal(size=(200, 5))])
    values = rng.normal(size=200)
    some = rng.choice(200, unknown, replace=False)
    solved = solved_values(design, design.T @ values, values, some)
    assert np.abs(solved - values[some]).max() < 1e-10
    assert np.abs(width_left(design, values, some)).max() < 1e-10


def test_more_unknown_records_than_columns_leave_the_width_of_the_sphere():
    """Of two unknown values with a known sum and sum of squares only their order is open."""
    values = np.array([1.0, 4.0, 7.0])
    assert width_left(np.ones((3, 1)), values, np.array([0, 1])).tolist() == pytest.approx([1.5, 1.5])


def test_every_solution_lies_in_the_width_left():
    rng = np.random.default_rng(5)
    design, values = np.column_stack([np.ones(30), rng.normal(size=30)]), rng.normal(size=30)
    some = np.arange(6)
    width = width_left(design, values, some)
    free = np.linalg.svd(design[some], full_matrices=True)[0][:, 2:]
    inside = values[some] - free @ (free.T @ values[some])
    for _ in range(200):
        direction = rng.normal(size=4)
        other = inside + free @ (direction / np.linalg.norm(direction) * np.linalg.norm(free.T @ values[some]))
        assert np.allclose(design[some].T @ other, design[some].T @ values[some])
        assert (np.abs(other - inside) <= width + 1e-9).all()


def test_a_region_of_three_gives_away_the_third_person():
    data = regions()
    release = protect(data, SameProducts(), ["income"], seed=1)
    score = build("risk", "reconstruction", others=2).measure(release)
    assert score.by_record[:3].tolist() == [1, 1, 1] and score.value == 3 / 300
    assert score.details["fewest_others"] == 2
    # And so it is: the sum of the region is released exactly.
    at_home = data.columns["region"] == data.columns["region"][0]
    total = release.masked.columns["income"][at_home].sum()
    assert total - data.columns["income"][1:3].sum() == pytest.approx(data.columns["income"][0], abs=1e-12)


def test_nobody_is_given_away_by_fewer_others_than_that():
    release = protect(regions(), SameProducts(), ["income"], seed=1)
    assert build("risk", "reconstruction", others=1).measure(release).value == 0


def solved_of(exact: float) -> float:
    """The share solved where the sums of some regions are those of the original, and other rows are drawn afresh."""
    rng = np.random.default_rng(4)
    region, income = np.repeat(np.arange(40), 5), rng.standard_normal(200)
    frame = pl.DataFrame({"region": [f"r{number:02}" for number in region], "income": income})
    data = Microdata.from_frame(frame, roles={"region": "key", "income": "confidential"})
    release = protect(data, SameProducts(), ["income"], seed=1)
    turned = income.reshape(40, 5)[:, ::-1].ravel()  # the same sums, and other values in each row
    made = np.where(region < exact * 40, turned, rng.standard_normal(200))
    released = replace(release, masked=release.masked.with_columns({"income": made}))
    return build("risk", "reconstruction", others=4, tolerance=1e-6).measure(released).value


def test_what_is_solved_rises_from_nothing_to_everybody_with_the_share_of_exact_sums():
    shares = [0.0, 0.25, 0.75, 1.0]
    assert [solved_of(share) for share in shares] == shares


def test_means_alone_need_everybody_else():
    data = regions(40).only(("income",))
    release = protect(data, SameProducts(), ["income"], seed=1)
    details = build("risk", "reconstruction").measure(release).details
    assert details["fewest_others"] == 39 and details["exact"]
    assert details["width_left"]["1"] == pytest.approx(0, abs=1e-9)
    assert details["width_left"]["10"] > 0.5


def test_what_publishing_rounds_is_not_solved():
    """Incomes rounded to whole standard deviations leave a sum of a region that is off by more than the tolerance."""
    data = regions()
    release = protect(data, SameProducts(), ["income"], seed=1)
    coarse = release.masked.with_columns({"income": np.round(release.masked.columns["income"])})
    measure = build("risk", "reconstruction", others=2, tolerance=0.001)
    assert measure.measure(release).value == 3 / 300
    assert measure.measure(replace(release, masked=coarse)).value == 0


def test_a_later_step_that_changes_the_values_ends_it():
    release = protect(regions(), [SameProducts(), "additive-noise"], ["income"], seed=1)
    with pytest.raises(NotApplicableError, match="no step"):
        build("risk", "reconstruction").measure(release)


def test_the_recipe_must_be_known():
    release = protect(regions(), SameProducts(), ["income"], seed=1)
    with pytest.raises(NotApplicableError, match="recipe"):
        build("risk", "reconstruction").measure(release, Intruder(knows_method=False))


@pytest.mark.parametrize("size", [5, 12])
def test_in_microhybrid_the_others_of_a_cluster_give_a_record_away(size):
    """The mean of every cluster is exact: whoever knows the others of the cluster has the last value."""
    rng = np.random.default_rng(2)
    frame = pl.DataFrame({"x": rng.normal(size=120), "y": rng.normal(size=120)})
    data = Microdata.from_frame(frame, roles={"x": "key", "y": "key"})
    masked = protect(data, build("masking", "microhybrid", group_size=size), seed=9**40)
    details = build("risk", "reconstruction").measure(masked).details
    assert details["fewest_others"] <= size - 1
    assert details["median_others"] < 2 * size


@pytest.mark.parametrize("method", ["ipso-c", "romm", "sufficiency-hybrid"])
def test_a_random_order_of_the_rows_protects_nobody(method):
    release = protect(regions(), f"{method}:given=region", ["income"], seed=1)
    in_order, shuffled_rows = (build("risk", "reconstruction").measure(each) for each in (release, shuffled(release)))
    assert in_order.value == shuffled_rows.value > 0
    assert np.array_equal(in_order.by_record, shuffled_rows.by_record)


def test_a_record_that_dominates_what_is_given_is_on_its_own_regression_line():
    rng = np.random.default_rng(1)
    size, pay = np.r_[rng.normal(size=99), 1e5], rng.normal(size=100)
    data = Microdata.from_frame(pl.DataFrame({"size": size, "pay": pay}))
    release = protect(data, "ipso-c:given=size", ["pay"], seed=1)
    score = build("risk", "reconstruction").measure(release)
    assert abs(release.masked.columns["pay"][-1] - pay[-1]) < 0.01 * pay.std()
    assert score.by_record.tolist() == [0.0] * 99 + [1.0]
    assert score.details["by_estimates_alone"] == 0.01


@pytest.mark.parametrize("error", [0.01, 0.2])
def test_whether_estimates_alone_are_enough_is_by_what_is_left_unexplained(error):
    rng = np.random.default_rng(1)
    x = rng.normal(size=400)
    data = Microdata.from_frame(pl.DataFrame({"x": x, "y": x + error * rng.normal(size=400)}))
    score = build("risk", "reconstruction").measure(protect(data, "ipso-c:given=x", ["y"], seed=1))
    assert score.value == (1.0 if error < 0.05 else 0.0)


@pytest.mark.parametrize(("weight", "expected"), [([1.0, 1.0, 3.0], [1, -1]), ([1.0, 3.0, 1.0], [1, 0])])
def test_the_least_weighted_sum_by_hand(weight, expected):
    """With 1 at the first row, the products are 1, w and 1 + w: the costlier of the last two vanishes."""
    rows = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    assert _least_sum(rows, np.array(weight), 0) == pytest.approx(expected)


def test_no_combination_is_one_where_all_columns_are_zero():
    assert _least_sum(np.array([[0.0, 0.0], [1.0, 2.0]]), np.ones(2), 0) is None
