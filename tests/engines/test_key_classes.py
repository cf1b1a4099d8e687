"""Figures of key classes that pass through memory in batches are those of all classes in memory."""

import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from benchmarks._memory_group import run_within

from sdckit.attribute import Kind, Role
from sdckit.engines import hole_classes, key_classes
from sdckit.engines.assess import assess
from sdckit.engines.duckdb_engine import DuckDBEngine
from sdckit.engines.gate import gate
from sdckit.engines.memory_limit import PROCESS, memory_limit
from sdckit.engines.open_pair import open_pair
from sdckit.engines.pair import Pair
from sdckit.errors import NotMeasuredError
from sdckit.evaluation.assess import assess as assess_in_memory
from sdckit.evaluation.measurement import named_measures
from sdckit.evaluation.policy import Policy, Rule
from sdckit.files import read
from sdckit.files.release_files import read_masked
from sdckit.kernels.compiled import compilations
from sdckit.measure import Score
from sdckit.release import Release
from sdckit.schema import Declared, Schema

RISKS = ("k-anonymity", "uniqueness", "prosecutor-risk", "individual-risk")
MEASURES = (*RISKS, "discernibility", "average-class-size")
KEYS = {"age": Kind.DISCRETE, "income": Kind.CONTINUOUS, "area": Kind.UNORDERED}
SCHEMA = Schema(
    {name: Declared(kind=kind, role=Role.KEY) for name, kind in KEYS.items()}
    | {"weight": Declared(kind=Kind.CONTINUOUS, role=Role.WEIGHT)}
)


def files(folder: Path, distinct: int, missing: float, weights: str, records: int = 400) -> tuple[Path, Path]:
    """A file with so many values of a key, some of them missing, and the same file with a coarser key."""
    rng = np.random.default_rng(distinct)
    income = np.round(rng.normal(size=records) * distinct)
    table = {
        "age": rng.integers(0, distinct, records),
        "income": income,
        "area": np.array(["north", "south", "west"])[rng.integers(0, 3, records)],
        "weight": {
            "unequal": rng.uniform(1, 9, records),
            "few": rng.integers(2, 5, records).astype(np.float64),
            "below one": rng.uniform(0.2, 0.9, records),
        }[weights],
    }
    paths = folder / "original.parquet", folder / "masked.parquet"
    for path, width, share in zip(paths, (1, 3), (missing / 2, missing), strict=True):
        frame = pl.DataFrame(table | {"income": np.round(income / width)})
        holes = {name: pl.Series(rng.random(records) < share) for name in KEYS}
        frame.with_columns(
            [pl.when(~holes[name]).then(pl.col(name)).otherwise(None).alias(name) for name in KEYS]
        ).write_parquet(path)
    return paths


def opened(paths: tuple[Path, Path], engine: DuckDBEngine, folder: Path) -> Pair:
    return open_pair(*paths, engine, folder, 2**30, schema=SCHEMA, rows_in_order=True, part_records=97)


def assert_same(found: Score, expected: Score) -> None:
    assert found.value == pytest.approx(expected.value, rel=1e-12, abs=1e-15), found.name
    assert found.baseline == (None if expected.baseline is None else pytest.approx(expected.baseline, rel=1e-12))
    assert set(found.details) == set(expected.details), found.name
    for name, value in expected.details.items():
        exact = isinstance(value, str | tuple | list) or value is None
        assert found.details[name] == (value if exact else pytest.approx(value, rel=1e-12)), (found.name, name)


@pytest.mark.parametrize(
    ("distinct", "missing", "weights"),
    [
        (2, 0.0, "unequal"),
        (2, 0.15, "few"),
        (2, 0.7, "below one"),
        (200, 0.0, "few"),
        (200, 0.15, "unequal"),
        (200, 0.7, "below one"),
    ],
)
def test_figures_of_tied_and_nearly_unique_keys_are_those_from_memory(
    duckdb_engine: DuckDBEngine,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    distinct: int,
    missing: float,
    weights: str,
) -> None:
    monkeypatch.setattr(key_classes, "AT_ONCE", 7)
    monkeypatch.setattr(key_classes, "LEAST", 40_000)
    paths = files(tmp_path, distinct, missing, weights)
    pair = opened(paths, duckdb_engine, tmp_path)
    whole = assess_in_memory(Release.in_order(read(paths[0], SCHEMA), read_masked(paths[1], SCHEMA)), MEASURES)
    monkeypatch.setattr(hole_classes, "SHARE", 1e9)  # so that a memory that asks for several passes is not refused
    monkeypatch.setattr(key_classes, "SHARE", 1e-9)
    for memory in (2**62, PROCESS + 2**20):
        found = assess(pair, duckdb_engine, named_measures(MEASURES), memory=memory)
        for name, score in found.scores.items():
            assert_same(score, whole[name])
        assert set(found.before) == set(RISKS)
        for name, score in found.before.items():
            assert_same(score, whole.before[name])


