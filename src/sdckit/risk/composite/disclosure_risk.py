"""Disclosure risk: linkage by distance and by agreement, and interval disclosure, in one figure."""

from collections.abc import Mapping

import numpy as np

from sdckit.catalogue import build
from sdckit.errors import NotApplicableError
from sdckit.measure import Composite, Measure, Need, Score, risk
from sdckit.parameters import param

PARTS = ("distance-linkage", "probabilistic-linkage", "interval-disclosure")


@risk("disclosure-risk", reference="domingo2001", needs={Need.ROWS}, by_default=False)
class DisclosureRisk(Composite):
    r"""Mean of re-identification, by two record linkages, and attribute disclosure, by intervals around values.

    A quarter is the share of records linked by distance, a quarter that by agreements, half the share of values near
    their published one; the details give the parts. The comparisons of the literature average the linkages over what
    the intruder may know: use the knowledge `first-subsets(7)` for that. The interval and the baseline combine those of
    the parts; the interval is conservative.

    Formula: $\mathrm{DR} = 0.25 \cdot \mathrm{DLD} + 0.25 \cdot \mathrm{PLD} + 0.5 \cdot \mathrm{ID}$

    Intruder: that of the parts; for interval disclosure, one who knows to whom each released record belongs.

    Use it when methods are ranked by one figure, as in the comparisons of the 2000s. To judge a release, read the
    parts.
    """

    linkage: float = param(0.5, "weight of the two linkages together; interval disclosure has the rest", low=0, high=1)

    def parts(self) -> tuple[Measure, ...]:
        return tuple(build("risk", name) for name in PARTS)

    def combine(self, scores: Mapping[str, Score | NotApplicableError]) -> Score:
        measured = []
        for name in PARTS:
            score = scores[name]
            if isinstance(score, NotApplicableError):
                raise score
            measured.append(score)
        weights = np.array([self.linkage / 2, self.linkage / 2, 1 - self.linkage])
        figures = np.array([[score.value, *(score.interval or ()), score.baseline] for score in measured])
        value, low, high, baseline = np.clip(weights @ figures, 0, 1).tolist()
        return Score(
            value,
            by_record=weights @ np.array([score.by_record for score in measured]),
            interval=(low, high),
            baseline=baseline,
            details={
                "parts": {name: score.value for name, score in zip(PARTS, measured, strict=True)},
                "attributes": measured[0].details["attributes"],
            },
        )
