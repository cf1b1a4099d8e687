"""Marketer risk: as many correct matches as possible."""

from sdckit.intruder import Intruder
from sdckit.kernels.intervals import wilson
from sdckit.measure import Measure, Score, risk
from sdckit.release import Release
from sdckit.risk.uniqueness.released_keys import ReleasedKeys, size_of_population


@risk("marketer-risk", reference="dankar2010")
class MarketerRisk(Measure):
    """Expected share of the released records that are matched with the correct person of the population.

    Each record is matched with one of the F persons who agree with it, at random. F is the total weight of the records
    that agree; in a release of some records of a file without weights it is counted in that file.

    Formula: (1 / n) · Σᵢ 1 / Fᵢ,  Fᵢ = the number of persons in the population that agree with record i on the keys

    Intruder: holds a register of the population with the keys and matches every record; wrong matches cost little.

    Use it when the harm grows with the number of persons re-identified, not with the one who is easiest to re-identify.
    """

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        keys = ReleasedKeys.seen_by(intruder, release)
        probability = 1.0 / keys.population
        return Score(
            float(probability.mean()),
            by_record=release.by_original_record(probability),
            interval=wilson(float(probability.sum()), len(probability)),
            baseline=1.0 / size_of_population(release),
            details={"attributes": keys.names, "expected_matches": float(probability.sum())},
        )
