"""DP microaggregation: noisy means of fixed groups, released with no link to the other columns."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sdckit.draws import Draws
from sdckit.errors import ParameterError
from sdckit.kernels.fixed_groups import group_means, groups_in_order, order_from_corner
from sdckit.masking import masking
from sdckit.methods.differential_privacy.bounded_values import BoundedValues
from sdckit.methods.differential_privacy.opendp_noise import with_laplace_noise
from sdckit.microdata import Kind, Microdata
from sdckit.parameters import param
from sdckit.privacy import PrivacyLoss, numbers_of_categories

RANKINGS = ("joint", "individual")


@masking("dp-microaggregation", kind=Kind.ORDERED, reference="soria2014")
class DpMicroaggregation(BoundedValues):
    r"""Release noisy means of groups of k records instead of their values, in an order that discloses no record.

    One attribute: the groups are k records each in the order of the values, always the same number of groups. Replacing
    one record changes the means by at most Δ / k in total, and the noise only has to hide this change: far less than
    for single values. Several attributes: the records are ordered by their distance from the corner of all lower
    bounds, an order that no other record can change; one record may then change every group by one member, and the
    noise is n / k times as large. Each group's mean is written as often as the group has records, in a random order: a
    row shows nobody's values, and is not linked to the other columns. The noise comes from OpenDP and the operating
    system, so no seed repeats it.

    Individual rankings of several attributes that are joined again are refused: whether two values are in the same row
    depends on the ranks and not on the noise. With groups of 2 the records (1, 1), (2, 2), (3, 3), (4, 4) give two
    different rows; with (1, 4.5) instead of (1, 1) they give four, whatever the noise.

    Formula: $c' = c + \mathrm{Lap}(\frac{\Delta}{k \varepsilon})$,  for several attributes $\mathrm{Lap}(\frac{n}{k}
    \cdot \frac{1}{k \varepsilon} \sum_j \Delta_j)$

    Use it when a formal guarantee is asked for and the distribution of one attribute is needed rather than single
    values.

    Excludes nothing: no row belongs to a record.
    """

    group_size: int = param(10, "records in a group (k)", low=1, grid=(5, 10, 50))
    epsilon: float = param(1.0, "privacy loss of all attributes of the step together (ε)", low=1e-6, grid=(0.5, 1, 4))
    ranking: str = param("joint", "how several attributes are grouped: joint; individual is refused, with the reason")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.ranking not in RANKINGS:
            raise ParameterError(f"{self.name}: ranking = {self.ranking!r} is unknown; use joint")

    def applicable(self, data: Microdata, attributes: Sequence[str]) -> tuple[str, ...]:
        names = super().applicable(data, attributes)
        if len(names) > 1 and self.ranking == "individual":
            raise ParameterError(
                f"{self.name}: individual rankings of {', '.join(names)} joined in one row are not differentially "
                "private, whatever the noise; use ranking = joint, or one step for each attribute"
            )
        self.refuse_few_values(data, names, self.group_size)
        return names

    def noisy(
        self, values: NDArray[np.float64], low: NDArray[np.float64], high: NDArray[np.float64], draws: Draws
    ) -> NDArray[np.float64]:
        of_record = groups_in_order(order_from_corner(values, low, high), self.group_size)
        means = group_means(values, of_record)
        noisy = with_laplace_noise(means.ravel(), self.sensitivity(len(values), high - low), self.epsilon)
        anywhere = draws.generator("rows").permutation(len(values))
        return noisy.reshape(means.shape)[np.sort(of_record)][anywhere]

    def sensitivity(self, records: int, widths: NDArray[np.float64]) -> float:
        """By how much one record changes all means together, at most."""
        size = min(self.group_size, records)
        groups = 1 if len(widths) == 1 else max(records // size, 1)
        return float(groups * widths.sum() / size)

    def privacy(self, data: Microdata, attributes: Sequence[str]) -> PrivacyLoss:
        """ε for all attributes together."""
        return PrivacyLoss(
            self.name,
            tuple(attributes),
            self.epsilon,
            bounds=self.stated_bounds(data, attributes),
            categories=numbers_of_categories(data, attributes),
        )
