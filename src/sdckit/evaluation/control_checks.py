"""Control checks: whether the control records are other people than those of the original."""

import numpy as np

from sdckit.formatting import percent
from sdckit.kernels.equivalence_classes import equal_rows
from sdckit.kernels.intervals import wilson
from sdckit.release import Release
from sdckit.risk.synthesis.plain_columns import plain_values


def control_warnings(release: Release) -> list[str]:
    """A sentence where more control records equal one of the original than records of the original equal each other.

    Other people of the same population are equal to somebody as often as the people of the file are.
    """
    control, original = release.control, release.original
    if control is None:
        return []
    names = [each.name for each in control.attributes]
    of = equal_rows(np.concatenate([plain_values(original, names), plain_values(control, names)])).of
    people, others = of[: len(original)], of[len(original) :]
    times = np.bincount(people, minlength=int(of.max()) + 1)
    equal, usual = int((times[others] > 0).sum()), int((times[people] > 1).sum())
    if wilson(float(equal), len(others))[0] <= wilson(float(usual), len(people))[1]:
        return []
    return [
        f"{equal:,} of the {len(others):,} control records equal a record of the original in every attribute, which "
        f"{percent(usual / len(people))} of other people would; a control needs people who are not in the original, or "
        "the excess comes out too low"
    ]
