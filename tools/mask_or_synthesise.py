"""The tables of the guide *Mask or synthesise?*: maskings and syntheses of two public files on the same axes.

The files are eusilc.csv and adult.csv in the folder that is named: `python -m tools.mask_or_synthesise FOLDER`.
"""

import sys
from pathlib import Path

import polars as pl

import sdckit
from sdckit.evaluation.risk_utility_map import Setting

RECORDS, DRAWS = 800, 3
ROLES = {
    "eusilc": {
        "age": "key",
        "rb090": "key",
        "db040": "key",
        "hsize": "key",
        "pl030": "key",
        "eqIncome": "confidential",
        "py010n": "confidential",
    },
    "adult": {
        "age": "key",
        "sex": "key",
        "education": "key",
        "marital-status": "key",
        "race": "key",
        "hours-per-week": "key",
        "occupation": "confidential",
        "income": "confidential",
    },
}
KINDS = {"eusilc": {"pl030": "unordered"}, "adult": {}}
GRID = {
    "mdav": {"group_size": [5, 10]},
    "rank-swapping": {"window": [0.1]},
    "additive-noise": {"variance_share": [0.25]},
    "ipso-c": {"given": [None]},
    "romm": {"perturbation": [0.5]},
    "partial-trees": {"leaf_size": [5, 20]},
    "sequential-trees": {"leaf_size": [5, 20]},
    "gaussian-copula": {"size": [1.0]},
}
MEASURES = ("informed-intruder", "attribute-inference", "propensity-loss", "il5", "contingency-table-loss")


def table(name: str, folder: Path) -> str:
    """The figures of one file as a table in Markdown, the mean over the draws."""
    roles = ROLES[name]
    frame = pl.read_csv(folder / f"{name}.csv", null_values="NA").select(list(roles))
    frame = frame.sample(RECORDS, seed=5)
    data = sdckit.Microdata.from_frame(frame, roles=roles, kinds=KINDS[name])
    swept = sdckit.sweep(data, grid=GRID, measures=MEASURES, seeds=DRAWS, workers=1)
    lines = ["| | " + " | ".join(MEASURES) + " |", "| --- |" + " ---: |" * len(MEASURES)]
    lines += [
        f"| {each.label} | " + " | ".join(_figure(each, measure) for measure in MEASURES) + " |"
        for each in swept.settings
    ]
    lines += [f"\nNot tried: {method} ({reason})" for method, reason in swept.skipped.items()]
    return "\n".join(lines)


def _figure(setting: Setting, measure: str) -> str:
    value = setting.mean.get(measure)
    return "–" if value is None else f"{value:.3f}"


if __name__ == "__main__":
    for each in ROLES:
        print(f"### {each}\n\n{table(each, Path(sys.argv[1]))}\n", flush=True)
