"""Candidates: for each record an intruder knows, what its values in a file can be.

What is known is the set of candidates in the original file (a box of zero width where a value is known exactly); a
masking turns it into the set of candidates in the file it released, and a chain of maskings composes these steps.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from sdckit.hierarchy import ROOT
from sdckit.microdata import Attribute, Kind, Microdata

ROUNDING_ERROR = 1e-12  # of the size of a value: some thousand times the precision of a float
SAME = 1e-10  # of the size of a value: rounding errors of several steps


@dataclass(frozen=True)
class Groups:
    """Sets of released rows, as groups: row r is of group `of_row[r]`; record i may be in the groups `members(i)`.

    `promised` says that the truth is in one of them by theory.
    """

    of_row: NDArray[np.int64]
    starts: NDArray[np.int64]
    listed: NDArray[np.int64]
    promised: bool = True

    def members(self, record: int) -> NDArray[np.int64]:
        """The groups that a record may be in."""
        return self.listed[self.starts[record] : self.starts[record + 1]]

    def admit(self, records: NDArray[np.int64], rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether the record beside each row may be in the group of the row."""
        groups = max(int(self.of_row.max(initial=0)), int(self.listed.max(initial=0))) + 1
        owner = np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))
        return np.isin(records * groups + self.of_row[rows], owner * groups + self.listed)


