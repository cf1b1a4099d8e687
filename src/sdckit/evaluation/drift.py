"""Drift: how the next file of a series differs from the one that a run was made for, before anything is masked."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from difflib import get_close_matches
from typing import Any

from sdckit.errors import HIDDEN
from sdckit.microdata import Microdata
from sdckit.profile import ColumnProfile, Profile
from sdckit.recipe import Recipe

SHIFT = 0.02  # the change of a share of missing values that is reported
LISTED = 5  # categories in a text


@dataclass(frozen=True)
class Drift:
    """One difference: the column, what differs, how it was and is now, and the cure where the run cannot go on.

    `of_records` says that the texts before and now are values of records, which a log or a file must not show.
    """

    column: str
    difference: str
    before: str
    now: str
    cure: str = ""
    of_records: bool = False

    @property
    def stops(self) -> bool:
        """Whether the run cannot work on the file."""
        return bool(self.cure)

    def shown(self, *, private_too: bool) -> "Drift":
        """The difference with or without values of records."""
        return self if private_too or not self.of_records else replace(self, before=HIDDEN, now=HIDDEN)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return asdict(self) | {"stops": self.stops}


def column_drift(
    columns: Sequence[str], known: Iterable[str], recipe: Recipe | None, where: str = "the run"
) -> list[Drift]:
    """The columns that are missing or new; one that a step masks cannot be missing."""
    expected = list(known)
    drift = []
    for name in expected:
        if name in columns:
            continue
        steps = [
            f"step {number} ({step.masking.name})"
            for number, step in enumerate(recipe.steps if recipe else (), start=1)
            if name in step.attributes
        ]
        cure = f"{steps[0]} masks it: rename the column of the file, or take {name!r} out of {where}" if steps else ""
        perhaps = get_close_matches(name, [each for each in columns if each not in expected], n=1)
        now = f"missing; {perhaps[0]}?" if perhaps else "missing"
        drift.append(Drift(name, "column is missing", "present", now, cure))
    drift += [Drift(name, "new column", "–", "present") for name in columns if name not in expected]
    return drift


def value_drift(profile: Profile, data: Microdata, recipe: Recipe | None, where: str = "the run") -> list[Drift]:
    """The differences of the columns that both files have: kind, categories, range and share of missing values."""
    now = Profile.of(data)
    masked = {name for step in (recipe.steps if recipe else ()) for name in step.attributes}
    drift = []
    for name, before in profile.columns.items():
        if name in now.columns:
            drift += _column_drift(name, before, now.columns[name], masked, where)
    return drift


def _column_drift(name: str, before: ColumnProfile, now: ColumnProfile, masked: set[str], where: str) -> list[Drift]:
    if before.numeric != now.numeric:
        forms = {True: "numbers", False: "categories"}
        cure = (
            f"a step masks it as {forms[before.numeric]}: correct the values that are none, or declare its kind in "
            f"{where}"
            if name in masked
            else ""
        )
        return [Drift(name, "other kind", forms[before.numeric], forms[now.numeric], cure)]
    drift = []
    if before.categories is not None and now.categories is not None:
        new = [each for each in now.categories if each not in set(before.categories)]
        gone = [each for each in before.categories if each not in set(now.categories)]
        also = f"also {_listed(new)}"
        drift += [Drift(name, "new categories", _listed(before.categories), also, of_records=True)] if new else []
        drift += [Drift(name, "vanished categories", _listed(gone), "none of these", of_records=True)] if gone else []
    drift += _range_drift(name, before, now)
    if abs(now.missing_share - before.missing_share) >= SHIFT:
        drift.append(
            Drift(name, "missing values", f"{before.missing_share:.1%} missing", f"{now.missing_share:.1%} missing")
        )
    return drift


def _range_drift(name: str, before: ColumnProfile, now: ColumnProfile) -> list[Drift]:
    """A range that the earlier one does not contain; a narrower one is no drift."""
    if before.lowest is None or before.highest is None or now.lowest is None or now.highest is None:
        return []
    if before.lowest <= now.lowest and now.highest <= before.highest:
        return []
    was, is_now = (f"{each.lowest_text} to {each.highest_text}" for each in (before, now))
    return [Drift(name, "wider range", was, is_now, of_records=True)]


def _listed(texts: Sequence[str]) -> str:
    more = f" and {len(texts) - LISTED} more" if len(texts) > LISTED else ""
    return ", ".join(texts[:LISTED]) + more
