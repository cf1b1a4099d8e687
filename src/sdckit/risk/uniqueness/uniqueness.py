"""Uniqueness: who is alone with a combination of keys."""

from sdckit.errors import NotApplicableError
from sdckit.intruder import Intruder
from sdckit.kernels.equivalence_classes import wildcard_frequencies
from sdckit.kernels.intervals import wilson
from sdckit.measure import Measure, Score, risk
from sdckit.release import Release


@risk("uniqueness", reference="skinner1994")
class Uniqueness(Measure):
    """Share of released records that nobody else in the release shares all known keys with.

    A missing key agrees with every value. The release is taken by itself: a record can be unique there by an accident
    of the noise and still not be found, so read this figure beside a linkage.

    Formula: |{i : fᵢ = 1}| / n,  fᵢ = the number of released records that agree with record i on the keys

    Intruder: knows the keys of somebody in the release and looks for the one record that fits.

    Use it when keys are published as they are or coarsened (recoded, suppressed, averaged in groups).
    """

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        names = intruder.knows(release)
        if not names:
            raise NotApplicableError("the intruder knows no attribute that the release still has")
        frequency = wildcard_frequencies(release.masked.codes(names))
        alone = (frequency == 1).astype(float)
        return Score(
            float(alone.mean()),
            by_record=release.by_original_record(alone),
            interval=wilson(float(alone.sum()), len(alone)),
            details={
                "attributes": names,
                "smallest_class": int(frequency.min()),
                "mean_class": float(frequency.mean()),
            },
        )
