"""sdcMicro as an oracle, where R has it: frequencies, individual risk, SUDA2 scores and local suppression."""

import csv
import shutil
import subprocess
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

SCRIPT = """
suppressMessages(library(sdcMicro))
folder <- commandArgs(trailingOnly = TRUE)[1]
x <- read.csv(file.path(folder, "file.csv"), colClasses = "character", na.strings = "NA")
x$w <- as.numeric(x$w)
keys <- setdiff(names(x), "w")
for (key in keys) x[[key]] <- as.factor(x[[key]])
counted <- freqCalc(x, keyVars = keys, w = "w")
risk <- indivRisk(counted, method = "exact")$rk
scores <- suda2(x, variables = keys, missing = -999, DisFraction = 0.1, original_scores = TRUE)
suppressed <- localSuppression(x, keyVars = keys, k = 3)
holes <- sum(is.na(suppressed$xAnon[, keys])) - sum(is.na(x[, keys]))
out <- data.frame(fk = counted$fk, Fk = counted$Fk, risk = risk, score = scores$score, dis = scores$disScore)
write.csv(cbind(out, holes = holes), file.path(folder, "out.csv"), row.names = FALSE)
"""


def available() -> bool:
    """Whether R is installed with sdcMicro."""
    if shutil.which("Rscript") is None:
        return False
    asked = ["Rscript", "-e", 'quit(status = !requireNamespace("sdcMicro", quietly = TRUE))']
    return subprocess.run(asked, capture_output=True, check=False).returncode == 0


def figures(codes: NDArray[np.int64], weights: NDArray[np.float64], folder: Path) -> dict[str, NDArray[np.float64]]:
    """What sdcMicro computes: fk, Fk, risk, score and dis for each record, and the number of suppressed values."""
    names = [f"key{column}" for column in range(codes.shape[1])]
    with (folder / "file.csv").open("w", newline="", encoding="utf-8") as handle:
        writer = csv.writer(handle)
        writer.writerow([*names, "w"])
        for row, weight in zip(codes.tolist(), weights.tolist(), strict=True):
            writer.writerow([*("NA" if code < 0 else f"c{code}" for code in row), repr(weight)])
    (folder / "script.R").write_text(SCRIPT, encoding="utf-8")
    subprocess.run(["Rscript", str(folder / "script.R"), str(folder)], check=True, capture_output=True)
    with (folder / "out.csv").open(encoding="utf-8") as handle:
        rows = list(csv.DictReader(handle))
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}
