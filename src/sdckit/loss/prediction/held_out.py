"""Held-out prediction: models learnt from either file are judged on original records that neither was learnt from."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import NotApplicableError, UnknownNameError
from sdckit.intruder import Intruder
from sdckit.kernels.intervals import bootstrap_sums
from sdckit.measure import Measure, Need, Score
from sdckit.microdata import Kind, Microdata, Role
from sdckit.parameters import param
from sdckit.randomness import child, generator
from sdckit.release import Release
from sdckit.rows import Sampled

ROLES = (Role.CONFIDENTIAL, Role.OTHER, Role.KEY)  # what is predicted by default: the first of these roles that occurs
CATEGORIES = 20  # largest number of categories of an attribute in a model, and of classes predicted by default


@dataclass(frozen=True, eq=False)
class Skill:
    """How much less a model of each file errs on held-out records than the best constant: 0 nothing, 1 never errs.

    The errors are of the constant, the original's model and the masked file's, one row per record; 0 for all where a
    record is not judged.
    """

    errors: NDArray[np.float64]

    @property
    def original(self) -> float:
        """The skill of the original's model."""
        return float(skill_of(self.errors.sum(axis=0))[0])

    @property
    def masked(self) -> float:
        """The skill of the masked file's model."""
        return float(skill_of(self.errors.sum(axis=0))[1])

    @property
    def lost(self) -> float:
        """The skill lost by the model of the masked file."""
        return max(self.original - max(self.masked, 0.0), 0.0)


