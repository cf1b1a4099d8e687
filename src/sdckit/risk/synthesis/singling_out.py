"""Singling out: does the release describe exactly one person of the original?"""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import NotApplicableError
from sdckit.intruder import Intruder
from sdckit.kernels.excess_risk import excess_over_control
from sdckit.kernels.intervals import wilson
from sdckit.kernels.predicates import Predicates, matches, probability_of_one
from sdckit.measure import Measure, Score, risk
from sdckit.parameters import param
from sdckit.randomness import child, generator
from sdckit.release import Release
from sdckit.risk.synthesis.plain_columns import are_categories, canonical_order, plain_values, released_attributes

ATTEMPTS = 100  # random descriptions tried for each one that is wanted, at most


@risk("singling-out", reference="giomi2023", by_default=False)
class SinglingOut(Measure):
    r"""Share of descriptions of exactly one released row that also fit exactly one person of the original.

    The intruder takes a released row and some of its attributes at random, and describes it: a category is the same, a
    number is at least or at most that of the row, whichever is farther from the median. Descriptions that fit no other
    released row are used. The baseline is how often random descriptions single out a person. With a control file the
    same descriptions are counted there, and the excess is the part of the success that comes from being in the
    original; where the two files differ in length, the probability of a single match is computed for the length of the
    shorter one. Without a control the figure includes what can be inferred about anybody: outliers are singled out by
    any good synthetic file.

    Formula: $\text{excess} = \frac{r - c}{1 - c}$,  $r = \frac{|\{p : p \text{ fits one released row and one
    record}\}|}{|\{p : p \text{ fits one released row}\}|}$,  $c$ the same in the control

    Intruder: has the release alone, and claims that exactly one person in the original is as described.

    Use it when synthetic data are to be judged by the three criteria of the European data protection authorities.
    """

    for_synthesis: ClassVar[bool] = True

    conditions: int = param(3, "attributes in a description; 1: rare values and extremes", low=1, grid=(1, 2, 4))
    attacks: int = param(500, "number of descriptions", low=1)

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        names = released_attributes(release)
        categorical = are_categories(release.original, names)
        released = plain_values(release.masked, names)
        released = released[canonical_order(released)]
        original = plain_values(release.original, names)
        rng = child(generator(seed or 0), self.name)
        used = min(self.conditions, len(names))
        predicates = self.describing(released, categorical, used, rng)
        if not len(predicates):
            raise NotApplicableError("no description of a released row fits that row alone")
        counts, first = matches(predicates, original)
        alone = counts == 1
        guessed, _ = matches(random_predicates(released, categorical, used, len(predicates), rng), original)
        by_record = np.zeros(len(original))
        by_record[first[alone]] = 1.0
        details: dict[str, object] = {"descriptions": len(predicates), "persons": int(by_record.sum())}
        if release.control is not None and set(names) <= {each.name for each in release.control.attributes}:
            control = plain_values(release.control, names)
            in_control, _ = matches(predicates, control)
            compared = min(len(original), len(control))
            found = probability_of_one(counts, len(original), compared).sum()
            expected = probability_of_one(in_control, len(control), compared).sum()
            excess = excess_over_control(float(found), len(predicates), float(expected), len(predicates))
            details |= excess.details() | {"compared": float(found) / len(predicates)}
        return Score(
            float(alone.mean()),
            by_record=by_record,
            interval=wilson(float(alone.sum()), len(alone)),
            baseline=float((guessed == 1).mean()),
            details=details,
        )

    def describing(
        self, released: NDArray[np.float64], categorical: NDArray[np.bool_], used: int, rng: np.random.Generator
    ) -> Predicates:
        """Different descriptions that fit exactly one released row, as many as wanted or found."""
        if used == 1:
            every = single_values(released, categorical)
            every = every.take(rng.permutation(len(every)))
            counts, _ = matches(every, released, at_most=2)
            return every.take(np.flatnonzero(counts == 1)[: self.attacks])
        kept = Predicates(np.empty((0, used), dtype=np.int64), np.empty((0, used)), np.empty((0, used)))
        for _ in range(ATTEMPTS):
            tried = descriptions_of_rows(released, categorical, used, self.attacks, rng)
            counts, _ = matches(tried, released, at_most=2)
            kept = kept.with_more(tried.take(np.flatnonzero(counts == 1)))
            if len(kept) >= self.attacks:
                break
        return kept.take(np.arange(min(len(kept), self.attacks)))


def single_values(released: NDArray[np.float64], categorical: NDArray[np.bool_]) -> Predicates:
    """Descriptions by one attribute: the least and the greatest number, each value, and that it is missing."""
    columns, low, high = [], [], []
    for column, values in enumerate(released.T):
        present = values[~np.isnan(values)]
        found = np.unique(present)
        ends = [] if categorical[column] or not len(found) else [(-np.inf, found[0]), (found[-1], np.inf)]
        ends += [(value, value) for value in found]
        ends += [(np.nan, np.nan)] if len(present) < len(values) else []
        columns += [column] * len(ends)
        low += [end[0] for end in ends]
        high += [end[1] for end in ends]
    return Predicates(np.array(columns, dtype=np.int64)[:, None], np.array(low)[:, None], np.array(high)[:, None])


def descriptions_of_rows(
    released: NDArray[np.float64],
    categorical: NDArray[np.bool_],
    used: int,
    number: int,
    rng: np.random.Generator,
) -> Predicates:
    """Descriptions of random rows by random attributes."""
    rows = rng.integers(len(released), size=number)
    columns = np.sort(rng.permuted(np.tile(np.arange(released.shape[1]), (number, 1)), axis=1)[:, :used], axis=1)
    values = released[rows[:, None], columns]
    present = [column[~np.isnan(column)] for column in released.T]
    medians = np.array([np.median(column) if len(column) else 0.0 for column in present])
    number_like = ~categorical[columns] & ~np.isnan(values)
    above = values > medians[columns]
    low = np.where(number_like & ~above, -np.inf, values)
    high = np.where(number_like & above, np.inf, values)
    return Predicates(columns, low, high)


def random_predicates(
    released: NDArray[np.float64],
    categorical: NDArray[np.bool_],
    used: int,
    number: int,
    rng: np.random.Generator,
) -> Predicates:
    """Descriptions that no row has to fit: each attribute has the value of a row of its own, in a random direction."""
    columns = rng.permuted(np.tile(np.arange(released.shape[1]), (number, 1)), axis=1)[:, :used]
    values = released[rng.integers(len(released), size=columns.shape), columns]
    direction = rng.integers(3, size=columns.shape)
    open_ended = ~categorical[columns] & ~np.isnan(values)
    low = np.where(open_ended & (direction == 0), -np.inf, values)
    high = np.where(open_ended & (direction == 1), np.inf, values)
    return Predicates(columns, low, high)
