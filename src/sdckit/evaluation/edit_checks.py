"""Edit checks: which edits of a file its masked twin breaks, and in how many records."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sdckit.edits import Edit
from sdckit.microdata import Kind, Microdata
from sdckit.release import Release


@dataclass(frozen=True)
class EditCheck:
    """An edit, and the number of records that break it before and after masking."""

    edit: str
    records: int
    broken: int
    broken_before: int

    def __str__(self) -> str:
        """The counts in words."""
        return f"{self.edit}: broken in {self.broken:,} of {self.records:,} records ({self.broken_before:,} before)"

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)


def broken_edits(release: Release) -> tuple[EditCheck, ...]:
    """The edits of the original that the masked file breaks; edits on columns it does not have are left out."""
    numbers = release.shared_attributes(Kind.ORDERED)
    checks = [
        EditCheck(str(edit), len(release.masked), _broken(edit, release.masked), _broken(edit, release.original))
        for edit in release.original.edits.among(numbers)
    ]
    return tuple(check for check in checks if check.broken)


def _broken(edit: Edit, data: Microdata) -> int:
    names: Sequence[str] = list(edit.terms)
    return int(edit.violations(dict(zip(names, data.matrix(names).T, strict=True))).sum())
