"""SUDA2: special uniques, records that are unique by few of their keys."""

from sdckit.kernels.suda import elliot_weight
from sdckit.measure import Cost, risk
from sdckit.risk.uniqueness.special_uniques import SpecialUniqueDetection


@risk("suda2", reference="manning2008", cost=Cost.SLOW)
class Suda2(SpecialUniqueDetection):
    r"""Mean probability of a correct match on special uniques, records unique by few of their keys (DIS-SUDA).

    A minimal sample unique (MSU) is a set of keys on which a record is unique and no part of which makes it so; one of
    s keys out of m scores (m − s)!, and a record the sum over its MSUs. The probability that a unique match in the file
    is correct, by the data intrusion simulation (DIS), is distributed over the uniques by their scores. By attribute:
    the share of all scores that involves it. A missing key is never part of an MSU. Where keys are missing, the details
    give two figures and the higher one counts: by any-value a hole in another record agrees with every value and so
    cancels an MSU; by own-value it agrees with none, as in sdcMicro.

    Formula: $\frac{1}{n} \sum_i \frac{1}{1 + (U / \theta - U) / (S_i^q \cdot \sum S^{-q})}$,  $\theta = \frac{U \pi}{U
    \pi + P (1 - \pi)}$,  $q = 1 + \frac{8 - m}{20}$

    Intruder: recognises a person by a striking combination of few characteristics.

    Use it when keys are categorical and you want to see which records and which keys to recode or suppress first.
    """

    weight = elliot_weight