def skill_of(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """The skills of both models by the errors in sum of constant, original and masked, each along the last axis."""
    least = sums[..., :1]
    return 1 - np.divide(sums[..., 1:], least, out=np.ones_like(sums[..., 1:]), where=least > 0)


def interval_of(skills: Sequence[Skill], rng: np.random.Generator, level: float = 0.95) -> tuple[float, float]:
    """Where the share of skill lost lies for records drawn again, the models unchanged.

    Gains are counted against losses, so that random variation alone reaches 0; it is cut to 0 and 1.
    """
    sums = bootstrap_sums(np.column_stack([each.errors for each in skills]), rng)
    both = np.maximum(skill_of(sums.reshape(len(sums), len(skills), 3)), 0.0)
    total = both[..., 0].sum(axis=1)
    if not (total > 0).any():
        return 0.0, 1.0
    shares = 1 - both[..., 1].sum(axis=1)[total > 0] / total[total > 0]
    low, high = np.clip(np.quantile(shares, [(1 - level) / 2, (1 + level) / 2]), 0.0, 1.0)
    return float(low), float(high)


@dataclass(frozen=True, kw_only=True)
class PredictionLoss(Measure):
    """A loss that is the share of predictive skill lost, over attributes predicted in turn from all the others.

    The interval is over the records judged: they are drawn again, with the errors that both models and the constant
    make on each. Where the correspondence of rows is not known, all rows are learnt from. The interval does not cover
    what models of other training records, or another masking, would have given.
    """

    kinds: ClassVar[Kind] = Kind.ANY
    uses: ClassVar[frozenset[Need]] = frozenset({Need.ROWS})  # the row of a record held out is held out with it

    target: str | None = param(
        None, "attribute to predict; by default the confidential ones in turn, else others, else keys"
    )
    max_attributes: int = param(
        5, "largest number of attributes to predict, where none is named", low=1, formerly="most"
    )
    folds: int = param(3, "number of parts of the file for cross-validation", low=2)
    records: int = param(5000, "largest number of records used, drawn at random", low=10)

    def can_be_predicted(self, original: Microdata, name: str) -> bool:
        """Whether an attribute is predicted by default; a text that differs for every record is not."""
        return True

    def outcomes(self, original: Microdata, masked: Microdata, name: str) -> tuple[NDArray[np.float64], ...]:
        """What is to be predicted in either file, as numbers; NaN where it is missing."""
        raise TypeError(f"{type(self).__name__} must define outcomes")

    def errors(
        self,
        known: NDArray[np.float64],
        outcome: NDArray[np.float64],
        tested: NDArray[np.float64],
        truth: NDArray[np.float64],
    ) -> NDArray[np.float64]:
        """The error on each tested record of a model that was learnt from known ones."""
        raise TypeError(f"{type(self).__name__} must define errors")

    def least_errors(self, truth: NDArray[np.float64]) -> NDArray[np.float64]:
        """The error on each record of the constant that errs least."""
        raise TypeError(f"{type(self).__name__} must define least_errors")

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        drawn = self._drawn(release, seed)
        skills = {name: self._skill(drawn, name, seed) for name in self._targets(release)}
        learnable = {name: skill for name, skill in skills.items() if skill.original > 0}
        if not learnable:
            raise NotApplicableError(
                f"{', '.join(skills)} cannot be predicted from the other attributes, not even in the original"
            )
        total = sum(skill.original for skill in learnable.values())
        value = min(sum(skill.lost for skill in learnable.values()) / total, 1.0)
        low, high = interval_of([*learnable.values()], child(generator(seed or 0), self.name, "interval"))
        return Score(
            value,
            by_attribute={name: skill.lost / skill.original for name, skill in learnable.items()},
            interval=(min(low, value), max(high, value)),
            baseline=0.0,
            details={
                "skill_original": {name: skill.original for name, skill in learnable.items()},
                "skill_masked": {name: skill.masked for name, skill in learnable.items()},
            },
        )

    def _targets(self, release: Release) -> tuple[str, ...]:
        """The attributes to predict."""
        fitting = {role: release.original.names(kind=self.kinds, role=role) for role in ROLES}
        if self.target is None:
            sensible = (
                tuple(name for name in found if self.can_be_predicted(release.original, name))
                for found in fitting.values()
            )
            names = next(filter(None, sensible), ())
        elif self.target not in release.original:
            raise UnknownNameError("column", self.target, release.original.columns)
        else:
            names = tuple(name for found in fitting.values() for name in found if name == self.target)
        if not names:
            raise NotApplicableError(f"there is no {self.kinds.title} attribute to predict")
        return names[: self.max_attributes]

    def _drawn(self, release: Release, seed: int | None) -> Release:
        """The release, or that of some of its records; rows in the order of their records, then by their values."""
        origin = release.known_origin
        records, rows = np.arange(len(release.original)), np.argsort(origin)
        if len(np.unique(origin)) < len(origin):
            columns = [release.masked.columns[each.name] for each in reversed(release.masked.attributes)]
            rows = np.lexsort((*columns, origin))
        draws = child(generator(seed or 0), self.name)
        if len(records) > self.records:
            records = np.sort(child(draws, "records").choice(records, self.records, replace=False))
        position = np.full(len(release.original), -1)
        position[records] = np.arange(len(records))
        rows = rows[(origin[rows] < 0) | (position[origin[rows]] >= 0)]
        if len(rows) > self.records:
            rows = rows[np.sort(child(draws, "rows").choice(len(rows), self.records, replace=False))]
        if not len(rows):
            raise NotApplicableError("no row of the masked file came from a record that was drawn")
        whose = np.where(origin[rows] >= 0, position[origin[rows]], -1)
        return Release(release.original.take(records), release.masked.take(rows), None, Sampled(whose))

    def _skill(self, release: Release, target: str, seed: int | None) -> Skill:
        """The skill of a model of each file, on the records held out in turn."""
        truth, released = self._known_outcomes(release, target)
        before, after, tested = _designs(release, target)
        fold = child(generator(seed or 0), self.name, "folds").permutation(len(truth)) % self.folds
        judged, usable = ~np.isnan(truth), ~np.isnan(released)
        of_row = np.where(release.origin >= 0, fold[release.origin], -1)
        errors = np.zeros((len(truth), 3))
        if judged.any():
            errors[judged] = self.least_errors(truth[judged])[:, None]
        for part in np.unique(fold[judged]):
            test, learnt, learnt_masked = judged & (fold == part), judged & (fold != part), usable & (of_row != part)
            for column, (rows, design, values, probe) in enumerate(
                ((learnt, before, truth, before), (learnt_masked, after, released, tested)), start=1
            ):
                if rows.any() and design.shape[1]:
                    errors[test, column] = self.errors(design[rows], values[rows], probe[test], truth[test])
        return Skill(errors)

    def _known_outcomes(self, release: Release, target: str) -> tuple[NDArray[np.float64], ...]:
        """What is to be predicted in either file; nothing of the masked one where it has lost the attribute."""
        if target in release.shared_attributes(self.kinds):
            return self.outcomes(release.original, release.masked, target)
        return self.outcomes(release.original, release.original, target)[0], np.full(len(release.masked), np.nan)


def _designs(release: Release, target: str) -> tuple[NDArray[np.float64], ...]:
    """What predicts: the attributes of the original, those of the masked file, and the original's that both have."""
    file = release.original
    every = [each.name for each in file.attributes if each.role in ROLES and each.name != target]
    shared = [name for name in every if name in release.shared_attributes()]
    return (
        _design(file, every, release),
        _design(release.masked, shared, release),
        _design(file, shared, release),
    )


def _design(file: Microdata, names: list[str], release: Release) -> NDArray[np.float64]:
    """Numbers unchanged, an indicator for each category; a missing value is the original's mean, with an indicator."""
    columns = []
    for name in names:
        column, original = file.columns[name], release.original
        if original.attribute(name).kind & Kind.ORDERED:
            seen = original.matrix([name])[~original.absent(name), 0]
            columns.append(np.where(file.absent(name), seen.mean() if len(seen) else 0.0, column))
        else:
            found, counts = np.unique(original.columns[name], return_counts=True)
            frequent = found[np.argsort(-counts, kind="stable")[:CATEGORIES]]
            columns += [(column == category).astype(np.float64) for category in frequent if category >= 0]
        if original.absent(name).any() or (name in release.masked and release.masked.absent(name).any()):
            columns.append(file.absent(name).astype(np.float64))
    return np.column_stack(columns) if columns else np.empty((len(file), 0))
