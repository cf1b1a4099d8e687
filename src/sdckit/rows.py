"""Rows: how the rows of a masked file correspond to the records of the original.

`Matched`    every record has exactly one row
`Sampled`    some records have no row, or some rows belong to no record
`Unrelated`  the file was synthesised: no row belongs to a record
`Unknown`    neither the user nor the files show the correspondence

What needs a correspondence asks for the true row of a record; for the last two that is an error with its cure.
"""

from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import NotApplicableError, SchemaError
from sdckit.read_only import seal

NOBODY = -1  # in `origin`: a row that belongs to no record of the original
NO_ROW = -1  # in `true_rows`: a record that has no row in the masked file
CURES = (
    "give the private key file that `protect --key-out` wrote (--key), name a column that identifies the records in "
    "both files (--match-on), or confirm that both files list the same records in the same order (--rows-in-order)"
)


class Rows(Enum):
    """What a masking does to the rows of a file."""

    KEPT = "kept"
    SAMPLED = "sampled"
    SYNTHESISED = "synthesised"


@dataclass(frozen=True, eq=False)
class Matched:
    """Every record has exactly one row: row i is that of record `origin[i]`."""

    origin: NDArray[np.int64] = field(repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "origin", _checked(self.origin))
        if not _is_permutation(self.origin):
            raise SchemaError("the rows do not match the records one to one; describe them as a sample")


@dataclass(frozen=True, eq=False)
class Sampled:
    """Row i is that of record `origin[i]`, or of no record (−1); records may have no row."""

    origin: NDArray[np.int64] = field(repr=False)

    def __post_init__(self) -> None:
        origin = _checked(self.origin)
        object.__setattr__(self, "origin", origin)
        named, times = np.unique(origin[origin != NOBODY], return_counts=True)
        if len(named) and named[0] < 0:
            raise SchemaError(f"the correspondence names record {named[0]}; records are numbered from 0")
        if (times > 1).any():
            raise SchemaError(
                f"the correspondence gives two rows to record {named[times > 1][0]}; a record has one row at most"
            )


@dataclass(frozen=True)
class Unrelated:
    """The masked file was synthesised: no row belongs to a record."""


@dataclass(frozen=True)
class Unknown:
    """Which row belongs to which record is not known; `reason` says why."""

    reason: str


Correspondence: TypeAlias = Matched | Sampled | Unrelated | Unknown


def correspondence(origin: NDArray[np.int64], records: int) -> Matched | Sampled:
    """The correspondence that `origin` describes, for an original with this number of records."""
    origin = np.asarray(origin, dtype=np.int64)
    if len(origin) and origin.max() >= records:
        raise SchemaError(f"the correspondence names record {origin.max()}, and the original has {records}")
    if len(origin) == records and _is_permutation(origin):
        return Matched(origin)
    return Sampled(origin)


def _is_permutation(origin: NDArray[np.int64]) -> bool:
    """Does every number from 0 on occur once?"""
    numbers = np.arange(len(origin))
    if (origin == numbers).all():
        return True
    if origin.min() < 0 or origin.max() >= len(origin):
        return False
    occurs = np.zeros(len(origin), dtype=bool)
    occurs[origin] = True
    return bool(occurs.all())


def in_order(records: int) -> Matched:
    """Row i is that of record i."""
    matched = object.__new__(Matched)  # there is nothing to check
    object.__setattr__(matched, "origin", seal(np.arange(records)))
    return matched


def origin_of(rows: Correspondence) -> NDArray[np.int64]:
    """Which record each row belongs to; an error where none does or it is not known."""
    if isinstance(rows, Unrelated):
        raise NotApplicableError(
            "the masked file was synthesised: no row of it belongs to a record of the original; "
            "`sdckit assess` runs the attacks on synthetic data"
        )
    if isinstance(rows, Unknown):
        raise NotApplicableError(f"which row belongs to which record is not known: {rows.reason}; {CURES}")
    return rows.origin


def _checked(origin: NDArray[np.int64]) -> NDArray[np.int64]:
    numbers = np.array(origin, dtype=np.int64)
    numbers.flags.writeable = False
    return numbers
