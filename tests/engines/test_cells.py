"""Microaggregation in cells: every group has its k records, and the cost of the cuts is measured."""

from pathlib import Path

import numpy as np
import pytest

from sdckit.draws import Draws
from sdckit.engines import plan as planning
from sdckit.engines.duckdb_engine import DuckDBEngine
from sdckit.engines.from_memory import in_parts
from sdckit.engines.plan import Way, plan
from sdckit.engines.steps import Work
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.progress import NoProgress
from sdckit.recipe import Recipe


def test_groups_in_cells_have_k_records_and_cost_little(
    duckdb_engine: DuckDBEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(planning, "QUADRATIC_UP_TO", 1000)
    monkeypatch.setattr(planning, "CELL", 500)
    rng = np.random.default_rng(4)
    columns = {"x": rng.lognormal(0, 1, 1700), "y": rng.normal(0, 1, 1700)}
    data = Microdata(tuple(Attribute(name, Kind.CONTINUOUS, Role.KEY) for name in columns), columns)
    file = in_parts(data, tmp_path, 300)
    recipe = Recipe.of("mdav:group_size=4").resolve(file.header)
    (step,) = plan(recipe, file.header, 2**30).steps
    assert step.way is Way.CELLS
    assert not step.exact
    work = Work(duckdb_engine, Draws.of(1), tmp_path / "scratch", NoProgress())
    masked = work.apply(file, step)
    found = np.column_stack([masked.column("x"), masked.column("y")])
    assert np.unique(found, axis=0, return_counts=True)[1].min() >= 4
    assert found.mean(axis=0) == pytest.approx([data.columns[name].mean() for name in "xy"])
    whole = recipe.protect(data, draws=Draws.of(1)).matrix(["x", "y"])
    original = data.matrix(["x", "y"])
    errors = [(((each - original) / original.std(axis=0)) ** 2).sum() for each in (found, whole)]
    assert errors[0] < 1.25 * errors[1]
    assert len(work.notes) == 1
    assert "mdav was done in 4 cells" in work.notes[0]
