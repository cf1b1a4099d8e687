"""Anonymity models: which classes of records that agree on the keys are large or diverse enough to be released.

Two properties decide what a search may skip, and tests check them by brute force:

`upward_closed`  a sufficient class stays sufficient whatever records join it, so that suppression only shrinks as keys
                 are generalised
`union_closed`   two sufficient classes joined are sufficient, so that without suppression whatever lies above a
                 sufficient generalisation is sufficient
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.diversity import distinct_values, effective_values, recursive_ratio
from sdckit.kernels.population_models import fit_pitman, fit_shifted_negative_binomial, spectrum, zayatz

ROUNDING = 1e-9


class Classes(NamedTuple):
    """Classes of records: their sizes, the persons of the population in each, and the counts of confidential values.

    `counts` has one matrix per confidential column, one row per class; missing values are not counted.
    """

    sizes: NDArray[np.float64]
    population: NDArray[np.float64]
    counts: Sequence[NDArray[np.float64]]

    def some(self, chosen: NDArray[np.bool_]) -> "Classes":
        """Some of the classes."""
        return Classes(self.sizes[chosen], self.population[chosen], [each[chosen] for each in self.counts])

    def whole(self) -> "Classes":
        """All records in one class."""
        return Classes(
            self.sizes.sum(keepdims=True),
            self.population.sum(keepdims=True),
            [each.sum(axis=0, keepdims=True) for each in self.counts],
        )


@dataclass(frozen=True, eq=False)
class ClassModel:
    """A condition on each class."""

    upward_closed: ClassVar[bool] = False
    union_closed: ClassVar[bool] = True
    of_population: ClassVar[bool] = False

    def sufficient(self, classes: Classes) -> NDArray[np.bool_]:
        """Which classes satisfy the condition."""
        raise TypeError(f"{type(self).__name__} must define sufficient")


@dataclass(frozen=True, eq=False)
class SmallestSize(ClassModel):
    """k-Anonymity: k records in each class that has any."""

    upward_closed = True

    k: float

    def sufficient(self, classes: Classes) -> NDArray[np.bool_]:
        return np.asarray((classes.sizes >= self.k) | (classes.sizes == 0))


@dataclass(frozen=True, eq=False)
class SmallestPopulation(ClassModel):
    """k-Map: k persons of the population in each class that has records.

    `per_record` persons for each record, where that is given, instead of those that the classes have.
    """

    upward_closed = True
    of_population = True

    k: float
    per_record: float | None = None

    def sufficient(self, classes: Classes) -> NDArray[np.bool_]:
        population = _population(classes, self.per_record)
        return np.asarray((population >= self.k - ROUNDING) | (classes.sizes == 0))


@dataclass(frozen=True, eq=False)
class Presence(ClassModel):
    """δ-Presence: the share of the population in a class whose records are in the file lies between two limits.

    `per_record` is as in k-map.
    """

    of_population = True

    low: float
    high: float
    per_record: float | None = None

    def sufficient(self, classes: Classes) -> NDArray[np.bool_]:
        share = classes.sizes / np.maximum(_population(classes, self.per_record), ROUNDING)
        return np.asarray((share >= self.low - ROUNDING) & (share <= self.high + ROUNDING))


def _population(classes: Classes, per_record: float | None) -> NDArray[np.float64]:
    return classes.population if per_record is None else np.asarray(classes.sizes * per_record, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class ConfidentialModel(ClassModel):
    """A condition on the counts of one confidential column; a class without a value reveals nothing and satisfies it.

    A condition on the number of distinct values alone is upward closed.
    """

    column: int

    def sufficient(self, classes: Classes) -> NDArray[np.bool_]:
        counts = classes.counts[self.column]
        return self.of_counts(counts) | ~counts.any(axis=1)

    def of_counts(self, counts: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which rows of counts satisfy the condition."""
        raise TypeError(f"{type(self).__name__} must define of_counts")


@dataclass(frozen=True, eq=False)
class DistinctDiversity(ConfidentialModel):
    """Distinct l-diversity. A class of missing values only may gain a single one, so it is not upward closed there."""

    diversity: float

    def of_counts(self, counts: NDArray[np.float64]) -> NDArray[np.bool_]:
        return np.asarray(distinct_values(counts) >= self.diversity)


@dataclass(frozen=True, eq=False)
class DistinctDiversityOfAll(DistinctDiversity):
    """Distinct l-diversity where no confidential value is missing, which makes it upward closed."""

    upward_closed = True


@dataclass(frozen=True, eq=False)
class EntropyDiversity(ConfidentialModel):
    """Entropy l-diversity: as many equally frequent values as have the entropy of the class."""

    diversity: float

    def of_counts(self, counts: NDArray[np.float64]) -> NDArray[np.bool_]:
        return np.asarray(effective_values(counts) >= self.diversity - ROUNDING)


