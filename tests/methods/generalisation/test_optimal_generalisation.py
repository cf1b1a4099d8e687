"""Optimal generalisation: the lattice is searched and nothing better is missed."""

from itertools import product

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.methods.categories import ZIPS, protected, unordered, zips

from sdckit.errors import SchemaError
from sdckit.hierarchy import ROOT, Hierarchy
from sdckit.kernels.equivalence_classes import class_of, wildcard_frequencies
from sdckit.methods.generalisation.key_levels import levels_of
from sdckit.methods.generalisation.optimal_generalisation import OptimalGeneralisation
from sdckit.microdata import Microdata
from sdckit.release import protect

AGES = tuple(range(0, 40, 4))


def people(records: int, seed: int, missing: float = 0.0) -> Microdata:
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "zip": [None if rng.random() < missing else str(rng.choice(ZIPS)) for _ in range(records)],
            "age": [None if rng.random() < missing else int(rng.choice(AGES)) for _ in range(records)],
            "sex": [str(rng.choice(["f", "m"])) for _ in range(records)],
        },
        schema={"zip": pl.String, "age": pl.Int64, "sex": pl.String},
    )
    return Microdata.from_frame(
        frame,
        roles=dict.fromkeys(frame.columns, "key"),
        hierarchies={"zip": Hierarchy.by_prefix(ZIPS), "age": Hierarchy.by_intervals(AGES, [8, 16])},
    )


def least_loss(data: Microdata, k: int, most: int) -> float:
    """The loss of the best combination of levels, all of them tried."""
    names = [each.name for each in data.attributes]
    keys = [levels_of(data.attribute(name)) for name in names]
    codes = data.codes(names)
    best = np.inf
    for levels in product(*(range(len(key.nodes)) for key in keys)):
        levels_of_records = np.column_stack(
            [key.nodes[level][codes[:, j]] for j, (key, level) in enumerate(zip(keys, levels, strict=True))]
        )
        classes = class_of(levels_of_records)
        rare = classes.sizes[classes.of] < k
        if rare.sum() <= most:
            cells = np.column_stack(
                [key.losses[level][codes[:, j]] for j, (key, level) in enumerate(zip(keys, levels, strict=True))]
            )
            cells[rare] = (codes >= 0)[rare]
            best = min(best, cells.sum() / codes.size)
    return best


@given(
    st.integers(3, 60),
    st.integers(1, 4),
    st.sampled_from([0.0, 0.1, 0.5]),
    st.integers(0, 99),
    st.sampled_from([0.0, 0.2]),
)
def test_no_combination_of_levels_loses_less(records, k, suppression, seed, missing):
    data = people(records, seed, missing)
    if any(data.missing(name) == records for name in ("zip", "age")):
        return
    method = OptimalGeneralisation(group_size=min(k, records), suppression=suppression)
    found = method.search(data, ("zip", "age", "sex"))
    limit = int(suppression * records + 1e-9)
    assert found.loss == pytest.approx(least_loss(data, min(k, records), limit))
    assert found.suppressed.sum() <= limit
    masked = protected(method, data)
    assert wildcard_frequencies(masked.codes(("zip", "age", "sex"))).min() >= min(k, records)


def test_by_hand_one_digit_is_enough():
    masked = protected(OptimalGeneralisation(group_size=2, suppression=0), zips(["48201", "48202", "48201", "48202"]))
    assert masked.values("zip").tolist() == ["48201", "48202"] * 2
    masked = protected(OptimalGeneralisation(group_size=2, suppression=0), zips(["48201", "48202", "88202", "88301"]))
    assert masked.values("zip").tolist() == ["48***", "48***", "88***", "88***"]


def test_an_outlier_is_suppressed_rather_than_all_coarsened():
    values = ["48201"] * 6 + ["48202"] * 6 + ["88301"]
    kept = protected(OptimalGeneralisation(group_size=3, suppression=0.1), zips(values))
    assert kept.values("zip").tolist() == [*values[:-1], None]
    coarse = protected(OptimalGeneralisation(group_size=3, suppression=0), zips(values))
    assert set(coarse.values("zip")) == {ROOT}


