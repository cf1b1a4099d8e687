"""The best ordered weighted average of attribute differences."""

from sdckit.linear_distances import OWA
from sdckit.measure import Cost, Finds, Need, risk
from sdckit.risk.worst_case.learned_linkage import LearnedLinkage


@risk("owa-linkage", reference="abril2012", finds=Finds.RECORDS, needs={Need.ROWS, Need.TRUTH}, cost=Cost.SLOW)
class OwaLinkage(LearnedLinkage):
    """Share of records that the best ordered weighted average of the differences links to their own row.

    Weights belong to the largest, second largest … difference, whichever attribute it is, so all attributes are treated
    equally. The figure depends on the scale of each attribute: numbers are standardised, categories differ by 0 to 1.

    Formula: as weighted-mean-linkage, with the differences of each pair sorted in falling order first

    Intruder: is assumed to know the best distance of this kind. No real intruder does, so none who uses a distance of
    this kind re-identifies more.

    Use it when all attributes were masked alike and a record may be off in a few of them.
    """

    model = OWA()
