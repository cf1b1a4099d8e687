"""Gaussian copula: full synthesis by the distribution of each attribute and the correlations of their ranks."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.draws import Draws
from sdckit.kernels.empirical_quantiles import empirical_quantiles
from sdckit.kernels.moments import correlations, means_and_covariances, nearest_correlation, square_root
from sdckit.kernels.ranks import mid_ranks
from sdckit.kernels.standardisation import standardise
from sdckit.masking import masking
from sdckit.methods.synthesis.full_synthesis import FullSynthesis
from sdckit.microdata import Attribute, Kind, Microdata


@masking("gaussian-copula", kind=Kind.ANY, reference="patki2016")
class GaussianCopula(FullSynthesis):
    """Draw new records from the distribution of each attribute, joined by a normal copula.

    Each distribution is kept up to sampling error, and of the relations between attributes only what a correlation of
    ranks shows. A number is drawn between two neighbouring values of the original, so that none is anybody's. The
    categories of an unordered attribute are put in the order of what they have in common with the other attributes. A
    missing value counts as lower than all others. Edits between attributes are not enforced. Survey weights are drawn
    as an attribute like the others.

    Formula: ρ = 2 sin(π ρ_Spearman / 6),  z ~ N(0, ρ),  x′ⱼ = F̂ⱼ⁻¹(Φ(zⱼ))

    Use it when a quick synthetic file with the right distributions is enough, such as for testing programs.

    Excludes nothing: no row belongs to a record.
    """

    def synthetic_columns(self, data: Microdata, names: Sequence[str], draws: Draws) -> dict[str, NDArray[Any]]:
        from scipy.special import ndtr

        ordered = [name for name in names if data.attribute(name).kind & Kind.ORDERED]
        values = {name: _positions(data.attribute(name), data.columns[name], None) for name in ordered}
        common = _common_factor(list(values.values()), len(data))
        for name in names:
            if name not in values:
                values[name] = _positions(data.attribute(name), data.columns[name], common)
        root = square_root(_latent_correlations(np.column_stack([values[name] for name in names])))
        drawn = draws.normal(len(names)) @ root.T
        ndtr(drawn, out=drawn)
        return {
            name: _inverse(data.attribute(name), data.columns[name], values[name], column)
            for name, column in zip(names, drawn.T, strict=True)
        }


def _positions(attribute: Attribute, column: NDArray[Any], common: NDArray[np.float64] | None) -> NDArray[np.float64]:
    """What ranks are taken of: numbers, positions of categories, and −∞ for a missing value."""
    if attribute.categories is None:
        return np.where(np.isnan(column), -np.inf, column)
    if common is None:
        return np.where(column < 0, -np.inf, column).astype(np.float64)
    rank = _rank_of_categories(column, len(attribute.categories), common)
    return np.where(column < 0, -np.inf, rank[column])


def _rank_of_categories(column: NDArray[Any], categories: int, common: NDArray[np.float64]) -> NDArray[np.float64]:
    """The position of each category by the mean of the common factor of its records; by frequency where it has none."""
    seen = column >= 0
    times = np.bincount(column[seen], minlength=categories)
    mean = np.bincount(column[seen], weights=common[seen], minlength=categories) / np.maximum(times, 1)
    rank = np.empty(categories)
    rank[np.lexsort((-times, mean))] = np.arange(categories)
    return rank


def _common_factor(columns: Sequence[NDArray[np.float64]], records: int) -> NDArray[np.float64]:
    """The first principal component of the ranks; zeros where there is no ordered attribute."""
    if not columns:
        return np.zeros(records)
    ranks = standardise(mid_ranks(np.column_stack(columns)))
    direction = np.linalg.eigh(ranks.T @ ranks)[1][:, -1]
    return np.asarray(ranks @ direction, dtype=np.float64)


def _latent_correlations(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The correlations of a normal copula that has the rank correlations of the values."""
    spearman = correlations(means_and_covariances(mid_ranks(values))[1])
    return nearest_correlation(2 * np.sin(np.pi * spearman / 6))


def _inverse(
    attribute: Attribute, column: NDArray[Any], values: NDArray[np.float64], uniform: NDArray[np.float64]
) -> NDArray[Any]:
    """The values of an attribute at these quantiles of its distribution."""
    if attribute.coded:
        order = np.argsort(values, kind="stable")
        return np.asarray(column[order[np.minimum((uniform * len(column)).astype(np.int64), len(column) - 1)]])
    absent = np.isnan(column)
    share = absent.mean()
    if absent.all():
        return np.full(len(uniform), np.nan)
    ordered = np.sort(column[~absent])
    within = np.clip((uniform - share) / (1 - share), 0.0, 1.0)
    whole = np.zeros(len(uniform), dtype=np.int64)
    drawn = empirical_quantiles(ordered, whole, np.full(len(uniform), len(ordered)), within)
    return np.where(uniform < share, np.nan, drawn)
