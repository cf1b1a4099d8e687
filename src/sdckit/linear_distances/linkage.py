"""A linkage problem: queries, targets, the true target of each query, its candidate targets, and the rule for ties."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sdckit.linear_distances.bilinear import symmetric
from sdckit.linear_distances.candidate_lists import Candidates, candidate_lists, taken
from sdckit.linear_distances.linear_distance import LinearDistance
from sdckit.linear_distances.pairs import Column, Pairs, Question, compare
from sdckit.linear_distances.rivals import COMPONENTWISE, ROUNDING, SAME, SORTED, UP_TO_SIGN

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
Flags = NDArray[np.bool_]

BLANK, BLANK_IF_SHARED = 1e-13, 4 * SAME  # rows shorter than this share of the features are 0


class Linkage:
    """Query i is linked if its true target is nearer than every other candidate.

    With `strict` a tie is no link. Otherwise targets that no parameters distinguish share the link, and a tie that
    other parameters resolve is no link. Then identical queries whose true targets share are one record here, of their
    joint weight; `credits` gives back the share of each query.
    """

    def __init__(
        self,
        queries: Array,
        targets: Array,
        truth: Indices,
        model: LinearDistance,
        candidates: Candidates | None = None,
        strict: bool = True,
        columns: Sequence[Column] | None = None,
    ) -> None:
        offsets, members = candidate_lists(candidates, len(queries))
        truth = _truth_among_candidates(truth, offsets, members)
        self._problem = compare(queries, targets, columns), truth, offsets, members
        self._set_up(model, strict)

    def _set_up(self, model: LinearDistance, strict: bool) -> None:
        pairs, truth, offsets, members = self._problem
        self.model, self.strict = model, strict
        self.truth, self.offsets, self.members = truth, offsets, members
        self._sameness = UP_TO_SIGN if not model.monotone else SORTED if model.symmetric else COMPONENTWISE
        same_query = _identical_queries(pairs, offsets, members)
        if strict:
            self.weights: Array = np.ones(pairs.records)
            self.groups = _exclusive(same_query, truth)
            self._unit: Indices = np.arange(pairs.records)
            self._share: Array = np.ones(pairs.records)
        else:
            pairs = self._joined(pairs, same_query)
        self.records, self.targets, self.attributes = pairs.records, pairs.targets, pairs.attributes
        own = np.flatnonzero(self.truth >= 0)
        self.axes = model.axes(pairs.differences(own, self.truth[own]), pairs.typical_differences())
        self.pairs = pairs.on_axes(self.axes)

    def _joined(self, pairs: Pairs, same_query: Indices) -> Pairs:
        """Join identical queries whose true targets tie under all parameters; each counts for one share of the tie.

        At most one such record of a group of identical queries is linked: where several of their ties tie with each
        other, the joint credit is a mean of their credits.
        """
        ties, first = pairs.tied(self._question(np.empty(0), 0, np.eye(pairs.attributes)))
        key = np.column_stack([same_query, np.where(self.truth >= 0, first, -1)])
        _, representative, unit = np.unique(key, axis=0, return_index=True, return_inverse=True)
        self._unit = unit.ravel()
        self._share = np.where(self.truth >= 0, 1 / np.maximum(ties, 1), 0.0)
        weights = np.bincount(self._unit, weights=self._share, minlength=len(representative))
        self.weights = weights.astype(np.float64)
        self.groups = np.unique(same_query[representative], return_inverse=True)[1].ravel()
        self.truth = self.truth[representative]
        if len(self.offsets):
            self.offsets, self.members = taken(self.offsets, self.members, representative)
        return pairs.take(representative)

    def under(self, model: LinearDistance) -> Linkage:
        """The same problem for another family of distances."""
        other = object.__new__(Linkage)
        other._problem = self._problem
        other._set_up(model, self.strict)
        return other

    def credits(self, linked: Flags) -> Array:
        """The share of a link that each query receives, from the records that are linked."""
        return np.asarray(linked[self._unit] * self._share)

    def differences(self, owners: Indices, targets: Indices) -> Array:
        """The differences of these records and targets, on the axes of the family."""
        return self.pairs.differences(owners, targets)

    def _question(self, weights: Array, form: int, rotation: Array) -> Question:
        return Question(
            form, weights, rotation, self.truth, self.offsets, self.members, self._sameness, not self.strict
        )

    def rivals(self, parameters: Array, count: int, only_winning: bool = False) -> Indices:
        """The nearest targets of each query except the true one; with `only_winning`, those that prevent its link."""
        form, weights, rotation = self.model.searchable(parameters, self.attributes)
        question = self._question(weights, form, rotation)
        return self.pairs.nearest(question, max(1, min(count, self.targets)), ROUNDING, only_winning)

    def linked(self, parameters: Array) -> Flags:
        """Which records these parameters link."""
        return self.links_and_losses(parameters)[0]

    def links_and_losses(self, parameters: Array, count: int = 3) -> tuple[Flags, Indices]:
        """Which records are linked, and for each of the others the nearest targets that prevent it."""
        winning = self.rivals(parameters, count, only_winning=True)
        return np.asarray((self.truth >= 0) & (winning[:, 0] < 0)), winning

    def rows(self, owners: Indices, rivals: Indices) -> tuple[Array, Array]:
        """φ(query, rival) − φ(query, truth), of unit length, and its length; 0 where both are equal up to rounding."""
        against = self.model.features(self.differences(owners, rivals))
        own = self.model.features(self.differences(owners, self.truth[owners]))
        rows = against - own
        length = np.linalg.norm(rows, axis=1)
        blurred = length <= (BLANK if self.strict else BLANK_IF_SHARED) * (
            np.linalg.norm(against, axis=1) + np.linalg.norm(own, axis=1)
        )
        rows[blurred] = 0
        length = np.where(blurred, 1, length)
        return rows / length[:, None], length

    def violated_inequalities(self, parameters: Array) -> Array:
        """Violated inequalities of the cone, among those that the model does not list."""
        if self.model.semidefinite():
            values, vectors = np.linalg.eigh(symmetric(parameters))
            return self.model.features(vectors.T[values < -1e-12 * np.abs(values).max()])
        if not self.model.nonnegative_on_pairs():
            return np.empty((0, len(parameters)))
        nearest = self.rivals(parameters, 1)[:, 0]
        pairs = [(np.flatnonzero(side >= 0), side[side >= 0]) for side in (nearest, self.truth)]
        features: Array = np.concatenate(
            [self.model.features(self.differences(query, target)) for query, target in pairs]
        )
        terms = np.abs(features) @ np.abs(parameters)
        below = features[features @ parameters < -1e-12 * terms]
        return np.asarray(below / np.linalg.norm(below, axis=1, keepdims=True))

    def allows(self, parameters: Array) -> bool:
        """Whether the parameters are in the cone."""
        listed = self.model.inequalities(self.attributes) @ parameters
        return (
            bool((listed >= -1e-12 * np.abs(parameters).max()).all())
            and len(self.violated_inequalities(parameters)) == 0
        )


def _truth_among_candidates(truth: Indices, offsets: Indices, members: Indices) -> Indices:
    """The true target, or −1 where it is not a candidate: such a query is never linked."""
    found = np.asarray(truth, dtype=np.int64).copy()
    if len(offsets):
        for i in range(len(found)):
            if found[i] not in members[offsets[i] : offsets[i + 1]]:
                found[i] = -1
    return found


def _identical_queries(pairs: Pairs, offsets: Indices, members: Indices) -> Indices:
    """A number per query, the same for queries with equal values and equal candidates."""
    if pairs.records == 0:
        return np.empty(0, np.int64)
    key = pairs.query_values()
    if len(offsets):
        lists = [members[start:stop].tobytes() for start, stop in pairwise(offsets)]
        key = np.column_stack([key, np.unique(np.array(lists, dtype=object), return_inverse=True)[1]])
    return np.unique(key, axis=0, return_inverse=True)[1].ravel()


def _exclusive(same_query: Indices, truth: Indices) -> Indices:
    """A group number per record; at most one record of a group can be linked, whatever the parameters.

    Identical queries with the same candidates compare the same distances, so only one target can be the strictly
    nearest. Queries that share a true target can both be linked: they are not grouped.
    """
    if len(same_query) == 0:
        return same_query
    pairs = np.column_stack([same_query, truth])
    _, which, times = np.unique(pairs, axis=0, return_inverse=True, return_counts=True)
    repeated = np.isin(same_query, same_query[(times[which.ravel()] > 1) & (truth >= 0)])
    own_group = np.arange(len(same_query))
    return np.unique(np.where(repeated, len(same_query) + own_group, same_query), return_inverse=True)[1].ravel()
