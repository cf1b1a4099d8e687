"""Stratified sampling: publish a share of the records of every stratum."""

from collections.abc import Sequence

import numpy as np

from sdckit.draws import Draws
from sdckit.errors import SchemaError
from sdckit.kernels.equivalence_classes import class_of
from sdckit.masking import Locality, masking
from sdckit.methods.sampling.sampling import Sampling, drawn
from sdckit.microdata import Kind, Microdata, Role
from sdckit.parameters import param


@masking("stratified-sampling", kind=Kind.ANY, reference="hundepool2012")
class StratifiedSampling(Sampling):
    r"""Publish a random share of the records, or of the households, of every stratum, and drop the others.

    Small strata stay in the file: at least `min_records` units of each, which makes these easier to re-identify.
    A household belongs to the stratum of its first record. Survey weights are raised to represent their stratum. The
    records keep their order.

    Formula: in stratum $h$, $S_h$ drawn uniformly among all sets of $\min(N_h, \max(m, \lceil s \cdot N_h \rceil))$
    units,  $w'_i = w_i \cdot \frac{N_h}{|S_h|}$,  $m$ the least number of units

    Use it when users compare groups, such as regions, and each has to be represented in its proportion.
    """

    locality = Locality.BLOCK

    share: float = param(0.5, "share of the units of each stratum to publish", low=0, high=1, grid=(0.1, 0.25, 0.5))
    strata: tuple[str, ...] = param((), "attributes whose combinations are the strata; none takes the categorical keys")
    min_records: int = param(1, "smallest number of units of each stratum to publish", low=0, formerly="least")

    def protect(self, data: Microdata, attributes: Sequence[str] = (), *, draws: Draws) -> Microdata:
        self.applicable(data, attributes)
        names = self.strata or data.names(kind=Kind.CATEGORICAL, role=Role.KEY)
        if not names:
            raise SchemaError(f"{self.name}: the file has no categorical key; name the strata, as in strata=region+sex")
        units = data.units()
        first = np.unique(units, return_index=True)[1]
        stratum = class_of(data.codes(names)[first]).of
        order = draws.generator().permutation(len(stratum))
        order = order[np.argsort(stratum[order], kind="stable")]
        sizes = np.bincount(stratum)
        position = np.empty(len(stratum), dtype=np.int64)
        position[order] = np.arange(len(stratum)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        sample_sizes = np.minimum(sizes, np.maximum(self.min_records, np.ceil(self.share * sizes - 1e-9))).astype(
            np.int64
        )
        rows = np.flatnonzero((position < sample_sizes[stratum])[units])
        if not len(rows):
            raise SchemaError(f"{self.name}: no record is left; use a larger share or larger min_records")
        return drawn(data, rows, (sizes / np.maximum(sample_sizes, 1))[stratum[units[rows]]])
