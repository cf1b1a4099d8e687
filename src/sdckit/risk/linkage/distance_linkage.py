"""Distance-based record linkage: link each known record to the nearest released one."""

import numpy as np
from numpy.typing import NDArray

from sdckit.intruder import AttackerView
from sdckit.measure import Finds, Need, risk
from sdckit.risk.linkage.nearest_rows import EuclideanLinkage


@risk("distance-linkage", reference="pagliuca1999", finds=Finds.RECORDS, needs={Need.ROWS})
class DistanceLinkage(EuclideanLinkage):
    r"""Share of records an intruder re-identifies by linking each to the nearest masked record.

    Both files are standardised by their own means and deviations; the distance is Euclidean over the ordered attributes
    that the intruder knows. A missing value of a masked record counts as a tenth of the expected squared difference to
    another record; an attribute that is not known of a record is left out. Ties share the credit, so a microaggregated
    file is reported neither safer nor riskier than a random pick within the group.

    Formula: $\frac{1}{n} \sum_i \frac{[i \in N_i]}{|N_i|}$,  $N_i$ the masked records nearest to original record $i$

    Intruder: knows some attributes of a record exactly and takes the nearest released record for it.

    Use it when ordered attributes were changed but kept near their values: it is the usual standard of comparison in
    the literature. An intruder who also uses what the method excludes re-identifies more, so do not read it as the
    worst case.
    """

    def space(self, view: AttackerView) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return view.standardised()
