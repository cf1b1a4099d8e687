"""How engines cope with files beyond memory: CPU seconds and peak memory of each verb, sizes by generation.

`python -m benchmarks scale` takes a small file; `python -m benchmarks scale --records 10000000 --memory 2GB` the large
one of the documentation. Each verb is a process of its own, with its own peak memory; where the system allows it, one
that takes more than it may is ended.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from benchmarks._memory_group import Usage, run_within

from sdckit.engines.memory_limit import memory_limit

CHUNK = 500_000  # records generated at a time
SOURCE = "file.parquet"
SCHEMA = """
[attributes]
region = { role = "key" }
sex = { role = "key" }
age = { role = "key" }
marital = { role = "key" }
education = { role = "key" }
occupation = { role = "key", kind = "partially-ordered", hierarchy = { prefix = [1, 2] } }
weight = { role = "weight" }
income = { role = "confidential" }
wealth = { role = "confidential" }
hours = { role = "confidential" }
expenditure = { role = "confidential" }
tax = { role = "confidential" }
"""
RECIPE = """
[[steps]]
method = "global-recoding"
attributes = ["occupation"]

[[steps]]
method = "top-coding"
attributes = ["age"]

[[steps]]
method = "rank-swapping"
attributes = ["income", "wealth"]

[[steps]]
method = "additive-noise"
attributes = ["expenditure", "tax"]
"""


def generate(records: int, path: Path, names: tuple[str, ...] = ()) -> None:
    """Write a file of 12 columns, part by part: six keys, a weight and five amounts; or some of these columns."""
    import pyarrow.parquet as pq

    writer: Any = None
    for start in range(0, records, CHUNK):
        frame = chunk(start, min(CHUNK, records - start))
        table = (frame.select(names) if names else frame).to_arrow()
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table)
    writer.close()


def chunk(start: int, records: int) -> pl.DataFrame:
    """Some records of the file; the same ones whatever the sizes of the parts before."""
    rng = np.random.default_rng(start)
    income = np.round(rng.lognormal(7.5, 0.8, records), 2)
    return pl.DataFrame(
        {
            "region": np.minimum(rng.geometric(0.15, records), 20),
            "sex": rng.integers(1, 3, records),
            "age": np.minimum(rng.gamma(4, 10, records).astype(np.int64), 100),
            "marital": rng.integers(1, 6, records),
            "education": rng.integers(1, 7, records),
            "occupation": pl.Series(100 + rng.integers(0, 60, records)).cast(pl.String),
            "weight": np.round(rng.uniform(2, 40, records), 1),
            "income": income,
            "wealth": np.round(rng.lognormal(10, 1.5, records)),
            "hours": np.clip(np.round(rng.normal(38, 8, records)), 1, 80).astype(np.int64),
            "expenditure": np.round(0.7 * income * rng.lognormal(0, 0.3, records), 2),
            "tax": np.round(0.2 * income * rng.uniform(0.8, 1.2, records), 2),
        }
    )


def run(
    title: str,
    arguments: list[str],
    memory: str | None = None,
    *,
    show: bool = False,
    output: Path | None = None,
) -> Usage:
    """Run a verb as a process of its own, and print its CPU seconds, wall seconds and peak memory."""
    limit = 2**50 if memory is None else memory_limit(memory)
    command = [sys.executable, "-m", "sdckit", *arguments]
    with open(output or os.devnull, "wb") as out:
        found = run_within(limit, command, None if show else out)
    if found.code != 0:
        raise SystemExit(f"error: {title} ended with exit code {found.code}")
    within = f", limit of {memory} enforced" if memory is not None and found.enforced else ""
    figures = f"{found.cpu:8.1f} s CPU {found.wall:8.1f} s wall {found.peak / 2**30:6.2f} GB peak{within}"
    print(f"   {title:42} {figures}", flush=True)
    return found


def prepare(records: int, folder: Path) -> None:
    """Generate the file in a folder, with its schema and recipe."""
    generate(records, folder / SOURCE)
    (folder / "schema.toml").write_text(SCHEMA, encoding="utf-8")
    (folder / "recipe.toml").write_text(RECIPE, encoding="utf-8")
    size = (folder / SOURCE).stat().st_size / 2**20
    print(f"   {records:,} records × 12, {size:.0f} MB of Parquet", flush=True)


def describe(folder: Path, memory: str, engine: str = "duckdb") -> Usage:
    """Describe the file of a folder."""
    return run("describe", ["describe", str(folder / SOURCE), *_common(folder, memory, engine)], memory)


def protect(folder: Path, memory: str, engine: str = "duckdb", *, enforced: bool = True) -> Usage:
    """Mask the file of a folder by its recipe."""
    files = [str(folder / SOURCE), str(folder / masked_by(engine)), "--recipe", str(folder / "recipe.toml")]
    kept = ["--recipe-out", str(folder / f"{engine}.toml"), "--seed", "1"]
    command = ["protect", *files, *kept, *_common(folder, memory, engine)]
    return run(f"{engine}: recode, swap, noise, write", command, memory if enforced else None)


def assess(
    folder: Path,
    memory: str,
    engine: str = "duckdb",
    *,
    title: str = "k-anonymity, individual risk, losses",
    options: Sequence[str] = (),
    enforced: bool = True,
    output: Path | None = None,
    show: bool = False,
) -> Usage:
    """Measure the masked file of a folder; `options` name other measures than the default ones."""
    files = [str(folder / SOURCE), str(folder / masked_by(engine)), "--recipe", str(folder / f"{engine}.toml")]
    command = ["assess", *files, *options, *_common(folder, memory, engine)]
    return run(f"{engine}: {title}", command, memory if enforced else None, output=output, show=show)


def masked_by(engine: str) -> str:
    """The name of the file that an engine masks."""
    return f"{engine}.parquet"


def _common(folder: Path, memory: str, engine: str) -> list[str]:
    return ["--schema", str(folder / "schema.toml"), "--engine", engine, "--memory", memory, "--quiet"]


def described_masked_and_measured(folder: Path, memory: str, engine: str = "duckdb") -> list[Usage]:
    """What each verb takes on the file of a folder."""
    return [verb(folder, memory, engine) for verb in (describe, protect, assess)]


def together(usages: Sequence[Usage]) -> str:
    """The sum of the seconds and the largest peak."""
    cpu, wall = sum(each.cpu for each in usages), sum(each.wall for each in usages)
    return f"{cpu:8.1f} s CPU {wall:8.1f} s wall {max(each.peak for each in usages) / 2**30:6.2f} GB peak"


def main() -> None:
    """Generate, describe, mask and measure; with `--memory-too`, also in memory, and compare the files."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks scale")
    parser.add_argument("--records", type=int, default=300_000)
    parser.add_argument("--memory", default="2GB")
    parser.add_argument("--engine", default="duckdb")
    parser.add_argument("--memory-too", action="store_true", help="mask in memory as well, and compare the files")
    parser.add_argument("--folder", type=Path, help="where to work, by default a temporary folder")
    options, _ = parser.parse_known_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        prepare(options.records, folder)
        usages = described_masked_and_measured(folder, options.memory, options.engine)
        print(f"   {'together':42} {together(usages)}", flush=True)
        if options.memory_too:
            protect(folder, "1TB", "memory", enforced=False)
            files = [pl.read_parquet(folder / masked_by(engine)) for engine in (options.engine, "memory")]
            print(f"   same cells as from memory: {'yes' if files[0].equals(files[1]) else 'NO'}", flush=True)


if __name__ == "__main__":
    main()
