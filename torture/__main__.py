"""Run every part, or those named: `python -m torture [part …] [--count N] [--seed S]`. Exit code 1: something broke.

Without a count each part runs its full number of trials, which takes hours. A seed repeats the trials of a run.
TORTURE_WORKERS is the number of processes that work at once (without it: one for each core).
"""

import argparse
import importlib
import pkgutil
import sys
from pathlib import Path
from time import perf_counter

from torture._log import KEPT, Log

HERE = Path(__file__).parent
SEED = 20_250_101  # of all trials: a run repeats the last one unless another seed is named


def part_names() -> list[str]:
    """The parts: the modules of this folder that do not begin with an underscore."""
    return sorted(info.name for info in pkgutil.iter_modules([str(HERE)]) if not info.name.startswith("_"))


def main(arguments: list[str]) -> int:
    """Run the parts one after the other and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m torture", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="part", help=", ".join(part_names()))
    parser.add_argument("--count", type=int, help="number of trials, instead of the full number of each part")
    parser.add_argument("--seed", type=int, default=SEED)
    chosen = parser.parse_args(arguments)
    unknown = [name for name in chosen.parts if name not in part_names()]
    if unknown:
        parser.error(f"there is no part {unknown[0]!r}; there are: {', '.join(part_names())}")
    broken = []
    for name in chosen.parts or part_names():
        part = importlib.import_module(f"torture.{name}")
        count = part.COUNT if chosen.count is None else chosen.count
        print(f"── {name} " + "─" * max(0, 74 - len(name)), flush=True)
        print(f"   {part.__doc__.splitlines()[0]}\n   count {count:,}, seed {chosen.seed}", flush=True)
        start, log = perf_counter(), Log()
        part.run(count, chosen.seed, log)
        log.summary()
        print(f"   {perf_counter() - start:.0f} s\n", flush=True)
        log.write(KEPT / f"{name}.txt")
        if log.failures:
            broken.append(f"{name} ({len(log.failures)})")
    print(f"failed: {', '.join(broken)}" if broken else "nothing broke")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
