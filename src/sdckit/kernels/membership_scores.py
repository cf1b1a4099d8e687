"""Membership scores: log-likelihood ratios of "in" against "out" from features of files made with and without a person.

A feature of a person in a file is normal around the person's own mean, shifted where the person is in the file. The
shift of each person is shrunk towards the mean shift of all, by as much as the persons do not differ in it beyond
error: a feature that shows nothing of anybody gives ratios near 0, whoever it is.
"""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
SHIFT_AND_MEAN = 2  # parameters fitted to each person
TINY = 1e-12


def held_out_ratios(features: Array, inside: NDArray[np.bool_]) -> Array:
    """The log-likelihood ratio of each person in each file, by a model fitted to all other files.

    Parameters
    ----------
    features: by file, person and feature
    inside: by file and person, whether the person is in the file
    """
    ratios = np.empty(inside.shape)
    for file in range(len(features)):
        others = np.arange(len(features)) != file
        ratios[file] = _ratios(features[others], inside[others], features[file])
    return ratios


def _ratios(features: Array, inside: NDArray[np.bool_], tested: Array) -> Array:
    """The ratios of the tested file, by the model that the other files give; 0 for a person who is in all or none."""
    counts_in, counts_out = inside.sum(axis=0), (~inside).sum(axis=0)
    usable = (counts_in > 0) & (counts_out > 0)
    total = np.zeros(len(tested))
    if not usable.any():
        return total
    for feature in range(features.shape[2]):
        values = features[:, usable, feature]
        total[usable] += _ratios_of_one(values, inside[:, usable], tested[usable, feature])
    return total


def _ratios_of_one(values: Array, inside: NDArray[np.bool_], tested: Array) -> Array:
    n_in, n_out = inside.sum(axis=0), (~inside).sum(axis=0)
    mean_in = np.where(inside, values, 0.0).sum(axis=0) / n_in
    mean_out = np.where(inside, 0.0, values).sum(axis=0) / n_out
    residual = values - np.where(inside, mean_in, mean_out)
    freedom = max(residual.size - SHIFT_AND_MEAN * values.shape[1], 1)
    scale = max(float(np.abs(values).max(initial=0.0)), 1.0)
    variance = max(float((residual**2).sum() / freedom), TINY * scale**2)
    shift = mean_in - mean_out
    error = variance * (1 / n_in + 1 / n_out)
    common = float(np.average(shift, weights=1 / error))
    common = _significant(common, float(1 / (1 / error).sum()))
    between = max(float(((shift - common) ** 2 - error).mean()), 0.0)
    shrunk = (between * shift + error * common) / (between + error)
    of_out = (n_out * mean_out + n_in * (mean_in - shrunk)) / (n_in + n_out)
    centred = tested - of_out - shrunk / 2
    ratios: Array = shrunk * centred / (variance * (1 + 1 / (n_in + n_out)))
    return ratios


def _significant(shift: float, error: float) -> float:
    """A shift that is within its error counts as none, so that noise alone gives no ratio a common sign."""
    return shift if shift**2 > 4 * error else 0.0


def roc(inside: Array, outside: Array) -> tuple[Array, Array]:
    """False and true positive rates at every threshold, from none called to all called; ties are called together."""
    thresholds = np.unique(np.concatenate([inside, outside]))[::-1]
    true = (len(inside) - np.searchsorted(np.sort(inside), thresholds)) / len(inside)
    false = (len(outside) - np.searchsorted(np.sort(outside), thresholds)) / len(outside)
    return np.concatenate([[0.0], false]), np.concatenate([[0.0], true])


def area_under(false: Array, true: Array) -> float:
    """The area under a ROC curve: the probability that a member has the higher ratio, ties counted half."""
    return float((np.diff(false) * (true[1:] + true[:-1]) / 2).sum())


def true_rate_at(false: Array, true: Array, limit: float) -> float:
    """The largest true positive rate whose false positive rate is at most the limit."""
    return float(true[false <= limit].max(initial=0.0))
