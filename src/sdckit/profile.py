"""Profile: what a file looked like when it was masked, so that the next file of the series can be compared with it.

It has categories and ranges of the original, so it is private; the key of a release keeps it.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.attribute import Attribute
from sdckit.frames.to_frame import polars_series
from sdckit.hierarchy import category_text
from sdckit.microdata import Microdata, Role

MOST_CATEGORIES = 1_000  # of a column whose categories are kept


@dataclass(frozen=True)
class ColumnProfile:
    """One column: its form, the share of missing values, and its range or its categories.

    `numeric` says that it has numbers or dates; `lowest` and `highest` are as people write them, such as dates.
    """

    numeric: bool
    missing_share: float
    lowest: float | None = None
    highest: float | None = None
    lowest_text: str = ""
    highest_text: str = ""
    categories: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Profile:
    """The columns of a file by name; of identifiers only the name is kept."""

    records: int
    columns: Mapping[str, ColumnProfile]
    identifiers: tuple[str, ...] = ()

    @classmethod
    def of(cls, data: Microdata) -> "Profile":
        """The profile of a file.

        >>> import polars
        >>> Profile.of(Microdata.from_frame(polars.DataFrame({"age": [31, None, 47]}))).columns["age"].highest_text
        '47'
        """
        identifiers = data.names(role=Role.IDENTIFIER)
        columns = {each.name: _column(data, each.name) for each in data.attributes if each.name not in identifiers}
        return cls(len(data), columns, identifiers)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> "Profile":
        """The profile from JSON; a KeyError or TypeError where it is none."""
        columns = {}
        for name, table in document["columns"].items():
            listed = table["categories"]
            columns[name] = ColumnProfile(**{**table, "categories": None if listed is None else tuple(listed)})
        return cls(int(document["records"]), columns, tuple(document["identifiers"]))


def _column(data: Microdata, name: str) -> ColumnProfile:
    attribute, column, absent = data.attribute(name), data.columns[name], data.absent(name)
    share = float(absent.mean()) if len(absent) else 0.0
    seen = np.flatnonzero(~absent)
    if attribute.categories is not None:
        return category_profile(attribute, np.unique(column[seen]), share)
    if not len(seen):
        return ColumnProfile(True, share)
    ends = np.array([seen[np.argmin(column[seen])], seen[np.argmax(column[seen])]])
    return number_profile(data.take(ends), name, share)


def category_profile(attribute: Attribute, used: NDArray[Any], missing_share: float) -> ColumnProfile:
    """The profile of a column of categories, of which these codes occur."""
    assert attribute.categories is not None
    texts = tuple(category_text(attribute.categories[code]) for code in used)
    return ColumnProfile(False, missing_share, categories=texts if len(texts) <= MOST_CATEGORIES else None)


def number_profile(ends: Microdata, name: str, missing_share: float) -> ColumnProfile:
    """The profile of a column of numbers or dates, of which a file has the lowest value and the highest."""
    low, high = (_plain(each) for each in polars_series(ends, ends.attribute(name)).to_list())
    lowest, highest = (float(value) for value in ends.columns[name])
    return ColumnProfile(True, missing_share, lowest, highest, low, high)


def _plain(value: Any) -> str:
    """A number without a needless point: 15, also where the file writes 15.0."""
    return f"{value:.15g}" if isinstance(value, float) else str(value)
