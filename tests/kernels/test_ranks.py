import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import chisquare, norm, rankdata

from sdckit.kernels import ranks
from sdckit.kernels.ranks import (
    PATIENCE,
    mid_ranks,
    partners_by_distance,
    partners_in_buckets,
    partners_in_window,
    rank_order,
    swap_between_buckets,
    swap_by_distance_law,
    swap_within_rank_window,
)

DRAWS = 20_000
UNLIKELY = 1e-4

columns = arrays(np.float64, st.integers(1, 40), elements=st.floats(allow_nan=False))
seeds = st.integers(0, 2**32 - 1)
swaps = [
    lambda column, rng: swap_within_rank_window(column, 5, rng),
    lambda column, rng: swap_between_buckets(column, 4, rng),
    lambda column, rng: swap_by_distance_law(column, 5.0, rng),
]


def ranks_after(swap, n: int, rng: np.random.Generator) -> tuple[int, ...]:
    return tuple(swap(np.arange(float(n)), rng).astype(int).tolist())


def follows(seen: Counter, law: dict) -> bool:
    """Whether the outcomes could have come from the law: none impossible, and no chi-square out of reach."""
    assert set(seen) <= set(law)
    observed = np.array([seen[outcome] for outcome in law], dtype=float)
    expected = np.array(list(law.values())) * sum(seen.values())
    frequent = expected >= 5
    if not frequent.all():
        observed = np.append(observed[frequent], observed[~frequent].sum())
        expected = np.append(expected[frequent], expected[~frequent].sum())
    return chisquare(observed, expected).pvalue > UNLIKELY


def law_of(n: int, partner_probabilities) -> dict[tuple[int, ...], float]:
    """The probability of every outcome by the definition; `partner_probabilities(i, free)` is for rank i."""
    law: dict[tuple[int, ...], float] = {}

    def visit(i: int, values: tuple[int, ...], done: frozenset[int], probability: float) -> None:
        if i == n:
            law[values] = law.get(values, 0.0) + probability
            return
        free = [rank for rank in range(n) if rank > i and rank not in done]
        partners = {} if i in done else partner_probabilities(i, free)
        if not partners:
            visit(i + 1, values, done, probability)
        for partner, share in partners.items():
            swapped = list(values)
            swapped[i], swapped[partner] = swapped[partner], swapped[i]
            visit(i + 1, tuple(swapped), done | {i, partner}, probability * share)

    visit(0, tuple(range(n)), frozenset(), 1.0)
    return law


@given(columns)
def test_the_rank_order_is_the_stable_order(column):
    assert np.array_equal(rank_order(column), np.argsort(column, kind="stable"))


def test_whole_numbers_are_ordered_too():
    assert rank_order(np.array([2, 1, 2, 0])).tolist() == [3, 1, 0, 2]


@pytest.mark.parametrize("swap", swaps)
@given(column=columns, seed=seeds)
def test_the_values_are_a_rearrangement(swap, column, seed):
    before = column.copy()
    swapped = swap(column, np.random.default_rng(seed))
    assert np.array_equal(np.sort(swapped), np.sort(column))
    assert np.array_equal(column, before)


@pytest.mark.parametrize("swap", swaps)
def test_the_same_seed_gives_the_same_column(swap):
    column = np.random.default_rng(1).normal(size=500)
    assert np.array_equal(swap(column, np.random.default_rng(2)), swap(column, np.random.default_rng(2)))


@pytest.mark.parametrize("swap", swaps)
def test_values_are_exchanged_in_pairs(swap):
    ranks = np.array(ranks_after(swap, 301, np.random.default_rng(3)))
    assert np.array_equal(ranks[ranks], np.arange(301))


@given(st.integers(1, 200), st.integers(0, 30), seeds)
def test_no_value_travels_beyond_the_window(n, reach, seed):
    ranks = np.array(
        ranks_after(lambda column, rng: swap_within_rank_window(column, reach, rng), n, np.random.default_rng(seed))
    )
    assert np.abs(ranks - np.arange(n)).max() <= reach


