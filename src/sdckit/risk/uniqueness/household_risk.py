"""Household risk: re-identifying one member re-identifies the household."""

import numpy as np

from sdckit.errors import NotApplicableError
from sdckit.measure import Score, risk
from sdckit.microdata import Role
from sdckit.risk.uniqueness.individual_risk import probability_by_record
from sdckit.risk.uniqueness.key_measure import KeyMeasure
from sdckit.risk.uniqueness.released_keys import ReleasedKeys


@risk("household-risk", reference="hundepool2012")
class HouseholdRisk(KeyMeasure):
    r"""Mean probability that at least one member of a person's household is matched correctly.

    Members are assumed to be matched independently, each with the individual risk. A record without a household is one
    of its own; where the release has no attribute of the role household, there is no household risk. Like the
    individual risk, it is too low in a sparse sample, and has no interval.

    Formula: $\frac{1}{n} \sum_i (1 - \prod_j (1 - r_j))$,  $r_j$ the individual risk of member $j$ of the household of
    record $i$

    Intruder: has a register of the population with the keys; if one member is re-identified, so are the other members
    of the household.

    Use it when the file shows who lives together.
    """

    def of_keys(self, keys: ReleasedKeys) -> Score:
        individual = probability_by_record(keys)
        if not keys.release.masked.names(role=Role.HOUSEHOLD):
            raise NotApplicableError(
                "the release does not show who lives together; declare the household number in the schema "
                '(role = "household") where it does'
            )
        household = keys.release.masked.units()
        with np.errstate(divide="ignore"):
            escaping = np.log1p(-np.minimum(individual, 1.0))
        together = -np.expm1(np.bincount(household, weights=escaping))
        probability = np.clip(together[household], individual, 1.0)
        return Score(
            float(probability.mean()),
            by_record=keys.release.by_original_record(probability),
            details={
                "attributes": keys.names,
                "households": len(together),
                "expected_households": float(np.clip(together, 0.0, 1.0).sum()),
                "individual_risk": float(individual.mean()),
            },
        )
