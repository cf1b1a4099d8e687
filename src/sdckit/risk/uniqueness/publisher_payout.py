"""Publisher's payout: what a release is worth to its publisher after what intruders gain from it."""

import numpy as np
from numpy.typing import NDArray

from sdckit.hierarchy import ROOT
from sdckit.measure import Cost, Score, risk
from sdckit.parameters import param
from sdckit.release import Release
from sdckit.risk.uniqueness.key_measure import KeyMeasure
from sdckit.risk.uniqueness.released_keys import ReleasedKeys


@risk("publisher-payout", reference="wan2015", cost=Cost.SLOW)
class PublisherPayout(KeyMeasure):
    r"""Share of what an unmasked file is worth that its publisher pays for the records that intruders re-identify.

    A released record brings the publisher its benefit times the information left in its keys. An intruder attacks the
    records from which the expected gain exceeds the effort; the publisher then pays the damage for those that are
    re-identified, in a class of f rows one of f. The details have the payout, which is what all records bring less what
    the publisher pays, as a total, for each record, and as a share of what the unmasked file is worth; the numbers of
    attacked records and of those that cost more than they bring; and the intruder's profit. Records without any key
    bring nothing and are not attacked. A policy limits the payout from below, and of several releases the one with the
    highest payout is the best.

    Formula: $\frac{1}{n B} \sum_i a_i \frac{D}{f_i}$,  $a_i = 1$ where $\frac{G}{f_i} > E$;  $\text{payout} = \sum_i
    B (1 - \mathrm{NCP}_i) - a_i \frac{D}{f_i}$;  benefit $B$, damage $D$, gain $G$, effort $E$

    Intruder: knows the keys of everybody in the release, and attacks where that pays.

    Use it when a policy weighs what a release is worth against what a re-identification costs, rather than setting a
    limit on risk alone.
    """

    benefit: float = param(1200.0, "what an unmasked record is worth to the publisher", low=1e-9)
    damage: float = param(300.0, "what the publisher pays for a re-identified record", low=0)
    gain: float = param(300.0, "what an intruder gains from a re-identified record", low=0)
    effort: float = param(4.0, "what an attempt to re-identify a record costs the intruder", low=0)

    def of_keys(self, keys: ReleasedKeys) -> Score:
        blank, size = keys.missing.all(axis=1), keys.frequency
        attacked = ~blank & (self.gain / size > self.effort)
        paid = np.where(attacked, self.damage / size, 0.0)
        payout = self.benefit * np.where(blank, 0.0, 1.0 - lost_of(keys.release, keys.names)) - paid
        worth = self.benefit * max(len(keys.release.original), len(size))
        return Score(
            min(float(paid.sum() / worth), 1.0),
            by_record=keys.release.by_original_record(np.minimum(paid / self.benefit, 1.0)),
            details={
                "attributes": keys.names,
                "payout": float(payout.sum()),
                "payout_per_record": float(payout.mean()),
                "payout_share": float(payout.sum() / worth),
                "attacked_records": int(attacked.sum()),
                "unprofitable_records": int((payout < 0).sum()),
                "intruders_profit": float(np.where(attacked, self.gain / size - self.effort, 0.0).sum()),
            },
        )


def lost_of(release: Release, names: tuple[str, ...]) -> NDArray[np.float64]:
    """The mean certainty penalty of the keys of each released row: numbers and leaves 0, the root and holes 1."""
    lost = np.zeros(len(release.masked))
    for name in names:
        tree, after = release.original.attribute(name).hierarchy, release.masked.attribute(name)
        if after.categories is None:
            lost += release.masked.absent(name)
            continue
        penalty = [float(str(node) == ROOT) for node in after.categories]
        if tree is not None:
            others = max(len(tree.leaves) - 1, 1)
            penalty = [(len(tree.descendants(node)) - 1) / others if node in tree else 0.0 for node in after.categories]
        lost += np.append(penalty, 1.0)[release.masked.columns[name]]
    return lost / len(names)