@dataclass(frozen=True, eq=False)
class RecursiveDiversity(ConfidentialModel):
    """Recursive (c, l)-diversity: the largest count is below c times the sum of those from the l-th largest on."""

    factor: float
    diversity: int

    def of_counts(self, counts: NDArray[np.float64]) -> NDArray[np.bool_]:
        return np.asarray(recursive_ratio(counts, self.diversity) < self.factor)


@dataclass(frozen=True, eq=False)
class Closeness(ConfidentialModel):
    """t-Closeness by a distance of counts from those of the whole file."""

    largest: float
    distance: Callable[[NDArray[np.float64]], NDArray[np.float64]]

    def of_counts(self, counts: NDArray[np.float64]) -> NDArray[np.bool_]:
        return np.asarray(self.distance(counts) <= self.largest + 1e-12)


@dataclass(frozen=True, eq=False)
class LargestShare(ConfidentialModel):
    """The α of (α, k)-anonymity: no value has more than this share of a class."""

    share: float

    def of_counts(self, counts: NDArray[np.float64]) -> NDArray[np.bool_]:
        return np.asarray(counts.max(axis=1) <= (self.share + ROUNDING) * counts.sum(axis=1))


@dataclass(frozen=True, eq=False)
class ShareLimits(ConfidentialModel):
    """Limits on the share of each value: β-likeness limits gains, δ-disclosure gains and losses of probability."""

    low: NDArray[np.float64]
    high: NDArray[np.float64]

    def of_counts(self, counts: NDArray[np.float64]) -> NDArray[np.bool_]:
        total = counts.sum(axis=1, keepdims=True)
        below, above = (self.low - ROUNDING) * total, (self.high + ROUNDING) * total
        return np.asarray(((counts >= below) & (counts <= above)).all(axis=1))


def likeness_limits(overall: NDArray[np.float64], beta: float, *, enhanced: bool) -> NDArray[np.float64]:
    """The largest share of each value: (1 + β) q, enhanced (1 + min(β, −ln q)) q, for its share q in the file."""
    q = overall / overall.sum()
    gain = np.minimum(beta, -np.log(np.where(q > 0, q, 1.0))) if enhanced else np.full(len(q), beta)
    return np.asarray(np.minimum((1.0 + gain) * q, 1.0), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class FileModel:
    """A condition on the sizes of all classes together."""

    def satisfied(self, sizes: NDArray[np.float64]) -> bool:
        """Whether a release with classes of these sizes satisfies it."""
        raise TypeError(f"{type(self).__name__} must define satisfied")


@dataclass(frozen=True, eq=False)
class AverageRisk(FileModel):
    """The mean of 1 / class size over the records, which is the number of classes by the number of records."""

    largest: float

    def satisfied(self, sizes: NDArray[np.float64]) -> bool:
        return not len(sizes) or len(sizes) / sizes.sum() <= self.largest + ROUNDING


@dataclass(frozen=True, eq=False)
class PopulationUniqueness(FileModel):
    """The estimated share of the population that is unique, by the rule of Dankar et al.

    Up to a sampling share of 0.1 the estimate is Pitman's; above, the smaller of Zayatz's and the one from the shifted
    negative binomial law.
    """

    largest: float
    population: float

    def satisfied(self, sizes: NDArray[np.float64]) -> bool:
        if not (sizes == 1).any():
            return True  # a record that is not unique in the sample is not unique in the population
        sample = spectrum(sizes.astype(np.int64))
        if sample.records <= 0.1 * self.population:
            uniques = fit_pitman(sample).uniques(self.population)
        else:
            fitted = fit_shifted_negative_binomial(sample, self.population)
            uniques = min(zayatz(sample, self.population), fitted.uniques)
        return uniques / self.population <= self.largest + ROUNDING


class Rule(NamedTuple):
    """All conditions on a release."""

    of_classes: Sequence[ClassModel]
    of_file: Sequence[FileModel] = ()

    @property
    def upward_closed(self) -> bool:
        """Whether every condition on a class survives more records."""
        return all(model.upward_closed for model in self.of_classes)

    @property
    def union_closed(self) -> bool:
        """Whether every condition on a class survives a union."""
        return all(model.union_closed for model in self.of_classes)

    @property
    def of_population(self) -> bool:
        """Whether a condition counts the persons of the population in a class."""
        return any(model.of_population for model in self.of_classes)

    @property
    def smallest(self) -> float:
        """The fewest records that a class with records must have."""
        return max([model.k for model in self.of_classes if isinstance(model, SmallestSize)], default=1.0)

    def sufficient(self, classes: Classes) -> NDArray[np.bool_]:
        """Which classes satisfy every condition; the costly ones are evaluated where the others hold."""
        good = np.ones(len(classes.sizes), dtype=bool)
        for model in sorted(self.of_classes, key=lambda model: isinstance(model, ConfidentialModel)):
            if not good.all():
                left = classes.some(good)
                good[good] = model.sufficient(left)
            else:
                good = model.sufficient(classes)
        return good

    def satisfied(self, sizes: NDArray[np.float64]) -> bool:
        """Whether the conditions on the file hold for classes of these sizes."""
        return all(model.satisfied(sizes) for model in self.of_file)
