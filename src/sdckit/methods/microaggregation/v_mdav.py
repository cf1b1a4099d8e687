"""V-MDAV: MDAV with groups of variable size."""

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.standardisation import standardise
from sdckit.kernels.v_mdav import v_mdav
from sdckit.masking import masking
from sdckit.methods.microaggregation.blocks import Microaggregation
from sdckit.microdata import Kind
from sdckit.parameters import param


@masking("v-mdav", kind=Kind.ORDERED, reference="solanas2006")
class VMdav(Microaggregation):
    r"""Group the record farthest from the average with its nearest ones, and let the group grow while others are near.

    A record joins a group with fewer than 2k − 1 records, where k is `group_size`, if its distance to the group is less
    than `gain` times its distance to the nearest record without a group. Natural clusters therefore stay together where
    MDAV divides them. Means and sums are kept. Attributes are standardised; ties go to the lower record number.

    Formula: $u$ joins $G$ if $\min_{g \in G} d(u, g) < \gamma \cdot \min_{w \text{ free}} d(u, w)$,  $k \le |G| \le 2k
    - 1$

    Use it when the records lie in clusters of uneven size (a `gain` near 1.1); for evenly scattered records keep `gain`
    at 0.2, or take refined-microaggregation, which loses less in both cases.
    """

    quadratic = True

    gain: float = param(
        0.2,
        "distance at which a record joins, as a share of that to ungrouped ones (the paper's γ)",
        low=0,
        grid=(0.2, 1.1),
    )

    def partition(self, values: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.int64]:
        return v_mdav(standardise(values), self.group_size, self.gain)
