"""Inference over households: where a release shows who lives together, households are matched, not persons.

The likelihood that a released household is that of some persons is the permanent of the likelihoods of its rows: all
ways in which they can be these persons. Four uncertain matches that must be in one household are far surer together.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import lgamma

import numpy as np

from sdckit.errors import NotApplicableError
from sdckit.intruder import AttackerView
from sdckit.kernels.equivalence_classes import class_of
from sdckit.kernels.permanents import log_means, log_permanents, permanents_and_shares
from sdckit.laws.ball import BACKGROUND
from sdckit.laws.blocks import Floats, Indices
from sdckit.laws.household_search import HouseholdSearch
from sdckit.laws.release_law import ReleaseLaw
from sdckit.matching.graph import CandidateGraph
from sdckit.matching.posterior import posterior
from sdckit.microdata import Role

WHOLE = 20_000  # known records up to which the households of all of them enter the inference
LISTED = 40  # released households kept for each known one
LARGEST = 9  # members of a household whose permanent is computed; in a larger one, two may take the same row
ALL_CLASSES = 5  # members of a household up to which the permanents of all released households are computed
EVERY_PAIR = 20_000_000  # pairs of a record and a row of households of one size, up to which all are evaluated
PAIRS = 2_000_000  # of a record and a class of rows, evaluated at a time: bounds memory


@dataclass(frozen=True, eq=False)
class HouseholdClaims:
    """The row that each record attacked is claimed to have, and how likely the claim is to be correct.

    `records`     the positions of these records among the known ones
    `household`   the class of equal released households, −1 where there is no claim
    `rows`        the class of equal rows within it
    `confidence`  the probability that one row of these, drawn at random, is the record's
    `share`       the probability of a correct match if both classes are correct: one over the number of equal rows
    """

    records: Indices
    household: Indices
    rows: Indices
    confidence: Floats
    share: Floats


class HouseholdClasses:
    """Released households of one size that have equal rows, and the known households of that size."""

    def __init__(self, known: Indices, rows: Indices, first: int) -> None:
        """Households are lines: `known` of records, `rows` of classes of rows; classes are numbered from `first` on."""
        self.known = known
        self.first = first
        composition = np.sort(rows, axis=1)
        classes = class_of(composition)
        order = np.lexsort(composition[classes.first()].T[::-1])
        number = np.empty(len(order), dtype=np.int64)
        number[order] = np.arange(len(order))
        self.rows = composition[classes.first()][order]
        self.capacity = classes.sizes[order]
        self.of_household = first + number[classes.of]


def household_claims(
    view: AttackerView, law: ReleaseLaw, rng: np.random.Generator, targets: Indices | None
) -> tuple[HouseholdClaims, Indices]:
    """The claims for the targets, or for all records, and the class of the released household of each row."""
    by_size, of_row = _classes_by_size(view, law)
    whole = targets is None or len(view) <= WHOLE
    if not whole and len(view.released) < len(view):
        raise NotApplicableError(f"households of a sample are matched where at most {WHOLE:,} records are known")
    attacked = np.arange(len(view)) if targets is None else targets
    lists = [_Lists.of(law, each, None if whole else attacked) for each in by_size]
    if whole:
        _weigh_jointly(lists, by_size, rng)
    found = [each.claims() for each in lists]
    found.append(_without_a_row(np.setdiff1d(attacked, np.concatenate([each.records for each in found]))))
    records = np.concatenate([each.records for each in found])
    order = np.argsort(records)
    order = order[np.isin(records[order], attacked)]
    parts = ("records", "household", "rows", "confidence", "share")
    together = {name: np.concatenate([getattr(each, name) for each in found])[order] for name in parts}
    return HouseholdClaims(**together), of_row


def _without_a_row(records: Indices) -> HouseholdClaims:
    """No claim for the members of households of a size that was not released."""
    nothing, nowhere = np.zeros(len(records)), np.full(len(records), -1, dtype=np.int64)
    return HouseholdClaims(records, nowhere, nowhere, nothing, nothing)


def refuse_unmatchable(view: AttackerView) -> None:
    """An error where households cannot be matched, whatever the law: it takes long to learn."""
    known, released = (file.units() for file in (view.original, view.released))
    if not view.released.names(role=Role.HOUSEHOLD) or not view.original.names(role=Role.HOUSEHOLD):
        raise NotApplicableError(
            "the release does not show who lives together; declare the household number in the schema "
            '(role = "household") where it does'
        )
    if not view.everyone:
        raise NotApplicableError("households are matched where every record is known")
    sizes = [np.bincount(units) for units in (known, released)]
    if any((sizes[0] == size).sum() < (sizes[1] == size).sum() for size in np.unique(sizes[1])):
        raise NotApplicableError(
            "the released households have other sizes than those of the original: members were left out or added"
        )


def _classes_by_size(view: AttackerView, law: ReleaseLaw) -> tuple[list[HouseholdClasses], Indices]:
    known, released = (file.units() for file in (view.original, view.released))
    position = np.argsort(view.records)  # of each record of the original among the known ones
    sizes = [np.bincount(units) for units in (known, released)]
    found, of_row, first = [], np.empty(len(released), dtype=np.int64), 0
    for size in np.unique(sizes[1]).tolist():
        persons, rows = (_members(units, of, size) for units, of in zip((known, released), sizes, strict=True))
        classes = HouseholdClasses(position[persons], law.rows.of[rows], first)
        of_row[rows] = classes.of_household[:, None]
        first += len(classes.capacity)
        found.append(classes)
    return found, of_row


def _members(units: Indices, sizes: Indices, size: int) -> Indices:
    """The members of each household of a size, one line each."""
    order = np.argsort(units, kind="stable")
    members: Indices = order[sizes[units[order]] == size].reshape(-1, size)
    return members


@dataclass(eq=False)
class _Lists:
    """Known households of one size with the likeliest classes of released ones, −1 where a list is shorter."""

    known: Indices
    classes: HouseholdClasses
    listed: Indices
    log_likelihood: Floats
    left_out: Floats
    shares: Floats
    probability: Floats

    @classmethod
    def of(cls, law: ReleaseLaw, classes: HouseholdClasses, among: Indices | None) -> "_Lists":
        """The lists of all known households, or of those with a record in `among`."""
        known = classes.known if among is None else classes.known[np.isin(classes.known, among).any(axis=1)]
        most = min(LISTED, len(classes.capacity))
        if known.size * len(classes.rows) * known.shape[1] > EVERY_PAIR:
            return cls._searched(law, classes, known, most)
        listed, log_likelihood = np.empty((len(known), most), np.int64), np.empty((len(known), most))
        shares, probability = np.empty((len(known), most, *2 * known.shape[1:])), np.empty((len(known), most))
        for part, weights in _log_weights(law, classes, known):
            every = _of_classes(weights)
            likeliest = np.argsort(-every, axis=1, kind="stable")[:, :most]
            lines = np.arange(len(weights))[:, None]
            matrices = weights.transpose(0, 2, 1, 3)[lines, likeliest]
            flat = matrices.reshape(-1, *matrices.shape[2:])
            found, share = _of_matrices(flat)
            listed[part] = likeliest
            log_likelihood[part], shares[part] = found.reshape(likeliest.shape), share.reshape(matrices.shape)
            every[lines, likeliest] = log_likelihood[part]
            weight = np.exp(every - _finite(every.max(axis=1, keepdims=True))) * classes.capacity
            total = weight.sum(axis=1, keepdims=True)
            weight = np.divide(weight, total, out=np.zeros_like(weight), where=total > 0)
            probability[part] = weight[lines, likeliest]
        left_out = np.maximum(1.0 - probability.sum(axis=1), 0.0)
        return cls(known, classes, listed, log_likelihood, left_out, shares, probability)

    @classmethod
    def _searched(cls, law: ReleaseLaw, classes: HouseholdClasses, known: Indices, most: int) -> "_Lists":
        """The same without evaluating all pairs of a record and a row."""
        search = HouseholdSearch(law, classes.rows, known)
        listed = np.zeros((len(known), most), np.int64)
        matrices = np.full((len(known), most, *2 * known.shape[1:]), -np.inf)
        top, others = np.full(len(known), -np.inf), np.zeros(len(known))
        for number, members in enumerate(known):
            found = search.likely(members, most, lambda weights: _of_classes(weights[None])[0])
            order = np.argsort(-found.log_likelihood, kind="stable")
            first, rest = order[:most], order[most:]
            listed[number, : len(first)] = found.classes[first]
            matrices[number, : len(first)] = found.weights[:, first].transpose(1, 0, 2)
            if len(order):
                top[number] = _finite(found.log_likelihood[order[0]])
                weight = np.exp(found.log_likelihood[rest] - top[number])
                others[number] = weight @ classes.capacity[found.classes[rest]]
        log_likelihood, shares = _of_matrices(matrices.reshape(-1, *matrices.shape[2:]))
        log_likelihood = log_likelihood.reshape(listed.shape)
        highest = _finite(np.maximum(log_likelihood.max(axis=1), top))
        weight = np.exp(log_likelihood - highest[:, None]) * classes.capacity[listed]
        total = (weight.sum(axis=1) + others * np.exp(top - highest))[:, None]
        probability = np.divide(weight, total, out=np.zeros_like(weight), where=total > 0)
        left_out = np.maximum(1.0 - probability.sum(axis=1), 0.0)
        return cls(known, classes, listed, log_likelihood, left_out, shares.reshape(matrices.shape), probability)

    def claims(self) -> HouseholdClaims:
        """The likeliest row of each member: of a released household, the member that it most likely is."""
        rows = self.classes.rows[self.listed]  # household, list, member
        equal = (rows[:, :, :, None] == rows[:, :, None, :]).sum(axis=3)
        of_class = np.einsum("hlab,hlbc->hlac", self.shares, (rows[:, :, :, None] == rows[:, :, None, :]).astype(float))
        each = (self.probability / self.classes.capacity[self.listed])[:, :, None, None] * of_class / equal[:, :, None]
        flat = each.transpose(0, 2, 1, 3).reshape(-1, each.shape[1] * each.shape[3])
        best = flat.argmax(axis=1)
        confidence = flat[np.arange(len(flat)), best]
        household = np.repeat(np.arange(len(self.known)), self.known.shape[1])
        at, column = np.divmod(best, each.shape[3])
        named = self.listed[household, at]
        share = 1.0 / (self.classes.capacity[named] * equal[household, at, column])
        claimed = confidence > 0
        return HouseholdClaims(
            self.known.ravel(),
            np.where(claimed, self.classes.first + named, -1),
            np.where(claimed, rows[household, at, column], -1),
            confidence,
            np.where(claimed, share, 0.0),
        )


def _of_matrices(log_weights: Floats) -> tuple[Floats, Floats]:
    """The log-likelihood of each household, and the probability that each member has each of its rows."""
    if log_weights.shape[2] <= LARGEST:
        return permanents_and_shares(log_weights)
    means, shares = log_means(log_weights)
    return means + lgamma(log_weights.shape[2] + 1), shares


def _of_classes(weights: Floats) -> Floats:
    """The log-likelihood of every class of released households for each known one; of large ones, about that."""
    flat = weights.transpose(0, 2, 1, 3).reshape(-1, weights.shape[1], weights.shape[3])
    members = weights.shape[1]
    found = log_permanents(flat) if members <= ALL_CLASSES else log_means(flat)[0] + lgamma(members + 1)
    return found.reshape(len(weights), weights.shape[2])


def _finite(values: Floats) -> Floats:
    return np.where(np.isfinite(values), values, 0.0)


def _log_weights(law: ReleaseLaw, classes: HouseholdClasses, known: Indices) -> Iterator[tuple[slice, Floats]]:
    """The log-likelihood of each row of each class for each member of some households, a part of these at a time."""
    distinct, of = np.unique(classes.rows, return_inverse=True)
    of = of.reshape(classes.rows.shape)
    step = max(1, PAIRS // max(1, known.shape[1] * max(len(distinct), classes.rows.size)))
    for start in range(0, len(known), step):
        part = slice(start, start + step)
        records = known[part].ravel()
        total = law.log_likelihoods(np.repeat(records, len(distinct)), np.tile(distinct, len(records)))
        yield part, total.reshape(len(known[part]), known.shape[1], len(distinct))[:, :, of]


def _weigh_jointly(lists: list[_Lists], by_size: list[HouseholdClasses], rng: np.random.Generator) -> None:
    """Replace the probabilities of each list by those under the posterior over matchings of all households."""
    possible = [np.isfinite(each.log_likelihood) for each in lists]
    starts = np.concatenate([[0], np.cumsum(np.concatenate([each.sum(axis=1) for each in possible]))])
    classes = [(each.listed + each.classes.first)[kept] for each, kept in zip(lists, possible, strict=True)]
    likelihood = np.concatenate([each.log_likelihood[kept] for each, kept in zip(lists, possible, strict=True)])
    capacity = np.concatenate([each.capacity for each in by_size])
    of_edge = np.concatenate(classes)
    if len(starts) - 1 > capacity.sum():  # of a sample, what one household makes of a released one counts beside others
        highest = np.full(len(capacity), -np.inf)
        np.maximum.at(highest, of_edge, likelihood)
        likelihood = likelihood - highest[of_edge]
    graph = CandidateGraph.of(starts, of_edge, likelihood, capacity, background=BACKGROUND).with_unlisted(
        np.concatenate([each.left_out for each in lists])
    )
    probability = np.split(posterior(graph, rng).probability, np.cumsum([int(each.sum()) for each in possible])[:-1])
    for each, kept, found in zip(lists, possible, probability, strict=True):
        each.probability = np.zeros_like(each.probability)
        each.probability[kept] = found
