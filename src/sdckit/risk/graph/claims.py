"""What a graph intruder claims of each target, and with what confidence."""

from dataclasses import dataclass

import numpy as np

from sdckit.graph_law import Floats

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
