"""A plan says how each step is done, and refuses before any work what cannot be done."""

import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from benchmarks._memory_group import run_within

from sdckit.engines.choose import choose
from sdckit.engines.engine_name import EngineName
from sdckit.engines.header import Header
from sdckit.engines.memory_limit import memory_limit
from sdckit.engines.plan import Way, plan
from sdckit.errors import ParameterError, SdcError
from sdckit.microdata import Attribute, Kind, Role
from sdckit.recipe import Recipe


def header(records: int) -> Header:
    attributes = tuple(Attribute(name, Kind.CONTINUOUS, Role.KEY) for name in "abc")
    return Header.of(attributes, records, {})


def ways(recipe: list[str], records: int, memory: int) -> list[Way]:
    resolved = Recipe.of(recipe).resolve(header(records))
    return [step.way for step in plan(resolved, header(records), memory).steps]


def test_each_step_is_done_in_the_least_memory_that_keeps_it_exact() -> None:
    steps = ["additive-noise", "rounding", "rank-swapping", "optimal-univariate", "mdav"]
    expected = [Way.ROWS, Way.ROWS, Way.RANKS, Way.COLUMNS, Way.COLUMNS]
    assert ways(steps, 200_000, 2**30) == expected


def test_microaggregation_of_many_records_is_done_in_cells() -> None:
    assert ways(["mdav", "ordered-microaggregation"], 1_000_000, 2**30) == [Way.CELLS, Way.COLUMNS]
    assert ways(["ordered-microaggregation"], 100_000_000, 2**30) == [Way.CELLS]


def test_a_step_that_does_not_fit_is_refused_with_its_name_and_the_cure() -> None:
    with pytest.raises(SdcError, match=r"step 2, corrected-noise, needs its columns in memory: .*--memory"):
        ways(["rounding", "corrected-noise"], 100_000_000, 2**30)


def test_a_step_that_changes_the_records_is_refused() -> None:
    with pytest.raises(SdcError, match=r"step 1, simple-sampling, changes which records"):
        ways(["simple-sampling"], 1000, 2**30)


@pytest.mark.parametrize("text", ["2 apples", "-1GB", "10MB"])
def test_an_amount_of_memory_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ParameterError, match=r"memory|allow more"):
        memory_limit(text)


def test_auto_takes_memory_where_the_file_fits_and_duckdb_where_it_does_not(tmp_path: Path) -> None:
    path = tmp_path / "file.parquet"
    pl.DataFrame({name: np.zeros(1_000_000) for name in "abcdef"}).write_parquet(path)
    assert choose(EngineName.AUTO, "8GB", path).name is EngineName.MEMORY
    chosen = choose(EngineName.AUTO, "600MB", path)
    assert chosen.name is EngineName.DUCKDB
    assert "0.6 GB are allowed" in chosen.reason


@pytest.mark.slow
def test_a_run_stays_within_its_memory(tmp_path: Path) -> None:
    """The system ends a process that takes more, where this one may set a limit; else its peak is compared."""
    rng = np.random.default_rng(0)
    path, target, recipe = (tmp_path / name for name in ("file.parquet", "masked.parquet", "recipe.toml"))
    records = 3_000_000
    keys = {"area": rng.integers(0, 400, records), "age": rng.integers(0, 100, records)}
    pl.DataFrame(keys | {name: rng.normal(size=records) for name in "abcdef"}).write_parquet(path)
    schema = tmp_path / "schema.toml"
    schema.write_text('[attributes]\narea = { role = "key" }\nage = { role = "key" }\n', encoding="utf-8")
    limits = ["--schema", str(schema), "--engine", "duckdb", "--memory", "900MB", "--quiet"]
    steps = ["--method", "additive-noise:attributes=a", "--method", "rank-swapping:attributes=b"]
    for verb in (
        ["describe", str(path)],
        ["protect", str(path), str(target), *steps, "--allow-undeclared", "--seed", "1", "--recipe-out", str(recipe)],
        ["assess", str(path), str(target), "--recipe", str(recipe)],
    ):
        with open(tmp_path / "printed", "wb") as printed:
            command = [sys.executable, "-m", "sdckit", *verb, *limits]
            found = run_within(memory_limit("900MB"), command, printed)
        assert found.code == 0, verb
        assert found.peak <= memory_limit("900MB"), verb
    assert pl.scan_parquet(target).select(pl.len()).collect().item() == records