def test_neighbours_swap_by_hand():
    column = np.array([40.0, 10.0, 30.0, 20.0, 50.0])
    swapped = swap_within_rank_window(column, 1, np.random.default_rng(0))
    assert swapped.tolist() == [30.0, 20.0, 40.0, 10.0, 50.0]


def test_an_empty_window_changes_nothing():
    column = np.array([3.0, 1.0, 2.0])
    rng = np.random.default_rng(0)
    assert np.array_equal(swap_within_rank_window(column, 0, rng), column)
    assert np.array_equal(swap_by_distance_law(column, 0.0, rng), column)


@pytest.mark.parametrize("swap", swaps)
def test_a_constant_column_and_a_single_record_stay(swap):
    rng = np.random.default_rng(0)
    assert swap(np.full(9, 2.0), rng).tolist() == [2.0] * 9
    assert swap(np.array([7.0]), rng).tolist() == [7.0]
    assert swap(np.array([]), rng).tolist() == []


def test_a_window_wider_than_the_file_is_the_file():
    ranks = ranks_after(lambda column, rng: swap_within_rank_window(column, 1000, rng), 8, np.random.default_rng(1))
    assert all(ranks[rank] != rank for rank in range(8))


@pytest.mark.parametrize("reach", [2, 3, 6])
def test_the_partner_is_uniform_among_the_unswapped_of_the_window(reach):
    law = law_of(
        7,
        lambda i, free: {rank: 1 / len(near) for rank in near} if (near := [r for r in free if r <= i + reach]) else {},
    )
    rng = np.random.default_rng(reach)
    seen = Counter(
        ranks_after(lambda column, rng: swap_within_rank_window(column, reach, rng), 7, rng) for _ in range(DRAWS)
    )
    assert follows(seen, law)


def test_the_partner_is_as_uniform_where_patience_ends(monkeypatch):
    """Without any draw that may fail, the unswapped values of the window are counted."""
    monkeypatch.setattr(ranks, "PATIENCE", 0)
    kernel = getattr(ranks._partners_in_window, "py_func", ranks._partners_in_window)
    law = law_of(
        5, lambda i, free: {rank: 1 / len(near) for rank in near} if (near := [r for r in free if r <= i + 3]) else {}
    )
    rng = np.random.default_rng(1)
    assert follows(Counter(tuple(kernel(5, 3, rng).tolist()) for _ in range(DRAWS)), law)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "buckets"), [(7, 3), (6, 6), (6, 1)])
def test_the_bucket_is_half_as_likely_at_each_step_up(n, buckets):
    bucket = np.concatenate([np.full(len(part), b) for b, part in enumerate(np.array_split(np.arange(n), buckets))])

    def partner_probabilities(i, free):
        open_buckets = {bucket[rank] for rank in free}
        total = sum(2.0 ** -(s - bucket[i] + 1) for s in open_buckets)
        return {
            rank: 2.0 ** -(bucket[rank] - bucket[i] + 1) / total / sum(bucket[other] == bucket[rank] for other in free)
            for rank in free
        }

    rng = np.random.default_rng(n + buckets)
    seen = Counter(
        ranks_after(lambda column, rng: swap_between_buckets(column, buckets, rng), n, rng) for _ in range(DRAWS)
    )
    assert follows(seen, law_of(n, partner_probabilities))


