"""Chains of methods: every order is tried, the questions are about the figures, and a second run continues."""

from itertools import permutations
from pathlib import Path

import pytest

from sdckit.datasets import simulate_business
from sdckit.published.method_chains import (
    METHODS,
    RECORDS,
    SEEDS,
    chains,
    last_steps,
    least_loss,
    order_effects,
    reproduce,
    rows_of,
    tried,
)
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


PAGE = Path(__file__).resolve().parents[2] / "docs" / "concepts" / "method-chains.md"


@pytest.mark.slow
def test_a_line_of_the_page_is_what_the_study_computes() -> None:
    (line,) = (
        text for text in PAGE.read_text(encoding="utf-8").splitlines() if text.startswith("| mdav 5 first → pram .5")
    )
    first, last = (float(text) for text in line.split("|")[2].split("·"))
    chain = ("mdav:group_size=5", "invariant-pram:stay=0.5")
    data = simulate_business(RECORDS, seed=1)
    rows = rows_of("business", tried(data, [chain, chain[::-1]], SEEDS, None))
    risks = {row["methods"]: 100 * row["risk"] for row in rows}
    assert risks["mdav → invariant-pram"] == pytest.approx(first, abs=0.06)
    assert risks["invariant-pram → mdav"] == pytest.approx(last, abs=0.06)


def test_notes_count_how_often_a_method_is_better_last() -> None:
    row = {"file": "f", "steps": 2, "loss": 0.1}
    rows = [
        row | {"methods": "mdav → additive-noise", "setting": "mdav(1) → additive-noise(1)", "risk": 0.5},
        row | {"methods": "additive-noise → mdav", "setting": "additive-noise(1) → mdav(1)", "risk": 0.2},
    ]
    mdav, noise = last_steps(rows)
    assert "mdav as the last" in mdav and "in 1 of 1 chains; the risk is 30.0 points lower" in mdav
    assert "in 0 of 1 chains; the risk is 30.0 points higher" in noise