@dataclass(frozen=True)
class Candidates:
    """An interval for each ordered attribute, a set of categories for each other one, and groups of rows.

    `certain` says that the truth is among them by theory; where it is not, the coverage has to be measured.
    `likely` names the attributes whose restrictions are not promised; by default all, where nothing is certain.
    `complete` says that the records are all that the masking gets, so that it can use the whole column; it ends where
    records are left out, and for a column where values are. `aligned` lets a masking align the known part of a column
    with the released one: smaller sets, without a promise that the truth is in them. `left_out` bounds the number of
    values of a column that later steps of a recipe left out of the released one.
    """

    records: int
    lower: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    upper: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    allowed: Mapping[str, NDArray[np.bool_]] = field(default_factory=dict)
    groups: tuple[Groups, ...] = ()
    may_be_missing: frozenset[str] = frozenset()
    certain: bool = True
    complete: bool = False
    aligned: bool = False
    left_out: float = 0
    likely: frozenset[str] | None = None

    def __post_init__(self) -> None:
        if self.likely is None:
            object.__setattr__(self, "likely", frozenset() if self.certain else frozenset(self.names))
            if not self.certain:
                object.__setattr__(self, "groups", tuple(replace(each, promised=False) for each in self.groups))

    @classmethod
    def known(
        cls, data: Microdata, names: Sequence[str], *, complete: bool = False, original: Microdata | None = None
    ) -> "Candidates":
        """What knowing these attributes of these records exactly amounts to; a missing value is not known.

        The data may have coarser categories after those of the original: each of these means all categories below it.
        """
        lower, upper, allowed = {}, {}, {}
        for name in names:
            attribute = data.attribute(name)
            absent = data.absent(name)
            if attribute.kind & Kind.ORDERED:
                column = data.matrix([name])[:, 0]
                lower[name], upper[name] = np.where(absent, -np.inf, column), np.where(absent, np.inf, column)
            elif attribute.categories is not None:
                fine = len((original or data).attribute(name).categories or ())
                allowed[name] = meanings(attribute, fine)[data.columns[name]]
                allowed[name][absent] = True
        return cls(len(data), lower, upper, allowed, complete=complete)

    @property
    def names(self) -> tuple[str, ...]:
        """The attributes that are restricted."""
        return (*self.lower, *self.allowed)

    def exactly(self, name: str) -> bool:
        """Whether every value of an attribute is known exactly, up to rounding errors."""
        low, high = self.lower[name], self.upper[name]
        if not (np.isfinite(low).all() and np.isfinite(high).all()):
            return False
        return bool((high - low <= SAME * np.maximum(np.abs(low), np.abs(high))).all())

    def only(self, names: Sequence[str]) -> "Candidates":
        """The candidates restricted by these attributes alone."""
        return replace(
            self,
            lower={name: self.lower[name] for name in names if name in self.lower},
            upper={name: self.upper[name] for name in names if name in self.upper},
            allowed={name: self.allowed[name] for name in names if name in self.allowed},
            may_be_missing=self.may_be_missing & set(names),
            likely=self.unpromised & set(names),
        )

    @property
    def unpromised(self) -> frozenset[str]:
        """The attributes whose restrictions are likely and not promised."""
        return self.likely or frozenset()

    def promised(self) -> "Candidates":
        """The candidates by the restrictions that theory promises, without those that are only likely."""
        kept = self.only([name for name in self.names if name not in self.unpromised])
        return replace(kept, groups=tuple(each for each in self.groups if each.promised), certain=True)

    def entering(self, names: Sequence[str]) -> "Candidates":
        """What a masking of these attributes gets: a column is complete only if no value of it went missing."""
        part = self.only(names)
        return replace(part, complete=part.complete and not part.may_be_missing)

    def widened(self, slack: Mapping[str, float]) -> "Candidates":
        """The intervals made wider at both ends, by attribute."""
        if not any(slack.get(name) for name in self.lower):
            return self
        lower = {name: ends - slack.get(name, 0.0) for name, ends in self.lower.items()}
        upper = {name: ends + slack.get(name, 0.0) for name, ends in self.upper.items()}
        return replace(self, lower=lower, upper=upper)

    def with_rounding_error(self, known: "Candidates") -> "Candidates":
        """The intervals wider by what floating point may add to a value computed from the known one."""
        lower, upper = {}, {}
        for name, low in self.lower.items():
            ends = [low, self.upper[name], *(side[name] for side in (known.lower, known.upper) if name in side)]
            size = np.max([np.where(np.isfinite(end), np.abs(end), 0.0) for end in ends], axis=0)
            lower[name], upper[name] = low - ROUNDING_ERROR * size, self.upper[name] + ROUNDING_ERROR * size
        return replace(self, lower=lower, upper=upper)

    def clipped(self, ranges: Mapping[str, tuple[float, float]]) -> "Candidates":
        """The intervals cut to the ranges that every released value is in; a value not known may be missing, too."""
        whole = (-np.inf, np.inf)
        unknown = {name: np.isneginf(ends) & np.isposinf(self.upper[name]) for name, ends in self.lower.items()}
        lower, upper = (
            {
                name: np.where(unknown[name], ends, np.clip(ends, *ranges.get(name, whole)))
                for name, ends in side.items()
            }
            for side in (self.lower, self.upper)
        )
        return replace(self, lower=lower, upper=upper)

    def after(self, names: Sequence[str], step: "Candidates | None") -> "Candidates":
        """Replace the restrictions on the attributes that a step changed; None means that the step excludes nothing."""
        unchanged = self.only([name for name in self.names if name not in names])
        if step is None:
            return unchanged
        from_likely = not self.unpromised.isdisjoint(names)  # what is computed from likely values is likely
        likely = frozenset(step.names) if from_likely else step.unpromised
        groups = tuple(replace(each, promised=each.promised and not from_likely) for each in step.groups)
        return replace(
            unchanged,
            lower={**unchanged.lower, **step.lower},
            upper={**unchanged.upper, **step.upper},
            allowed={**unchanged.allowed, **step.allowed},
            groups=(*unchanged.groups, *groups),
            may_be_missing=self.may_be_missing | step.may_be_missing,
            certain=unchanged.certain and step.certain,
            likely=unchanged.unpromised | likely,
        )

    def admits(self, released: Microdata, record: int) -> NDArray[np.bool_]:
        """Which released rows a record can be."""
        return self.admits_pairs(released, np.full(len(released), record), np.arange(len(released)))

    def admits_pairs(
        self, released: Microdata, records: NDArray[np.int64], rows: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """Whether each of these records can be the released row beside it."""
        admitted = np.ones(len(rows), dtype=bool)
        for name in self.lower:
            low, high = self.lower[name][records], self.upper[name][records]
            column = released.matrix([name])[rows, 0]
            anything = (np.isneginf(low) & np.isposinf(high)) | (name in self.may_be_missing)
            admitted &= ((column >= low) & (column <= high)) | (np.isnan(column) & anything)
        for name, table in self.allowed.items():
            codes = released.columns[name][rows]
            anything = np.asarray(table[records].all(axis=1)) | (name in self.may_be_missing)
            new = codes >= table.shape[1]  # a category that only the masked file has
            admitted &= np.where(codes < 0, anything, table[records, np.where(new, 0, codes)] & ~new)
        for groups in self.groups:
            admitted &= groups.admit(records, rows)
        return admitted


def meanings(attribute: Attribute, fine: int) -> NDArray[np.bool_]:
    """For each category, which of the first `fine` ones it may mean: itself, or those below it in the hierarchy.

    Without a hierarchy a released root is above all of them.
    """
    categories = attribute.categories or ()
    table = np.zeros((len(categories), fine), dtype=bool)
    table[np.arange(min(fine, len(categories))), np.arange(min(fine, len(categories)))] = True
    tree = attribute.hierarchy
    for code in range(fine, len(categories)):
        if tree is not None and categories[code] in tree:
            node = str(categories[code])
            texts = [str(category) for category in categories[:fine]]
            table[code] = [text in tree and node in tree.ancestors(text) for text in texts]
        elif tree is None and categories[code] == ROOT:
            table[code] = True
    return table