@pytest.mark.slow
@pytest.mark.parametrize("window", [1.5, 4.0])
def test_the_distance_is_a_normal_law_given_a_free_partner(window):
    def partner_probabilities(i, free):
        share = {
            rank: norm.cdf(rank - i + 0.5, window / 2, window / 2) - norm.cdf(rank - i - 0.5, window / 2, window / 2)
            for rank in free
        }
        total = sum(share.values())
        missed = (1 - total) ** PATIENCE
        if missed < 1e-9:
            return {rank: probability / total for rank, probability in share.items()}
        # All draws failed: the last one's nearest free rank is taken.
        law = {rank: probability * (1 - missed) / total for rank, probability in share.items()}
        for step in range(-60, 61):
            if i + step not in free:
                low, high = norm.cdf([step - 0.5, step + 0.5], window / 2, window / 2)
                nearest = min(free, key=lambda rank, step=step: (abs(rank - i - step), rank))
                law[nearest] += missed * (high - low) / (1 - total)
        return law

    rng = np.random.default_rng(5)
    seen = Counter(
        ranks_after(lambda column, rng: swap_by_distance_law(column, window, rng), 6, rng) for _ in range(DRAWS)
    )
    assert follows(seen, law_of(6, lambda i, free: partner_probabilities(i, free) if free else {}))


def test_a_scarce_free_rank_is_found_beyond_all_patience():
    swapped = swap_by_distance_law(np.arange(2.0), 1e9, np.random.default_rng(0))
    assert swapped.tolist() == [1.0, 0.0]


@pytest.mark.parametrize("records", [1, 2, 9, 12])
@pytest.mark.parametrize("window", [1e-9, 10.0, 200.0, 1e9])
def test_by_distance_only_the_last_of_an_odd_number_stays(records, window):
    """Also where most draws leave the file, so that the nearest of those who are left is taken."""
    for seed in range(40):
        partner = partners_by_distance(records, window, np.random.default_rng(seed))
        assert (partner[partner] == np.arange(records)).all()
        assert (partner == np.arange(records)).sum() == records % 2


@pytest.mark.parametrize(("free", "expected"), [("0110", 1), ("1001", 0), ("0001", 3), ("1000", 0), ("0000", -1)])
def test_the_nearest_free_rank_by_hand(free, expected):
    """From rank 1, the lower of two."""
    assert ranks._nearest_free(1, np.array([each == "1" for each in free])) == expected


def test_a_wider_window_moves_values_further():
    column = np.random.default_rng(4).normal(size=2000)
    moved = [
        np.abs(swap_within_rank_window(column, reach, np.random.default_rng(0)) - column).mean()
        for reach in (5, 50, 500)
    ]
    assert moved == sorted(moved)


@given(st.integers(1, 60), st.integers(1, 70), st.integers(1, 12), seeds)
def test_small_files_are_swapped_alike_without_the_compiler(n: int, reach: int, buckets: int, seed: int) -> None:
    for kernel, parameter in ((ranks._partners_in_window, reach), (ranks._partners_in_buckets, min(buckets, n))):
        interpreted = kernel.py_func(n, parameter, np.random.default_rng(seed))
        compiled = kernel.dispatcher(n, parameter, np.random.default_rng(seed))
        assert interpreted.dtype == compiled.dtype
        assert (interpreted == compiled).all()


