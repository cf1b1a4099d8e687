"""How the one intruder copes with a large file: CPU seconds and peak memory of an attack on a sample of its records.

`python -m benchmarks scale_intruder --records 10000000 --targets 20000 --memory 3GB` is the large one of the
documentation.
"""

import argparse
import tempfile
from pathlib import Path

from benchmarks.scale import RECIPE, SCHEMA, generate, run


def main() -> None:
    """Mask a file, and let the intruder who knows the recipe look for some of its records."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks scale_intruder")
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--targets", type=int, default=1_000)
    parser.add_argument("--memory", default="3GB")
    parser.add_argument("--folder", type=Path, help="where to work, by default a temporary folder")
    options, _ = parser.parse_known_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        source, schema, recipe = folder / "file.parquet", folder / "schema.toml", folder / "recipe.toml"
        schema.write_text(SCHEMA, encoding="utf-8")
        recipe.write_text(RECIPE, encoding="utf-8")
        generate(options.records, source)
        print(f"   {options.records:,} records × 12, six keys, {options.targets:,} targets", flush=True)
        common = ["--schema", str(schema), "--engine", "duckdb", "--memory", options.memory, "--quiet"]
        masked, written = str(folder / "masked.parquet"), str(folder / "written.toml")
        mask = ["protect", str(source), masked, "--recipe", str(recipe), "--recipe-out", written, "--seed", "1"]
        run("recode, swap, noise, write", [*mask, *common], options.memory)
        attack = ["assess", str(source), masked, "--recipe", written, "--seed", "1"]
        measure = ["--measure", f"informed-intruder:targets={options.targets}"]
        run("informed intruder", [*attack, *measure, *common], options.memory, show=True)


if __name__ == "__main__":
    main()
