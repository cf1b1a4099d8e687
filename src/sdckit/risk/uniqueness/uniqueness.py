"""Uniqueness: records that are unique by their keys."""

from sdckit.kernels.intervals import wilson
from sdckit.measure import Score, risk
from sdckit.risk.uniqueness.key_measure import KeyMeasure
from sdckit.risk.uniqueness.released_keys import ReleasedKeys


@risk("uniqueness", headline=3, heading="Sample uniques on the keys", reference="skinner1994")
class Uniqueness(KeyMeasure):
    r"""Share of released records that are unique in the release on the known keys.

    The release is taken by itself: a record can be unique there by an accident of the noise and still not be
    re-identified, so read this figure beside a linkage. Where keys are missing, the details give the figure by both
    readings of a missing key, and the higher one counts: otherwise a blank row would agree with everybody.

    Formula: $\frac{1}{n} \cdot |\{i : f_i = 1\}|$,  $f_i$ the number of released records that agree with record $i$ on
    the keys

    Intruder: knows the keys of somebody in the release and looks for the one record that fits.

    Use it when keys are published unchanged or coarsened (recoded, suppressed, averaged in groups).
    """

    def of_keys(self, keys: ReleasedKeys) -> Score:
        sample_unique = (keys.frequency == 1).astype(float)
        return Score(
            float(sample_unique.mean()),
            by_record=keys.release.by_original_record(sample_unique),
            interval=wilson(float(sample_unique.sum()), len(sample_unique)),
            details={
                "attributes": keys.names,
                "smallest_class": int(keys.frequency.min()),
                "mean_class": float(keys.frequency.mean()),
            },
        )