def test_more_suppression_or_a_smaller_group_never_loses_more():
    data = people(200, 3)
    losses = [
        [
            OptimalGeneralisation(group_size=k, suppression=s).search(data, ("zip", "age", "sex")).loss
            for s in (0, 0.05, 0.2)
        ]
        for k in (1, 2, 5, 20)
    ]
    assert all(row == sorted(row, reverse=True) for row in losses)
    assert all(list(column) == sorted(column) for column in zip(*losses, strict=True))
    assert losses[0][0] == 0


def test_the_steward_gets_a_note_of_the_levels():
    release = protect(people(60, 1), OptimalGeneralisation(group_size=5), seed=1)
    assert any("levels of generalisation: zip" in note for note in release.notes())


def test_the_notes_of_a_release_need_no_second_search(monkeypatch):
    release = protect(people(60, 1), OptimalGeneralisation(group_size=5), seed=1)
    monkeypatch.setattr("sdckit.methods.generalisation.optimal_generalisation.best_generalisation", None)
    assert release.notes()


def test_what_cannot_be_done_is_refused():
    with pytest.raises(SchemaError, match="2 records cannot be 3-anonymous"):
        protected(OptimalGeneralisation(suppression=0), unordered(a=["x", "y"]))


@pytest.mark.parametrize("budget", [1, 2, 5, 1000])
@pytest.mark.parametrize("models", ["", "t-closeness(0.5+sex)"])
def test_a_search_that_stops_early_proves_how_much_it_can_have_missed(budget, models):
    for seed in range(6):
        data = people(60, seed)
        names = ("zip", "age")
        best = OptimalGeneralisation(group_size=4, models=models).search(data, names)
        early = OptimalGeneralisation(group_size=4, models=models, max_checked=budget).search(data, names)
        assert best.gap == 0
        assert early.loss - early.gap - 1e-12 <= best.loss <= early.loss + 1e-12


def test_the_alternatives_suppress_less_and_lose_more():
    shown = 0
    for seed in range(12):
        found = OptimalGeneralisation(group_size=2, suppression=0.5).search(people(40, seed), ("zip", "age", "sex"))
        losses = [found.loss, *(loss for _, loss, _ in found.alternatives)]
        suppressed = [int(found.suppressed.sum()), *(number for _, _, number in found.alternatives)]
        assert losses == sorted(losses) and suppressed == sorted(set(suppressed), reverse=True)
        shown += len(found.alternatives)
    assert shown


@pytest.mark.parametrize("loss", ["precision", "entropy", "discernibility", "class-size"])
def test_every_loss_is_least_at_the_levels_found(loss):
    data = people(50, 8)
    names = ("zip", "age", "sex")
    found = OptimalGeneralisation(group_size=3, loss=loss, suppression=0.0).search(data, names)
    keys = [levels_of(data.attribute(name)) for name in names]
    codes = data.codes(names)
    figures = {}
    for levels in product(*(range(len(key.nodes)) for key in keys)):
        nodes = np.column_stack(
            [key.nodes[level][codes[:, j]] for j, (key, level) in enumerate(zip(keys, levels, strict=True))]
        )
        classes = class_of(nodes)
        if classes.sizes.min() < 3:
            continue
        if loss == "discernibility":
            figures[levels] = float((classes.sizes**2).sum())
        elif loss == "class-size":
            figures[levels] = float(classes.sizes.mean())
        elif loss == "precision":
            heights = [max(len(key.nodes) - 1, 1) for key in keys]
            figures[levels] = sum(level / height for level, height in zip(levels, heights, strict=True)) / 3
        else:
            merged = [
                np.log(np.bincount(nodes[:, j])[nodes[:, j]] / np.bincount(codes[:, j])[codes[:, j]]) for j in range(3)
            ]
            figures[levels] = float(np.mean(merged) / np.log(len(data)))
    assert found.loss == pytest.approx(min(figures.values()))
    assert figures[found.levels] == pytest.approx(found.loss)
