"""k-Anonymity: records whose keys fewer than k records share."""

from sdckit.intruder import Intruder
from sdckit.kernels.intervals import wilson
from sdckit.measure import Measure, Score, risk
from sdckit.parameters import param
from sdckit.release import Release
from sdckit.risk.uniqueness.released_keys import ReleasedKeys


@risk("k-anonymity", reference="sweeney2002")
class KAnonymity(Measure):
    """Share of released records that agree with fewer than k records on the known keys, themselves included.

    The release is k-anonymous where the share is 0; the largest k for which it is so is in the details. A missing or
    suppressed key agrees with every value, so each record counts all those it could be taken for.

    Formula: |{i : fᵢ < k}| / n,  fᵢ = the number of released records that agree with record i on the keys

    Intruder: knows the keys of somebody in the release, without error, and looks for the records that agree.

    Use it when keys were recoded, suppressed or averaged in groups. A group that hides its members may still give away
    their confidential value: read it beside l-diversity and t-closeness.
    """

    group_size: int = param(3, "smallest number of records that must agree (k)", low=1, grid=(2, 3, 5, 10))

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        keys = ReleasedKeys.seen_by(intruder, release)
        exposed = (keys.frequency < self.group_size).astype(float)
        return Score(
            float(exposed.mean()),
            by_record=release.by_original_record(exposed),
            interval=wilson(float(exposed.sum()), len(exposed)),
            details={
                "attributes": keys.names,
                "smallest_class": int(keys.frequency.min()),
                "records_in_smaller_classes": int(exposed.sum()),
            },
        )
