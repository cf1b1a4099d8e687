"""A linkage problem: queries, targets, the true target of each query, and its candidate targets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sdckit.linear_distances.bilinear import symmetric
from sdckit.linear_distances.linear_distance import LinearDistance
from sdckit.linear_distances.rivals import ROUNDING, build_kd_tree, nearest_rivals

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
Flags = NDArray[np.bool_]
Candidates = Flags | Sequence[Indices]

PAIRS_AT_ONCE = 1 << 18  # pairs compared at a time in a recount: bounds memory


def candidate_lists(candidates: Candidates | None, records: int) -> tuple[Indices, Indices]:
    """Offsets and members of the candidate lists; both empty when every target is a candidate."""
    if candidates is None:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    if isinstance(candidates, np.ndarray):
        owner, members = np.nonzero(candidates)
        sizes = np.bincount(owner, minlength=records)
        return np.concatenate([[0], np.cumsum(sizes)]), members.astype(np.int64)
    lists = [np.unique(np.asarray(each, dtype=np.int64)) for each in candidates]
    sizes = np.array([len(each) for each in lists], dtype=np.int64)
    members = np.concatenate(lists) if lists else np.empty(0, np.int64)
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64), members


class Linkage:
    """Query i is linked if its true target is nearer than every other candidate; unless `strict`, a tie is a link."""

    def __init__(
        self,
        queries: Array,
        targets: Array,
        truth: Indices,
        model: LinearDistance,
        candidates: Candidates | None = None,
        strict: bool = True,
    ) -> None:
        self.model, self.strict = model, strict
        self._problem = queries, targets, truth, candidates
        self.records, self.attributes = queries.shape
        self.offsets, self.members = candidate_lists(candidates, self.records)
        self.truth = self._truth_among_candidates(truth)
        present = self.truth >= 0
        own = queries[present] - targets[self.truth[present]]
        self.axes = model.axes(own, targets.std(axis=0) if len(targets) else np.zeros(self.attributes))
        self.queries = np.ascontiguousarray(queries @ self.axes.T)
        self.targets = np.ascontiguousarray(targets @ self.axes.T)
        self.tree = build_kd_tree(self.targets)
        self.groups = self._identical_queries(queries)

    def under(self, model: LinearDistance) -> Linkage:
        """The same problem for another family of distances."""
        queries, targets, truth, candidates = self._problem
        return Linkage(queries, targets, truth, model, candidates, self.strict)

    def _truth_among_candidates(self, truth: Indices) -> Indices:
        """The true target, or −1 where it is not a candidate: such a query is never linked."""
        found = np.asarray(truth, dtype=np.int64).copy()
        if len(self.offsets):
            for i in range(self.records):
                if found[i] not in self.members[self.offsets[i] : self.offsets[i + 1]]:
                    found[i] = -1
        return found

    def _identical_queries(self, queries: Array) -> Indices:
        """A group number per record; at most one record of a group can be linked, whatever the parameters.

        Identical queries with the same candidates compare the same distances, so only one target can be the
        strictly nearest. Queries that share a true target can both be linked: they are not grouped.
        """
        own_group = np.arange(self.records)
        if not self.strict or self.records == 0:
            return own_group
        if len(self.offsets):
            lists = [self.members[a:b].tobytes() for a, b in zip(self.offsets, self.offsets[1:], strict=False)]
            key = np.column_stack([queries, np.unique(np.array(lists, dtype=object), return_inverse=True)[1]])
        else:
            key = queries
        group = np.unique(key + 0.0, axis=0, return_inverse=True)[1].ravel()  # + 0.0: −0 equals 0
        pairs = np.column_stack([group, self.truth])
        _, which, times = np.unique(pairs, axis=0, return_inverse=True, return_counts=True)
        repeated = np.isin(group, group[(times[which.ravel()] > 1) & (self.truth >= 0)])
        return np.unique(np.where(repeated, len(group) + own_group, group), return_inverse=True)[1].ravel()

    def rivals(self, parameters: Array, count: int, only_winning: bool = False) -> Indices:
        """The nearest targets of each query except the true one; with `only_winning`, those that prevent its link."""
        form, weights, rotation = self.model.searchable(parameters, self.attributes)
        queries, targets, tree = self.queries, self.targets, self.tree
        if form == 0 and not np.array_equal(rotation, np.eye(self.attributes)):
            queries, targets = np.ascontiguousarray(queries @ rotation), np.ascontiguousarray(targets @ rotation)
            tree = build_kd_tree(targets)
        found, _ = nearest_rivals(
            form, weights, queries, targets, self.truth, *tree, self.offsets, self.members,
            max(1, min(count, len(targets))), ROUNDING if self.strict else -ROUNDING, only_winning,
        )  # fmt: skip
        return found

    def linked(self, parameters: Array) -> Flags:
        """Which queries these parameters link."""
        return self.links_and_losses(parameters)[0]

    def links_and_losses(self, parameters: Array, count: int = 3) -> tuple[Flags, Indices]:
        """Which queries are linked, and for each of the others the nearest targets that prevent it."""
        winning = self.rivals(parameters, count, only_winning=True)
        return np.asarray((self.truth >= 0) & (winning[:, 0] < 0)), winning

    def rows(self, owners: Indices, rivals: Indices) -> tuple[Array, Array]:
        """φ(query, rival) − φ(query, truth), of unit length, and its length; 0 where both are equal up to rounding."""
        against = self.model.features(self.queries[owners] - self.targets[rivals])
        own = self.model.features(self.queries[owners] - self.targets[self.truth[owners]])
        rows = against - own
        length = np.linalg.norm(rows, axis=1)
        blurred = length <= 1e-13 * (np.linalg.norm(against, axis=1) + np.linalg.norm(own, axis=1))
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
            [self.model.features(self.queries[query] - self.targets[target]) for query, target in pairs]
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


def recount(
    queries: Array,
    targets: Array,
    truth: Indices,
    model: LinearDistance,
    parameters: Array,
    candidates: Candidates | None = None,
    strict: bool = True,
) -> Flags:
    """Which queries the parameters link, by comparing every pair in long double: an independent check."""
    offsets, members = candidate_lists(candidates, len(queries))
    wide_queries, wide_targets = queries.astype(np.longdouble), targets.astype(np.longdouble)
    wide_parameters = parameters.astype(np.longdouble)
    linked = np.zeros(len(queries), dtype=bool)
    block = max(1, PAIRS_AT_ONCE // max(1, len(targets) * len(parameters)))
    for start in range(0, len(queries), block):
        part = np.arange(start, min(start + block, len(queries)))
        differences: Array = wide_queries[part, None] - wide_targets[None]  # type: ignore[assignment]  # long double
        distances = model.features(differences) @ wide_parameters
        for i, to_all in zip(part, distances, strict=True):
            chosen = members[offsets[i] : offsets[i + 1]] if len(offsets) else np.arange(len(targets))
            if truth[i] < 0 or truth[i] not in chosen:
                continue
            others = to_all[chosen[chosen != truth[i]]]
            own = to_all[truth[i]]
            linked[i] = bool((others > own).all() if strict else (others >= own).all())
    return linked
