"""Spark on this machine beside DuckDB: the same file and figures, and what Spark costs more.

`python -m benchmarks scale_engines --records 1000000`; it needs pyspark and Java 17.
"""

import argparse
import json
import tempfile
from pathlib import Path

import polars as pl
from benchmarks.scale import RECIPE, SCHEMA, generate, run


def main() -> None:
    """Mask and measure by both engines, compare cells and figures, and print the ratio of the times.

    The CPU seconds of Spark are those of its driver alone, without Java and the workers.
    """
    parser = argparse.ArgumentParser(prog="python -m benchmarks scale_engines")
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--memory", default="3GB")
    parser.add_argument("--folder", type=Path, help="where to work, by default a temporary folder")
    options, _ = parser.parse_known_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        source, schema, recipe = folder / "file.parquet", folder / "schema.toml", folder / "recipe.toml"
        schema.write_text(SCHEMA, encoding="utf-8")
        recipe.write_text(RECIPE, encoding="utf-8")
        generate(options.records, source)
        print(f"   {options.records:,} records × 12, memory {options.memory}", flush=True)
        cost, figures, masked = {}, {}, {}
        for engine in ("duckdb", "spark"):
            common = ["--schema", str(schema), "--engine", engine, "--memory", options.memory, "--quiet"]
            out, written = folder / f"{engine}.parquet", str(folder / f"{engine}.toml")
            mask = ["protect", str(source), str(out), "--recipe", str(recipe), "--recipe-out", written, "--seed", "1"]
            first = run(f"{engine}: recode, swap, noise, write", [*mask, *common])
            measure = ["assess", str(source), str(out), "--recipe", written, "--json"]
            second = run(f"{engine}: risks and losses", [*measure, *common], output=folder / f"{engine}.json")
            cost[engine] = first.wall + second.wall
            scores = json.loads((folder / f"{engine}.json").read_text(encoding="utf-8"))["scores"]
            figures[engine] = {each["name"]: each["value"] for each in scores}
            masked[engine] = pl.read_parquet(out)
        cells = "yes" if masked["spark"].equals(masked["duckdb"]) else "NO"
        same = "yes" if figures["spark"] == figures["duckdb"] else "NO"
        print(f"   same cells: {cells}; the {len(figures['spark'])} figures are the same: {same}", flush=True)
        print(f"   Spark takes {cost['spark'] / cost['duckdb']:.1f} times the wall time of DuckDB", flush=True)


if __name__ == "__main__":
    main()
