"""Bands: intervals of numbers that are published as one text each, such as 0–14, 15–24 and 65+.

A column that was recoded to bands still has a number in each cell, which represents the band, so that means, distances
and correlations can be computed; the text of the band is what is written to a file.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import ParameterError

DASH, MINUS = "–", "−"


@dataclass(frozen=True)
class Bands:
    """The intervals [`edges[i]`, `edges[i + 1]`), the number that represents each, and the text that is published.

    A label of None leaves the values of that interval unchanged. The first edge is −∞ and the last one ∞.

    >>> ages = bands_at((0, 15, 25, 65), whole=True)
    >>> [ages.text(number) for number in ages.recoded(np.array([3.0, 15.0, 64.0, 90.0]))]
    ['0–14', '15–24', '25–64', '65+']
    """

    edges: tuple[float, ...]
    numbers: tuple[float, ...]
    labels: tuple[str | None, ...]

    def recoded(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The number that represents the band of each value; missing values stay missing."""
        band = np.searchsorted(self.edges[1:-1], values, side="right")
        recoded: NDArray[np.float64] = np.array([np.nan if label is None else 0.0 for label in self.labels])[band]
        recoded = np.where(np.isnan(recoded), values, np.array(self.numbers)[band])
        return np.where(np.isnan(values), np.nan, recoded)

    @cached_property
    def label_of(self) -> dict[float, str]:
        """The text of each representing number."""
        return {number: label for number, label in zip(self.numbers, self.labels, strict=True) if label is not None}

    @cached_property
    def number_of(self) -> dict[str, float]:
        """The representing number of each text."""
        return {label: number for number, label in self.label_of.items()}

    def text(self, number: float) -> str | None:
        """The text that is published instead of a number of a recoded column; None where the number is."""
        return self.label_of.get(float(number))

    def covers(self, number: float) -> tuple[float, float]:
        """The ends of the band that a number represents; the number itself where it was left unchanged."""
        if float(number) not in self.label_of:
            return number, number
        index = self.numbers.index(float(number))
        return self.edges[index], self.edges[index + 1]


def bands_at(
    breaks: Sequence[float], *, whole: bool, labels: Sequence[str] = (), unchanged_inside: bool = False
) -> Bands:
    """The bands that begin at each break, and the one below the first; `whole` says that all values are integers."""
    limits = [float(each) for each in breaks]
    if not limits or any(high <= low for low, high in pairwise(limits)):
        raise ParameterError(f"breaks = {_listed(breaks)} do not increase; write them from low to high, as 0+15+25+65")
    edges = (-np.inf, *limits, np.inf)
    texts: list[str | None] = [band_label(low, high, whole=whole) for low, high in pairwise(edges)]
    if labels:
        if len(labels) not in (len(limits), len(limits) + 1):
            raise ParameterError(
                f"{len(labels)} labels for {len(limits)} breaks; give one label for each band that begins at a break, "
                f"so {len(limits)}, or {len(limits) + 1} with one for the values below {as_text(limits[0])} first"
            )
        texts = [*texts[: len(texts) - len(labels)], *labels]
    if unchanged_inside:
        texts = [texts[0], *[None] * (len(texts) - 2), texts[-1]]
    repeated = [text for text in texts if text is not None and texts.count(text) > 1]
    if repeated:
        raise ParameterError(f"two bands have the label {repeated[0]!r}; give each band a label of its own")
    return Bands(edges, tuple(_representatives(edges, whole)), tuple(texts))


def band_label(low: float, high: float, *, whole: bool) -> str:
    """The interval [low, high) as people write it.

    >>> band_label(0, 15, whole=True), band_label(65, np.inf, whole=True), band_label(14, 15, whole=True)
    ('0–14', '65+', '14')
    >>> band_label(10, 20, whole=False), band_label(20, np.inf, whole=False), band_label(-np.inf, 0, whole=False)
    ('10 to under 20', '20 and over', 'under 0')
    """
    whole = whole and all(float(end).is_integer() for end in (low, high) if np.isfinite(end))
    if np.isneginf(low) and np.isposinf(high):
        return "all"
    if np.isneginf(low):
        return f"under {as_text(high)}"
    if np.isposinf(high):
        return f"{as_text(low)}+" if whole and low >= 0 else f"{as_text(low)} and over"
    if not whole:
        return f"{as_text(low)} to under {as_text(high)}"
    if high - low == 1:
        return as_text(low)
    return f"{as_text(low)}{DASH if low >= 0 else ' to '}{as_text(high - 1)}"


def as_text(number: float) -> str:
    """A limit as people write it: with commas between thousands, without a needless decimal point."""
    text = f"{abs(number):,.12g}"
    plain = text.replace(",", "") if abs(number) < 10_000 else text
    return (MINUS if number < 0 else "") + plain


def _representatives(edges: Sequence[float], whole: bool) -> list[float]:
    """The middle of each band; an open one is taken to be as wide as the band beside it."""
    inner = edges[1:-1]
    widths = [high - low for low, high in pairwise(inner)] or [2.0]
    last = 1.0 if whole else 0.0  # the largest whole number below an edge is one less
    below = inner[0] - widths[0] / 2 - last / 2
    between = [(low + high - last) / 2 for low, high in pairwise(inner)]
    return [below, *between, inner[-1] + (widths[-1] - last) / 2]


def _listed(breaks: Sequence[float]) -> str:
    return "+".join(f"{each:g}" for each in breaks) or "()"
