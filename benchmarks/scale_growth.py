"""How the cost of frequencies, recoding, noise and losses grows with the file: three sizes, each ten times the last.

`python -m benchmarks scale_growth --records 100000000 --memory 3GB` is the large one of the documentation: 8 columns.
"""

import argparse
import math
import tempfile
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from benchmarks._memory_group import Usage
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


def cost(records: int, memory: str, parent: Path | None) -> list[Usage]:
    """What masking and measuring so many records take."""
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
        return [first, second]


def exponents(costs: Sequence[list[Usage]]) -> list[float]:
    """The power of the records with which the CPU seconds grow, from each size to the next, ten times as large."""
    cpu = [sum(each.cpu for each in usages) for usages in costs]
    return [math.log10(larger / smaller) for smaller, larger in pairwise(cpu)]


def main() -> None:
    """Mask and measure files of three sizes, and print the exponents of the cost."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks scale_growth")
    parser.add_argument("--records", type=int, default=300_000, help="of the largest file")
    parser.add_argument("--memory", default="3GB")
    parser.add_argument("--folder", type=Path, help="where to work, by default a temporary folder")
    options, _ = parser.parse_known_args()
    costs = [cost(options.records // share, options.memory, options.folder) for share in (100, 10, 1)]
    listed = ", ".join(f"{each:.2f}" for each in exponents(costs))
    print(f"   growth exponents of the CPU seconds, each ten times the records: {listed}", flush=True)


if __name__ == "__main__":
    main()
