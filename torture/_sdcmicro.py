"""sdcMicro as an oracle, where R has it: frequencies, individual risk, SUDA2 scores and local suppression."""

import csv
import shutil
import subprocess
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

SECONDS = 10  # for a suppression, which may never end
SCRIPT = f"""
suppressMessages(library(sdcMicro))
folder <- commandArgs(trailingOnly = TRUE)[1]
or_nothing <- function(computed) tryCatch(suppressWarnings(computed), error = function(problem) NA)
for (path in list.files(folder, pattern = "[.]csv$", full.names = TRUE)) {{
  x <- read.csv(path, colClasses = "character", na.strings = "NA")
  x$w <- as.numeric(x$w)
  keys <- setdiff(names(x), "w")
  for (key in keys) x[[key]] <- as.factor(x[[key]])
  counted <- freqCalc(x, keyVars = keys, w = "w")
  out <- data.frame(fk = counted$fk, Fk = counted$Fk)
  out$risk <- indivRisk(counted, method = "exact")$rk
  out$score <- or_nothing(suda2(x, variables = keys, missing = -999, DisFraction = 0.1, original_scores = TRUE)$score)
  setTimeLimit(elapsed = {SECONDS})
  suppressed <- or_nothing(localSuppression(x, keyVars = keys, k = 3)$xAnon[, keys])
  setTimeLimit(elapsed = Inf)
  out$holes <- if (is.data.frame(suppressed) || is.factor(suppressed)) sum(is.na(suppressed)) else NA
  write.csv(out, sub("[.]csv$", ".out", path), row.names = FALSE)
}}
"""


def available() -> bool:
    """Whether R is installed with sdcMicro."""
    if shutil.which("Rscript") is None:
        return False
    asked = ["Rscript", "-e", 'quit(status = !requireNamespace("sdcMicro", quietly = TRUE))']
    return subprocess.run(asked, capture_output=True, check=False).returncode == 0


def figures(
    files: list[tuple[NDArray[np.int64], NDArray[np.float64]]], folder: Path
) -> list[dict[str, NDArray[np.float64]]]:
    """What sdcMicro computes of each file of codes and weights: fk, Fk, risk and score for each record, and holes.

    `holes` is the number of missing values after suppression. What sdcMicro cannot compute is NaN.
    """
    paths = [folder / f"{number:06d}.csv" for number in range(len(files))]
    for path, (codes, weights) in zip(paths, files, strict=True):
        with path.open("w", newline="", encoding="utf-8") as handle:
            writer = csv.writer(handle)
            writer.writerow([*(f"key{column}" for column in range(codes.shape[1])), "w"])
            for row, weight in zip(codes.tolist(), weights.tolist(), strict=True):
                writer.writerow([*("NA" if code < 0 else f"c{code}" for code in row), repr(weight)])
    (folder / "script.R").write_text(SCRIPT, encoding="utf-8")
    subprocess.run(["Rscript", str(folder / "script.R"), str(folder)], check=True, capture_output=True)
    return [_read(path.with_suffix(".out")) for path in paths]


def _read(path: Path) -> dict[str, NDArray[np.float64]]:
    with path.open(encoding="utf-8") as handle:
        rows = list(csv.DictReader(handle))
    return {name: np.array([float("nan" if row[name] == "NA" else row[name]) for row in rows]) for name in rows[0]}