def test_classes_are_grouped_in_several_passes_where_memory_is_little(
    duckdb_engine: DuckDBEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = opened(files(tmp_path, 200, 0.1, "few"), duckdb_engine, tmp_path)
    monkeypatch.setattr(key_classes, "LEAST", 10_000)
    monkeypatch.setattr(key_classes, "SHARE", 1e-9)
    once, often = (
        key_classes.key_classes(pair.masked, duckdb_engine, pair.keys(), memory=memory)
        for memory in (2**62, PROCESS + 2**20)
    )
    assert once.passes == 1 and often.passes > 3
    for one, other in zip(once.own_value.partition(), often.own_value.partition(), strict=True):
        assert one.tolist() == other.tolist()


def test_too_many_classes_with_a_missing_key_are_refused_before_the_work(
    duckdb_engine: DuckDBEngine, tmp_path: Path
) -> None:
    pair = opened(files(tmp_path, 200, 0.5, "few"), duckdb_engine, tmp_path)
    little = PROCESS + 2**16
    cure = r"k-anonymity cannot be measured: the \d+ combinations of keys with a missing one .*\(--memory\).*--measure"
    measures = named_measures(["il1s", "k-anonymity"])
    with pytest.raises(NotMeasuredError, match=cure):
        assess(pair, duckdb_engine, measures, memory=little)
    with pytest.raises(NotMeasuredError, match="combinations of keys"):
        assess(pair, duckdb_engine, memory=little)
    for optional in (False, True):
        policy = Policy((Rule(measures[1], max=0.5, optional=optional),))
        with pytest.raises(NotMeasuredError, match="combinations of keys"):
            gate(pair, duckdb_engine, policy, memory=little)
    assert assess(pair, duckdb_engine, measures[:1], memory=little).scores


def test_unusable_weights_concern_the_risk_that_reads_them_and_no_other(
    duckdb_engine: DuckDBEngine, tmp_path: Path
) -> None:
    paths = files(tmp_path, 5, 0.1, "few")
    for path in paths:
        pl.read_parquet(path).with_columns(pl.lit(0.0).alias("weight")).write_parquet(path)
    found = assess(opened(paths, duckdb_engine, tmp_path), duckdb_engine)
    assert "zero, negative or missing" in found.skipped["individual-risk"]
    assert "k-anonymity" in found.scores


@pytest.mark.slow
@pytest.mark.parametrize("missing", [0.0, 0.01])
def test_nearly_unique_keys_are_measured_within_the_memory(
    duckdb_engine: DuckDBEngine, tmp_path: Path, missing: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system ends a process that takes more, where this one may set a limit, and its peak is compared.

    The kernels are compiled before: pages of the compiler's code count for the peak of a first run.
    """
    monkeypatch.setattr(compilations, "spared", False)
    monkeypatch.setattr("sdckit.kernels.equivalence_classes.SCANNED", 0)
    (tmp_path / "few").mkdir()
    few = opened(files(tmp_path / "few", 40, 0.3, "unequal"), duckdb_engine, tmp_path)
    assess(few, duckdb_engine, measures=named_measures(MEASURES))
    original, masked = files(tmp_path, 100_000, missing, "unequal", records=2_000_000)
    schema = tmp_path / "schema.toml"
    schema.write_text(SCHEMA.to_toml(), encoding="utf-8")
    limit = ["--engine", "duckdb", "--memory", "600MB", "--quiet", "--rows-in-order"]
    measures = [word for name in MEASURES for word in ("--measure", name)]
    with open(tmp_path / "printed", "wb") as printed:
        command = [sys.executable, "-m", "sdckit", "assess", str(original), str(masked), "--schema", str(schema)]
        found = run_within(memory_limit("600MB"), [*command, *limit, *measures], printed)
    assert found.code == 0
    assert found.peak <= memory_limit("600MB")
