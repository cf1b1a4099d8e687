"""The goals for large files, each beside what this machine takes, with the limits of memory enforced.

`python -m benchmarks scale_goals` takes files a hundredth as large, which shows that all runs; `--share 1` takes the
full size, an hour and a half and 30 GB of disk. Only the full size is compared with the goals.
"""

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from benchmarks import default_assess, scale, scale_engines, scale_growth, scale_intruder
from benchmarks._memory_group import Usage

MINUTE = 60
GROWTH = 1.1  # the most with which the CPU seconds may grow


class Reached(NamedTuple):
    """What a run took, and whether that is the goal."""

    text: str
    met: bool


class Goal(NamedTuple):
    """A row of the table: its title, its records at full size, its goal in words, and the run."""

    title: str
    records: int
    goal: str
    run: Callable[[int, Path], Reached]


def within(seconds: float, memory: str) -> Callable[[list[Usage]], Reached]:
    """A goal of elapsed seconds for all commands together; a limit of memory ends a command that exceeds it."""

    def reached(usages: list[Usage]) -> Reached:
        enforced = "" if all(each.enforced for each in usages) else f", limit of {memory} not enforced"
        met = sum(each.wall for each in usages) <= seconds and not enforced
        return Reached(scale.together(usages).strip() + enforced, met)

    return reached


def all_verbs(records: int, folder: Path) -> Reached:
    """Describe, mask, measure and write."""
    scale.prepare(records, folder)
    return within(5 * MINUTE, "2GB")(scale.described_masked_and_measured(folder, "2GB"))


def growth(records: int, folder: Path) -> Reached:
    """Three sizes: the last power of the records with which the cost grows."""
    costs = [scale_growth.cost(records // share, "3GB", folder) for share in (100, 10, 1)]
    power = scale_growth.exponents(costs)[-1]
    enforced = all(each.enforced for each in costs[-1])
    return Reached(f"{scale.together(costs[-1]).strip()}, power {power:.2f}", power <= GROWTH and enforced)


def default_assessment(records: int, folder: Path) -> Reached:
    """All that `assess` does by default, the intruders included, in memory."""
    recipe = next(iter(default_assess.RECIPES.values()))
    return within(5 * MINUTE, "3GB")([default_assess.assessed(records, recipe, folder)])


def intruder(records: int, folder: Path) -> Reached:
    """The intruder who knows the method, with a target in 500 records."""
    scale.prepare(records, folder)
    return within(10 * MINUTE, "3GB")([scale_intruder.attack(folder, records // 500, "3GB")])


def engines(records: int, folder: Path) -> Reached:
    """Spark beside DuckDB."""
    scale.prepare(records, folder)
    found = scale_engines.compared(folder, "3GB")
    same = found.same_cells and found.same_figures
    text = f"{'same' if same else 'OTHER'} cells and {found.figures} figures, {found.times:.1f} times as long"
    return Reached(text, same)


GOALS = [
    Goal("describe, mask, measure, write; 12 columns", 10_000_000, "5 min, 2 GB", all_verbs),
    Goal("frequencies, recoding, noise, losses; 8 columns", 100_000_000, f"3 GB, power {GROWTH}", growth),
    Goal("default assess; 10 columns", 1_000_000, "5 min, 3 GB", default_assessment),
    Goal("one intruder; a target in 500 records", 10_000_000, "10 min, 3 GB", intruder),
    Goal("Spark with two workers beside DuckDB", 1_000_000, "same figures", engines),
]


def main() -> None:
    """Run every row, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks scale_goals")
    parser.add_argument("--share", type=float, default=0.01, help="of the full size")
    parser.add_argument("--row", default="", help="only the rows whose title contains this text")
    parser.add_argument("--folder", type=Path, help="where to work, by default a temporary folder")
    options, _ = parser.parse_known_args()
    full = options.share == 1
    lines = ["| | records | reached | goal at full size | |", "| --- | --- | --- | --- | --- |"]
    for title, most, goal, run in GOALS:
        if options.row in title:
            records = round(most * options.share)
            print(f"   {title}, {records:,} records", flush=True)
            with tempfile.TemporaryDirectory(dir=options.folder) as name:
                text, met = run(records, Path(name))
            verdict = ("met" if met else "MISSED") if full else "not compared"
            lines.append(f"| {title} | {records:,} | {text} | {goal} | {verdict} |")
    print("\n".join(lines), flush=True)


if __name__ == "__main__":
    main()
