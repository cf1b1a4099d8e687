"""Laws of counts by special functions alone: importing `scipy.stats` takes longer than measuring a small file."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def binomial_pmf(count: ArrayLike, trials: ArrayLike, share: float) -> NDArray[np.float64]:
    """The probability of `count` successes in so many trials."""
    from scipy.special import xlog1py, xlogy

    count, trials = np.asarray(count, float), np.asarray(trials, float)
    with np.errstate(invalid="ignore"):
        log = _log_choose(trials, count) + xlogy(count, share) + xlog1py(trials - count, -share)
    return np.where((count < 0) | (count > trials), 0.0, np.exp(log))


def binomial_cdf(count: ArrayLike, trials: ArrayLike, share: float) -> NDArray[np.float64]:
    """The probability of at most `count` successes in so many trials."""
    from scipy.special import betainc

    count, trials = np.broadcast_arrays(np.asarray(count, float), np.asarray(trials, float))
    some = np.clip(np.floor(count), 0, np.maximum(trials - 1, 0))
    within = betainc(np.maximum(trials - some, 1), some + 1, 1 - share)
    return np.where(count < 0, 0.0, np.where(count >= trials, 1.0, within))


def negative_binomial_log_pmf(count: ArrayLike, shape: ArrayLike, success: ArrayLike) -> NDArray[np.float64]:
    """The log probability of `count` failures before the `shape`-th success."""
    from scipy.special import gammaln, xlog1py, xlogy

    count, shape, success = (np.asarray(each, float) for each in (count, shape, success))
    with np.errstate(invalid="ignore"):
        ways = gammaln(count + shape) - gammaln(count + 1) - gammaln(shape)
        log = ways + xlogy(shape, success) + xlog1py(count, -success)
    return np.where(count < 0, -np.inf, log)


def negative_binomial_cdf(count: ArrayLike, shape: ArrayLike, success: ArrayLike) -> NDArray[np.float64]:
    """The probability of at most `count` failures before the `shape`-th success."""
    from scipy.special import betainc

    count, shape, success = (np.asarray(each, float) for each in (count, shape, success))
    return np.where(count < 0, 0.0, betainc(shape, np.maximum(np.floor(count), 0) + 1, success))


def _log_choose(of: NDArray[np.float64], chosen: NDArray[np.float64]) -> NDArray[np.float64]:
    from scipy.special import betaln

    return np.asarray(-betaln(of - chosen + 1, chosen + 1) - np.log1p(of), dtype=np.float64)
