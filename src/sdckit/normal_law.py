"""The normal law: what a masking makes of a record is normal about a linear image of it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.moments import means_and_covariances
from sdckit.microdata import Microdata

LEAST_LACKING = 0.01  # of the variance of the original, that residuals are taken to have at least
LEAST_VARIANCE = 1e-12  # of the attribute's own: an undisturbed attribute decides, but its rounding errors do not


@dataclass(frozen=True, eq=False)
class NormalLaw:
    """X′ = c + (X − c) B + ε with ε normal; what is missing of a record is ignored.

    Where missing values stay missing, a row that lacks a value of a record cannot be that record's.
    """

    noise: NDArray[np.float64]
    centre: NDArray[np.float64]
    slope: NDArray[np.float64]
    missing_stays: bool = True

    @classmethod
    def of_share(
        cls,
        released: NDArray[np.float64],
        share: float,
        *,
        correlated: bool,
        shrink: float = 1.0,
        original: NDArray[np.float64] | None = None,
    ) -> "NormalLaw":
        """Noise that is a share of the original's covariances, about its means shrunk or not.

        Where the original is not known its covariances are estimated: the release has 1 + share times as much, or the
        same where it is shrunk. The image of a value is shrink · (value − mean) + mean, and so is its noise.
        """
        means, covariances = means_and_covariances(released if original is None else original)
        before = 1.0 if original is not None else 1 / (shrink**2 * (1 + share))
        noise = covariances * before * share * shrink**2
        if not correlated:
            noise = np.diag(np.diag(noise))
        return cls(at_least(noise, np.diag(covariances)), means, shrink * np.eye(len(means)))

    @classmethod
    def fitted(cls, before: NDArray[np.float64], after: NDArray[np.float64]) -> "NormalLaw":
        """The law that explains best, by least squares, what became of the rows; none may have a missing value."""
        centre = before.mean(axis=0)
        moved = after - centre
        design = np.column_stack([np.ones(len(before)), before - centre])
        fit = np.linalg.lstsq(design, moved, rcond=None)[0]
        rest = moved - design @ fit
        noise = rest.T @ rest / max(len(before) - len(fit), 1)
        return cls(at_least(noise, before.var(axis=0)), centre, fit[1:], missing_stays=False)

    def log_likelihood(self, known: NDArray[np.float64], released: NDArray[np.float64]) -> NDArray[np.float64]:
        from sdckit.kernels.equivalence_classes import distinct_flags
        from sdckit.kernels.squared_distances import negative_half_squares  # compiled: not loaded to mask a file

        image = np.nan_to_num(known - self.centre) @ self.slope
        rows = np.nan_to_num(released - self.centre)
        likelihood = np.empty((len(known), len(released)))
        patterns, of = distinct_flags(~np.isnan(known))
        for number, seen in enumerate(patterns):
            records = np.flatnonzero(of == number)
            whiten = whitening(self.noise[np.ix_(seen, seen)])
            a, b = image[records][:, seen] @ whiten, rows[:, seen] @ whiten
            found = negative_half_squares(a, b)
            lacking = np.isnan(released[:, seen]).any(axis=1)
            if self.missing_stays and lacking.any():
                found[:, lacking] = -np.inf
            if len(patterns) == 1:
                return found
            likelihood[records] = found
        return likelihood


@dataclass(frozen=True, eq=False)
class RowNormalLaw:
    """The masked values of the record behind row r are normal about the point `means[r]`, whichever row it is."""

    means: NDArray[np.float64]
    noise: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ClusterNormalLaw:
    """X′ is normal about the mean of a record's cluster, with the cluster's covariances; the whole file is known."""

    of_record: NDArray[np.int64]
    means: NDArray[np.float64]
    noise: NDArray[np.float64]

    @classmethod
    def of(cls, values: NDArray[np.float64], labels: NDArray[np.int64]) -> "ClusterNormalLaw":
        """The law of clusters of the original values."""
        clusters = [values[labels == label] for label in range(int(labels.max()) + 1)]
        variances = values.var(axis=0)
        noise = [
            at_least(np.cov(each, rowvar=False, ddof=0).reshape(variances.size, -1), variances) for each in clusters
        ]
        return cls(labels, np.array([each.mean(axis=0) for each in clusters]), np.array(noise))

    def by_cluster(self, released: NDArray[np.float64]) -> NDArray[np.float64]:
        """The log-likelihood of each released row (columns) for the records of each cluster (rows)."""
        table = np.empty((len(self.means), len(released)))
        for line, mean, noise in zip(table, self.means, self.noise, strict=True):
            whiten = whitening(noise)
            line[:] = -0.5 * (((released - mean) @ whiten) ** 2).sum(axis=1) + np.linalg.slogdet(whiten)[1]
        return table

    def log_likelihood(self, known: NDArray[np.float64], released: NDArray[np.float64]) -> NDArray[np.float64]:
        return self.by_cluster(released)[self.of_record]


def every_number(file: Microdata) -> NDArray[np.float64]:
    """All attributes of a file as numbers."""
    return file.matrix([each.name for each in file.attributes])


def at_least(covariances: NDArray[np.float64], variances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Covariances of noise with a little noise for every attribute; `variances` are the attributes' own."""
    return covariances + LEAST_VARIANCE * np.diag(np.maximum(variances, 1e-300))


def lacking_covariances(known: NDArray[np.float64], released: NDArray[np.float64]) -> NDArray[np.float64]:
    """The covariances of known records that released predictions lack, in no direction below a small share."""
    deviation = np.where(known.std(axis=0) > 0, known.std(axis=0), 1.0)
    before, after = (np.atleast_2d(np.cov(each / deviation, rowvar=False)) for each in (known, released))
    sizes, directions = np.linalg.eigh(before - after)
    lacking: NDArray[np.float64] = (directions * np.maximum(sizes, LEAST_LACKING)) @ directions.T
    lacking *= np.outer(deviation, deviation)
    return lacking


def whitening(covariances: NDArray[np.float64]) -> NDArray[np.float64]:
    """The matrix that brings noise to unit covariance."""
    values, vectors = np.linalg.eigh(covariances)
    whiten: NDArray[np.float64] = vectors / np.sqrt(np.maximum(values, 1e-300))
    return whiten
