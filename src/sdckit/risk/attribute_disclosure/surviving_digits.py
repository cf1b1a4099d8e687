"""Surviving digits: do the last digits of masked values show whose they are?"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import NotApplicableError
from sdckit.intruder import Intruder
from sdckit.kernels.equivalence_classes import class_of
from sdckit.kernels.intervals import wilson
from sdckit.kernels.last_digits import last_digits, observed_decimals
from sdckit.measure import Measure, Need, Score, risk
from sdckit.microdata import Kind
from sdckit.parameters import param
from sdckit.release import Release

STANDARD_ERRORS = 4.0  # above accident, from which digits count as surviving


@dataclass(frozen=True, eq=False)
class Digits:
    """The last digits of an attribute in the records that have a row, before and after, and in how many they agree."""

    before: NDArray[np.int64]
    after: NDArray[np.int64]
    share: float
    by_accident: float

    @classmethod
    def of(cls, original: NDArray[np.float64], masked: NDArray[np.float64]) -> "Digits":
        """The digits of a column, to the decimals that the original needs."""
        decimals = observed_decimals(original)
        before, after = last_digits(original, decimals), last_digits(masked, decimals)
        seen = before >= 0
        records = max(int(seen.sum()), 1)
        agreeing = float((before[seen] == after[seen]).sum()) / records
        top = int(max(before.max(initial=0), after.max(initial=0))) + 1
        if top <= 10**6:
            counts = np.bincount(before[seen], minlength=top) * np.bincount(after[after >= 0], minlength=top)
            by_accident = float(counts.sum()) / records / max(len(after), 1)
        else:
            by_accident = 1.0 / top
        return cls(before, after, agreeing, min(by_accident, 1.0))

    @property
    def survive(self) -> bool:
        """Whether they agree more often than those of a random row."""
        error = np.sqrt(self.by_accident * (1 - self.by_accident) / max(len(self.before), 1))
        return bool(self.share > self.by_accident + STANDARD_ERRORS * error)


@risk("surviving-digits", reference="hundepool2012", needs={Need.ROWS}, sees=Kind.ORDERED, by_default=False)
class SurvivingDigits(Measure):
    r"""Share of records whose row an intruder finds by the last digits of the masked values alone.

    The digits are those after the decimal point, at least two, to the decimals that the original needs. Attributes that
    were changed count, or all where none was; of these, the ones whose digits agree in a record and its row more often
    than by accident. Noise in whole units leaves the cents, a shift of all values leaves all digits, and a masking that
    changes some of the values leaves the digits of the others. Ties share the credit.

    Formula: $\frac{1}{n} \sum_i \frac{[t_i = t'_i]}{|\{r : t'_r = t_i\}|}$,  $t$ the last digits of the attributes
    whose digits survive

    Intruder: knows the values of a record exactly and compares their last digits with the released ones.

    Use it when values were masked elsewhere, or by a method that moves values by steps or leaves some unchanged.
    """

    changed_only: bool = param(False, "leave out the values that the masking did not change")

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        names = [name for name in release.evaluated_attributes() if not release.original.attribute(name).coded]
        if not names:
            raise NotApplicableError("the two files share no numeric attribute, so there are no digits to compare")
        original, masked = release.pairs(names)
        moved = ~((original == masked) | (np.isnan(original) & np.isnan(masked))).all(axis=0)
        columns = np.flatnonzero(moved) if moved.any() else np.arange(len(names))
        if self.changed_only:
            unchanged = original == masked
            original, masked = np.where(unchanged, np.nan, original), np.where(unchanged, np.nan, masked)
        digits = {names[column]: Digits.of(original[:, column], masked[:, column]) for column in columns}
        surviving = [each for each in digits.values() if each.survive]
        found = correct_by_digits(surviving) if surviving else np.zeros(len(original))
        released = np.flatnonzero(release.true_rows(np.arange(len(release.original))) >= 0)
        return Score(
            float(found.mean()),
            by_record=release.on_records(released, found),
            by_attribute={name: each.share for name, each in digits.items()},
            interval=wilson(float(found.sum()), len(found)),
            baseline=1.0 / len(release.masked),
            details={"by_accident": {name: each.by_accident for name, each in digits.items()}},
        )


def correct_by_digits(attributes: list[Digits]) -> NDArray[np.float64]:
    """For each record the probability that a row drawn from those with its digits is its own."""
    before = np.column_stack([each.before for each in attributes])
    after = np.column_stack([each.after for each in attributes])
    classes = class_of(np.concatenate([before, after]).astype(np.int64)).of
    own, rows = classes[: len(before)], classes[len(before) :]
    sizes = np.bincount(rows, minlength=int(classes.max()) + 1)
    there = (own == rows) & (before >= 0).any(axis=1)
    return np.where(there, 1.0 / np.maximum(sizes[own], 1), 0.0)
