"""Chains of every two maskings, with sampling around them: the row of a record is among its candidates as promised."""

from itertools import product

import numpy as np
from tests.chain_promises import broken_promises, laws_against_truth, maskings

from torture._log import Log

COUNT = 100_000  # more than there are: every pair, in both orders


def run(count: int, seed: int, log: Log) -> None:
    """Try `count` pairs, all of them where there are fewer."""
    every = list(product(maskings(), repeat=2))
    for number in np.sort(np.random.default_rng(seed).permutation(len(every))[:count]):
        first, second = every[int(number)]
        broken = [*broken_promises(first, second), *laws_against_truth(first, second)]
        log.count("broken" if broken else "as promised")
        for each in broken:
            log.failure(each)
