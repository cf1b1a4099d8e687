"""Journalist risk: the target may or may not be in the release."""

from sdckit.intruder import Intruder
from sdckit.measure import Measure, Score, risk
from sdckit.parameters import param
from sdckit.release import Release
from sdckit.risk.uniqueness.largest_probability import largest_probability
from sdckit.risk.uniqueness.released_keys import ReleasedKeys, size_of_population


@risk("journalist-risk", reference="elemam2008")
class JournalistRisk(Measure):
    """Largest probability of a correct match where the released records are a sample and any match counts.

    A released record is one of the F persons in the population who agree with it. F is the total weight of the records
    that agree; in a release of some records of a file without weights it is counted in that file. The largest
    probability counts, as one success suffices; it has no interval.

    Formula: maxᵢ 1 / Fᵢ,  Fᵢ = the number of persons in the population that agree with record i on the keys

    Intruder: holds a register of the population with the keys, and wants to show that some record can be re-identified.

    Use it when the file is a sample and who is in it is not known.
    """

    threshold: float = param(0.2, "probability above which a record counts as at risk", low=0, high=1)

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        keys = ReleasedKeys.seen_by(intruder, release)
        population = size_of_population(release)
        probability = 1.0 / keys.population
        return largest_probability(keys, probability, self.threshold, baseline=1.0 / population, population=population)
