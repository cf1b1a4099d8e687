"""Structure loss: single distributions and relations between attributes, in one figure."""

from collections.abc import Mapping

import numpy as np

from sdckit.catalogue import build
from sdckit.errors import NotApplicableError
from sdckit.measure import Composite, Measure, Score, loss

MARGINALS, RELATIONS = "marginal-distance", "association-loss"


@loss("structure-loss", headline=2, heading="Distributions and relations lost", reference="snoke2018")
class StructureLoss(Composite):
    """Mean of the distance of single distributions and of the share of association that is lost, between 0 and 1.

    One half is `marginal-distance`, how far the distribution of each attribute moved; the other is `association-loss`,
    how much of the relations between attributes is gone. A file whose keys are shuffled has every distribution
    unchanged and loses all relations of the keys: its figure is one half, and a release that reaches it keeps no more
    than tables of single attributes. Numbers, categories and their mixture count alike, and no correspondence of rows
    is needed. Where there is one attribute only, the figure is its marginal distance.

    Formula: ½ · (mean distance of marginals + share of association lost)

    Use it when one figure must compare maskings of any file: it is the loss that sweeps, searches and reports use.
    """

    def parts(self) -> tuple[Measure, ...]:
        return build("loss", MARGINALS), build("loss", RELATIONS)

    def combine(self, scores: Mapping[str, Score | NotApplicableError]) -> Score:
        marginals, lost = scores[MARGINALS], scores[RELATIONS]
        if isinstance(marginals, NotApplicableError):
            raise marginals
        if isinstance(lost, NotApplicableError):
            return Score(marginals.value, by_attribute=marginals.by_attribute, baseline=0.0, details={})
        distances, shares = marginals.by_attribute or {}, lost.by_attribute or {}
        return Score(
            (marginals.value + lost.value) / 2,
            by_attribute={
                name: float(np.mean([distance, shares[name]]) if name in shares else distance)
                for name, distance in distances.items()
            },
            baseline=0.0,
            details={
                "marginals": marginals.value,
                "relations": lost.value,
                "shuffled": lost.details["shuffled"] / 2,
            },
        )
