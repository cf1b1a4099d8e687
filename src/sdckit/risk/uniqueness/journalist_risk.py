"""Journalist risk: the target may or may not be in the release."""

from sdckit.measure import Score, risk
from sdckit.parameters import param
from sdckit.risk.uniqueness.key_measure import KeyMeasure
from sdckit.risk.uniqueness.population_classes import population_classes
from sdckit.risk.uniqueness.released_keys import ReleasedKeys, size_of_population


@risk("journalist-risk", reference="elemam2008")
class JournalistRisk(KeyMeasure):
    r"""Largest probability of a correct match where the released records are a sample and any match counts.

    A released record is one of the F persons in the population who agree with it. In a release of some records of a
    file without weights F is counted in that file, and the figure is exact. From a sample with weights F is estimated:
    the total weight of a sample unique overestimates its class, as rare records are mostly those of small classes. The
    sizes of classes are modelled as for marketer-risk, and the figure is the upper end of a 95 % interval for the
    largest 1 / F, so that the truth rarely exceeds it. Where some sample unique may well be unique in the population it
    is 1. Figures by record are E(1 / F); their mean and the share above the threshold are in the details. Missing keys
    are read both ways, and the higher figure counts.

    Formula: $\max_i \frac{1}{F_i}$,  $F_i$ the number of persons in the population that agree with record $i$ on the
    keys

    Intruder: has a register of the population with the keys, and wants to show that some record can be re-identified.

    Use it when the file is a sample and who is in it is not known.
    """

    threshold: float = param(0.2, "probability above which a record counts as at risk", low=0, high=1)

    def of_keys(self, keys: ReleasedKeys) -> Score:
        classes = population_classes(keys)
        low, high = classes.largest
        return Score(
            high,
            by_record=keys.release.by_original_record(classes.probability),
            interval=(low, high) if classes.interval is not None else None,
            baseline=1.0 / size_of_population(keys.release),
            bound=float(1.0 / keys.frequency.min()),
            details={
                "attributes": keys.names,
                "mean": float(classes.probability.mean()),
                "share_above_threshold": float((classes.probability > self.threshold).mean()),
                **classes.details,
            },
        )
