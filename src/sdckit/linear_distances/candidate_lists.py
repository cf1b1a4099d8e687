"""Candidates: the targets that each query may be linked to, as offsets into one list of members."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.int64]
Flags = NDArray[np.bool_]


class CandidateLists(NamedTuple):
    """Query i has the candidates members[offsets[i] : offsets[i + 1]], ascending."""

    offsets: Indices
    members: Indices


Candidates = Flags | CandidateLists | Sequence[Indices]


def candidate_lists(candidates: Candidates | None, records: int) -> CandidateLists:
    """Offsets and members of the candidate lists; both empty when every target is a candidate."""
    if candidates is None:
        return CandidateLists(np.empty(0, np.int64), np.empty(0, np.int64))
    if isinstance(candidates, CandidateLists):
        return candidates
    if isinstance(candidates, np.ndarray):
        owner, members = np.nonzero(candidates)
        sizes = np.bincount(owner, minlength=records)
        return CandidateLists(np.concatenate([[0], np.cumsum(sizes)]), members.astype(np.int64))
    lists = [np.unique(np.asarray(each, dtype=np.int64)) for each in candidates]
    sizes = np.array([len(each) for each in lists], dtype=np.int64)
    members = np.concatenate(lists) if lists else np.empty(0, np.int64)
    return CandidateLists(np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64), members)


def taken(offsets: Indices, members: Indices, records: Indices) -> CandidateLists:
    """The lists of some of the queries."""
    sizes = np.diff(offsets)[records]
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    within = np.arange(starts[-1]) - np.repeat(starts[:-1], sizes)
    return CandidateLists(starts, members[np.repeat(offsets[:-1][records], sizes) + within])
