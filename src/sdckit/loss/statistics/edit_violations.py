"""Edit violations: how many records break a rule that they satisfied before the masking."""

import numpy as np

from sdckit.edit_checks import violations
from sdckit.errors import NotApplicableError
from sdckit.intruder import Intruder
from sdckit.measure import Measure, Score, loss
from sdckit.release import Release


@loss("edit-violations", reference="hundepool2012")
class EditViolations(Measure):
    r"""Growth of the share of records that break at least one edit of the file, over the edits that the masking broke.

    An edit is a rule that every record must satisfy, such as a range or `turnover − costs = profit`. The masking broke
    those edits that a larger share of records violates in the masked file than in the original; the share that violated
    one of these before is subtracted. Edits of attributes that are not in the release are left out. The details count,
    edit by edit, the records that break it before and after.

    Formula: $\max(0, s' - s)$,  $s$ and $s'$ the share of records that break an edit of $E$ in the original and the
    masked file,  $E$ the edits that are broken more often than in the original

    Use it when values are bound to each other or to a range, as in business accounts, where analysts check the sums.
    """

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        original, masked = release.original, release.masked
        if not len(original.edits):
            raise NotApplicableError("the file has no edits; declare them in its schema")
        edits = list(original.edits.among([name for name in original.columns if name in masked]))
        if not edits:
            raise NotApplicableError("no edit of the file is about attributes that are all in the release")
        before, after = violations(edits, original), violations(edits, masked)
        broken = after.mean(axis=0) > before.mean(axis=0)
        breaking = np.asarray(after[:, broken].any(axis=1))
        value = float(breaking.mean() - before[:, broken].any(axis=1).mean())
        return Score(
            max(0.0, value),
            by_record=release.by_original_record(np.asarray(breaking, dtype=np.float64)),
            baseline=0.0,
            details={
                "before": dict(zip(map(str, edits), before.sum(axis=0).tolist(), strict=True)),
                "after": dict(zip(map(str, edits), after.sum(axis=0).tolist(), strict=True)),
                "records_before": int(before.any(axis=1).sum()),
                "records_after": int(after.any(axis=1).sum()),
            },
        )
