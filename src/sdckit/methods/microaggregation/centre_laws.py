"""Laws of drawn centres: how likely each released row is, since memberships are the probabilities of the draw.

An intruder who knows the file that entered finds the centres as the masking did, and knows of every record with which
probability it got each. Others see the centres that were drawn in the release, on a scale that they estimate from it.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.attribute import Attribute
from sdckit.fuzzy.c_means import FuzzyRule, memberships
from sdckit.fuzzy.rules import Metric
from sdckit.kernels.equivalence_classes import class_of, equal_rows
from sdckit.kernels.standardisation import standardise_like
from sdckit.likelihood import RecordTable, RecordTableLaw
from sdckit.microdata import Microdata

CELLS = 4_000_000  # records times distinct rows, and distinct rows times centres, that a table has at most
SAME = 1e-7  # of the largest value of an attribute: two numbers that differ by less were computed alike
LEAST = 1e-12  # the probability of a row that no membership allows: centres are found only up to a rounding error


class Offered(NamedTuple):
    """Standardised records and centres, and the values that each centre has in the units of the attributes.

    Memberships are by `metric`, or else by the squared distance.
    """

    points: NDArray[np.float64]
    centres: NDArray[np.float64]
    values: NDArray[np.float64]
    metric: Metric | None = None

    def probabilities(self, fuzziness: float) -> NDArray[np.float64]:
        """The probability of each centre for each record; a record without any value may get any."""
        if self.metric is None:
            degrees = memberships(self.points, self.centres, fuzziness)
        else:
            degrees = np.empty((len(self.points), len(self.centres)))
            FuzzyRule(fuzziness).degrees(self.metric.distances(self.points, self.centres), degrees)
        return np.where(np.isnan(degrees), 1 / len(self.centres), degrees)


def law_of_offers(
    offers: Iterable[tuple[Sequence[str], Offered]],
    released: Microdata,
    fuzziness: float,
    decimals: Callable[[Attribute], int | None],
) -> RecordTableLaw | None:
    """The law of rows that were drawn from these centres; None where the rows are others, or too many for a table.

    `decimals` gives those that a number is published with.
    """
    parts = []
    for names, offered in offers:
        values = np.column_stack([_numbers(released, name) for name in names])
        classes = class_of(released.codes(names))
        rows = values[classes.first()]
        if len(rows) * max(len(offered.points), len(offered.centres)) > CELLS:
            return None
        fits = np.ones((len(rows), len(offered.centres)), dtype=np.bool_)
        for name, row, centre in zip(names, rows.T, offered.values.T, strict=True):
            reach = _reach(released, name, centre, decimals(released.attribute(name)))
            fits &= np.isnan(row)[:, None] | (np.abs(row[:, None] - centre[None, :]) <= reach)
        if not fits.any(axis=1).all():
            return None
        probability = offered.probabilities(fuzziness) @ fits.T.astype(float)
        parts.append(RecordTable(tuple(names), np.log(np.maximum(probability, LEAST)), classes.of))
    return RecordTableLaw(tuple(parts))


def _numbers(released: Microdata, name: str) -> NDArray[np.float64]:
    """The values of a number, or the codes of a category; NaN where missing."""
    column = released.columns[name]
    return np.where(released.absent(name), np.nan, column.astype(float))


def _reach(released: Microdata, name: str, centres: NDArray[np.float64], decimals: int | None) -> float:
    """How far a released value may be from that of its centre: by rounding, where the release is rounded."""
    error = SAME * float(np.abs(centres).max(initial=0.0))
    if released.attribute(name).coded:
        return 0.5 + SAME  # the nearest position
    if decimals is None:
        return error
    values = released.columns[name]
    rounded = np.allclose(values, np.round(values, decimals), rtol=1e-12, atol=0, equal_nan=True)
    return error + (0.5 * 10.0**-decimals if rounded else 0.0)


@dataclass(frozen=True, eq=False)
class CentreLaw:
    """The probability of a centre is the membership in it; the release shows the centres that were drawn."""

    blocks: tuple[slice, ...]
    file: NDArray[np.float64]
    fuzziness: float

    def log_likelihood(self, known: NDArray[np.float64], released: NDArray[np.float64]) -> NDArray[np.float64]:
        total = np.zeros((len(known), len(released)))
        for block in self.blocks:
            rows = self.file[:, block]
            classes = equal_rows(rows)
            centres = standardise_like(rows[classes.first()], rows)
            degrees = memberships(standardise_like(known[:, block], rows), centres, self.fuzziness)
            centre_of_row = equal_rows(np.concatenate([rows, released[:, block]])).of[len(rows) :]
            with np.errstate(divide="ignore"):
                total += np.log(degrees / classes.sizes)[:, centre_of_row]
        return total
