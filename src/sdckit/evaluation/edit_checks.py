"""Edit checks: which edits of a file the masked file breaks, and in how many records."""

from dataclasses import asdict, dataclass
from typing import Any

from sdckit.edit_checks import compare_edits
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
    return tuple(
        EditCheck(str(each.edit), len(release.masked), each.after, each.before)
        for each in compare_edits(release.original, release.masked)
        if each.after
    )
