"""Association loss: how much of the association between attributes is lost."""

from collections.abc import Iterable

import numpy as np

from sdckit.intruder import Intruder
from sdckit.loss.statistics.relations import Relation, relations
from sdckit.measure import Measure, Score, loss
from sdckit.release import Release

STRONGEST = 5  # relations shown one by one
STANDARD_ERRORS = 2.0  # an association below so many standard errors, 1 / √n, is not distinguished from none


@loss("association-loss", reference="bergsma2013")
class AssociationLoss(Measure):
    """Share of the association between attributes that changed, over all pairs, strong relations counting most.

    Association is the correlation of two ordered attributes, Cramér's V of two nominal ones, and the correlation ratio
    of a nominal and an ordered one, the latter two corrected for chance. A relation whose sign changed counts as lost,
    and a relation that the masking created counts as changed. Pairs within sampling error of 0 in both files are left
    out. The details give the strongest relations of the original before and after masking, and the figure of a file
    whose keys are shuffled, in which nothing that involves a key is left. No correspondence of rows is needed.

    Formula: Σ min(|a − a′|, m) / Σ m,  m = max(|a|, |a′|),  over the pairs with m > 2 / √n

    Use it when relations between attributes of any kind are what the file is studied for.
    """

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        every = relations(release)
        limit = STANDARD_ERRORS / np.sqrt(min(len(release.original), len(release.masked)))
        counted = [each for each in every if each.strength > limit]
        names = dict.fromkeys(name for each in every for name in (each.first, each.second))
        original = [each for each in every if abs(each.before) > limit]
        strongest = sorted(original, key=lambda each: -abs(each.before))[:STRONGEST]
        return Score(
            _share_lost(counted),
            by_attribute={
                name: _share_lost(each for each in counted if name in (each.first, each.second)) for name in names
            },
            baseline=0.0,
            details={
                "relations": len(original),
                "shuffled": _share_with_keys(original),
                "strongest": [each.to_dict() for each in strongest],
            },
        )


def _share_lost(counted: Iterable[Relation]) -> float:
    """The share of the association that is lost; 0 where there is none."""
    pairs = np.array([(each.lost, each.strength) for each in counted]).reshape(-1, 2)
    return float(pairs[:, 0].sum() / pairs[:, 1].sum()) if len(pairs) else 0.0


def _share_with_keys(original: Iterable[Relation]) -> float:
    """The share of the original's association that involves a key: it is lost where the keys are shuffled."""
    pairs = np.array([(each.key * abs(each.before), abs(each.before)) for each in original]).reshape(-1, 2)
    return float(pairs[:, 0].sum() / pairs[:, 1].sum()) if len(pairs) else 0.0
