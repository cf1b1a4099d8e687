"""The table of the page on fuzzy regression synthesis: loss and risk by the number of models, on three public files.

The files are CASCrefmicrodata.csv, eusilc.csv and adult.csv in the folder: `python -m tools.number_of_models FOLDER`.
"""

import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

import sdckit
from sdckit.intruder import Intruder

RECORDS, DRAWS = 600, 3
MODELS = (1, 2, 4, 8)


class Task(NamedTuple):
    """Which attributes of a file are replaced, and given which others."""

    file: str
    replaced: tuple[str, ...]
    given: tuple[str, ...]


class Figures(NamedTuple):
    """The mean squared error in variances of the original, and the shares re-identified and expected to be."""

    loss: float
    found: float
    expected: float


TASKS = {
    "census": Task(
        "CASCrefmicrodata.csv",
        ("AGI", "FEDTAX", "STATETAX", "TAXINC"),
        ("PTOTVAL", "PEARNVAL", "FICA", "WSALVAL", "INTVAL"),
    ),
    "eusilc": Task("eusilc.csv", ("eqIncome", "py010n"), ("age", "rb090", "db040", "hsize")),
    "adult": Task("adult.csv", ("age", "hours-per-week", "education-num"), ("sex", "marital-status", "income")),
}


def read(task: Task, path: Path, records: int) -> sdckit.Microdata:
    """The attributes of some records, the replaced ones as keys."""
    frame = pl.read_csv(path, null_values="NA").select([*task.replaced, *task.given]).drop_nulls()
    frame = frame.sample(records, seed=5) if len(frame) > 2 * records else frame.head(records)
    return sdckit.Microdata.from_frame(frame, roles=dict.fromkeys(task.replaced, "key"))


def figures(task: Task, data: sdckit.Microdata, models: int, draws: int = DRAWS) -> Figures:
    """The figures of a number of models, the mean over the draws; the intruder knows the replaced attributes."""
    found = []
    for seed in range(draws):
        masking = sdckit.build("masking", "fuzzy-regression-synthesis", models=models, given=task.given)
        release = sdckit.protect(data, masking, list(task.replaced), seed=seed, allow_undeclared=True)
        before, after = (file.matrix(task.replaced) for file in (release.original, release.masked))
        score = sdckit.build("risk", "informed-intruder").measure(release, Intruder(task.replaced), seed=1)
        loss = float((((after - before) / before.std(axis=0)) ** 2).mean())
        found.append((loss, score.value, float(str(score.details["expected_found"]))))
    return Figures(*np.mean(found, axis=0))


if __name__ == "__main__":
    for name, task in TASKS.items():
        data = read(task, Path(sys.argv[1]) / task.file, RECORDS)
        for models in MODELS:
            loss, found, expected = figures(task, data, models)
            print(f"{name} {models}: loss {loss:.2f}, found {found:.1%}, expected {expected:.1%}", flush=True)
