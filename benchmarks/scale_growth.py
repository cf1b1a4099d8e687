"""How the cost of frequencies, recoding, noise and losses grows with the file: three sizes, each ten times the last.

`python -m benchmarks scale_growth --records 100000000 --memory 3GB` is the large one of the documentation: 8 columns.
"""

import argparse
import math
import tempfile
from pathlib import Path

from benchmarks.scale import generate, run

NAMES = ("region", "sex", "age", "occupation", "weight", "income", "expenditure", "tax")
SCHEMA = """
[attributes]
region = { role = "key" }
sex = { role = "key" }
age = { role = "key" }
occupation = { role = "key", kind = "partially-ordered", hierarchy = { prefix = [1, 2] } }
weight = { role = "weight" }
income = { role = "confidential" }
expenditure = { role = "confidential" }
tax = { role = "confidential" }
"""
RECIPE = """
[[steps]]
method = "global-recoding"
attributes = ["occupation"]

[[steps]]
method = "additive-noise"
attributes = ["income", "expenditure", "tax"]
"""


def cost(records: int, memory: str, parent: Path | None) -> float:
    """The CPU seconds of masking and measuring so many records."""
    with tempfile.TemporaryDirectory(dir=parent) as name:
        folder = Path(name)
        source, schema, recipe = folder / "file.parquet", folder / "schema.toml", folder / "recipe.toml"
        schema.write_text(SCHEMA, encoding="utf-8")
        recipe.write_text(RECIPE, encoding="utf-8")
        generate(records, source, NAMES)
        size = source.stat().st_size / 2**20
        print(f"   {records:,} records × {len(NAMES)}, {size:.0f} MB of Parquet, memory {memory}", flush=True)
        common = ["--schema", str(schema), "--engine", "duckdb", "--memory", memory, "--quiet"]
        masked, written = str(folder / "masked.parquet"), str(folder / "written.toml")
        mask = ["protect", str(source), masked, "--recipe", str(recipe), "--recipe-out", written, "--seed", "1"]
        first = run("recoding, noise, write", [*mask, *common], memory)
        measure = ["assess", str(source), masked, "--recipe", written]
        second = run("frequencies, individual risk, losses", [*measure, *common], memory)
        return first.cpu + second.cpu


def main() -> None:
    """Mask and measure files of three sizes, and print the exponents of the cost."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks scale_growth")
    parser.add_argument("--records", type=int, default=300_000, help="of the largest file")
    parser.add_argument("--memory", default="3GB")
    parser.add_argument("--folder", type=Path, help="where to work, by default a temporary folder")
    options, _ = parser.parse_known_args()
    costs = [cost(options.records // share, options.memory, options.folder) for share in (100, 10, 1)]
    exponents = ", ".join(f"{math.log10(costs[at + 1] / costs[at]):.2f}" for at in range(2))
    print(f"   growth exponents of the CPU seconds, each ten times the records: {exponents}", flush=True)


if __name__ == "__main__":
    main()
