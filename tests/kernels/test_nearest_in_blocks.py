"""Nearest rows by blocks of all distances give what the tree gives, to the last bit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit.kernels import nearest_in_blocks as blocks
from sdckit.kernels.kd_tree import build_tree, true_rows
from sdckit.kernels.nearest import TOLERANCE, links_by_tree
from sdckit.kernels.nearest_in_blocks import nearest_in_blocks, tree_excludes_little


@given(st.integers(0, 2**32 - 1), st.integers(1, 40), st.booleans())
def test_the_links_are_those_of_the_tree(seed, records, ties):
    """With ties, values are small whole numbers: rows repeat, and many are at the same distance."""
    rng = np.random.default_rng(seed)
    known, released = rng.normal(size=(records, 3)), rng.normal(size=(records + 3, 3)) * 10 + 1000
    if ties:
        known, released = np.round(known), np.round(released / 1000)
    truth = np.where(rng.random(records) < 0.2, -1, rng.permutation(records))
    tree = build_tree(released)
    found = nearest_in_blocks(tree, known, true_rows(tree, truth), TOLERANCE)
    for ours, theirs in zip(found, links_by_tree(known, released, truth), strict=True):
        assert ours.dtype == theirs.dtype and (ours == theirs).all()


def test_blocks_cover_every_record(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    known, released = rng.normal(size=(50, 4)), rng.normal(size=(40, 4))
    tree, nobody = build_tree(released), np.full(50, -1)
    whole = nearest_in_blocks(tree, known, nobody, TOLERANCE)
    monkeypatch.setattr(blocks, "ENTRIES", 7 * 40)
    for one, other in zip(whole, nearest_in_blocks(tree, known, nobody, TOLERANCE), strict=True):
        assert (one == other).all()


@pytest.mark.parametrize(("noise", "expected"), [(2.0, True), (0.001, False)])
def test_a_tree_is_left_out_where_noise_leaves_it_little_to_exclude(noise: float, expected: bool) -> None:
    rng = np.random.default_rng(1)
    known = rng.normal(size=(1100, 12))
    assert tree_excludes_little(build_tree(known + noise * rng.normal(size=known.shape)), known) is expected


def test_missing_values_need_the_tree() -> None:
    rng = np.random.default_rng(1)
    known = rng.normal(size=(1100, 12))
    tree = build_tree(known + rng.normal(size=known.shape))
    known[0, 0] = np.nan
    assert not tree_excludes_little(tree, known)


def test_few_attributes_and_small_files_are_left_to_the_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    many, few = rng.normal(size=(50, 12)), rng.normal(size=(50, 2))
    assert not tree_excludes_little(build_tree(rng.normal(size=(50, 12))), many)
    monkeypatch.setattr(blocks, "SMALL", 0)
    assert tree_excludes_little(build_tree(rng.normal(size=(50, 12))), many)
    assert not tree_excludes_little(build_tree(rng.normal(size=(3, 2))), few)


def test_links_are_those_of_all_pairs_in_blocks_of_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(30):
        rng = np.random.default_rng(seed)
        columns = int(rng.integers(1, 4))
        known, released = (rng.integers(0, 3, (int(rng.integers(1, 7)), columns)).astype(float) for _ in range(2))
        truth = rng.integers(-1, len(released), len(known))
        tolerance = (0.0, 0.5, 1.0)[seed % 3]
        monkeypatch.setattr(blocks, "ENTRIES", int(rng.integers(1, 20)))
        tree = build_tree(released)
        found = nearest_in_blocks(tree, known, true_rows(tree, truth), tolerance)
        for record, (least, ties, truth_tied, nearest) in enumerate(zip(*found, strict=True)):
            distances = ((released - known[record]) ** 2).sum(axis=1)
            tied = np.flatnonzero(distances <= distances.min() * (1 + tolerance))
            assert least == distances.min() and ties == len(tied) and nearest == tied[0]
            assert truth_tied == (truth[record] in tied)


@pytest.mark.parametrize("sample", [3, 10, 100])
def test_the_share_of_leaves_that_cannot_be_excluded_decides(sample: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "SAMPLE", sample)
    monkeypatch.setattr(blocks, "SMALL", 0)
    rng = np.random.default_rng(2)
    known, released = rng.normal(size=(50, 7)), rng.normal(size=(200, 7))
    tree = build_tree(released)
    shares = []
    for record in known[:: max(50 // sample, 1)]:
        nearest = ((released - record) ** 2).sum(axis=1).min()
        boxes = [
            ((record - np.clip(record, low, high)) ** 2).sum()
            for low, high, right in zip(tree.lower, tree.upper, tree.right, strict=True)
            if right < 0
        ]
        shares.append(np.mean([box < nearest for box in boxes]))
    visited = float(np.mean(shares))
    assert 0 < visited < 1
    for limit, expected in ((visited - 1e-9, True), (visited + 1e-9, False)):
        monkeypatch.setattr(blocks, "VISITED", limit)
        assert tree_excludes_little(tree, known) is expected
    monkeypatch.setattr(blocks, "VISITED", 0.0)
    monkeypatch.setattr(blocks, "SMALL", 50 * 200)
    assert not tree_excludes_little(tree, known)
    monkeypatch.setattr(blocks, "SMALL", 50 * 200 - 1)
    assert tree_excludes_little(tree, known)
    assert not tree_excludes_little(build_tree(released[:, :6]), known[:, :6])
    assert not tree_excludes_little(tree, np.where(np.arange(7) == 3, np.nan, known))
    holes = released.copy()
    holes[5, 2] = np.nan
    assert not tree_excludes_little(build_tree(holes), known)
