from itertools import chain, combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sdckit.kernels import rare_combinations
from sdckit.kernels.equivalence_classes import class_of
from sdckit.kernels.rare_combinations import minimal_rare_combinations

shapes = st.tuples(st.integers(1, 12), st.integers(1, 4))
codes_with_holes = arrays(np.int32, shapes, elements=st.integers(-1, 2))


def found(codes, threshold, largest):
    distinct = class_of(codes)
    pairs = minimal_rare_combinations(codes[distinct.first()], distinct.sizes, threshold, largest)
    return {(int(row), rare.keys) for rare in pairs for row in distinct.first()[rare.rows]}


def by_enumeration(codes, threshold, largest):
    """Every set of keys of every distinct row, counted pair by pair."""
    everywhere = range(codes.shape[1])
    sets = list(chain.from_iterable(combinations(everywhere, size) for size in range(1, codes.shape[1] + 1)))
    agree = (codes[:, None] == codes[None]) | (codes[:, None] == -1) | (codes[None] == -1)
    rare = {keys: agree[:, :, list(keys)].all(axis=2).sum(axis=1) < threshold for keys in sets}
    return {
        (row, keys)
        for row in class_of(codes).first().tolist()
        for keys in sets
        if len(keys) <= largest
        and rare[keys][row]
        and not any(rare[part][row] for part in sets if set(part) < set(keys))
        and len(codes) >= threshold  # with fewer records the empty set is rare already
    }


@given(codes_with_holes, st.integers(2, 4), st.integers(1, 4))
def test_the_search_finds_exactly_the_minimal_sets_of_an_enumeration(codes, threshold, largest):
    if len(codes) >= threshold:
        assert found(codes, threshold, largest) == by_enumeration(codes, threshold, largest)


def test_cores_that_share_the_sets_find_the_same_in_the_same_order(monkeypatch):
    codes = np.random.default_rng(3).integers(0, 9, (400, 6)).astype(np.int32)
    codes[:5, 0] = -1
    distinct = class_of(codes)
    search = codes[distinct.first()], distinct.sizes, 3, 4
    alone = list(minimal_rare_combinations(*search))
    monkeypatch.setattr(rare_combinations, "SHARED", 0)
    shared = list(minimal_rare_combinations(*search))
    assert [rare.keys for rare in shared] == [rare.keys for rare in alone] and len(alone) > 20
    assert all(np.array_equal(one.rows, other.rows) for one, other in zip(shared, alone, strict=True))


def test_many_values_are_counted_without_a_table_of_all_combinations():
    values = 10**6 * np.random.default_rng(0).permutation(900)  # all different
    codes = values.reshape(300, 3)
    codes[1] = codes[0]
    assert found(codes, 2, 3) == {(row, (key,)) for row in range(2, 300) for key in range(3)}


@pytest.mark.parametrize("value", [0, -1])
def test_equal_rows_have_no_rare_combination(value):
    assert found(np.full((5, 3), value, dtype=np.int32), 2, 3) == set()


def columns_of(codes):
    low = codes.min(axis=1)
    return rare_combinations.Columns(codes, low, codes.max(axis=1) - low + 1)


@pytest.mark.parametrize("way", ["as chosen", "no table", "no compiler", "neither"])
@pytest.mark.parametrize("spread", [1, 10**9])
def test_agreeing_records_are_counted_alike_in_every_way(way, spread, monkeypatch):
    if way in ("no table", "neither"):
        monkeypatch.setattr(rare_combinations, "CELLS_PER_RECORD", -(10**9))
    monkeypatch.setattr(rare_combinations, "spared", lambda *_: way in ("no compiler", "neither"))
    for seed in range(20):
        rng = np.random.default_rng(seed)
        codes = spread * rng.integers(-2, 3, (int(rng.integers(1, 4)), int(rng.integers(1, 8))))
        sizes = rng.integers(1, 4, codes.shape[1])
        suspects = rng.permutation(codes.shape[1])[: rng.integers(1, codes.shape[1] + 1)]
        rows = np.flatnonzero(rng.random(codes.shape[1]) < rng.choice([0.5, 1]))
        equal = (codes[:, :, None] == codes[:, None]).all(axis=0)
        counted = rare_combinations._agreeing(columns_of(codes), sizes, rows, suspects)
        assert counted.tolist() == (equal[suspects][:, rows] @ sizes[rows]).tolist()


def test_without_a_key_every_record_agrees():
    columns = columns_of(np.zeros((1, 4), np.int64)).of(np.array([], np.int64))
    sizes, rows = np.array([5, 1, 2, 4]), np.array([0, 2])
    assert rare_combinations._agreeing(columns, sizes, rows, np.array([1, 3])).tolist() == [7, 7]


def test_a_missing_key_is_in_no_set_and_with_a_code_of_its_own_agrees_with_nothing():
    codes, missing = np.array([[0, 0], [0, 7], [1, 0], [1, 0]]), np.zeros((4, 2), dtype=bool)
    missing[1, 1] = True
    pairs = minimal_rare_combinations(codes[:3], np.array([1, 1, 2]), 2, 2, missing[:3])
    assert {(int(row), rare.keys) for rare in pairs for row in rare.rows} == {(0, (0, 1))}


@pytest.mark.parametrize("seed", range(20))
def test_a_table_by_numpy_is_the_table_of_the_kernel(seed):
    rng = np.random.default_rng(seed)
    keys, rows = int(rng.integers(1, 4)), int(rng.integers(1, 30))
    spans = rng.integers(1, 5, keys)
    columns = np.array([rng.integers(0, span, rows) for span in spans], dtype=np.int32) - 1
    strides = np.array([np.prod(spans[index + 1 :], dtype=np.int64) for index in range(keys)])
    sizes, some, asked = (
        rng.integers(1, 9, rows),
        np.flatnonzero(rng.random(rows) < rng.choice([0.5, 1])),
        rng.integers(0, rows, 5),
    )
    table = columns, np.full(keys, -1), strides, int(np.prod(spans)), sizes, some, asked
    counted = rare_combinations.tabled_by_numpy(*table)
    assert np.array_equal(counted, rare_combinations._tabled(*table))
    agree = (columns[:, some, None] == columns[:, None, asked]).all(axis=0)
    assert counted.tolist() == (sizes[some] @ agree).tolist()
