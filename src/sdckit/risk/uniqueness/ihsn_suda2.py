"""SUDA2 after IHSN: special uniques, scored by how much else is unique with them."""

from sdckit.kernels.suda import ihsn_weight
from sdckit.measure import Cost, risk
from sdckit.risk.uniqueness.special_uniques import SpecialUniqueDetection


@risk("ihsn-suda2", reference="templ2015", cost=Cost.SLOW)
class IhsnSuda2(SpecialUniqueDetection):
    r"""Mean probability of a correct match on special uniques, scored by the number of larger unique sets of keys.

    As suda2, with another weight of a minimal sample unique of s keys out of m: the number of sets that contain it,
    itself not counted, as a share of the sets of s keys. Unlike (m − s)! it does not explode with the number of keys. A
    record that is unique on all keys at once only has the score 0 and the probability 0, but it counts in U, the number
    of sample uniques. Missing keys are read as in suda2.

    Formula: $\frac{1}{n} \sum_i \frac{1}{1 + (U / \theta - U) / (S_i^q \cdot \sum S^{-q})}$,  $S_i = \sum_{\text{MSU}}
    (2^{m - s} - 1) \cdot \frac{s! \, (m - s)!}{m!}$,  $U$ the number of sample uniques

    Intruder: recognises a person by a striking combination of few characteristics.

    Use it when figures are compared with those of the International Household Survey Network's practice.
    """

    weight = ihsn_weight
    counts_all_uniques = True
