"""Row order: whether the rows of the two files seem to correspond, without which no figure means anything."""

import numpy as np

from sdckit.errors import NotApplicableError
from sdckit.evaluation.assess import Assessment, assess
from sdckit.release import Release


def shuffled_rows_message(consequence: str) -> str:
    """The warning that the rows may be in another order, with what follows from it."""
    return (
        "the released values are no nearer to their records than to others: either the masking left nothing, or "
        f"the rows of the two files are not in the same order, and then {consequence}"
    )


def looks_shuffled(result: Assessment) -> bool:
    """Whether released values are no nearer to their own records than to random ones, up to random error."""
    near = result.get("interval-disclosure")
    if near is None or near.baseline is None or near.by_record is None:
        return False
    judged = near.by_record[np.isfinite(near.by_record)]
    random_error = 3 * float(np.std(judged) * np.sqrt(2 / len(judged)))  # value and baseline both vary
    return near.value <= near.baseline + random_error


def rows_look_shuffled(release: Release) -> bool:
    """Whether the order of the rows may make every attack fail, so that any file would meet a policy."""
    try:
        return looks_shuffled(assess(release, "interval-disclosure", seed=0, before=False))
    except NotApplicableError:
        return False
