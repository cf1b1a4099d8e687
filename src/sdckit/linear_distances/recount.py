"""An independent count of links: every pair is compared in long double."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sdckit.linear_distances.candidate_lists import Candidates, candidate_lists
from sdckit.linear_distances.linear_distance import LinearDistance
from sdckit.linear_distances.pairs import Column, Points, compare

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
Flags = NDArray[np.bool_]

SAME = 1e-10  # features that differ by less than this share of their length are the same


def recount(
    queries: Array,
    targets: Array,
    truth: Indices,
    model: LinearDistance,
    parameters: Array,
    candidates: Candidates | None = None,
    strict: bool = True,
    columns: Sequence[Column] | None = None,
) -> Flags:
    """Which queries the parameters link."""
    credits = recounted_credits(queries, targets, truth, model, parameters, candidates, strict, columns)
    return np.asarray(credits > 0)


def recounted_credits(
    queries: Array,
    targets: Array,
    truth: Indices,
    model: LinearDistance,
    parameters: Array,
    candidates: Candidates | None = None,
    strict: bool = True,
    columns: Sequence[Column] | None = None,
) -> Array:
    """The share of a link that each query receives: unless `strict`, targets with the same features share it."""
    offsets, members = candidate_lists(candidates, len(queries))
    pairs = compare(queries, targets, columns)
    wide_parameters = parameters.astype(np.longdouble)
    credits = np.zeros(len(queries))
    for i, own_target in enumerate(truth):
        chosen = members[offsets[i] : offsets[i + 1]] if len(offsets) else np.arange(len(targets))
        if own_target < 0 or own_target not in chosen:
            continue
        if isinstance(pairs, Points):
            differences = queries[i].astype(np.longdouble) - targets[chosen].astype(np.longdouble)
        else:
            differences = pairs.differences(np.full(len(chosen), i), chosen).astype(np.longdouble)
        features = model.features(differences)
        own_features = features[chosen == own_target][0]
        distances = features @ wide_parameters
        length = np.linalg.norm(features.astype(float), axis=1) + np.linalg.norm(own_features.astype(float))
        same = np.linalg.norm((features - own_features).astype(float), axis=1) <= SAME * length
        same = (chosen == own_target) | (same & (not strict))
        own = distances[chosen == own_target][0]
        credits[i] = float((distances[~same] > own).all()) / int(same.sum())
    return credits
