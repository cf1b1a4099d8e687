"""What a graph intruder claims of each target, and with what confidence."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sdckit.graph_law import Floats
from sdckit.risk.graph.calibrated_claims import restated

if TYPE_CHECKING:
    from scipy.sparse import csr_array

BLOCK = 64  # targets compared at a time: bounds memory
TIE = 1e-9  # relative difference up to which two posteriors are equal


@dataclass(frozen=True, eq=False)
class Claims:
    """What is claimed of each target.

    `confidence`  the posterior of its likeliest row
    `correct`     the probability that the claim is correct; rows that tie share the credit
    `of_truth`    the posterior of its true row
    `rows_open`   how many rows are left open: the exponential of the entropy
    """

    confidence: Floats
    correct: Floats
    of_truth: Floats
    rows_open: Floats


def joined(parts: list[Claims]) -> Claims:
    """The claims of several parts of the targets, one after the other."""
    names = ("confidence", "correct", "of_truth", "rows_open")
    return Claims(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def claims_by_shares(
    all_shares: "csr_array", targets: NDArray[np.int64], confidence: Floats | None, truth: NDArray[np.int64]
) -> Claims:
    """The claims by the shares of candidates; nodes that a part of the targets does not list are one class."""
    parts, rows = [], all_shares.shape[1]
    for start in range(0, len(targets), BLOCK):
        some = slice(start, start + BLOCK)
        shares = all_shares[targets[some]]
        listed = np.unique(np.concatenate([shares.indices, truth[some][truth[some] >= 0]]))
        class_of = np.full(rows, len(listed))
        class_of[listed] = np.arange(len(listed))
        sizes = np.append(np.ones(len(listed), dtype=np.int64), rows - len(listed))
        of_row = np.hstack([shares[:, listed].todense(), np.zeros((len(targets[some]), 1))])
        of_row, sizes = (of_row, sizes) if sizes[-1] else (of_row[:, :-1], sizes[:-1])
        of_row = of_row if confidence is None else restated(of_row, sizes, confidence[targets[some]])
        parts.append(claims_of(of_row, sizes, class_of, truth[some]))
    return joined(parts)


def claims_of(
    of_row: Floats, sizes: NDArray[np.int64], class_of: NDArray[np.int64], truth: NDArray[np.int64]
) -> Claims:
    """The claims from the probability of one row of each class; rows that tie share the credit."""
    top = of_row.max(axis=1)
    tied = (of_row >= top[:, None] * (1 - TIE)) & (of_row > 0)
    rows = np.maximum((tied * sizes).sum(axis=1), 1)
    own = class_of[np.maximum(truth, 0)]
    lines = np.arange(len(truth))
    of_truth = np.where(truth >= 0, of_row[lines, own], 0.0)
    correct = np.where((truth >= 0) & tied[lines, own], 1.0 / rows, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        entropy = -np.where(of_row > 0, of_row * np.log(of_row), 0.0) @ sizes.astype(np.float64)
    return Claims(np.minimum(top, 1.0), correct, of_truth, np.exp(np.maximum(entropy, 0.0)))
