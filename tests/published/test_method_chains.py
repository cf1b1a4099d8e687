"""Chains of methods: every order is tried, the questions are about the figures, and a second run continues."""

from itertools import permutations
from pathlib import Path

import pytest

from sdckit.published.method_chains import METHODS, chains, least_loss, order_effects, reproduce
from sdckit.recipe import Recipe


def test_every_order_of_two_and_three_different_methods_is_tried() -> None:
    tried = {tuple(step.masking.name for step in Recipe.of(list(chain)).steps) for chain in chains(3)}
    for length in (1, 2, 3):
        assert {each for each in tried if len(each) == length} == set(permutations(METHODS, length))


def test_an_order_is_compared_with_its_reverse_at_the_same_strengths() -> None:
    row = {"file": "f", "steps": 2, "loss": 0.1}
    rows = [
        row | {"methods": "a → b", "setting": "a(1) → b(1)", "risk": 0.5},
        row | {"methods": "b → a", "setting": "b(1) → a(1)", "risk": 0.2},
        row | {"methods": "a → b", "setting": "a(2) → b(2)", "risk": 0.9},
    ]
    assert order_effects(rows).tolist() == [pytest.approx(0.3)]
    assert least_loss(rows, 1, 2) == float("inf") and least_loss(rows, 1, 2, risk=0.2) == 0.1


@pytest.mark.slow
def test_a_quick_run_gives_a_row_for_each_chain_and_continues(tmp_path: Path) -> None:
    first = reproduce(quick=True, folder=tmp_path)
    assert len(first.rows) == len(chains(2))
    assert any(row["on the frontier"] for row in first.rows)
    kept = sorted((tmp_path / "points").rglob("*.json"))
    times = [path.stat().st_mtime_ns for path in kept]
    again = reproduce(quick=True, folder=tmp_path)
    assert again.to_dict() == first.to_dict()
    assert kept and [path.stat().st_mtime_ns for path in kept] == times