def test_swapping_a_small_file_does_not_import_the_compiler() -> None:
    code = (
        "import sys, numpy as np; from sdckit.kernels.ranks import partners_in_buckets, partners_in_window as window; "
        "rng = np.random.default_rng(1); window(1000, 50, rng); partners_in_buckets(1000, 10, rng); "
        "print('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "False"


@pytest.mark.parametrize("window", [0.5, 1.0])
def test_a_short_window_swaps_neighbours_too(window):
    partner = partners_by_distance(200, window, np.random.default_rng(1))
    assert (partner != np.arange(200)).mean() > 0.9
    assert partners_by_distance(3, 0.0, np.random.default_rng(1)).tolist() == [0, 1, 2]


@pytest.mark.parametrize("buckets", [1, 3])
def test_in_buckets_nobody_is_left_who_could_be_swapped_upwards(buckets):
    for seed in range(5):
        partner = partners_in_buckets(10, buckets, np.random.default_rng(seed))
        assert (partner[partner] == np.arange(10)).all()
        alone = np.flatnonzero(partner == np.arange(10))
        assert len(alone) <= buckets - 1


@pytest.mark.parametrize("high", [1, 3, 3000, 2**64 - 1])
def test_counting_digits_sorts_whole_numbers_stably(high):
    keys = np.random.default_rng(2).integers(0, high, 300, dtype=np.uint64, endpoint=True)
    keys[:4] = high, 0, high, 0
    assert ranks._radix_order(keys).tolist() == np.argsort(keys, kind="stable").tolist()


def test_counting_digits_sorts_floats_of_both_signs_stably(monkeypatch):
    monkeypatch.setattr(ranks, "MANY", 1)
    column = np.array([2.0, -1.5, 0.0, -np.inf, -0.0, 1e-320, np.inf, -1e300, 0.0, -1.5, 2.0, -1e-320])
    assert rank_order(column).tolist() == np.argsort(column, kind="stable").tolist()


@pytest.mark.parametrize("scale", [1.0, 1e-300, 1e300])
def test_every_bit_of_a_float_counts_in_its_order(scale, monkeypatch):
    monkeypatch.setattr(ranks, "MANY", 1)
    for seed in range(4):
        rng = np.random.default_rng(seed)
        column = rng.integers(-3, 4, 60) * scale + rng.integers(-2, 3, 60) * 1e-16 * scale
        assert rank_order(column).tolist() == np.argsort(column, kind="stable").tolist()


def test_digits_are_counted_from_many_floats_on(monkeypatch):
    monkeypatch.setattr(ranks, "MANY", 5)
    monkeypatch.setattr(ranks, "_radix_order", lambda keys: "counted")
    assert rank_order(np.arange(5.0)) == "counted"
    assert rank_order(np.arange(4.0)).tolist() == [0, 1, 2, 3]
    assert rank_order(np.arange(6)).tolist() == [0, 1, 2, 3, 4, 5]


def test_mid_ranks_are_those_of_each_column():
    for seed in range(20):
        rng = np.random.default_rng(seed)
        values = rng.integers(0, 4, (rng.integers(1, 8), rng.integers(1, 4))).astype(float)
        assert mid_ranks(values).tolist() == rankdata(values, axis=0).tolist()


def partners_by_draws(n, partner_of):
    """Visit the ranks from below; whoever is free takes the partner that `partner_of` draws among the free above."""
    partner, free = list(range(n)), [True] * n
    for i in range(n):
        if not free[i]:
            continue
        free[i] = False
        above = [rank for rank in range(i + 1, n) if free[rank]]
        chosen = partner_of(i, above) if above else None
        if chosen is not None:
            partner[i], partner[chosen] = chosen, i
            free[chosen] = False
    return partner


def cases():
    for seed in range(60):
        rng = np.random.default_rng(seed)
        yield seed, int(rng.integers(1, 14)), int(rng.integers(1, 8))


def test_in_a_window_the_same_draws_give_the_partners_of_the_definition():
    for seed, n, reach in cases():
        rng = np.random.default_rng(seed)

        def in_window(i, above, rng=rng, n=n, reach=reach):
            if not (near := [rank for rank in above if rank <= i + reach]):
                return None
            width = min(reach, n - 1 - i)
            while (drawn := i + 1 + int(rng.random() * width)) not in near:
                pass
            return drawn

        expected = partners_by_draws(n, in_window)
        drawn = np.random.default_rng(seed)
        assert partners_in_window(n, reach, drawn).tolist() == expected
        assert drawn.random() == rng.random()  # not one draw more


def test_where_patience_ends_the_free_ranks_of_the_window_are_counted(monkeypatch):
    monkeypatch.setattr(ranks, "PATIENCE", 0)
    for seed, n, reach in cases():
        rng = np.random.default_rng(seed)

        def counted(i, above, rng=rng, reach=reach):
            near = [rank for rank in above if rank <= i + reach]
            return near[int(rng.random() * len(near))] if near else None

        drawn = np.random.default_rng(seed)
        assert ranks._partners_in_window.py_func(n, reach, drawn).tolist() == partners_by_draws(n, counted)


def test_in_buckets_the_same_draws_give_the_partners_of_the_definition():
    """A bucket by the cumulative weights of those that are not empty; in it the free ranks are a pool without order."""
    for seed, n, buckets in cases():
        rng, buckets = np.random.default_rng(seed), min(buckets, n)
        pools = [part.tolist() for part in np.array_split(np.arange(n), buckets)]
        of = {rank: number for number, pool in enumerate(pools) for rank in pool}
        drawn = np.random.default_rng(seed)

        def take(rank, pools=pools, of=of):
            pool = pools[of[rank]]
            last = pool.pop()
            if last != rank:
                pool[pool.index(rank)] = last

        def in_bucket(i, above, rng=rng, pools=pools, of=of, take=take):
            weights = [2.0 ** -(number - of[i]) * bool(pool) for number, pool in enumerate(pools)]
            weights = [0.0] * of[i] + weights[of[i] :]
            largest = max(weights)
            weights = [weight / largest for weight in weights]
            point = rng.random() * sum(weights)
            number = next(k for k in range(len(pools)) if weights[k] and point < sum(weights[: k + 1]))
            chosen = pools[number][int(rng.random() * len(pools[number]))]
            take(chosen)
            return chosen

        partner, taken = list(range(n)), set()
        for i in range(n):
            if i in taken:
                continue
            take(i)
            if any(pools[of[i] :]):
                chosen = in_bucket(i, None)
                partner[i], partner[chosen] = chosen, i
                taken.add(chosen)
        assert partners_in_buckets(n, buckets, drawn).tolist() == partner


def test_more_buckets_than_records_or_none_are_as_many_as_there_can_be():
    for asked, used in ((99, 6), (0, 1), (-3, 1)):
        found = partners_in_buckets(6, asked, np.random.default_rng(1))
        assert found.tolist() == partners_in_buckets(6, used, np.random.default_rng(1)).tolist()


@pytest.mark.parametrize(
    ("left", "own", "probabilities"),
    [([2, 1, 3], 0, [4 / 7, 2 / 7, 1 / 7]), ([0, 1, 3], 0, [0, 2 / 3, 1 / 3]), ([5, 1, 0, 2], 1, [0, 0.8, 0, 0.2])],
)
def test_a_bucket_is_drawn_by_its_weight(left, own, probabilities):
    rng = np.random.default_rng(1)
    seen = np.bincount([ranks._draw_bucket(own, np.array(left), rng) for _ in range(2000)], minlength=len(left))
    assert seen / 2000 == pytest.approx(np.array(probabilities), abs=0.05)  # four standard errors


def test_no_bucket_is_drawn_where_all_are_empty_and_a_far_one_where_it_is_the_only_one():
    rng = np.random.default_rng(1)
    assert ranks._draw_bucket(1, np.array([3, 0, 0]), rng) == -1
    assert ranks._draw_bucket(0, np.array([0] * 70 + [1]), rng) == 70
    assert ranks._draw_bucket(0, np.array([1] + [0] * 70 + [1]), rng) == 0


def test_by_distance_the_same_draws_give_the_partners_of_the_definition():
    for seed, n, reach in cases():
        rng, window = np.random.default_rng(seed), reach / 1.7

        def by_distance(i, above, rng=rng, window=window, n=n):
            for _ in range(PATIENCE):
                drawn = i + int(np.rint(window / 2 + window / 2 * rng.standard_normal()))
                if drawn in above:
                    return drawn
            inside = min(max(drawn, i + 1), n - 1)
            return min(above, key=lambda rank: (abs(rank - inside), rank))

        drawn = np.random.default_rng(seed)
        assert partners_by_distance(n, window, drawn).tolist() == partners_by_draws(n, by_distance)


def test_few_records_are_as_many_as_python_swaps_itself():
    assert ranks._few(ranks.FEW) and not ranks._few(ranks.FEW + 1)
