"""With holes and research subsets: the models counted in plain Python on the values that are written."""

from collections import Counter

import numpy as np
import polars as pl
import pytest
from tests.methods.categories import ZIPS

from sdckit.hierarchy import ROOT, Hierarchy
from sdckit.microdata import Microdata
from sdckit.release import protect

KEYS = ("zip", "age", "sex")
TREES = {"zip": Hierarchy.by_prefix(ZIPS, steps=(2, 4)), "age": Hierarchy.by_intervals([1, 9, 20, 33], [16, 32])}
METHODS = ("optimal-generalisation", "local-generalisation", "mondrian-strict", "mondrian-relaxed")


def register(records: int, seed: int, holes: float) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    columns = {
        "zip": rng.choice(ZIPS, records).tolist(),
        "age": [str(age) for age in rng.choice([1, 9, 20, 33], records)],
        "sex": rng.choice(["f", "m"], records).tolist(),
        "illness": rng.choice(["flu", "angina", "cancer"], records, p=[0.5, 0.3, 0.2]).tolist(),
    }
    holed = {name: [None if rng.random() < holes else value for value in column] for name, column in columns.items()}
    return pl.DataFrame(holed | {"chosen": (rng.random(records) < 0.4).astype(int).tolist()})


def rows_of(frame: pl.DataFrame, text: str) -> tuple[list[tuple[str | None, ...]], list[dict[str, object]]]:
    roles = dict.fromkeys(KEYS, "key") | {"illness": "confidential", "chosen": "other"}
    data = Microdata.from_frame(frame, roles=roles, kinds={"sex": "unordered"}, hierarchies=TREES)
    masked = protect(data, text, seed=1).masked
    columns = [[None if value is None else str(value) for value in masked.values(name)] for name in KEYS]
    return list(zip(*columns, strict=True)), frame.to_dicts()


def fits(row: tuple[str | None, ...], person: dict[str, object]) -> bool:
    for name, node in zip(KEYS, row, strict=True):
        value = person[name]
        if node in (None, ROOT):
            continue
        if value is None or node not in (TREES[name].ancestors(value) if name in TREES else (value,)):
            return False
    return True


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("holes", [0.0, 0.15])
def test_rows_that_look_the_same_satisfy_the_models(method, holes):
    for seed in range(3):
        rows, persons = rows_of(register(60, seed, holes), f"{method}:group_size=3,models=distinct-l-diversity(2)")
        for row, size in Counter(rows).items():
            if row != (None, None, None):
                values = {person["illness"] for own, person in zip(rows, persons, strict=True) if own == row} - {None}
                assert size >= 3 and len(values) != 1


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("holes", [0.0, 0.15])
@pytest.mark.parametrize("model", ["k-map(9)", "delta-presence(0+0.6)"])
def test_the_persons_who_fit_a_released_row_hide_it(method, holes, model):
    for seed in range(3):
        frame = register(50, seed, holes)
        rows, persons = rows_of(frame, f"{method}:group_size=2,models={model},subset=chosen")
        released = [row for row, person in zip(rows, persons, strict=True) if person["chosen"] == 1]
        assert all(row == (None,) * 3 for row, person in zip(rows, persons, strict=True) if person["chosen"] != 1)
        for row, size in Counter(released).items():
            if row == (None, None, None):
                continue
            population = sum(fits(row, person) for person in persons)
            assert size >= 2
            assert population >= 9 if model.startswith("k-map") else size / population <= 0.6 + 1e-9


def test_with_a_lower_limit_on_presence_everybody_fits_a_class_that_meets_it():
    for method in METHODS[:2]:
        frame = register(60, 4, 0.0)
        rows, persons = rows_of(
            frame, f"{method}:group_size=1,models=delta-presence(0.2+0.7),subset=chosen,suppression=0"
        )
        released = Counter(row for row, person in zip(rows, persons, strict=True) if person["chosen"] == 1)
        for row, size in released.items():
            assert 0.2 <= size / sum(fits(row, person) for person in persons) <= 0.7
        assert all(any(fits(row, person) for row in released) for person in persons)


def test_where_an_attribute_has_holes_its_root_is_one_too():
    frame = pl.DataFrame({"zip": ["48201", "88202", None], "age": ["1", "1", "1"], "sex": ["f"] * 3})
    frame = frame.with_columns(illness=pl.lit("flu"), chosen=pl.lit(1))
    rows, _ = rows_of(frame, "optimal-generalisation:group_size=3,suppression=0")
    assert rows == [(None, "1", "f")] * 3
