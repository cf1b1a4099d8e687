"""t-Closeness: how far are the values of a group from those of everybody?"""

from functools import partial
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import NotApplicableError, private
from sdckit.kernels.diversity import (
    Column,
    Statistic,
    nominal_distance,
    of_matching_records,
    ordered_distance,
    tree_distance,
)
from sdckit.measure import Score, risk
from sdckit.microdata import Attribute, Kind
from sdckit.parameters import param
from sdckit.risk.attribute_disclosure.confidential_values import Confidential, confidential_values, share_breached
from sdckit.risk.uniqueness.key_measure import KeyMeasure
from sdckit.risk.uniqueness.released_keys import ReleasedKeys

ROUNDING = 1e-12


@risk("t-closeness", reference="li2007")
class TCloseness(KeyMeasure):
    r"""Share of released records whose group, the records that agree on the keys, is farther than t from the file.

    The distance between two distributions of a confidential attribute is the work to turn one into the other (earth
    mover's distance): the share to be moved, times how far. Unordered values are all 1 apart, m ordered ones are
    1 / (m − 1) from one to the next, those of a hierarchy as far as the level of their lowest common ancestor. Missing
    confidential values are not counted. More than `bands` different numbers become bands. Where keys are missing, the
    details give the figure by both readings of a missing key, and the higher one counts.

    Formula: $\frac{1}{n} \cdot |\{i : \mathrm{EMD}(P_i, Q) > t\}|$,  $P_i$ and $Q$ the shares of values in the group of
    $i$ and in the file

    Intruder: knows the distribution in the file and learns how that of the persons with the known keys differs from it.

    Use it when values differ in how sensitive or how similar they are, which l-diversity does not take into account.
    """

    reads_confidential: ClassVar[bool] = True

    closeness: float = param(0.2, "largest distance allowed (t)", low=0, high=1, grid=(0.1, 0.2, 0.3))
    bands: int = param(
        100, "bands of equal frequency into which numbers are put where they have more distinct values", low=2
    )

    def of_keys(self, keys: ReleasedKeys) -> Score:
        breaches, largest = {}, {}
        confidential = list(confidential_values(keys.release, self.bands))
        columns = [Column(values.codes, values.categories, _distance(values)) for values in confidential]
        for values, figures in zip(confidential, of_matching_records(keys.codes, columns), strict=True):
            breaches[values.attribute.name] = figures > self.closeness + ROUNDING
            largest[values.attribute.name] = float(figures.max())
        return share_breached(keys.release, breaches, {"attributes": keys.names, "largest_distance": largest})


def _distance(values: Confidential) -> Statistic:
    """The distance of counts from those of the whole file, by the order of the attribute."""
    attribute = values.attribute
    overall = np.bincount(values.codes[values.codes >= 0], minlength=values.categories).astype(np.float64)
    if not overall.sum():
        return lambda counts: np.zeros(len(counts))
    if attribute.kind & Kind.ORDERED:
        return partial(ordered_distance, overall=overall)
    if attribute.hierarchy is None:
        return partial(nominal_distance, overall=overall)
    return partial(tree_distance, overall=overall, levels=_levels(attribute))


def _levels(attribute: Attribute) -> NDArray[np.int64]:
    """The ancestors of each category on each level, as numbers; short branches are stretched at the leaf."""
    assert attribute.hierarchy is not None and attribute.categories is not None
    unknown = [category for category in attribute.categories if category not in attribute.hierarchy]
    if unknown:
        raise NotApplicableError(
            f"{attribute.name!r} has the category {private(unknown[0])}, which is not in its hierarchy"
        )
    paths = [attribute.hierarchy.ancestors(category) for category in attribute.categories]
    height = max(map(len, paths))
    number = {node: position for position, node in enumerate(dict.fromkeys(node for path in paths for node in path))}
    return np.array([[number[node] for node in (*[path[0]] * (height - len(path)), *path)] for path in paths])
