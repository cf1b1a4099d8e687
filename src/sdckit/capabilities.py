"""Capabilities: what a masking may offer beyond masking, each a small protocol that a caller checks by isinstance.

A masking has a capability by defining its method or declaration; nothing is inherited from `Masking`.
"""

from collections.abc import Sequence
from enum import Enum
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from sdckit.draws import Draws
from sdckit.likelihood import Law
from sdckit.microdata import Attribute, Microdata
from sdckit.mixture_law import MixtureRowLaw
from sdckit.normal_law import RowNormalLaw


class Statistic(Enum):
    """What a masking can leave exactly unchanged, apart from the rounding of published values."""

    MEANS = "means"
    COVARIANCES = "covariances"
    DISTRIBUTIONS = "distributions"  # of each attribute by itself


@runtime_checkable
class MapsCategories(Protocol):
    """What becomes of a category depends on the category alone, by a table of codes or of probabilities."""

    def table(
        self, attribute: Attribute, codes: NDArray[np.int32]
    ) -> tuple[Attribute, NDArray[np.int32] | NDArray[np.float64]]:
        """The attribute afterwards, and a code or probabilities for each category; `codes` are the observed values."""
        ...


@runtime_checkable
class HasLaw(Protocol):
    """The published method and parameters fix the probability of a released row given a known record."""

    def law(self, released: Microdata, original: Microdata | None = None) -> Law | None:
        """The distribution of released rows; `released` has the masked attributes, in the order they were named.

        `original` is the file that entered, of an intruder who knows it whole: what a parameter is a share of, such as
        a variance, is then known exactly instead of estimated from the release.
        """
        ...


@runtime_checkable
class HasRowLaw(Protocol):
    """The whole released row, also what was not masked, fixes a normal distribution of the record behind it."""

    def row_law(
        self, released: Microdata, attributes: Sequence[str], known: Microdata | None = None
    ) -> RowNormalLaw | None:
        """The distribution of the masked attributes of the record behind each row of the whole released file.

        `known` has the records that the intruder knows, with those masked attributes that are known of them.
        """
        ...


@runtime_checkable
class HasMixtureLaw(Protocol):
    """The record behind a row follows one of several regressions on what the row has unchanged."""

    def mixture_law(
        self, released: Microdata, attributes: Sequence[str], known: Microdata, original: Microdata | None = None
    ) -> MixtureRowLaw | None:
        """The law of the masked attributes, which are all among the `known` ones.

        `original` is the file that entered, in any order, of an intruder who knows all that the masking reads of it.
        """
        ...


@runtime_checkable
class CorrectsMoments(Protocol):
    """The original's means and covariances can be estimated from the released file's."""

    def corrected_moments(
        self, means: NDArray[np.float64], covariances: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The estimates, NaN where the method says nothing. Several files may come at once, along leading axes."""
        ...


@runtime_checkable
class CorrectsCounts(Protocol):
    """The original's counts of categories can be estimated from the released file's."""

    def corrected_counts(self, released: Microdata, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        """The estimated counts of the categories of the one attribute of `released`."""
        ...


@runtime_checkable
class DrawsCounts(Protocol):
    """The counts of categories after masking can be drawn without masking any record."""

    def drawn_counts(
        self, attribute: Attribute, counts: NDArray[np.int64], rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """Counts of the categories after masking a file that has these counts before."""
        ...


@runtime_checkable
class PreservesStatistics(Protocol):
    """Some statistics of the masked numbers stay exactly the same, whatever the parameters and the seed."""

    @property
    def preserves(self) -> frozenset[Statistic]:
        """The statistics that stay the same."""
        ...


@runtime_checkable
class ConditionsOn(Protocol):
    """The masked numbers depend on others through a regression, whose columns are released unchanged."""

    def design(self, data: Microdata, attributes: Sequence[str]) -> NDArray[np.float64]:
        """The columns of the regression without the intercept."""
        ...


@runtime_checkable
class PreservesProducts(Protocol):
    """Sums of the masked numbers, each weighted by a column that is released, stay exactly the same."""

    def preserved_design(self, data: Microdata, attributes: Sequence[str]) -> NDArray[np.float64]:
        """The columns, an intercept among them where means are preserved, one row per record of the original."""
        ...


@runtime_checkable
class DrawsFromLeaves(Protocol):
    """Values are drawn from those of the records in the leaf of a tree, attribute by attribute."""

    def donor_leaves(
        self, data: Microdata, rows: Microdata, attributes: Sequence[str]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Codes of the records and of the rows, one column for each drawn attribute.

        The donors of a row's value are the records with the same code: they are in the leaf that the row leads to and,
        where values are drawn unchanged, have that value. `rows` also has the attributes that the trees are given.
        """
        ...


class Plan(Protocol):
    """What a masking needs to know of the whole file in order to mask any part of it; small."""

    def apply(self, chunk: Microdata, draws: Draws) -> Microdata:
        """The masked records of a part of the file; `draws` are those of these records."""
        ...


@runtime_checkable
class FitsThenApplies(Protocol):
    """The whole file is summarised once, and then records are masked one by one, in chunks of any size."""

    def fit(self, data: Microdata, attributes: Sequence[str] = ()) -> Plan:
        """The plan by which every chunk of the file is masked."""
        ...
