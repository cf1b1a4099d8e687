"""The default assessment of a mixed file in memory: CPU and wall seconds, peak memory, and how they grow.

`python -m benchmarks default_assess` takes small files; `python -m benchmarks default_assess --records 1000000` the
large one of the documentation: 10 columns, 7 of them keys (codes, ages, a hierarchy, an amount) and 3 confidential.
The recipes from 3 on are harder: all ten columns are keys, one value in fifty is missing, and the file has weights and
households beside these.
Each run is a process of its own, `sdckit assess` as a user would call it.
"""

import argparse
import tempfile
from math import log
from pathlib import Path

import numpy as np
import polars as pl
from benchmarks._memory_group import Usage
from benchmarks.scale import CHUNK, chunk, run

LIMIT = "3GB"  # of memory, enforced where the system allows it
SIZES = (5_000, 20_000, 80_000)
SCHEMA = """
[attributes]
region = { role = "key", kind = "unordered" }
sex = { role = "key", kind = "unordered" }
age = { role = "key" }
marital = { role = "key", kind = "unordered" }
education = { role = "key", kind = "unordered" }
occupation = { role = "key", kind = "partially-ordered", hierarchy = { prefix = [1, 2] } }
income = { role = "key" }
wealth = { role = "confidential" }
hours = { role = "confidential" }
expenditure = { role = "confidential" }
"""
HARD = (
    SCHEMA.replace("confidential", "key")
    + """
weight = { role = "weight" }
household = { role = "household", kind = "unordered" }
"""
)
HOLES = 0.02  # share of the values that a hard file misses
MEMBERS = 3  # of a household
RECIPES = {
    "recoding, top-coding, rank swapping, noise": """
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
attributes = ["expenditure"]
""",
    "PRAM, rank swapping": """
[[steps]]
method = "pram"
attributes = ["region", "sex", "marital", "education", "occupation"]

[[steps]]
method = "rank-swapping"
attributes = ["age", "income", "wealth", "hours", "expenditure"]
""",
    "hard: recoding, then PRAM, then noise": """
[[steps]]
method = "global-recoding"
attributes = ["occupation"]

[[steps]]
method = "pram"
attributes = ["occupation", "region", "education"]

[[steps]]
method = "additive-noise"
attributes = ["age", "income", "wealth", "hours", "expenditure"]
""",
    "hard: microaggregation of every number": """
[[steps]]
method = "optimal-univariate"
attributes = ["age", "income", "wealth", "hours", "expenditure"]
""",
    "hard: microaggregation of all numbers together": """
[[steps]]
method = "z-score-projection"
attributes = ["age", "income", "wealth", "hours", "expenditure"]
""",
    "hard: rank swapping": """
[[steps]]
method = "rank-swapping"
attributes = ["age", "income", "wealth", "hours", "expenditure"]
""",
}


def generate(records: int, path: Path, *, hard: bool = False) -> None:
    """Write the file of 10 columns; a hard one misses values and has weights and households too."""
    parts = [chunk(start, min(CHUNK, records - start)) for start in range(0, records, CHUNK)]
    file = pl.concat(parts).drop("tax")
    if not hard:
        file.drop("weight").write_parquet(path)
        return
    rng = np.random.default_rng(records)
    masked = [
        pl.when(pl.Series(rng.random(records) >= HOLES)).then(pl.col(name)).alias(name)
        for name in file.columns
        if name != "weight"
    ]
    household = pl.Series("household", np.arange(records) // MEMBERS).cast(pl.String)
    file.with_columns(*masked, household).write_parquet(path)


def assessed(records: int, recipe: str, folder: Path, *, hard: bool = False) -> Usage:
    """Mask and assess a file of this size; print what both take, and return it for the assessment."""
    source, masked = folder / "file.parquet", folder / "masked.parquet"
    schema, steps, written = (folder / name for name in ("schema.toml", "steps.toml", "written.toml"))
    schema.write_text(HARD if hard else SCHEMA, encoding="utf-8")
    steps.write_text(recipe, encoding="utf-8")
    generate(records, source, hard=hard)
    common = ["--schema", str(schema), "--engine", "memory", "--quiet"]
    mask = ["protect", str(source), str(masked), "--recipe", str(steps), "--recipe-out", str(written), "--seed", "1"]
    run(f"{records:,}: protect", [*mask, *common])
    measure = ["assess", str(source), str(masked), "--recipe", str(written), "--rows-in-order", "--seed", "1"]
    return run(f"{records:,}: assess", [*measure, *common], LIMIT)


def main() -> None:
    """One size, or three and the exponent of the growth."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks default_assess")
    parser.add_argument("--records", type=int, help="one size instead of three")
    parser.add_argument("--recipe", type=int, default=1, help=f"1 to {len(RECIPES)}")
    parser.add_argument("--folder", type=Path, help="where to work, by default a temporary folder")
    options, _ = parser.parse_known_args()
    title, recipe = list(RECIPES.items())[options.recipe - 1]
    print(f"   {title}", flush=True)
    sizes = (options.records,) if options.records else SIZES
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        taken = [assessed(records, recipe, Path(name), hard=title.startswith("hard")).cpu for records in sizes]
    if len(sizes) > 1:
        growth = log(taken[-1] / taken[0]) / log(sizes[-1] / sizes[0])
        print(f"   CPU seconds grow as n^{growth:.2f}", flush=True)


if __name__ == "__main__":
    main()
