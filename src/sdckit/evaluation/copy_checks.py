"""Copy checks: whether rows of a synthetic file are people of the original, with all that the file says of them."""

import numpy as np

from sdckit.formatting import percent
from sdckit.kernels.equivalence_classes import equal_rows
from sdckit.kernels.intervals import wilson
from sdckit.release import Release
from sdckit.risk.synthesis.plain_columns import plain_values, released_attributes
from sdckit.rows import Unrelated


def copy_warnings(release: Release) -> list[str]:
    """A sentence where more synthetic rows equal somebody with values of their own than other people would.

    Another person of the population equals such a record as often as somebody of the file has exactly one twin in it,
    since the twin would be the only one without the person.
    """
    original, masked = release.original, release.masked
    if not isinstance(release.rows, Unrelated) or not len(masked):
        return []
    names = released_attributes(release)
    of = equal_rows(np.concatenate([plain_values(original, names), plain_values(masked, names)])).of
    people, rows = of[: len(original)], of[len(original) :]
    times = np.bincount(people, minlength=int(of.max()) + 1)
    copies, usual = int((times[rows] == 1).sum()), int((times[people] == 2).sum())
    if wilson(float(copies), len(rows))[0] <= wilson(float(usual), len(people))[1]:
        return []
    return [
        f"{copies:,} of the {len(rows):,} synthetic rows equal a record of the original in every attribute that no "
        f"other record equals, which {percent(usual / len(people))} of other people would: the synthesis repeats people"
    ]
