"""Runs of the arena, what they show of each recipe, and the page in Markdown."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

OURS = "informed-intruder"
TOLERANCE = 0.015  # by how much another attack may find more
ORDINARY = "ordinary-intruder"
RIVALS = ("mixed-linkage", "probabilistic-linkage")  # attacks without the recipe that it should not be weaker than
NORMAL = 3.2905  # quantile of a two-sided interval at 99.9 %


@dataclass(frozen=True, eq=False)
class Run:
    """One release attacked: what each attack found of every record, the CPU time of each, and why others declined."""

    found: Mapping[str, NDArray[np.float64]]
    seconds: Mapping[str, float]
    crashes: Mapping[str, str]
    details: Mapping[str, object]

    def to_line(self, key: str) -> str:
        found = {name: [round(float(each), 4) for each in values] for name, values in self.found.items()}
        return json.dumps([key, found, self.seconds, self.crashes, self.details])

    @classmethod
    def of_line(cls, line: str) -> tuple[str, "Run"]:
        key, found, seconds, crashes, details = json.loads(line)
        return key, cls({name: np.array(each) for name, each in found.items()}, seconds, crashes, details)


@dataclass(frozen=True, eq=False)
class Row:
    """A recipe on a file: shares found over all seeds, and the attacks that find more by more than is tolerated."""

    file: str
    recipe: str
    runs: Sequence[Run]

    def found(self, attack: str) -> float:
        return float(
            np.nanmean([float(np.nanmean(run.found[attack])) for run in self.runs if attack in run.found] or [np.nan])
        )

    def difference(self, attack: str, than: str = OURS) -> tuple[float, float]:
        """The 99.9 % interval of what we find more: paired by record, the seeds of one record averaged."""
        pairs = [run.found[than] - run.found[attack] for run in self.runs if attack in run.found and than in run.found]
        if not pairs:
            return np.nan, np.nan
        by_record = np.nanmean(np.array(pairs), axis=0)
        by_record = by_record[~np.isnan(by_record)]
        error = NORMAL * float(by_record.std(ddof=1)) / np.sqrt(len(by_record))
        return float(by_record.mean()) - error, float(by_record.mean()) + error

    def beaten_by(self, attack: str = OURS) -> list[str]:
        """Attacks that find more than this one by more than is tolerated; the ordinary intruder has two rivals."""
        return [
            f"{other} {100 * (self.found(attack) - self.found(other)):+.1f}"
            for other in (self._names() if attack == OURS else RIVALS)
            if self.difference(other, than=attack)[1] < -TOLERANCE
        ]

    def best(self) -> tuple[str, float]:
        figures = {attack: self.found(attack) for attack in self._names()}
        return max(figures.items(), key=lambda each: each[1], default=("none", np.nan))

    def expected(self) -> float:
        return float(np.mean([run.details["expected_found"] for run in self.runs if run.details] or [np.nan]))

    def calibrated(self) -> str:
        return f"{sum(bool(run.details.get('calibrated')) for run in self.runs)}/{len(self.runs)}"

    def _names(self) -> list[str]:
        return [name for name in dict.fromkeys(name for run in self.runs for name in run.found) if name != OURS]


def page(rows: Sequence[Row], known: Sequence[tuple[str, float, float]], names: Sequence[str]) -> str:
    """The table in Markdown, with how to read it."""
    files = sum(len(row.runs) for row in rows)
    uncalibrated = sum(run.details.get("calibrated") is False for row in rows for run in row.runs)
    seeds = (
        [
            "Chains and one method of each family were masked with several seeds, the others with one: the second",
            "number of *calibrated*.",
        ]
        if files > len(rows)
        else ["Each was masked with one seed."]
    )
    lines = [
        "# The arena",
        "",
        "Every method of the catalogue with its defaults, and chains of two and three steps, on three files; every",
        "quick attack that does not use the true links. Figures are shares of the records found, in percent, averaged",
        "over the seeds.",
        f"There are {len(rows)} rows, and {files} masked files.",
        *seeds,
        "The informed intruder knows the recipe and should find at least as much as any other",
        "attack; all attackers know the categories and every attribute that was masked. It is *beaten* where the",
        "paired 99.9 % interval of the difference lies wholly below −1.5 points; so is the ordinary intruder, who does",
        "not know the recipe, by mixed and probabilistic linkage.",
        "*Expected* is what it expects to find without the truth, and *calibrated* in how many of the seeds no bin of",
        "its stated probabilities was further off than random error explains. Empty: the attack does not apply.",
        "",
        f"The informed intruder is beaten in {sum(bool(row.beaten_by()) for row in rows)} of {len(rows)} rows, the "
        f"ordinary one in {sum(bool(row.beaten_by(ORDINARY)) for row in rows)}; in {uncalibrated} of {files} files "
        "the informed one is not calibrated.",
        "",
        "`python -m benchmarks arena` rebuilds this page.",
        "",
    ]
    for file in dict.fromkeys(row.file for row in rows):
        own = [row for row in rows if row.file == file]
        shown = [name for name in names if not all(np.isnan(row.found(name)) for row in own)]
        heads = [name.removesuffix("-linkage").removesuffix("-attack") for name in shown]
        lines += [
            "",
            f"## {file}",
            "",
            f"| recipe | {' | '.join(heads)} | expected | calibrated | beaten by | ordinary beaten by |",
        ]
        lines += ["| --- |" + " ---: |" * (len(shown) + 2) + " --- | --- |"]
        for row in own:
            cells = ["" if np.isnan(row.found(name)) else f"{100 * row.found(name):.1f}" for name in shown]
            cells[0] = f"**{cells[0]}**"
            expected = f"{100 * row.expected():.1f}"
            beaten = [", ".join(row.beaten_by(attack)) for attack in (OURS, ORDINARY)]
            lines.append(f"| {' | '.join([row.recipe, *cells, expected, row.calibrated(), *beaten])} |")
    if known:
        lines += [
            "",
            "## Thirteen masked files",
            "",
            "800 records of Adult, against the best that was found before.",
            "",
        ]
        lines += ["| file | informed intruder | before | short by more than 1.5 |", "| --- | ---: | ---: | --- |"]
        lines += [
            f"| {name} | {now:.1f} | {before:.1f} | {'yes' if now < before - 1.5 else ''} |"
            for name, now, before in known
        ]
    return "\n".join(lines) + "\n"
