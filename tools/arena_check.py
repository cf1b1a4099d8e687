"""Whether the page of the arena shows what the present code gives: some of its rows are computed again.

`python -m tools.arena_check 40` computes 40 of them. Rows of several seeds are left out, as they take several times as
long. A figure that differs is outdated if it differs by more than the Monte Carlo error, too.
"""

import re
import sys
from collections.abc import Iterator

import numpy as np
from benchmarks._arena_page import ORDINARY, OURS
from benchmarks.arena import PAGE, Contest, contests, intruder_of

from sdckit.catalogue import build
from sdckit.release import Release, protect
from tools.monte_carlo import alike, is_one_more_of

ROUNDING = 0.051  # of a percentage with one decimal


class OutdatedArena(Exception):
    """A row that differs from what the code gives, which ends the build."""


def shown(markdown: str) -> dict[tuple[str, str], dict[str, float]]:
    """What the intruders find in percent, by file and recipe."""
    found = {}
    for section in re.split(r"^## ", markdown, flags=re.M)[1:]:
        lines = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("|")]
        head = [cell.strip() for cell in lines[0]] if lines else []
        for cells in lines[2:] if {OURS, ORDINARY} <= set(head) else ():
            row = dict(zip(head, (cell.strip(" *") for cell in cells), strict=True))
            own = {name: float(row[name]) for name in (OURS, ORDINARY) if row[name]}
            found[section.partition("\n")[0], row["recipe"]] = own
    return found


def checkable(markdown: str) -> list[tuple[Contest, dict[str, float]]]:
    """The rows of one seed on the files that are at hand, with what the page says of them."""
    rows = shown(markdown)
    planned = (each for each in contests() if each.seeds == 1 and each.intruder is None)
    return [(each, rows[each.file, each.label]) for each in planned if (each.file, each.label) in rows]


def refuse_outdated(markdown: str, count: int) -> int:
    """Compute so many rows again, evenly from all; the number computed, 0 where the files are not at hand."""
    rows = checkable(markdown)
    chosen = np.unique(np.linspace(0, len(rows) - 1, min(count, len(rows))).astype(np.int64))
    for index in chosen:
        for problem in _differences(*rows[index]):
            raise OutdatedArena(f"docs/project/arena.md: {problem}; rebuild it: python -m benchmarks arena")
    return len(chosen)


def _differences(contest: Contest, figures: dict[str, float]) -> Iterator[str]:
    release = protect(contest.data, list(contest.recipe), seed=100)
    for name, figure in figures.items():
        now = _found(name, release)
        if abs(now - figure) <= ROUNDING:
            continue
        if not is_one_more_of(figure, [_found(name, each) for each in alike(release)], ROUNDING):
            yield f"{contest.label} on {contest.file}: the {name} finds {now:.1f} %, and the page says {figure} %"


def _found(name: str, release: Release) -> float:
    """What an intruder finds, in percent."""
    by_record = build("risk", name).measure(release, intruder_of(release), seed=1).by_record
    return 100 * float(np.nanmean(by_record))


if __name__ == "__main__":
    computed = refuse_outdated(PAGE.read_text(encoding="utf-8"), int(sys.argv[1]) if sys.argv[1:] else 40)
    print(f"{computed} rows are up to date")
