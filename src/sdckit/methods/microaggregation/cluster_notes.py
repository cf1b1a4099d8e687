"""What went wrong in a clustering, for the notes of a masking: empty and coincident clusters, no convergence.

Notes are written after a masking, from the files alone. The clustering is not repeated for them: a cache has the last
sentences by a digest of the values, from which no value can be read.
"""

import hashlib
from collections import OrderedDict

import numpy as np
from numpy.typing import NDArray

from sdckit.fuzzy.clusters import Clusters

MOST = 64  # sentences in the cache
_sentences: OrderedDict[bytes, str] = OrderedDict()


def remember(masking: object, values: NDArray[np.float64], found: Clusters) -> Clusters:
    """Store the sentence on the clusters that a masking found in these values; returns the clusters."""
    _sentences[_digest(masking, values)] = sentence(found)
    while len(_sentences) > MOST:
        _sentences.popitem(last=False)
    return found


def recalled(masking: object, values: NDArray[np.float64]) -> str | None:
    """The sentence on the clusters of these values, empty where nothing went wrong; None if there was no masking."""
    return _sentences.get(_digest(masking, values))


def sentence(found: Clusters) -> str:
    """What went wrong, in words.

    >>> from sdckit.fuzzy.c_means import c_means
    >>> sentence(c_means(np.array([[0.0], [1], [9]]), np.array([[0.0], [1], [9]]), np.inf))
    '3 of 3 centres coincide with another'
    """
    centres = len(found.centres)
    together = sum(len(group) for group in found.coincident())
    parts = [
        f"{together} of {centres} centres coincide with another" if together else "",
        f"{len(found.empty)} of {centres} centres have no record" if len(found.empty) else "",
        "" if found.converged else f"the clustering did not converge in {len(found.objective)} steps",
    ]
    return "; ".join(filter(None, parts))


def _digest(masking: object, values: NDArray[np.float64]) -> bytes:
    digest = hashlib.blake2b(repr((masking, values.shape)).encode())
    digest.update(np.ascontiguousarray(values).tobytes())
    return digest.digest()
