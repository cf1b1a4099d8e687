"""Columns that are recoded to bands, on the command line: the same files, figures and refusals whatever the engine."""

from datetime import date, datetime, timedelta
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sdckit.files.key_file import read_key

from .conftest import Run

BANDS = [
    "global-recoding-breaks:breaks=0+15+25+65,attributes=age",
    "top-bottom-recoding:top=60,bottom=20,attributes=hours",
    "global-recoding-breaks:unit=year,attributes=born",
    "global-recoding-breaks:unit=quarter,attributes=seen",
    "global-recoding-breaks:breaks=B+D,labels=low+middle+high,attributes=grade",
]
COMPUTING = ["additive-noise", "rank-swapping", "rounding:base=5", "top-coding", "global-recoding-breaks:breaks=0+30"]


def people(records: int = 200) -> pl.DataFrame:
    """Numbers with holes, fractions and values below zero, dates, times and an ordered category."""
    rng = np.random.default_rng(records)
    holes = rng.random(records) < 0.1
    days = rng.integers(0, 30_000, records).tolist()
    return pl.DataFrame(
        {
            "age": pl.Series(rng.integers(-2, 90, records)).set(pl.Series(holes), None),
            "hours": rng.choice([0.0, -0.0, 12.5, 20.0, 38.0, 59.5, 60.0, 71.0], records),
            "born": [date(1930, 1, 1) + timedelta(days=day) for day in days],
            "seen": [datetime(2020, 1, 1, 12) + timedelta(days=day // 40) for day in days],
            "grade": pl.Series(rng.choice(list("ABCDE"), records)).cast(pl.Enum(list("ABCDE"))),
            "sex": rng.choice(["f", "m"], records),
        }
    )


@pytest.fixture
def source(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    path = tmp_path / f"people.{request.param}"
    data = people()
    (data.write_parquet if request.param == "parquet" else data.write_csv)(path)
    (tmp_path / "schema.toml").write_text(
        "[attributes]\n"
        + "".join(f'{name} = {{ role = "key" }}\n' for name in data.columns if name != "grade")
        + 'grade = { role = "key", kind = "discrete", categories = ["A", "B", "C", "D", "E"] }\n'
    )
    return path


def masked(run: Run, source: Path, engine: str) -> Path:
    target = source.with_name(f"{engine}{source.suffix}")
    steps = [word for step in BANDS for word in ("--method", step)]
    files = ["--recipe-out", target.with_suffix(".toml"), "--key-out", target.with_suffix(".key")]
    schema = ["--schema", source.with_name("schema.toml")]
    done = run("protect", source, target, *steps, *schema, *files, "--engine", engine, "--seed", 3)
    assert done.code == 0, done.err
    return target


@pytest.mark.parametrize("source", ["csv", "parquet"], indirect=True)
def test_the_texts_of_bands_are_written_and_either_engine_measures_the_file_of_the_other(
    run: Run, source: Path
) -> None:
    memory, duckdb = (masked(run, source, engine) for engine in ("memory", "duckdb"))
    if source.suffix == ".csv":
        assert duckdb.read_bytes() == memory.read_bytes()
    read = pl.read_csv if source.suffix == ".csv" else pl.read_parquet
    assert read(duckdb).equals(read(memory))
    assert read(memory)["age"].drop_nulls().is_in(["under 0", "0–14", "15–24", "25–64", "65+"]).all()
    assert duckdb.with_suffix(".toml").read_bytes() == memory.with_suffix(".toml").read_bytes()
    ours, theirs = (read_key(target.with_suffix(".key")) for target in (memory, duckdb))
    assert ours.to_json() == theirs.to_json()
    figures = {}
    for engine, target in (("memory", duckdb), ("duckdb", memory)):
        asked = [word for name in ("il1s", "variables-loss", "uniqueness") for word in ("--measure", name)]
        schema = ["--schema", source.with_name("schema.toml")]
        files = ["--recipe", target.with_suffix(".toml"), "--key", target.with_suffix(".key")]
        done = run("assess", source, target, *asked, *schema, *files, "--engine", engine, "--quiet")
        assert done.code == 0, done.err
        figures[engine] = [line.split()[:2] for line in done.out.splitlines()]
    assert figures["memory"] == figures["duckdb"]
    assert len(figures["memory"]) == 3


@pytest.mark.parametrize("source", ["csv"], indirect=True)
@pytest.mark.parametrize("step", COMPUTING)
def test_a_step_that_computes_with_bands_is_refused_before_any_work(run: Run, source: Path, step: str) -> None:
    target, joint = source.with_name("masked.csv"), "," if ":" in step else ":"
    steps = ["--method", BANDS[0], "--method", f"{step}{joint}attributes=age"]
    schema = ["--schema", source.with_name("schema.toml")]
    memory, duckdb = (
        run("protect", source, target, *steps, *schema, "--engine", engine) for engine in ("memory", "duckdb")
    )
    assert memory.code == duckdb.code == 2
    assert duckdb.err.endswith(memory.err)
    assert "recoded to bands by an earlier step" in duckdb.err
    assert not target.exists()
    assert not list(target.parent.glob(".*parts"))
