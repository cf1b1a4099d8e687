"""Spark on this machine beside DuckDB: the same file and figures, and what Spark costs more.

`python -m benchmarks scale_engines --records 1000000`; it needs pyspark and Java 17.
"""

import argparse
import json
import tempfile
from pathlib import Path
from typing import NamedTuple

import polars as pl
from benchmarks.scale import assess, masked_by, prepare, protect

ENGINES = ("duckdb", "spark")


class Comparison(NamedTuple):
    """Whether both engines give the same cells and figures, of how many, and how many times as long Spark takes."""

    same_cells: bool
    same_figures: bool
    figures: int
    times: float


def compared(folder: Path, memory: str) -> Comparison:
    """Mask and measure the file of a folder by both engines.

    The CPU seconds of Spark are those of its driver alone, without Java and the workers.
    """
    wall, figures, masked = {}, {}, {}
    for engine in ENGINES:
        first = protect(folder, memory, engine, enforced=False)
        output = folder / f"{engine}.json"
        second = assess(folder, memory, engine, options=["--json"], output=output, enforced=False)
        wall[engine] = first.wall + second.wall
        scores = json.loads(output.read_text(encoding="utf-8"))["scores"]
        figures[engine] = {each["name"]: each["value"] for each in scores}
        masked[engine] = pl.read_parquet(folder / masked_by(engine))
    return Comparison(
        masked["spark"].equals(masked["duckdb"]),
        figures["spark"] == figures["duckdb"],
        len(figures["spark"]),
        wall["spark"] / wall["duckdb"],
    )


def main() -> None:
    """Compare cells and figures, and print the ratio of the times."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks scale_engines")
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--memory", default="3GB")
    parser.add_argument("--folder", type=Path, help="where to work, by default a temporary folder")
    options, _ = parser.parse_known_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        prepare(options.records, Path(name))
        found = compared(Path(name), options.memory)
    cells, same = ("yes" if each else "NO" for each in (found.same_cells, found.same_figures))
    print(f"   same cells: {cells}; the {found.figures} figures are the same: {same}", flush=True)
    print(f"   Spark takes {found.times:.1f} times the wall time of DuckDB", flush=True)


if __name__ == "__main__":
    main()
