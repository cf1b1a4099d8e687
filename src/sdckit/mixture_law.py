"""The mixture law: a record behind a released row follows one of several regressions on what the row has unchanged."""

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from sdckit.normal_law import whitening

Floats = NDArray[np.float64]
PAIRS = 200_000  # of a record and a row, times models, computed at a time: bounds memory
UNLIKELY = 12.0  # how much less likely, as a logarithm, a model is that does not fit a record best


class Published(Enum):
    """What is published of a record: the prediction of a drawn model, of the best one, or their weighted mean."""

    DRAWN = "drawn"
    BEST = "best"
    WEIGHTED = "weighted"


@dataclass(frozen=True, eq=False)
class MixtureRowLaw:
    """How likely row r is for a record y: the density of y given the row, times that of the row's values given y.

    The density is Σ share · N(y; prediction, noise) over the models. Given y, the row has the prediction of a model
    that is drawn with the memberships of y, and noise of its own.

    `predictions`  of each model for each row (rows, models, outcomes), on the scale of the memberships
    `released`     the published values of each row, on the same scale
    `centre`, `scale`  of the outcomes
    `noise`        covariances of the outcomes about each model (models, outcomes, outcomes)
    `disturbance`  covariances of the published values about the prediction of each model
    """

    predictions: Floats
    released: Floats
    shares: Floats
    noise: Floats
    disturbance: Floats
    centre: Floats
    scale: Floats
    fuzziness: float
    published: Published

    def log_likelihood(self, known: Floats) -> Floats:
        """One line for each record, one column for each row."""
        points = (known - self.centre) / self.scale
        rows, models, _ = self.predictions.shape
        table = np.empty((len(points), rows))
        step = max(PAIRS // max(rows * models, 1), 1)
        for start in range(0, len(points), step):
            part = slice(start, start + step)
            table[part] = self._part(points[part])
        return table

    def _part(self, points: Floats) -> Floats:
        gaps = points[:, None, None, :] - self.predictions[None]  # (records, rows, models, outcomes)
        with np.errstate(divide="ignore"):
            density = _log_sum(_log_normal(gaps, self.noise) + np.log(self.shares))
        degrees = self._log_degrees((gaps**2).sum(axis=3))
        if self.published is Published.WEIGHTED:
            mean = np.einsum("krc,rcq->krq", np.exp(degrees), self.predictions)
            noise = np.einsum("c,cpq->pq", self.shares, self.disturbance)[None]
            return density + _log_normal((self.released[None] - mean)[:, :, None], noise)[:, :, 0]
        of_row = _log_normal((self.released[:, None] - self.predictions)[None], self.disturbance)
        return density + _log_sum(degrees + of_row)

    def _log_degrees(self, errors: Floats) -> Floats:
        """Logarithms of the probabilities of the models given each record and row."""
        if self.published is Published.BEST or self.fuzziness == 1:
            return np.where(errors <= errors.min(axis=2, keepdims=True), 0.0, -UNLIKELY)
        power = 0.0 if np.isinf(self.fuzziness) else 1 / (self.fuzziness - 1)
        logs = -power * np.log(np.maximum(errors, 1e-300))
        return logs - _log_sum(logs)[:, :, None]


def _log_normal(gaps: Floats, covariances: Floats) -> Floats:
    """The log density of gaps (…, models, outcomes) under the normal law of each model."""
    found = np.empty(gaps.shape[:-1])
    for model, noise in enumerate(covariances):
        whiten = whitening(noise)
        found[..., model] = -0.5 * ((gaps[..., model, :] @ whiten) ** 2).sum(axis=-1) + np.linalg.slogdet(whiten)[1]
    return found


def _log_sum(logs: Floats) -> Floats:
    """The logarithm of the sum over the last axis."""
    top = logs.max(axis=-1, keepdims=True)
    top = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(np.exp(logs - top).sum(axis=-1)) + top[..., 0], dtype=np.float64)
