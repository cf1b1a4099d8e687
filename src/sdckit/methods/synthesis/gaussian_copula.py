"""Gaussian copula: full synthesis by the distribution of each attribute and the correlations of their ranks."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.draws import Draws
from sdckit.kernels.empirical_quantiles import empirical_quantiles
from sdckit.kernels.moments import square_root
from sdckit.kernels.normal_copula import latent_correlations
from sdckit.kernels.ranks import mid_ranks
from sdckit.kernels.standardisation import standardise
from sdckit.masking import masking
from sdckit.methods.synthesis.full_synthesis import FullSynthesis
from sdckit.microdata import Attribute, Kind, Microdata


@masking("gaussian-copula", kind=Kind.ANY, reference="patki2016")
class GaussianCopula(FullSynthesis):
    r"""Draw new records from the distribution of each attribute, joined by a normal copula.

    Each distribution is kept up to sampling error; of the relations between attributes only the rank correlations are
    kept. A number is drawn between two neighbouring values of the original, so that it is not copied from a person. The
    categories of an unordered attribute are put in the order of what they have in common with the other attributes.
    Whether a value is missing is drawn like an attribute of its own. What an edit determines is computed, and rows that
    break one are drawn again. Survey weights are drawn as an attribute like the others.

    Formula: $x'_j = \hat{F}_j^{-1}(\Phi(z_j))$,  $z \sim N(0, \rho)$,  $\rho = 2 \sin(\frac{\pi r}{6})$, $r$ Spearman's
    correlation corrected for ties

    Use it when a quick synthetic file with the right distributions is enough, such as for testing programs.

    Excludes nothing: no row belongs to a record.
    """

    def synthetic_columns(self, data: Microdata, names: Sequence[str], draws: Draws) -> dict[str, NDArray[Any]]:
        from scipy.special import ndtr

        holes = [name for name in names if 0 < data.missing(name) < len(data)]
        values = _positions(data, names)
        indicators = [data.absent(name).astype(np.float64) for name in holes]
        root = square_root(latent_correlations(np.column_stack([*values.values(), *indicators])))
        drawn = draws.normal(len(names) + len(holes)) @ root.T
        ndtr(drawn, out=drawn)
        columns = {
            name: _inverse(data.attribute(name), data.columns[name], values[name], uniform)
            for name, uniform in zip(names, drawn.T, strict=False)
        }
        for name, uniform in zip(holes, drawn.T[len(names) :], strict=True):
            gone = uniform > 1 - data.missing(name) / len(data)
            columns[name] = np.where(gone, -1 if data.attribute(name).coded else np.nan, columns[name])
        return columns


def _positions(data: Microdata, names: Sequence[str]) -> dict[str, NDArray[np.float64]]:
    """What ranks are taken of: numbers and positions of categories, NaN where missing.

    Categories without an order are put in that of the mean of the common factor of their records, which is the first
    principal component of the ranks of the ordered attributes.
    """
    ordered = [name for name in names if data.attribute(name).kind & Kind.ORDERED]
    values = {name: data.matrix([name])[:, 0] for name in ordered}
    numbers = data.matrix(ordered) if ordered else np.zeros((len(data), 1))
    ranks = np.nan_to_num(standardise(np.where(np.isnan(numbers), np.nan, mid_ranks(numbers))))
    common = ranks @ np.linalg.eigh(ranks.T @ ranks)[1][:, -1]
    for name in names:
        if name not in values:
            column = data.columns[name]
            rank = _rank_of_categories(column, len(data.attribute(name).categories or ()), common)
            values[name] = np.where(column < 0, np.nan, rank[column])
    return {name: values[name] for name in names}


def _rank_of_categories(column: NDArray[Any], categories: int, common: NDArray[np.float64]) -> NDArray[np.float64]:
    """The position of each category by the mean of the common factor of its records; by frequency where it has none."""
    seen = column >= 0
    times = np.bincount(column[seen], minlength=categories)
    mean = np.bincount(column[seen], weights=common[seen], minlength=categories) / np.maximum(times, 1)
    rank = np.empty(categories)
    rank[np.lexsort((-times, mean))] = np.arange(categories)
    return rank


def _inverse(
    attribute: Attribute, column: NDArray[Any], values: NDArray[np.float64], uniform: NDArray[np.float64]
) -> NDArray[Any]:
    """The observed values of an attribute at these quantiles of their distribution; missing where there are none."""
    seen = ~np.isnan(values)
    if not seen.any():
        return np.full(len(uniform), -1 if attribute.coded else np.nan)
    size = np.full(len(uniform), int(seen.sum()))
    start = np.zeros(len(uniform), dtype=np.int64)
    if not attribute.coded:
        return empirical_quantiles(np.sort(column[seen]), start, size, uniform)
    ordered = column[seen][np.argsort(values[seen], kind="stable")].astype(np.float64)
    return empirical_quantiles(ordered, start, size, uniform, smooth=False).astype(np.int32)
