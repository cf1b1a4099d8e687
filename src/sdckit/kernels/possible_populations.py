"""Possible populations: how many classes a population can have that a sample does not contradict, by no model.

A population with h classes of F persons each is expected to give Σ h · Binomial(i; F, π) sampled classes of i records,
π the share sampled. Every population whose expectations are within the sampling error of the numbers counted is
possible. The fewest and the most classes among them are linear programmes, by which Efron and Thisted (1976) bounded
the words that Shakespeare knew. The mean of 1/F over the sampled records is expected to be the number of classes over
the number of persons: a class of F is sampled F π times, with 1/F each.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.count_laws import binomial_cdf
from sdckit.kernels.population_models import Spectrum

Floats = NDArray[np.float64]

NORMAL = 1.96  # a number of classes this many deviations from its expectation contradicts it
FIRST_SIZES = (1, 2, 3, 4, 5, 7, 10, 15, 25, 50)  # where each group of sizes in the sample begins
EACH, COARSE = 40, 100  # sizes in the population that are tried: each of the first, then so many up to the largest
BEYOND = 2.0  # the largest size that is tried, over what the largest sampled class stands for
WIDER = 1.5  # factor of the tolerance where no population at all would do, as with weights that contradict the sample


@dataclass(frozen=True, eq=False)
class PossiblePopulations:
    """The populations of so many persons that a simple random sample does not contradict."""

    sample: Spectrum
    population: float

    @property
    def share(self) -> float:
        """The share of the population that was sampled."""
        return self.sample.records / self.population

    @cached_property
    def sizes(self) -> Floats:
        """The sizes of classes in the population that are tried."""
        largest = min(max(BEYOND * float(self.sample.sizes.max()) / self.share, 2.0 * EACH), self.population)
        beyond = np.geomspace(EACH, max(largest, EACH), COARSE)
        tried = np.unique(np.rint(np.concatenate([np.arange(1.0, EACH + 1), beyond])))
        return tried[tried <= max(self.population, 1.0)]

    @cached_property
    def _sampled(self) -> tuple[Floats, Floats]:
        """The sampled classes of each group of sizes: expected per record for each size of class, and counted."""
        occurring = sum(each <= self.sample.sizes.max() for each in FIRST_SIZES)
        starts = np.array(FIRST_SIZES[: occurring + 1], dtype=np.float64)  # that no class is larger is evidence, too
        below = binomial_cdf(np.append(starts - 1, np.inf)[:, None], self.sizes, self.share)
        expected = np.diff(below, axis=0) / (self.sizes * self.share)
        group = np.searchsorted(starts, self.sample.sizes, side="right") - 1
        counted = np.bincount(group, weights=self.sample.classes.astype(np.float64), minlength=len(starts))
        return expected, counted.astype(np.float64)

    def mean_inverse(self) -> tuple[float, float]:
        """Between which ends the mean of 1/F over the sampled records lies."""
        low, high = (self._least(sign / self.sizes, self.sizes > 0, self._deviations) for sign in (1.0, -1.0))
        assert low is not None and high is not None
        return low, -high

    def largest_minimum(self) -> float:
        """The largest size that the smallest class of the population can have."""
        low, high = 0, len(self.sizes)  # sizes[low] is possible, sizes[high] is not
        while high - low > 1:
            middle = (low + high) // 2
            nobody_below = self._least(np.zeros(len(self.sizes)), self.sizes >= self.sizes[middle], self._deviations)
            low, high = (low, middle) if nobody_below is None else (middle, high)
        return float(self.sizes[low])

    @cached_property
    def _deviations(self) -> float:
        """The tolerance, in standard deviations, at which some population is possible."""
        deviations = NORMAL
        while self._least(np.zeros(len(self.sizes)), self.sizes > 0, deviations) is None:
            deviations *= WIDER
        return deviations

    def _least(self, costs: Floats, allowed: NDArray[np.bool_], deviations: float) -> float | None:
        """The least cost of a possible population with classes of the allowed sizes only; None where there is none.

        The variables are the shares of the population that live in classes of each size.
        """
        from scipy.optimize import linprog

        expected, counted = self._sampled
        records = self.sample.records
        middle, half = counted + deviations**2 / 2, deviations * np.sqrt(counted + deviations**2 / 4)
        rows = expected[:, allowed]
        found = linprog(
            costs[allowed],
            A_ub=np.concatenate([rows, -rows]),
            b_ub=np.concatenate([(middle + half) / records, (half - middle) / records]),
            A_eq=np.ones((1, rows.shape[1])),
            b_eq=[1.0],
            method="highs",
        )
        return None if found.status or found.fun is None else float(found.fun)
