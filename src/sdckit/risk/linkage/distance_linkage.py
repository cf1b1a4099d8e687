"""Distance-based record linkage: link each known record to the nearest released one."""

import numpy as np

from sdckit.intruder import Intruder
from sdckit.kernels.intervals import wilson
from sdckit.kernels.nearest import nearest_links
from sdckit.measure import Measure, Score, risk
from sdckit.release import Release


@risk("distance-linkage", reference="pagliuca1999")
class DistanceLinkage(Measure):
    """Share of records an intruder re-identifies by linking each to the nearest masked record.

    Both files are standardised by their own means and deviations; the distance is Euclidean over the ordered attributes
    that the intruder knows. Ties share the credit, so a microaggregated file is reported neither safer nor riskier than
    a random pick within the group.

    Formula: (1 / n) · Σᵢ [i ∈ Nᵢ] / |Nᵢ|,  Nᵢ = the masked records nearest to original record i

    Intruder: holds the known attributes of a record exactly and takes the nearest released record for it.

    Use it when ordered attributes were changed but kept near their values: it is the common yardstick of the
    literature. An intruder who also uses what the method excludes finds more, so do not read it as the worst case.
    """

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        view = intruder.standardised_view(release, seed=seed)
        links = nearest_links(view.known, view.released, view.truth)
        chance = np.where(links.among, 1.0 / np.maximum(links.ties, 1), 0.0)
        return Score(
            float(chance.mean()),
            by_record=release.on_records(view.records, chance),
            interval=wilson(float(chance.sum()), len(chance)),
            baseline=1.0 / len(view.released),
            details={
                "attributes": view.names,
                "strict": float((links.among & (links.ties == 1)).mean()),
                "any": float(links.among.mean()),
            },
        )
