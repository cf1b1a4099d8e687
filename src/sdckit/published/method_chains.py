"""Chains of methods: which succession of maskings leaves the least risk at the least loss.

Truta, Fotouhi and Barth-Jones (2004) name it as their goal to find, for a file, the succession of methods that
minimises disclosure risk and information loss; they print no figures. Here every ordered chain of two and of three
different methods is tried on three generated files, beside each method alone at several strengths. The risk is the
share of records that an intruder re-identifies who knows the chain and its parameters, the loss is that of
distributions and relations. What was asked of the figures was written down before they had been computed.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np

from sdckit.charts.risk_utility_map import risk_utility_map
from sdckit.datasets import simulate_billing, simulate_business, simulate_survey
from sdckit.evaluation.experiment import Experiment, Trial, chosen_measures
from sdckit.evaluation.risk_utility_map import RiskUtilityMap
from sdckit.evaluation.sweep import all_tried, made_folder
from sdckit.evaluation.worker_pool import workers_that_fit
from sdckit.microdata import Microdata
from sdckit.progress import NoProgress
from sdckit.published.reproduction import Finding, Reproduction
from sdckit.recipe import Recipe

RISK, LOSS = "informed-intruder", "structure-loss"
RECORDS = 200
SEEDS = 2
# Each method with the strengths that it has alone; in chains, it has the first two.
METHODS: Mapping[str, tuple[str, ...]] = {
    "mdav": ("mdav:group_size=3", "mdav:group_size=5", "mdav:group_size=10"),
    "additive-noise": (
        "additive-noise:variance_share=0.05",
        "additive-noise:variance_share=0.2",
        "additive-noise:variance_share=0.8",
    ),
    "rank-swapping": ("rank-swapping:window=0.05", "rank-swapping:window=0.15", "rank-swapping:window=0.4"),
    "invariant-pram": (
        "invariant-pram:stay=0.8",
        "invariant-pram:stay=0.5",
        "invariant-pram:stay=0.2",
    ),
}
IN_CHAINS = 2
CONVENTION = (
    "Every figure is ours: the source names the question and prints no answer. Each chain is drawn with two seeds, and "
    "its figures are means. All methods of a chain have the first or the second of their strengths; a method alone has "
    "three. A chain is on the frontier if no other recipe of the file has at most its risk and less loss, or at most "
    "its loss and less risk. What was asked was fixed before the figures were computed."
)
Row = dict[str, Any]


def reproduce(
    records: Sequence[int] = (RECORDS,), seed: int = 1, *, quick: bool = False, folder: Path | None = None
) -> Reproduction:
    """Try every chain on every file; with a folder, finished points are kept there and a second run continues.

    Quick: chains of two alone, on one file of 60 records, drawn once.
    """
    size = 60 if quick else int(records[0])
    files = {
        "business": simulate_business(size, seed=seed),
        "survey": simulate_survey(size, seed=seed),
        "billing": simulate_billing(size, seed=seed),
    }
    if quick:
        files = {"survey": files["survey"]}
    maps = {name: tried(data, chains(2 if quick else 3), 1 if quick else SEEDS, folder) for name, data in files.items()}
    rows = tuple(row for name, tried_map in maps.items() for row in rows_of(name, tried_map))
    charts = {f"chains-{name}": risk_utility_map(tried_map, RISK, LOSS) for name, tried_map in maps.items()}
    remarks = (*notes(rows), *last_steps(rows))
    return Reproduction(
        "truta2004", rows, tuple(findings(rows)), charts, CONVENTION, remarks, findings_title="What was asked"
    )


def chains(longest: int) -> list[tuple[str, ...]]:
    """Each method alone at every strength, then every order of two and more different methods.

    >>> len(chains(1)), len(chains(2)) - len(chains(1)), len(chains(3)) - len(chains(2))
    (12, 24, 48)
    """
    alone = [(text,) for strengths in METHODS.values() for text in strengths]
    longer = [
        tuple(METHODS[name][strength] for name in names)
        for length in range(2, longest + 1)
        for names in permutations(METHODS, length)
        for strength in range(IN_CHAINS)
    ]
    return alone + longer


def tried(data: Microdata, recipes: Sequence[tuple[str, ...]], seeds: int, folder: Path | None) -> RiskUtilityMap:
    """The map of these recipes; one that the file does not suit is left out."""
    experiment = Experiment(data, chosen_measures([RISK, LOSS], data), folder=made_folder(folder))
    trials = [Trial.of(Recipe.of(list(chain)), seed) for chain in recipes for seed in range(seeds)]
    outcomes = all_tried(experiment, trials, workers_that_fit(data), NoProgress())
    points = tuple(outcome.point for outcome in outcomes if outcome.point is not None)
    return RiskUtilityMap(points, {each.name: each.kind for each in experiment.measures}, len(data))


def rows_of(name: str, tried_map: RiskUtilityMap) -> Iterator[Row]:
    """One row per recipe: its steps, its figures, and whether it is on the frontier of its file."""
    best = {each.label for each in tried_map.frontier(RISK, LOSS)}
    for setting in sorted(tried_map.settings, key=lambda each: (each.mean[RISK], each.mean[LOSS])):
        yield {
            "file": name,
            "steps": len(setting.steps),
            "methods": " → ".join(str(step["method"]) for step in setting.steps),
            "setting": setting.label,
            "risk": round(setting.mean[RISK], 4),
            "loss": round(setting.mean[LOSS], 4),
            "on the frontier": "yes" if setting.label in best else "",
        }


def findings(rows: Sequence[Row]) -> Iterator[Finding]:
    """What was asked before the figures were computed."""
    by_file = {
        name: [row for row in rows if row["file"] == name] for name in dict.fromkeys(row["file"] for row in rows)
    }
    yield Finding(
        "on every file a chain is on the frontier: no method alone has both less risk and less loss",
        "asked before",
        all(any(row["on the frontier"] and row["steps"] > 1 for row in each) for each in by_file.values()),
    )
    changes = order_effects(rows)
    yield Finding(
        "exchanging the two methods of a chain changes the risk by more than 2 points in at least half of the chains",
        "asked before",
        bool(len(changes)) and float(np.mean(changes > 0.02)) >= 0.5,
    )
    if any(row["steps"] == 3 for row in rows):
        yield Finding(
            "the best chain of three has less loss than the best recipe of one or two at a risk of at most 10 %",
            "asked before",
            all(least_loss(each, 3, 3) < least_loss(each, 1, 2) for each in by_file.values()),
        )


def order_effects(rows: Sequence[Row]) -> "np.ndarray[Any, np.dtype[np.float64]]":
    """For each chain of two and its reverse, how far their risks are apart."""
    return np.array([abs(one["risk"] - other["risk"]) for one, other in reversed_pairs(rows)])


def reversed_pairs(rows: Sequence[Row]) -> list[tuple[Row, Row]]:
    """Each chain of two with its reverse at the same strengths."""
    together: dict[Any, list[Row]] = {}
    for row in rows:
        if row["steps"] == 2:
            together.setdefault((row["file"], frozenset(row["setting"].split(" → "))), []).append(row)
    return [(pair[0], pair[1]) for pair in together.values() if len(pair) == 2]


def last_steps(rows: Sequence[Row]) -> Iterator[str]:
    """For each method, in how many chains of two the risk is less where it comes last; seen after the figures."""
    pairs = reversed_pairs(rows)
    for name in METHODS:
        own = [pair for pair in pairs if any(row["methods"].endswith(f"→ {name}") for row in pair)]
        gains = []
        for one, other in own:
            last, first = (one, other) if one["methods"].endswith(f"→ {name}") else (other, one)
            gains.append(first["risk"] - last["risk"])
        if gains:
            fewer, mean = sum(gain > 0 for gain in gains), 100 * float(np.mean(gains))
            yield (
                f"{name} as the last of two steps has less risk than as the first in {fewer} of {len(gains)} chains; "
                f"the risk is {abs(mean):.1f} points {'lower' if mean > 0 else 'higher'} on average (seen afterwards)."
            )


def least_loss(rows: Sequence[Row], fewest: int, most: int, risk: float = 0.1) -> float:
    """The least loss of the recipes with so many steps whose risk is at most this; infinite where there is none."""
    return min((row["loss"] for row in rows if fewest <= row["steps"] <= most and row["risk"] <= risk), default=np.inf)


def notes(rows: Sequence[Row]) -> Iterator[str]:
    """For each file the recipes of one, two and three steps with the least loss at a risk of at most 10 %."""
    for name in dict.fromkeys(row["file"] for row in rows):
        for steps in (1, 2, 3):
            own = [row for row in rows if (row["file"], row["steps"]) == (name, steps) and row["risk"] <= 0.1]
            if own:
                best = min(own, key=lambda row: row["loss"])
                yield (
                    f"{name}, {steps} step{'s' if steps > 1 else ''}, risk at most 10 %: {best['setting']} loses "
                    f"{best['loss']:.3f} at {100 * best['risk']:.1f} %."
                )
            elif any((row["file"], row["steps"]) == (name, steps) for row in rows):
                yield f"{name}, {steps} step{'s' if steps > 1 else ''}: no recipe has a risk of at most 10 %."
