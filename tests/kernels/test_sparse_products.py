"""Products of pairs of lines: against those of the whole matrices."""

import numpy as np
from scipy.sparse import csr_array

from sdckit.kernels.sparse_products import pair_products


def test_products_of_pairs_are_those_of_the_whole_matrices():
    for seed in range(30):
        rng = np.random.default_rng(seed)
        columns = int(rng.integers(1, 6))
        one, other = (rng.integers(0, 3, (rng.integers(1, 5), columns)).astype(float) for _ in range(2))
        pairs = rng.integers(0, len(one), 6), rng.integers(0, len(other), 6)
        arrays = [
            each
            for matrix in map(csr_array, (one, other))
            for each in (matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64), matrix.data)
        ]
        assert pair_products(*arrays, *pairs).tolist() == (one @ other.T)[pairs].tolist()
