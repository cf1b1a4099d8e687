"""Run every benchmark in this folder, or those named: `python -m benchmarks [name …] [--option …]`."""

import pkgutil
import runpy
import sys
from pathlib import Path
from time import perf_counter

HERE = Path(__file__).parent


def main(wanted: list[str]) -> int:
    """Run the benchmark modules one after the other; each prints its own figures, and reads its own options."""
    options = [number for number, word in enumerate(wanted) if word.startswith("--")]
    wanted = wanted[: options[0]] if options else wanted
    found = sorted(info.name for info in pkgutil.iter_modules([str(HERE)]) if not info.name.startswith("_"))
    unknown = [name for name in wanted if name not in found]
    if unknown:
        print(f"error: there is no benchmark {unknown[0]!r}; there are: {', '.join(found)}", file=sys.stderr)
        return 2
    for name in wanted or found:
        print(f"── {name} " + "─" * max(0, 74 - len(name)), flush=True)
        start = perf_counter()
        runpy.run_module(f"benchmarks.{name}", run_name="__main__", alter_sys=True)
        print(f"   {perf_counter() - start:.1f} s\n", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
