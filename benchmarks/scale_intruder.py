"""How the one intruder copes with a large file: CPU seconds and peak memory of an attack on a sample of its records.

`python -m benchmarks scale_intruder --records 10000000 --targets 20000 --memory 3GB` is the large one of the
documentation.
"""

import argparse
import tempfile
from pathlib import Path

from benchmarks._memory_group import Usage
from benchmarks.scale import assess, prepare, protect


def attack(folder: Path, targets: int, memory: str) -> Usage:
    """Mask the file of a folder, and let the intruder who knows the recipe look for some of its records."""
    protect(folder, memory)
    measure = ["--measure", f"informed-intruder:targets={targets}", "--seed", "1"]
    title = f"informed intruder, {targets:,} targets"
    return assess(folder, memory, title=title, options=measure, show=True)


def main() -> None:
    """One size, from the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks scale_intruder")
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--targets", type=int, default=1_000)
    parser.add_argument("--memory", default="3GB")
    parser.add_argument("--folder", type=Path, help="where to work, by default a temporary folder")
    options, _ = parser.parse_known_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        prepare(options.records, Path(name))
        attack(Path(name), options.targets, options.memory)


if __name__ == "__main__":
    main()
