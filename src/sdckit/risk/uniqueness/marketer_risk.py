"""Marketer risk: as many correct matches as possible."""

from sdckit.kernels.intervals import wilson
from sdckit.measure import Score, risk
from sdckit.risk.uniqueness.key_measure import KeyMeasure
from sdckit.risk.uniqueness.population_classes import population_classes
from sdckit.risk.uniqueness.released_keys import ReleasedKeys, size_of_population


@risk("marketer-risk", reference="dankar2010")
class MarketerRisk(KeyMeasure):
    r"""Expected share of the released records that are matched with the correct person of the population.

    Each record is matched with one of the F persons who agree with it, at random. In a release of some records of a
    file without weights F is counted in that file. From a sample with weights it is estimated, as the total weight of a
    sample unique overestimates its class. Given f sampled records of a class, the number of its other members is
    negative binomial with shape f − α: in Pitman's model with 0 < α < 1 the number of classes is unlimited, in a
    Dirichlet mixture with α < 0 it is limited. Both are fitted to the sizes of classes in the sample; they assume that
    records of equal weight were equally likely to be sampled. The model of greater likelihood gives the figure; where
    the sample does not distinguish them, the one of higher risk, which is usually Pitman's. The interval is of no
    model: it has the figures of all populations, of whatever sizes of classes, from which such a sample may come, and a
    figure by a model outside of it is moved to its nearer end. From a sample of few percent it is wide, as many persons
    whom nobody resembles and many small classes give the same sample. The figure by total weight, which is too low, is
    in the details. Missing keys are read both ways, and the higher figure counts.

    Formula: $\frac{1}{n} \sum_i \mathrm{E}(\frac{1}{F_i})$,  $F - f \sim \mathrm{NB}(f - \alpha, c)$,  $c = (w - 1)
    \cdot \frac{n}{n + \theta}$,  $w$ the mean weight of the class

    Intruder: has a register of the population with the keys and matches every record; wrong matches cost little.

    Use it when the harm grows with the number of persons re-identified, not with the one who is easiest to re-identify.
    """

    def of_keys(self, keys: ReleasedKeys) -> Score:
        classes = population_classes(keys)
        expected = float(classes.probability.sum())
        return Score(
            float(classes.probability.mean()),
            by_record=keys.release.by_original_record(classes.probability),
            interval=classes.interval or wilson(expected, len(classes.probability)),
            baseline=1.0 / size_of_population(keys.release),
            bound=float((1.0 / keys.frequency).mean()),
            details={"attributes": keys.names, "expected_matches": expected, **classes.details},
        )
