"""Bottom coding: publish one value for everything below a limit."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from sdckit.candidates import Candidates
from sdckit.draws import Draws
from sdckit.masking import masking
from sdckit.methods.recoding.top_coding import TopCoding, top_coded
from sdckit.microdata import Attribute, Kind, Microdata
from sdckit.parameters import param
from sdckit.row_masking import ObservedValues, RowMasking


@masking("bottom-coding", kind=Kind.ORDERED, reference="hundepool2012")
class BottomCoding(RowMasking):
    r"""Replace the smallest values of each attribute by a limit, or by their mean.

    The mirror image of top-coding: the limit is the value that `share` of the records fall short of, or `limit` if that
    is higher. A missing value stays missing.

    Formula: $x' = \begin{cases} x & \text{if } x \ge t \\ t & \text{otherwise} \end{cases}$,  $t = \max(\text{limit},
    Q_s)$,  instead of $t$ also the mean of all $x < t$

    Use it when a few very small values are recognisable, such as losses or the youngest.
    """

    columnwise = True
    reads_a_part = True

    share: float = param(
        0.05, "share of the smallest values to code; 0 leaves it to `limit`", low=0, high=1, grid=(0.01, 0.05, 0.1)
    )
    limit: float = param(-np.inf, "lowest value to publish, in the attribute's unit")
    tail_mean: bool = param(False, "publish the mean of the coded values instead of the limit")

    def summary(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return self.mirrored().summary(-values)

    def summary_of(self, observed: ObservedValues) -> NDArray[np.float64]:
        return self.mirrored().summary_of(observed.negated())

    def mask_rows(self, values: NDArray[np.float64], summary: NDArray[np.float64], draws: Draws) -> NDArray[np.float64]:
        return 0.0 - self.mirrored().mask_rows(-values, summary, draws)  # a mere minus would publish 0 as −0

    def mirrored(self) -> TopCoding:
        """Top coding of the negated values."""
        return TopCoding(share=self.share, limit=-self.limit, tail_mean=self.tail_mean)

    def candidates(self, known: Candidates, released: Microdata | None) -> Candidates | None:
        """A value above the lowest published one is unchanged; every other became the lowest."""
        if released is None:
            return None
        return negated(top_coded(negated(known), {name: -released.matrix([name])[:, 0] for name in known.lower}))

    def image(self, known: Candidates, attributes: Mapping[str, Attribute]) -> Candidates | None:
        """A value is unchanged or became the limit; an intruder who knows the whole column knows which."""
        coded = self.mirrored().image(negated(known), attributes)
        return None if coded is None else negated(coded)


def negated(candidates: Candidates) -> Candidates:
    """The intervals of the negated values."""
    lower = {name: -ends for name, ends in candidates.upper.items()}
    upper = {name: -ends for name, ends in candidates.lower.items()}
    return Candidates(candidates.records, lower, upper, complete=candidates.complete)
